#version 460
// For bench_raster: a fragment that costs nothing, in place of surface.frag.

layout(location = 0) out vec4 out_color;

void main()
{
    out_color = vec4(0.2, 0.4, 0.6, 1.0);
}
