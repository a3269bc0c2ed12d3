#include "kernels/nvtx.h"

#if defined __has_include
/* cppcheck-suppress preprocessorErrorDirective; it does not know the operator */
#if __has_include(<nvtx3/nvToolsExt.h>)
#define HAVE_NVTX 1
#endif
#endif

#ifdef HAVE_NVTX
/* The whole implementation is in the header: it looks for a profiler's library
 * at run time, and converts what dlsym returns, which -Wpedantic dislikes. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <nvtx3/nvToolsExt.h>
#pragma GCC diagnostic pop

void cuda_nvtx_push(const char *name)
{
    (void) nvtxRangePushA(name);
}

void cuda_nvtx_pop(void)
{
    (void) nvtxRangePop();
}

#else /* a toolkit without NVTX */

void cuda_nvtx_push(const char *name)
{
    (void) name;
}

void cuda_nvtx_pop(void)
{
}

#endif
