// The height map at set 0, binding 0, as renderers read it: a storage buffer,
// or with HEIGHTMAP_IMAGE a storage image. An image is loaded without a sampler,
// not sampled, so that one usage and one descriptor type serve its writer too; to
// read one in a vertex shader needs no feature as long as it is `readonly`.
// Needs `uvec2 grid`.

#ifdef HEIGHTMAP_IMAGE
layout(set = 0, binding = 0, r32f) readonly restrict uniform image2D heights;

float height_at(uint column, uint row)
{
    return imageLoad(heights, ivec2(column, row)).x;
}
#else
layout(set = 0, binding = 0, std430) readonly restrict buffer Heights {
    float heights[];
};

float height_at(uint column, uint row)
{
    return heights[row * grid.x + column];
}
#endif
