#include "app/pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/text.h"

struct parts {
    int prefix;         /* bytes before the conversion */
    const char *suffix; /* after it */
    int width;
    bool zeros;
};

static bool split(const char *pattern, struct parts *parts)
{
    enum { WIDTH_MAX = 20, PREFIX_MAX = 1 << 20 };
    const char *percent = strchr(pattern, '%');
    if (!percent || percent - pattern > PREFIX_MAX)
        return false;
    const char *at = percent + 1;
    *parts = (struct parts){.prefix = (int) (percent - pattern), .zeros = *at == '0'};
    if (parts->zeros)
        at++;
    size_t digits = strspn(at, "0123456789");
    if (digits > 0) {
        uint64_t width = 0;
        if (text_to_u64(at, digits, &width) != TEXT_OK || width < 1 || width > WIDTH_MAX)
            return false;
        parts->width = (int) width;
    } else if (parts->zeros) {
        return false;
    }
    at += digits;
    if (*at != 'd')
        return false;
    parts->suffix = at + 1;
    return !strchr(parts->suffix, '%');
}

bool pattern_valid(const char *pattern)
{
    struct parts parts;
    return split(pattern, &parts);
}

bool pattern_path(const char *pattern, uint64_t index, char *path, size_t size)
{
    struct parts parts;
    if (size == 0)
        return false;
    path[0] = '\0';
    if (!split(pattern, &parts))
        return false;
    int length = parts.zeros ? snprintf(path, size, "%.*s%0*" PRIu64 "%s", parts.prefix, pattern,
                                        parts.width, index, parts.suffix)
                             : snprintf(path, size, "%.*s%*" PRIu64 "%s", parts.prefix, pattern,
                                        parts.width, index, parts.suffix);
    if (length < 0 || (size_t) length >= size) {
        path[0] = '\0';
        return false;
    }
    return true;
}

bool pattern_names(const char *pattern, const char *path)
{
    struct parts parts;
    if (!split(pattern, &parts))
        return false;
    size_t length = strlen(path), prefix = (size_t) parts.prefix, suffix = strlen(parts.suffix);
    if (length <= prefix + suffix || strncmp(path, pattern, prefix) != 0 ||
        strcmp(path + length - suffix, parts.suffix) != 0)
        return false;
    const char *number = path + prefix;
    size_t digits = length - prefix - suffix;
    while (digits > 1 && *number == ' ') {
        number++;
        digits--;
    }
    uint64_t index = 0;
    if (text_to_u64(number, digits, &index) != TEXT_OK)
        return false;
    /* The number is there; now its padding must be the pattern's. */
    char padded[48];
    int padding = parts.zeros ? snprintf(padded, sizeof padded, "%0*" PRIu64, parts.width, index)
                              : snprintf(padded, sizeof padded, "%*" PRIu64, parts.width, index);
    return padding > 0 && (size_t) padding == length - prefix - suffix &&
           strncmp(path + prefix, padded, (size_t) padding) == 0;
}
