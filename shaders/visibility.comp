#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
// First pass of the compute renderer: writes what is seen at each pixel into the
// visibility buffer. A workgroup takes a tile of the grid:
//   1. project its vertices into shared memory, snapped to 1/256 pixel;
//   2. look at its primitives, drop those that cover no pixel centre, and list
//      the others, small ones from the front, large ones from the back;
//   3. one invocation draws each small one, many together each large one.
// With gl_WorkGroupID.z the rows of large primitives are dealt out to several
// workgroups of the same tile; the first draws the small ones.

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint invocations = 128;
// Vertices of a tile. Neighbours share a row or a column of them.
layout(constant_id = 2) const uint tile_width = 32;
layout(constant_id = 3) const uint tile_height = 9;
// Pixels in the bounding box of a primitive that one invocation draws alone.
layout(constant_id = 4) const uint small_limit = 32;
// Whether to look at the depth that is there before the atomic minimum.
layout(constant_id = 5) const bool look_first = false;

// Whether there may be long slivers, which take a way of their own. Fine grids have
// none, and are drawn faster without the code.
layout(constant_id = 6) const bool slivers = true;

#include "edges.glsl"
#include "visibility.glsl"

layout(set = 0, binding = 1, std430) restrict coherent buffer Visibility {
    uint64_t visibility[];
};

const uint tile_vertices = tile_width * tile_height;
const uint list_size = tile_vertices * (style == 0u ? 2u : style == 1u ? 3u : 1u);
const uint team_size = 32; // invocations that share a large primitive, at least
const int nowhere = -0x80000000; // x of a vertex in front of the near plane
const float span_error = 1.0 / 262144.0; // of float32 positions, as a part of their extent

shared ivec2 points[tile_vertices]; // 1/256 pixel
shared float depths[tile_vertices];
shared uint list[list_size]; // tile vertex * 4 + which
shared uint small_count;
shared uint large_count;

// The vertex in the tile's first corner.
uvec2 tile_origin()
{
    return gl_WorkGroupID.xy * uvec2(tile_width - 1u, tile_height - 1u);
}

uvec2 tile_vertex(uint index)
{
    return uvec2(index % tile_width, index / tile_width);
}

void project(uint index)
{
    const uvec2 vertex = min(tile_origin() + tile_vertex(index), grid - 1u);
    const vec4 position = screen_position(vertex, height_at(vertex.x, vertex.y));
    const float scale = 1.0 / position.w;
    const bool behind = position.z >= 0.0; // the near plane; false for a NaN too
    points[index] = behind ? snap(position.x * scale + 0.5, position.y * scale + 0.5)
                           : ivec2(nowhere);
    depths[index] = position.z * scale;
}

// First and last pixel, inclusive, whose centres lie in a box of 1/256 pixel,
// within the picture. Empty where a first lies behind a last.
ivec4 pixel_box(ivec2 low, ivec2 high)
{
    return ivec4(max(first_centre(low.x), 0), max(first_centre(low.y), 0),
                 min(last_centre(high.x), int(size.x) - 1),
                 min(last_centre(high.y), int(size.y) - 1));
}

bool is_empty(ivec4 box)
{
    return box.x > box.z || box.y > box.w;
}

bool is_small(ivec2 low, ivec2 high, ivec4 box)
{
    const ivec2 extent = high - low;
    const ivec2 pixels = box.zw - box.xy + 1;
    return max(extent.x, extent.y) < SMALL_EXTENT && pixels.x * pixels.y <= int(small_limit);
}

void list_primitive(uint index, uint which, bool small)
{
    const uint code = index * 4u + which;
    if (small)
        list[atomicAdd(small_count, 1u)] = code;
    else
        list[list_size - 1u - atomicAdd(large_count, 1u)] = code;
}

// Lists a primitive by the box of its corners, all behind the near plane.
void list_box(uint index, uint which, ivec2 low, ivec2 high)
{
    const ivec4 box = pixel_box(low, high);
    if (!is_empty(box))
        list_primitive(index, which, is_small(low, high, box));
}

void list_triangle(uint index, uint which, ivec2 a, ivec2 b, ivec2 c)
{
    const int in_front = int(a.x == nowhere) + int(b.x == nowhere) + int(c.x == nowhere);
    if (in_front == 0)
        list_box(index, which, min(min(a, b), c), max(max(a, b), c));
    else if (in_front < 3)
        list_primitive(index, which, false);
}

void list_quad(uint index)
{
    const ivec2 a = points[index];
    const ivec2 b = points[index + tile_width];
    const ivec2 c = points[index + 1u];
    const ivec2 d = points[index + tile_width + 1u];
    const ivec2 low = min(min(a, b), min(c, d));
    const ivec2 high = max(max(a, b), max(c, d));
    // Most quads of a fine grid lie between pixel centres.
    if (low.x != nowhere && is_empty(pixel_box(low, high)))
        return;
    list_triangle(index, 0u, b, c, a);
    list_triangle(index, 1u, b, c, d);
}

// Half the width of a line or of a point.
int half_width()
{
    return style == 1u ? subpixels / 2 : int(point_size * float(subpixels / 2));
}

void list_edge(uint index, uint which)
{
    const ivec2 a = points[index + (which == 2u ? 1u : 0u)];
    const ivec2 b = points[index + (which == 0u ? 1u : tile_width)];
    if (a.x == nowhere && b.x == nowhere)
        return;
    if (a.x == nowhere || b.x == nowhere)
        list_primitive(index, which, false);
    else
        list_box(index, which, min(a, b) - half_width(), max(a, b) + half_width());
}

void list_primitives(uint index)
{
    const uvec2 local = tile_vertex(index);
    const uvec2 vertex = tile_origin() + local;
    const bool last_column = vertex.x + 1u >= grid.x;
    const bool last_row = vertex.y + 1u >= grid.y;
    if (local.x + 1u >= tile_width || local.y + 1u >= tile_height || vertex.x >= grid.x ||
        vertex.y >= grid.y)
        return; // a neighbour's
    if (style == 0u) {
        if (!last_column && !last_row)
            list_quad(index);
    } else if (style == 1u) {
        if (!last_column)
            list_edge(index, 0u);
        if (!last_row)
            list_edge(index, 1u);
        if (!last_column && !last_row)
            list_edge(index, 2u);
    } else if (points[index].x != nowhere) {
        list_box(index, 0u, points[index] - half_width(), points[index] + half_width());
    }
}

// The depth test. Depths beyond the far plane fail as against a cleared buffer.
void draw_pixel(ivec2 pixel, float depth, uint number)
{
    if (!(depth < 1.0))
        return;
    const uint bits = depth_bits(depth);
    const uint index = uint(pixel.y) * size.x + uint(pixel.x);
    if (!look_first || bits <= uint(visibility[index] >> 32))
        atomicMin(visibility[index], packUint2x32(uvec2(number, bits)));
}

void draw_small_triangle(ivec2 a, ivec2 b, ivec2 c, vec3 depth, uint number)
{
    int area = edge_small(a, b, c);
    if (area == 0)
        return;
    if (area < 0) {
        const ivec2 swapped = b;
        b = c;
        c = swapped;
        depth.yz = depth.zy;
        area = -area;
    }
    const ivec4 box = pixel_box(min(min(a, b), c), max(max(a, b), c));
    const ivec2 first = box.xy * subpixels + subpixels / 2;
    const ivec3 bias = ivec3(edge_bias(b, c), edge_bias(c, a), edge_bias(a, b));
    const ivec3 along_x = ivec3(b.y - c.y, c.y - a.y, a.y - b.y) * subpixels;
    const ivec3 along_y = ivec3(c.x - b.x, a.x - c.x, b.x - a.x) * subpixels;
    const vec2 slope = (depth.yz - depth.x) / float(area);
    ivec3 row = ivec3(edge_small(b, c, first), edge_small(c, a, first), edge_small(a, b, first)) +
                bias;
    for (int y = box.y; y <= box.w; y++) {
        ivec3 edge = row;
        for (int x = box.x; x <= box.z; x++) {
            if ((edge.x | edge.y | edge.z) >= 0)
                draw_pixel(ivec2(x, y), depth.x + dot(vec2(edge.yz - bias.yz), slope), number);
            edge += along_x;
        }
        row += along_y;
    }
}

// The invocations of a team lie over a box in blocks of lanes / rows columns, of
// which each has one pixel. Every gl_NumWorkGroups.z-th row of blocks is this
// workgroup's. The first row of a lane, which may lie above the box.
int first_row(ivec4 box, int rows, int lane, int lanes)
{
    const int slices = int(gl_NumWorkGroups.z);
    const int block = box.y / rows;
    const int skipped = (int(gl_WorkGroupID.z) - block % slices + slices) % slices;
    return (block + skipped) * rows + lane / (lanes / rows);
}

// The pixels of a box's row whose centres lie between two positions, in 1/256 pixel
// from the first centre of the row: first and last. Empty where the first lies behind
// the last, as always in an empty box.
ivec2 row_span(ivec4 box, float low, float high)
{
    const float last = float(box.z - box.x);
    return box.x + ivec2(min(max(ceil(low / float(subpixels)), 0.0), last + 1.0),
                         min(max(floor(high / float(subpixels)), -1.0), last));
}

// What an edge of a triangle of positive area leaves of a row, as positions from
// `left`, a centre in it. `run`: how far the edge goes along x for each step along y.
void bound(ivec2 a, ivec2 b, float run, ivec2 left, inout float low, inout float high)
{
    const float crossing = float(a.x - left.x) + float(left.y - a.y) * run;
    if (b.y < a.y)
        low = max(low, crossing);
    else if (b.y > a.y)
        high = min(high, crossing);
}

// A triangle that has few pixels of its box: each lane takes rows, and of a row what
// lies between the edges. These bounds are float32, with a margin of more than their
// error; within them edge functions decide as everywhere.
void draw_thin_triangle(ivec2 a, ivec2 b, ivec2 c, ivec4 box, int extent, float depth, vec2 slope,
                        uint number, int lane, int lanes)
{
    const float margin = 4.0 + float(extent) * span_error;
    const vec3 run = vec3(c.x - b.x, a.x - c.x, b.x - a.x) /
                     vec3(ivec3(c.y - b.y, a.y - c.y, b.y - a.y));
    const int step = lanes * int(gl_NumWorkGroups.z);
    for (int y = box.y + lane + lanes * int(gl_WorkGroupID.z); y <= box.w; y += step) {
        const ivec2 left = ivec2(box.x, y) * subpixels + subpixels / 2;
        float low = -1e30;
        float high = 1e30;
        bound(b, c, run.x, left, low, high);
        bound(c, a, run.y, left, low, high);
        bound(a, b, run.z, left, low, high);
        const ivec2 span = row_span(box, low - margin, high + margin);
        for (int x = span.x; x <= span.y; x++) {
            const ivec2 centre = ivec2(x, y) * subpixels + subpixels / 2;
            const i64vec3 edge = i64vec3(edge_large(b, c, centre), edge_large(c, a, centre),
                                         edge_large(a, b, centre));
            if (((edge.x + edge_bias(b, c)) | (edge.y + edge_bias(c, a)) |
                 (edge.z + edge_bias(a, b))) >= 0)
                draw_pixel(ivec2(x, y), depth + dot(vec2(edge.yz), slope), number);
        }
    }
}

void draw_large_triangle(ivec2 a, ivec2 b, ivec2 c, vec3 depth, uint number, int lane, int lanes)
{
    int64_t area = edge_large(a, b, c);
    if (area == 0)
        return;
    if (area < 0) {
        const ivec2 swapped = b;
        b = c;
        c = swapped;
        depth.yz = depth.zy;
        area = -area;
    }
    const ivec2 low = min(min(a, b), c);
    const ivec2 extent = max(max(a, b), c) - low;
    const ivec4 box = pixel_box(low, low + extent);
    const vec2 slope = (depth.yz - depth.x) / float(area);
    // Steps of a team that takes all of the box, and of one that takes what rows cover
    // on average.
    const vec2 pixels = vec2(box.zw - box.xy + 1);
    const float covered = float(area) / (float(2 * subpixels) * float(extent.y));
    if (slivers && (covered + 4.0) * max(pixels.y, float(lanes)) < pixels.x * pixels.y) {
        draw_thin_triangle(a, b, c, box, max(extent.x, extent.y), depth.x, slope, number, lane,
                           lanes);
        return;
    }
    const ivec3 bias = ivec3(edge_bias(b, c), edge_bias(c, a), edge_bias(a, b));
    const int columns = lanes / 4;
    const i64vec3 along_x =
        i64vec3(b.y - c.y, c.y - a.y, a.y - b.y) * int64_t(subpixels * columns);
    const int left = box.x + lane % columns;
    const int step = 4 * int(gl_NumWorkGroups.z);
    for (int y = first_row(box, 4, lane, lanes); y <= box.w; y += step) {
        if (y < box.y)
            continue;
        const ivec2 first = ivec2(left, y) * subpixels + subpixels / 2;
        i64vec3 edge = i64vec3(edge_large(b, c, first), edge_large(c, a, first),
                               edge_large(a, b, first)) +
                       i64vec3(bias);
        for (int x = left; x <= box.z; x += columns) {
            if ((edge.x | edge.y | edge.z) >= 0)
                draw_pixel(ivec2(x, y), depth.x + dot(vec2(edge.yz - i64vec2(bias.yz)), slope),
                           number);
            edge += along_x;
        }
    }
}

// A line is the rectangle one pixel wide around its segment.
void draw_line_pixel(ivec2 pixel, ivec2 a, ivec2 b, vec2 depth, uint number)
{
    const vec2 along = vec2(b - a);
    const vec2 offset = vec2(pixel * subpixels + subpixels / 2 - a);
    const float square = dot(along, along);
    const float across = along.x * offset.y - along.y * offset.x;
    const float at = dot(along, offset);
    const float limit = float(half_width()) * sqrt(square);
    if (square > 0.0 && at >= 0.0 && at <= square && across > -limit && across <= limit)
        draw_pixel(pixel, mix(depth.x, depth.y, at / square), number);
}

void draw_line(ivec2 a, ivec2 b, vec2 depth, uint number, int lane, int lanes)
{
    const ivec4 box = pixel_box(min(a, b) - half_width(), max(a, b) + half_width());
    if (lanes == 1) {
        for (int y = box.y; y <= box.w; y++) {
            for (int x = box.x; x <= box.z; x++)
                draw_line_pixel(ivec2(x, y), a, b, depth, number);
        }
        return;
    }
    // Half of what a row has of the strip around the line, with a margin of more than
    // the errors of float32, here and in draw_line_pixel; a row has all of a strip that
    // runs along it. The longer the part, the more columns.
    const ivec2 extent = abs(b - a);
    const float margin = 4.0 + float(max(extent.x, extent.y)) * span_error;
    const vec2 along = vec2(b - a);
    const float part =
        (float(half_width()) + margin) * length(along) / max(float(extent.y), 0.5);
    const float run = along.x / max(float(extent.y), 0.5) * sign(along.y);
    int rows = 4;
    while (rows < int(team_size) && part * float(2 * rows) < float(subpixels * lanes))
        rows *= 2;
    const int columns = lanes / rows;
    const int step = rows * int(gl_NumWorkGroups.z);
    for (int y = first_row(box, rows, lane, lanes); y <= box.w; y += step) {
        const ivec2 left = ivec2(box.x, y) * subpixels + subpixels / 2;
        const float middle = float(a.x - left.x) + float(left.y - a.y) * run;
        const ivec2 span = row_span(box, middle - part, middle + part);
        for (int x = span.x + lane % columns; y >= box.y && x <= span.y; x += columns)
            draw_line_pixel(ivec2(x, y), a, b, depth, number);
    }
}

void draw_point(uint index, uint number)
{
    const ivec2 at = points[index];
    // The right and lower borders are outside.
    const ivec4 box = pixel_box(at - half_width(), at + half_width() - 1);
    for (int y = box.y; y <= box.w; y++) {
        for (int x = box.x; x <= box.z; x++)
            draw_pixel(ivec2(x, y), depths[index], number);
    }
}

vec4 position_of(uvec2 vertex)
{
    return screen_position(vertex, height_at(vertex.x, vertex.y));
}

// The place in the tile of a corner of triangle `which` of the quad at `index`.
uint triangle_point(uint index, uint which, uint corner)
{
    return index + (corner == 0u   ? tile_width
                    : corner == 1u ? 1u
                                   : which * (tile_width + 1u));
}

// A triangle with corners on both sides of the near plane: what is behind has three
// or four corners. One piece of code draws both halves of the latter, and makes their
// corners anew: that takes fewer registers.
void draw_cut_triangle(uint index, uint which, uvec2 vertex, uint number, int lane, int lanes)
{
    const bvec3 behind = bvec3(points[triangle_point(index, which, 0u)].x != nowhere,
                               points[triangle_point(index, which, 1u)].x != nowhere,
                               points[triangle_point(index, which, 2u)].x != nowhere);
    // The corner that has a side for itself, and those that follow it.
    const uint i = behind.x == behind.y ? 2u : behind.x == behind.z ? 1u : 0u;
    const uint j = (i + 1u) % 3u;
    const uint k = (i + 2u) % 3u;
    const bool alone = i == 0u ? behind.x : i == 1u ? behind.y : behind.z; // behind the plane
    for (uint part = alone ? 1u : 0u; part < 2u; part++) {
        const vec4 first = position_of(triangle_vertex(vertex, which, i));
        const vec4 second = position_of(triangle_vertex(vertex, which, j));
        const vec4 third = position_of(triangle_vertex(vertex, which, k));
        const ivec2 to_second = cut(first, second);
        const ivec2 to_third = cut(first, third);
        const uint from = triangle_point(index, which, alone ? i : j);
        const uint other = triangle_point(index, which, k);
        draw_large_triangle(points[from], part == 0u ? points[other] : to_second, to_third,
                            vec3(depths[from], part == 0u ? depths[other] : 0.0, 0.0), number,
                            lane, lanes);
    }
}

void draw(uint code, int lane, int lanes)
{
    const uint index = code >> 2;
    const uint which = code & 3u;
    const uvec2 vertex = tile_origin() + tile_vertex(index);
    if (style == 0u) {
        const uint number = vertex_number(vertex) * 2u + which;
        const uint third = index + which * (tile_width + 1u);
        const ivec2 a = points[index + tile_width];
        const ivec2 b = points[index + 1u];
        const ivec2 c = points[third];
        const vec3 depth = vec3(depths[index + tile_width], depths[index + 1u], depths[third]);
        if (lanes == 1)
            draw_small_triangle(a, b, c, depth, number);
        else if (a.x != nowhere && b.x != nowhere && c.x != nowhere)
            draw_large_triangle(a, b, c, depth, number, lane, lanes);
        else
            draw_cut_triangle(index, which, vertex, number, lane, lanes);
    } else if (style == 1u) {
        const uint start = index + (which == 2u ? 1u : 0u);
        const uint end = index + (which == 0u ? 1u : tile_width);
        ivec2 a = points[start];
        ivec2 b = points[end];
        vec2 depth = vec2(depths[start], depths[end]);
        if (a.x == nowhere || b.x == nowhere) {
            const ivec2 end = cut(position_of(edge_vertex(vertex, which, 0u)),
                                  position_of(edge_vertex(vertex, which, 1u)));
            if (a.x == nowhere) {
                a = end;
                depth.x = 0.0;
            } else {
                b = end;
                depth.y = 0.0;
            }
        }
        draw_line(a, b, depth, vertex_number(vertex) * 3u + which, lane, lanes);
    } else {
        draw_point(index, vertex_number(vertex));
    }
}

void main()
{
    const uint self = gl_LocalInvocationIndex;
    if (self == 0u) {
        small_count = 0u;
        large_count = 0u;
    }
    for (uint i = self; i < tile_vertices; i += invocations)
        project(i);
    barrier();
    for (uint i = self; i < tile_vertices; i += invocations)
        list_primitives(i);
    barrier();
    const uint small = small_count;
    const uint large = large_count;
    for (uint i = self; gl_WorkGroupID.z == 0u && i < small; i += invocations)
        draw(list[i], 0, 1);
    // Few large ones are drawn by all invocations together, many by teams.
    const uint lanes = large * team_size < invocations ? invocations : team_size;
    for (uint i = self / lanes; i < large; i += invocations / lanes)
        draw(list[list_size - 1u - i], int(self % lanes), int(lanes));
}
