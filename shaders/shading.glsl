// Colour of a point of the surface, linear. One piece of code for every
// renderer.

// From trough to crest: night blue, blue, turquoise, sand.
vec3 height_color(float height)
{
    const vec3 trough = vec3(0.006, 0.016, 0.085);
    const vec3 low = vec3(0.010, 0.105, 0.380);
    const vec3 high = vec3(0.030, 0.460, 0.480);
    const vec3 crest = vec3(0.930, 0.770, 0.430);
    const float t = clamp(height + 0.5, 0.0, 1.0); // heights lie in [-0.5, 0.5]
    vec3 color = mix(trough, low, smoothstep(0.0, 0.40, t));
    color = mix(color, high, smoothstep(0.30, 0.72, t));
    return mix(color, crest, smoothstep(0.62, 1.0, t));
}

vec3 shade(vec3 position, vec3 normal, vec3 eye)
{
    const vec3 sun = normalize(vec3(-0.45, 0.35, 0.82));
    const vec3 sun_color = vec3(1.0, 0.93, 0.82);
    const vec3 sky_color = vec3(0.34, 0.48, 0.72);

    const vec3 view = normalize(eye - position);
    vec3 n = normalize(normal);
    if (dot(n, view) < 0.0)
        n = -n; // seen from below

    const float diffuse = max(dot(n, sun), 0.0);
    const float sky = 0.5 + 0.5 * n.z;
    const float gloss = pow(max(dot(n, normalize(sun + view)), 0.0), 48.0);
    const float rim = pow(1.0 - max(dot(n, view), 0.0), 4.0);

    const vec3 base = height_color(position.z);
    return base * (sun_color * diffuse * 0.95 + sky_color * sky * 0.45) +
           sun_color * gloss * 0.30 + sky_color * rim * 0.18;
}
