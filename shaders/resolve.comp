#version 460
#extension GL_GOOGLE_include_directive : require
// Second pass of the compute renderer: colours each pixel by what the visibility
// buffer says, and clears the buffer for the next frame.

layout(local_size_x_id = 1, local_size_y_id = 2) in;
// Whether there may be long slivers, whose outlines are looked at. Fine grids have none,
// and are drawn faster without the code.
layout(constant_id = 3) const bool slivers = true;

#include "visibility.glsl"
#include "grid.glsl"
#include "shading.glsl"

layout(set = 0, binding = 1, std430) restrict buffer Visibility {
    uvec2 visibility[]; // number, depth
};

layout(set = 1, binding = 0) uniform writeonly restrict image2D image;

// A point of the surface is its height, and its slopes along x and y.
vec3 surface_vertex(uvec2 vertex)
{
    return vec3(height_at(vertex.x, vertex.y), grid_slope(vertex));
}

// The vertex in homogeneous screen space, seen from a pixel's centre: xy is 0
// where the vertex projects onto it.
vec4 seen_from(vec2 centre, uvec2 vertex, float height)
{
    const vec4 position = screen_position(vertex, height);
    return vec4(position.xy - centre * position.w, position.zw);
}

float cross2(vec2 a, vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

// The point of a segment, of what lies behind the near plane, that is nearest to the
// centre on the screen: its part of the way on the surface, and the square of its
// distance.
vec2 nearest_on(vec4 a, vec4 b)
{
    float from = 0.0;
    float to = 1.0;
    if (max(a.z, b.z) < 0.0)
        return vec2(0.0, 1e38);
    if (a.z < 0.0)
        from = a.z / (a.z - b.z);
    else if (b.z < 0.0)
        to = a.z / (a.z - b.z);
    const vec4 first = mix(a, b, from);
    const vec4 last = mix(a, b, to);
    const vec2 start = first.xy / first.w;
    const vec2 along = last.xy / last.w - start;
    const float square = dot(along, along);
    const float at = square > 0.0 ? clamp(-dot(start, along) / square, 0.0, 1.0) : 0.5;
    const float near = at * first.w;
    const vec2 offset = start + at * along;
    return vec2(mix(from, to, near / (near + (1.0 - at) * last.w)), dot(offset, offset));
}

// The weights of the point of a triangle's outline that is nearest on the screen.
vec3 weights_on_outline(vec4 a, vec4 b, vec4 c)
{
    const vec2 ab = nearest_on(a, b);
    const vec2 bc = nearest_on(b, c);
    const vec2 ca = nearest_on(c, a);
    if (ab.y <= min(bc.y, ca.y))
        return vec3(1.0 - ab.x, ab.x, 0.0);
    return bc.y <= ca.y ? vec3(0.0, 1.0 - bc.x, bc.x) : vec3(ca.x, 0.0, 1.0 - ca.x);
}

// Whether a triangle reaches far from the centre.
bool reaches_far(vec4 a, vec4 b, vec4 c)
{
    const float far = float(8 * subpixels);
    const vec3 x = abs(vec3(a.x, b.x, c.x));
    const vec3 y = abs(vec3(a.y, b.y, c.y));
    return any(greaterThan(max(x, y), far * vec3(a.w, b.w, c.w)));
}

vec3 on_triangle(vec2 centre, uint number)
{
    const uvec2 vertex = vertex_of(number >> 1);
    const uvec2 va = triangle_vertex(vertex, number & 1u, 0u);
    const uvec2 vb = triangle_vertex(vertex, number & 1u, 1u);
    const uvec2 vc = triangle_vertex(vertex, number & 1u, 2u);
    const vec3 pa = surface_vertex(va);
    const vec3 pb = surface_vertex(vb);
    const vec3 pc = surface_vertex(vc);
    const vec4 a = seen_from(centre, va, pa.x);
    const vec4 b = seen_from(centre, vb, pb.x);
    const vec4 c = seen_from(centre, vc, pc.x);
    // Homogeneous, so these weights are those on the surface, not on the
    // screen, also where the triangle passes the near plane. Snapping may put
    // the centre a little outside; clamped weights then belong to a point that is
    // less than the triangle's length away, which is too far in a sliver.
    vec3 weight = vec3(cross2(b.xy, c.xy), cross2(c.xy, a.xy), cross2(a.xy, b.xy));
    const float sum = weight.x + weight.y + weight.z;
    const bool outside = sum == 0.0 || any(lessThan(weight * sign(sum), vec3(0.0)));
    if (slivers && outside && reaches_far(a, b, c))
        weight = weights_on_outline(a, b, c);
    else
        weight = sum != 0.0 ? clamp(weight / sum, 0.0, 1.0) : vec3(1.0);
    weight /= weight.x + weight.y + weight.z;
    return weight.x * pa + weight.y * pb + weight.z * pc;
}

// The point of the segment that is nearest on the screen.
vec3 on_edge(vec2 centre, uint number)
{
    const uvec2 vertex = vertex_of(number / 3u);
    const uvec2 va = edge_vertex(vertex, number % 3u, 0u);
    const uvec2 vb = edge_vertex(vertex, number % 3u, 1u);
    const vec3 pa = surface_vertex(va);
    const vec3 pb = surface_vertex(vb);
    const vec4 a = seen_from(centre, va, pa.x);
    const vec4 b = seen_from(centre, vb, pb.x);
    return mix(pa, pb, nearest_on(a, b).x);
}

vec3 encode_srgb(vec3 linear)
{
    const vec3 color = clamp(linear, 0.0, 1.0);
    return mix(1.055 * pow(color, vec3(1.0 / 2.4)) - 0.055, 12.92 * color,
               lessThanEqual(color, vec3(0.0031308)));
}

void main()
{
    const uvec2 pixel = gl_GlobalInvocationID.xy;
    if (pixel.x >= size.x || pixel.y >= size.y)
        return;
    const uint index = pixel.y * size.x + pixel.x;
    const uint number = visibility[index].x;
    vec4 color = unpackUnorm4x8(background);
    if (number != ~0u) {
        visibility[index] = uvec2(~0u);
        const vec2 centre = vec2(pixel * uint(subpixels) + uint(subpixels / 2));
        vec3 point;
        if (style == 0u)
            point = on_triangle(centre, number);
        else if (style == 1u)
            point = on_edge(centre, number);
        else
            point = surface_vertex(vertex_of(number));
        const vec3 ray = ray_through(vec2(pixel) + 0.5);
        color.rgb = encode_srgb(shade(point.x, point.yz, ray));
    }
    imageStore(image, ivec2(pixel), swap != 0u ? color.bgra : color);
}
