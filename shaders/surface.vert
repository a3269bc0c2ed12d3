#version 460
#extension GL_GOOGLE_include_directive : require
// Places the grid's vertices: no vertex buffer, no index buffer. Instances are
// the rows of the grid.

// How an index becomes a vertex:
// 0: strip between rows `instance` and `instance` + 1, of triangles or of lines
// 1: row `instance` as a line strip, or as points
// 2: row-major vertex numbers, as an index buffer names them (benchmark only)
layout(constant_id = 0) const uint arrangement = 0;

#include "surface_push.glsl"

#include "heights.glsl"
#include "grid.glsl"

// Height, and slopes along x and y. One vector for all that is interpolated: where
// triangles are small, what each costs is the setting up of their interpolation.
layout(location = 0) out vec3 out_surface;

void main()
{
    const uint vertex_index = uint(gl_VertexIndex);
    const uint instance = uint(gl_InstanceIndex);
    uvec2 vertex = uvec2(vertex_index >> 1, instance + (vertex_index & 1u));
    if (arrangement == 1)
        vertex = uvec2(vertex_index, instance);
    else if (arrangement == 2)
        vertex = uvec2(vertex_index % grid.x, vertex_index / grid.x);

    const float height = height_at(vertex.x, vertex.y);
    out_surface = vec3(height, grid_slope(vertex));
    gl_Position = view_projection * vec4(grid_position(vertex), height, 1.0);
    gl_PointSize = point_size;
}
