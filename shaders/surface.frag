#version 460
#extension GL_GOOGLE_include_directive : require

#include "surface_push.glsl"
#include "shading.glsl"

layout(location = 0) in vec3 in_surface; // height, slopes
layout(location = 0) out vec4 out_color; // linear; the attachment encodes sRGB

void main()
{
    const vec3 ray = ray_through(gl_FragCoord.xy);
    out_color = vec4(shade(in_surface.x, in_surface.yz, ray), 1.0);
}
