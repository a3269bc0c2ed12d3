// The grid's vertices, made from their indices and the height map alone.
// Needs `uvec2 grid` and `float height_at(uint column, uint row)`.

// Cells along a side, and 1 where there are none.
vec2 grid_cells()
{
    return vec2(max(grid, uvec2(2u)) - 1u);
}

// Where a vertex of the grid stands; a side of one vertex stands at 0.
vec2 grid_position(uvec2 vertex)
{
    const vec2 position = vec2(vertex) * (2.0 / grid_cells()) - 1.0;
    return vec2(grid.x > 1u ? position.x : 0.0, grid.y > 1u ? position.y : 0.0);
}

// Slopes along x and y, from central differences of neighbouring heights, one-sided at
// the border; never from the formula, so that they show what the stepper wrote.
// Where there is one neighbour only, the difference counts twice.
vec2 grid_slope(uvec2 vertex)
{
    const uvec2 low = uvec2(max(vertex, uvec2(1u)) - 1u);
    const uvec2 high = min(vertex + 1u, grid - 1u);
    const vec2 slope = vec2(height_at(high.x, vertex.y) - height_at(low.x, vertex.y),
                            height_at(vertex.x, high.y) - height_at(vertex.x, low.y)) *
                       grid_cells() * 0.25;
    return vec2(high.x - low.x == 1u ? 2.0 * slope.x : slope.x,
                high.y - low.y == 1u ? 2.0 * slope.y : slope.y);
}
