// The grid's vertices, made from their indices and the height map alone.
// Needs `uvec2 grid` and `float height_at(uint column, uint row)`.

// Where a vertex of the grid stands; a side of one vertex stands at 0.
vec2 grid_position(uvec2 vertex)
{
    const vec2 last = vec2(grid - 1u);
    return vec2(grid.x > 1u ? 2.0 * float(vertex.x) / last.x - 1.0 : 0.0,
                grid.y > 1u ? 2.0 * float(vertex.y) / last.y - 1.0 : 0.0);
}

// Normal from central differences of neighbouring heights, one-sided at the
// border; never from the formula, so that it shows what the stepper wrote.
vec3 grid_normal(uvec2 vertex)
{
    const uvec2 low = uvec2(max(vertex, uvec2(1u)) - 1u);
    const uvec2 high = min(vertex + 1u, grid - 1u);
    const vec2 distance = 2.0 * vec2(high - low) / vec2(max(grid, uvec2(2u)) - 1u);
    const float dx = height_at(high.x, vertex.y) - height_at(low.x, vertex.y);
    const float dy = height_at(vertex.x, high.y) - height_at(vertex.x, low.y);
    return normalize(vec3(distance.x > 0.0 ? -dx / distance.x : 0.0,
                          distance.y > 0.0 ? -dy / distance.y : 0.0, 1.0));
}
