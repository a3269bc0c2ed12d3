#version 460
#extension GL_GOOGLE_include_directive : require
// For bench_raster: stands in for surface.vert with strips; reads no heights, and so
// has no slopes.

#include "surface_push.glsl"

layout(location = 0) out vec3 out_surface;

void main()
{
    const uvec2 vertex = uvec2(uint(gl_VertexIndex) >> 1,
                               uint(gl_InstanceIndex) + (uint(gl_VertexIndex) & 1u));
    out_surface = vec3(0.0);
    gl_Position = view_projection * vec4(vec2(vertex) * (2.0 / vec2(grid - 1u)) - 1.0, 0.0, 1.0);
}
