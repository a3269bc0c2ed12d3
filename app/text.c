#include "app/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

enum text_result text_to_u64(const char *text, size_t length, uint64_t *value)
{
    uint64_t sum = 0;
    bool over = false;
    if (length == 0)
        return TEXT_MALFORMED;
    for (size_t i = 0; i < length; i++) {
        if (!is_digit(text[i]))
            return TEXT_MALFORMED;
        uint64_t digit = (uint64_t) (text[i] - '0');
        over = over || sum > (UINT64_MAX - digit) / 10;
        if (!over)
            sum = sum * 10 + digit;
    }
    if (over)
        return TEXT_RANGE;
    *value = sum;
    return TEXT_OK;
}

static size_t skip_digits(const char *text, size_t at)
{
    while (is_digit(text[at]))
        at++;
    return at;
}

enum text_result text_to_double(const char *text, double *value)
{
    /* The form is checked by hand, because strtod() also takes spaces,
     * hexadecimal, "inf" and "nan". */
    size_t start = text[0] == '+' || text[0] == '-' ? 1 : 0;
    size_t at = skip_digits(text, start);
    size_t digits = at - start;
    if (text[at] == '.') {
        size_t fraction = at + 1;
        at = skip_digits(text, fraction);
        digits += at - fraction;
    }
    if (digits == 0)
        return TEXT_MALFORMED;
    if (text[at] == 'e' || text[at] == 'E') {
        at++;
        if (text[at] == '+' || text[at] == '-')
            at++;
        size_t exponent = at;
        at = skip_digits(text, at);
        if (at == exponent)
            return TEXT_MALFORMED;
    }
    if (text[at] != '\0')
        return TEXT_MALFORMED;

    char *end = NULL;
    double number = strtod(text, &end);
    if (*end != '\0')
        return TEXT_MALFORMED;
    if (!isfinite(number))
        return TEXT_RANGE;
    *value = number;
    return TEXT_OK;
}

const char *text_shown(const char *text, char shown[TEXT_SHOWN_SIZE])
{
    size_t i = 0;
    for (; i < TEXT_SHOWN_SIZE - 4 && text[i] != '\0'; i++) {
        unsigned char c = (unsigned char) text[i];
        shown[i] = text[i];
        if (c < 0x20 || c == 0x7f)
            shown[i] = '?';
    }
    memcpy(shown + i, text[i] == '\0' ? "" : "...", text[i] == '\0' ? 1 : 4);
    return shown;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned text_distance(const char *a, const char *b)
{
    enum { LONGEST = 63 };
    unsigned before[LONGEST + 1], above[LONGEST + 1], row[LONGEST + 1];
    size_t rows = strnlen(a, LONGEST), columns = strnlen(b, LONGEST);

    memset(before, 0, sizeof before);
    for (size_t j = 0; j <= columns; j++)
        above[j] = (unsigned) j;
    for (size_t i = 1; i <= rows; i++) {
        row[0] = (unsigned) i;
        for (size_t j = 1; j <= columns; j++) {
            unsigned change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = least(change, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        memcpy(before, above, sizeof before);
        memcpy(above, row, (columns + 1) * sizeof row[0]);
    }
    return above[columns];
}
