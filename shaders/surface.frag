#version 460
#extension GL_GOOGLE_include_directive : require

layout(push_constant) uniform Push {
    mat4 view_projection;
    vec4 eye;
    uvec2 grid;
    float point_size;
};

#include "shading.glsl"

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 0) out vec4 out_color; // linear; the attachment encodes sRGB

void main()
{
    out_color = vec4(shade(in_position, in_normal, eye.xyz), 1.0);
}
