// Which pixel centres a triangle covers, in whole numbers: exact, so that
// neighbours leave no gap and share no pixel. Positions are in 1/256 pixel.
// This part is C as well as GLSL: tests/test_edges.c includes it.

#define GUARD 536870912.0f // positions saturate here, 2 million pixels away
#define SMALL_EXTENT 16384 // with differences below it edge functions fit into 32 bits

// A position, to which a half was added, as whole numbers: the nearest ones, and left
// of and above the picture, where it does not matter, those towards it.
ivec2 snap(float x, float y)
{
    return ivec2(clamp(x, -GUARD, GUARD), clamp(y, -GUARD, GUARD));
}

// Where a segment with ends on both sides of the near plane meets it, in homogeneous
// screen space: the same, to the bit, for all that have the segment in either direction.
ivec2 cut(vec4 a, vec4 b)
{
    const bool a_behind = a.z >= 0.0f;
    const vec4 inside = a_behind ? a : b;
    const vec4 outside = a_behind ? b : a;
    precise float part = inside.z / (inside.z - outside.z);
    precise float w = inside.w * (1.0f - part) + outside.w * part;
    precise float x = (inside.x * (1.0f - part) + outside.x * part) / w + 0.5f;
    precise float y = (inside.y * (1.0f - part) + outside.y * part) / w + 0.5f;
    return snap(x, y);
}

// A depth as a whole number of the same order; what rounding put in front of the near
// plane lies on it.
uint depth_bits(float depth)
{
    return floatBitsToUint(max(0.0f, depth));
}

// Twice the signed area of a, b, c; as a function of c the edge function of
// a to b. Fits into 32 bits within SMALL_EXTENT,
int edge_small(ivec2 a, ivec2 b, ivec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// and into 64 within GUARD.
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
