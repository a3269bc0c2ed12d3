#version 460
// Steps one height map of width x height vertices, row-major. The formula and
// the order of its operations are those of the CUDA kernel; `precise` forbids
// contraction, so that both write the same bytes.

layout(local_size_x = 64, local_size_y = 4) in;

layout(constant_id = 0) const uint rows_per_invocation = 4;

#ifdef HEIGHTMAP_IMAGE
layout(set = 0, binding = 0, r32f) writeonly restrict uniform image2D heights;
#else
layout(set = 0, binding = 0, std430) writeonly restrict buffer Heights {
    float heights[];
};
#endif
// sin and cos of f*u per column (width pairs), then of f*v per row.
layout(set = 0, binding = 1, std430) readonly restrict buffer Tables {
    vec2 tables[];
};

layout(push_constant) uniform Push {
    uint width;
    uint height;
    float sin_t;
    float cos_t;
};

const float amplitude = 0.5;

void main()
{
    const uint column = gl_GlobalInvocationID.x;
    if (column >= width)
        return;
    const vec2 c = tables[column];
    precise const float column_term = c.x * cos_t + c.y * sin_t;
    const uint first = gl_GlobalInvocationID.y * rows_per_invocation;
    const uint end = min(first + rows_per_invocation, height);
    for (uint row = first; row < end; row++) {
        const vec2 r = tables[width + row];
        precise const float row_term = r.y * cos_t - r.x * sin_t;
        precise const float value = amplitude * (column_term * row_term);
#ifdef HEIGHTMAP_IMAGE
        imageStore(heights, ivec2(column, row), vec4(value));
#else
        heights[row * width + column] = value;
#endif
    }
}
