// Colour of a point of the surface, linear. One piece of code for every renderer.
// Powers are products, as pow() may be off by more. Needs `vec3 ray_corner`, `ray_right`
// and `ray_down`.

// 0 before 0, 1 after 1, smooth between.
float smooth_step(float x)
{
    const float s = clamp(x, 0.0, 1.0);
    return s * s * (3.0 - 2.0 * s);
}

// From trough to crest: night blue, blue, turquoise, sand. Heights lie in [-0.5, 0.5].
vec3 height_color(float height)
{
    const vec3 trough = vec3(0.006, 0.016, 0.085);
    const vec3 low = vec3(0.010, 0.105, 0.380);
    const vec3 high = vec3(0.030, 0.460, 0.480);
    const vec3 crest = vec3(0.930, 0.770, 0.430);
    vec3 color = mix(trough, low, smooth_step((height + 0.50) / 0.40));
    color = mix(color, high, smooth_step((height + 0.20) / 0.42));
    return mix(color, crest, smooth_step((height - 0.12) / 0.38));
}

float fourth_power(float x)
{
    return x * x * x * x;
}

// From the eye through a point of the picture, in pixels; of any length.
vec3 ray_through(vec2 point)
{
    return ray_corner + point.x * ray_right + point.y * ray_down;
}

// `slope`: of the surface, along x and y. `ray`: from the eye to the point, of any length.
vec3 shade(float height, vec2 slope, vec3 ray)
{
    const vec3 sun = normalize(vec3(-0.45, 0.35, 0.82));
    const vec3 sun_color = vec3(1.0, 0.93, 0.82);
    const vec3 sky_color = vec3(0.34, 0.48, 0.72);

    const vec3 view = -normalize(ray);
    vec3 n = normalize(vec3(-slope, 1.0));
    if (dot(n, view) < 0.0)
        n = -n; // seen from below

    const float diffuse = max(dot(n, sun), 0.0);
    const float sky = 0.5 + 0.5 * n.z;
    const float halfway4 = fourth_power(max(dot(n, normalize(sun + view)), 0.0));
    const float gloss = fourth_power(halfway4) * fourth_power(halfway4) * fourth_power(halfway4);
    const float rim = fourth_power(1.0 - dot(n, view));

    const vec3 base = height_color(height);
    return base * (sun_color * diffuse * 0.95 + sky_color * sky * 0.45) +
           sun_color * gloss * 0.30 + sky_color * rim * 0.18;
}
