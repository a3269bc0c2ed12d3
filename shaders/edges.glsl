// Which pixel centres a triangle covers, in whole numbers: exact, so that
// neighbours leave no gap and share no pixel. Positions are in 1/256 pixel.
// This part is C as well as GLSL: tests/test_edges.c includes it.

// Twice the signed area of a, b, c; as a function of c the edge function of
// a to b. With differences below 2^14 it fits into 32 bits,
int edge_small(ivec2 a, ivec2 b, ivec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// and below 2^30 into 64.
int64_t edge_large(ivec2 a, ivec2 b, ivec2 c)
{
    const int64_t x = b.x - a.x;
    const int64_t y = b.y - a.y;
    return x * (c.y - a.y) - y * (c.x - a.x);
}

// Added to the edge function, which must then be at least 0. Top-left rule: a
// centre on an edge belongs to the triangle whose top or left edge it is; on
// others it counts as outside, by one unit. In pixel coordinates (y down) a
// triangle of positive area runs clockwise.
int edge_bias(ivec2 a, ivec2 b)
{
    return b.y < a.y || (b.y == a.y && b.x > a.x) ? 0 : -1;
}

// The first pixel whose centre does not lie before a position, and the last
// whose centre does not lie behind it.
int first_centre(int position)
{
    return (position + 127) >> 8;
}

int last_centre(int position)
{
    return (position - 128) >> 8;
}
