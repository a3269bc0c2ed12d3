// What the compute renderer's two passes share: the visibility buffer holds, for
// each pixel, depth above the number of what is seen there, and all bits set
// where nothing is. The lower value wins, so one atomic minimum is the depth
// test, and between equal depths the first primitive stays, as in a rasterizer.

layout(push_constant) uniform Push {
    // From (column, row, height, 1) to homogeneous screen space: x and y in
    // units of 1/256 pixel, depth, all times w; w.
    mat4 to_screen;
    vec3 ray_corner;  // from the eye through the picture's top left corner
    float point_size; // pixels
    vec3 ray_right;   // added for each pixel to the right
    uint background;  // as the image holds it: 8 bits each, first byte lowest
    vec3 ray_down;    // and down
    uint swap;        // not 0: red and blue change places, for a copy to another order
    uvec2 grid;       // vertices
    uvec2 size;       // pixels
};

// 0: surface, 1: wireframe, 2: points
layout(constant_id = 0) const uint style = 0;

#include "heights.glsl"

const int subpixels = 256; // to a pixel; centres lie at 128

// Numbers of primitives. A vertex has the number row * grid.x + column and owns
// two triangles, those of the quad behind it, or three edges; at most 2^30
// vertices fit into a buffer, so that no number has all bits set.
uint vertex_number(uvec2 vertex)
{
    return vertex.y * grid.x + vertex.x;
}

uvec2 vertex_of(uint number)
{
    const uint row = number / grid.x;
    return uvec2(number - row * grid.x, row);
}

// Corner `corner` (0 to 2) of triangle `which` of the quad at `vertex`: the
// first two are the diagonal's, which both have.
uvec2 triangle_vertex(uvec2 vertex, uint which, uint corner)
{
    return vertex + (corner == 0u ? uvec2(0u, 1u) : corner == 1u ? uvec2(1u, 0u) : uvec2(which));
}

// End `end` (0 or 1) of edge `which` of `vertex`: along the row, along the
// column, the diagonal of the quad.
uvec2 edge_vertex(uvec2 vertex, uint which, uint end)
{
    return vertex + (end == 0u ? uvec2(which == 2u ? 1u : 0u, 0u)
                               : uvec2(which == 0u ? 1u : 0u, which == 0u ? 0u : 1u));
}

vec4 screen_position(uvec2 vertex, float height)
{
    const vec4 row = fma(to_screen[1], vec4(float(vertex.y)), to_screen[3]);
    return fma(to_screen[0], vec4(float(vertex.x)), fma(to_screen[2], vec4(height), row));
}
