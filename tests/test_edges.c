/* The compute renderer's coverage rule: shaders/edges.glsl, compiled as C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    int x, y;
} ivec2;

typedef struct {
    float x, y, z, w;
} vec4;

/* What the shader takes from its language. */
#define precise
#define ivec2(x, y) ((ivec2){(int) (x), (int) (y)})
typedef unsigned uint;

static float clamp(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

/* As GLSL defines it, so that a zero keeps the first one's sign. */
static float max(float x, float y)
{
    return x < y ? y : x;
}

static uint floatBitsToUint(float value)
{
    uint bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The shader's functions have no `static`; these declarations give it to them. */
static ivec2 snap(float x, float y);
static ivec2 cut(vec4 a, vec4 b);
static uint depth_bits(float depth);
static int edge_small(ivec2 a, ivec2 b, ivec2 c);
static int64_t edge_large(ivec2 a, ivec2 b, ivec2 c);
static int edge_bias(ivec2 a, ivec2 b);
static int first_centre(int position);
static int last_centre(int position);

#include "../shaders/edges.glsl"

enum { CENTRE = 128, PIXEL = 256 };

static uint32_t state = 1;

/* 0 to `count` - 1. */
static int draw(int count)
{
    state = state * 1664525U + 1013904223U;
    return (int) ((state >> 8) % (uint32_t) count);
}

static ivec2 centre_of(int x, int y)
{
    return (ivec2){x * PIXEL + CENTRE, y * PIXEL + CENTRE};
}

static int covers(ivec2 a, ivec2 b, ivec2 c, ivec2 centre, int large)
{
    const int64_t area = large ? edge_large(a, b, c) : edge_small(a, b, c);
    if (area == 0)
        return 0;
    if (area < 0) {
        const ivec2 swapped = b;
        b = c;
        c = swapped;
    }
    if (large)
        return edge_large(b, c, centre) + edge_bias(b, c) >= 0 &&
               edge_large(c, a, centre) + edge_bias(c, a) >= 0 &&
               edge_large(a, b, centre) + edge_bias(a, b) >= 0;
    return edge_small(b, c, centre) + edge_bias(b, c) >= 0 &&
           edge_small(c, a, centre) + edge_bias(c, a) >= 0 &&
           edge_small(a, b, centre) + edge_bias(a, b) >= 0;
}

/* A square cut into triangles around an inner point, which often lies on a
 * centre, or on a line with a corner: each centre in the square is one
 * triangle's; those on its upper and left sides belong to it, the others not. */
static void fans_cover_once(void **unused)
{
    (void) unused;
    for (int round = 0; round < 4000; round++) {
        const int scale = round % 2 ? 1 : CENTRE; /* corners on half pixels: many ties */
        const int side = 8 * PIXEL / scale;
        const ivec2 corners[4] = {{0, 0}, {8 * PIXEL, 0}, {8 * PIXEL, 8 * PIXEL}, {0, 8 * PIXEL}};
        const ivec2 inner = {(1 + draw(side - 1)) * scale, (1 + draw(side - 1)) * scale};
        const ivec2 shift = {draw(3) * CENTRE, draw(3) * CENTRE};
        for (int y = -1; y <= 10; y++) {
            for (int x = -1; x <= 10; x++) {
                const ivec2 centre = {centre_of(x, y).x - shift.x, centre_of(x, y).y - shift.y};
                const int inside =
                    centre.x >= 0 && centre.x < 8 * PIXEL && centre.y >= 0 && centre.y < 8 * PIXEL;
                for (int large = 0; large < 2; large++) {
                    int hits = 0;
                    for (int i = 0; i < 4; i++) {
                        /* Either winding. */
                        const ivec2 a = corners[draw(2) ? i : (i + 1) % 4];
                        const ivec2 b = a.x == corners[i].x && a.y == corners[i].y
                                            ? corners[(i + 1) % 4]
                                            : corners[i];
                        hits += covers(a, inner, b, centre, large);
                    }
                    assert_int_equal(hits, inside);
                }
            }
        }
    }
}

static void boxes_hold_all_centres(void **unused)
{
    (void) unused;
    for (int position = -1000; position <= 1000; position++) {
        const int first = first_centre(position);
        const int last = last_centre(position);
        assert_true(centre_of(first, 0).x >= position && centre_of(first - 1, 0).x < position);
        assert_true(centre_of(last, 0).x <= position && centre_of(last + 1, 0).x > position);
    }
}

/* The extremes that the shader lets through. */
static void sizes_fit(void **unused)
{
    (void) unused;
    const int small = SMALL_EXTENT - 1;
    const ivec2 a = {-small, small};
    const ivec2 b = {0, 0};
    const ivec2 c = {-small, 0};
    assert_int_equal(edge_small(a, b, c), edge_large(a, b, c));
    assert_int_equal(edge_large(a, b, c), (int64_t) small * -small);
    const int guard = (int) GUARD;
    const ivec2 saturated = snap(1e30F, -1e30F);
    assert_true(saturated.x == guard && saturated.y == -guard);
    const ivec2 low = {-guard, -guard};
    const ivec2 high = {guard, guard};
    const ivec2 corner = {-guard, guard};
    assert_true(edge_large(low, high, corner) == INT64_C(1) << 60);
    assert_true(edge_large(corner, high, low) == -(INT64_C(1) << 60));
}

static void edges_of_one_line_belong_to_one_side(void **unused)
{
    (void) unused;
    for (int round = 0; round < 10000; round++) {
        const ivec2 a = {draw(100), draw(100)};
        const ivec2 b = {draw(100), draw(100)};
        if (a.x != b.x || a.y != b.y)
            assert_int_equal(edge_bias(a, b) + edge_bias(b, a), -1);
    }
}

/* Neighbours have the cut segment in opposite directions. */
static void cuts_are_the_same_from_both_ends(void **unused)
{
    (void) unused;
    const ivec2 half = cut((vec4){0.0F, 0.0F, 1.0F, 1.0F}, (vec4){512.0F, -100.0F, -1.0F, 1.0F});
    assert_true(half.x == 256 && half.y == -49);
    for (int round = 0; round < 10000; round++) {
        const vec4 inside = {(float) draw(1 << 24), (float) draw(1 << 24),
                             1e-4F * (float) (1 + draw(1 << 20)), 1e-4F * (float) draw(1 << 20)};
        const vec4 outside = {(float) draw(1 << 24), (float) draw(1 << 24),
                              -1e-4F * (float) (1 + draw(1 << 20)), -1e-4F * (float) draw(1 << 20)};
        const ivec2 one = cut(inside, outside);
        const ivec2 other = cut(outside, inside);
        assert_int_equal(one.x, other.x);
        assert_int_equal(one.y, other.y);
    }
}

static void bits_have_the_order_of_depths(void **unused)
{
    (void) unused;
    const float depths[] = {0.0F, 1e-38F, 1e-7F, 0.5F, 0.99999994F, 1.0F};
    assert_int_equal(depth_bits(-0.0F), 0);
    assert_int_equal(depth_bits(-1e-8F), 0);
    for (size_t i = 1; i < sizeof depths / sizeof *depths; i++)
        assert_true(depth_bits(depths[i - 1]) < depth_bits(depths[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fans_cover_once),
        cmocka_unit_test(boxes_hold_all_centres),
        cmocka_unit_test(sizes_fit),
        cmocka_unit_test(cuts_are_the_same_from_both_ends),
        cmocka_unit_test(bits_have_the_order_of_depths),
        cmocka_unit_test(edges_of_one_line_belong_to_one_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
