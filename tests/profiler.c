/* profiler: a library that NVTX loads where NVTX_INJECTION64_PATH names it, as it does
 * a profiler's. It writes the calls of ranges to the file that PROFILER_RANGES names,
 * a line for each: the name, or "end". */
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <nvtx3/nvToolsExt.h>
#pragma GCC diagnostic pop

/* The name is NVTX's. */
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t get_table);

static FILE *ranges;

static int push(const char *name)
{
    return fprintf(ranges, "%s\n", name);
}

static int pop(void)
{
    return fprintf(ranges, "end\n");
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table)
{
    const NvtxExportTableCallbacks *callbacks = get_table(NVTX_ETID_CALLBACKS);
    const char *path = getenv("PROFILER_RANGES");
    NvtxFunctionTable table = NULL;
    unsigned int size = 0;
    if (!callbacks || !path ||
        !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) ||
        size <= NVTX_CBID_CORE_RangePop)
        return 0;
    ranges = fopen(path, "w"); /* until the process ends */
    if (!ranges)
        return 0;
    *table[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer) push;
    *table[NVTX_CBID_CORE_RangePop] = (NvtxFunctionPointer) pop;
    return 1;
}
