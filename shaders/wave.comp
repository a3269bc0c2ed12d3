#version 460
#extension GL_EXT_control_flow_attributes : require
// Steps one height map of width x height vertices, row-major. The formula and
// the order of its operations are those of the CUDA kernel; `precise` forbids
// contraction, so that both write the same bytes.
//
// A buffer is filled as by the CUDA kernel too, 16 bytes at a time: see
// kernels/wave_plan.h for chunks and lanes, kernels/wave_layout.h for the tables.

layout(local_size_x_id = 0, local_size_y_id = 1) in;

layout(constant_id = 2) const uint rows_per_invocation = 4;

// Several blocks of one binding are views of the same memory.
layout(set = 0, binding = 1, std430) readonly restrict buffer Columns {
    float column_table[];
};
layout(set = 0, binding = 1, std430) readonly restrict buffer ColumnChunks {
    vec4 column_chunks[];
};
layout(set = 0, binding = 1, std430) readonly restrict buffer Rows {
    vec2 row_table[]; // sin, cos
};

layout(push_constant) uniform Push {
    uint width;
    uint height;
    uint stride; // floats of a column table, a multiple of 4
    float sin_t;
    float cos_t;
};

const float amplitude = 0.5;

float column_term(uint column)
{
    precise const float term = column_table[column] * cos_t + column_table[stride + column] * sin_t;
    return term;
}

float row_term(uint row)
{
    const vec2 v = row_table[4 * stride + row];
    precise const float term = v.y * cos_t - v.x * sin_t;
    return term;
}

float height_of(float column, float row)
{
    precise const float value = amplitude * (column * row);
    return value;
}

#ifdef HEIGHTMAP_IMAGE

layout(set = 0, binding = 0, r32f) writeonly restrict uniform image2D heights;

void main()
{
    const uint x = gl_GlobalInvocationID.x;
    if (x >= width)
        return;
    const float column = column_term(x);
    const uint first = gl_GlobalInvocationID.y * rows_per_invocation;
    const uint end = min(first + rows_per_invocation, height);
    for (uint y = first; y < end; y++)
        imageStore(heights, ivec2(x, y), vec4(height_of(column, row_term(y))));
}

#else

const uint chunk = 4; // floats

// The grid is narrower than a chunk: one invocation per vertex.
layout(constant_id = 3) const bool narrow = false;

// Two views of the same floats; no invocation writes one that another writes, in
// either view, and none reads.
layout(set = 0, binding = 0, std430) writeonly buffer Heights {
    float heights[];
};
layout(set = 0, binding = 0, std430) writeonly buffer HeightChunks {
    vec4 height_chunks[];
};

// Of the four columns from x on, where x - shift is a multiple of four.
vec4 column_terms(uint x, uint shift)
{
    const uint place = (2 * shift * stride + x - shift) / chunk;
    const vec4 sin_u = column_chunks[place];
    const vec4 cos_u = column_chunks[place + stride / chunk];
    precise const vec4 terms = sin_u * cos_t + cos_u * sin_t;
    return terms;
}

vec4 heights_of(vec4 columns, vec4 rows)
{
    precise const vec4 values = amplitude * (columns * rows);
    return values;
}

void fill_vertex()
{
    const uint vertex = gl_GlobalInvocationID.x;
    if (vertex >= width * height)
        return;
    const uint y = vertex / width;
    heights[vertex] = height_of(column_term(vertex - y * width), row_term(y));
}

// The last chunk of row y, which holds `inside` (1 to 3) of its vertices and
// runs on into the next row, if there is one.
void fill_last(uint place, uint y, uint inside, vec4 columns, float row)
{
    const float next = row_term(y + 1);
    const vec4 values = heights_of(
        columns, vec4(row, inside > 1 ? row : next, inside > 2 ? row : next, next));
    if (y + 1 < height) {
        height_chunks[place / chunk] = values;
        return;
    }
    // The buffer may end here.
    heights[place] = values.x;
    if (inside > 1)
        heights[place + 1] = values.y;
    if (inside > 2)
        heights[place + 2] = values.z;
}

void main()
{
    if (narrow) {
        fill_vertex();
        return;
    }
    const uint lane = gl_GlobalInvocationID.y;
    const uint first = lane / chunk * (chunk * rows_per_invocation) + lane % chunk;
    // The column that the first chunk begins at: the same in all rows of this
    // invocation, which lie four apart. The map begins at a chunk.
    const uint shift = -(first * width) % chunk;
    const uint x = gl_GlobalInvocationID.x * chunk + shift;
    if (x >= width || first >= height)
        return;

    // All reads set out before the first is waited for: in a small grid they are
    // what takes time. They may run over the end of the rows: their table is longer.
    const vec4 columns = column_terms(x, shift);
    float terms[rows_per_invocation];
    [[unroll]] for (uint i = 0; i < rows_per_invocation; i++)
        terms[i] = row_term(first + i * chunk);

    const uint place = first * width + x;
    const uint step = width * chunk;
    if (x + chunk <= width) {
        [[unroll]] for (uint i = 0; i < rows_per_invocation; i++) {
            if (first + i * chunk < height)
                height_chunks[(place + i * step) / chunk] = heights_of(columns, vec4(terms[i]));
        }
    } else {
        [[unroll]] for (uint i = 0; i < rows_per_invocation; i++) {
            const uint y = first + i * chunk;
            if (y < height)
                fill_last(place + i * step, y, width - x, columns, terms[i]);
        }
    }
}

#endif
