#include "app/renderer.h"

const float renderer_background[4] = {0.0035F, 0.0055F, 0.0120F, 1.0F};

void renderer_destroy(struct renderer *renderer)
{
    if (renderer)
        renderer->ops->destroy(renderer);
}
