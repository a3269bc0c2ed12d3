#version 460
// For bench_raster: a vertex of a strip that reads no height and makes no normal, in
// place of surface.vert, with its inputs and outputs.

layout(push_constant) uniform Push {
    mat4 view_projection;
    vec4 eye;
    uvec2 grid;
    float point_size;
};

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;

void main()
{
    const uvec2 vertex = uvec2(uint(gl_VertexIndex) >> 1,
                               uint(gl_InstanceIndex) + (uint(gl_VertexIndex) & 1u));
    out_position = vec3(vec2(vertex) * (2.0 / vec2(grid - 1u)) - 1.0, 0.0);
    out_normal = vec3(0.0, 0.0, 1.0);
    gl_Position = view_projection * vec4(out_position, 1.0);
}
