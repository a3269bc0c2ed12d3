// What is pushed to surface.vert and surface.frag.

layout(push_constant) uniform Push {
    mat4 view_projection;
    vec3 ray_corner;  // from the eye through the picture's top left corner
    vec3 ray_right;   // added for each pixel to the right
    vec3 ray_down;    // and down
    uvec2 grid;       // vertices
    float point_size; // pixels
};
