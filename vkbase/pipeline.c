#include "vkbase/pipeline.h"

#include "vkbase/result.h"

bool vkb_layout_create(const struct vkb_device *device, const struct vkb_layout_params *params,
                       struct vkb_layout *layout, struct error *error)
{
    *layout = (struct vkb_layout){.stages = params->stages};
    VkDescriptorSetLayoutBinding bindings[VKB_BINDINGS_MAX] = {0};
    VkDescriptorPoolSize sizes[VKB_BINDINGS_MAX] = {0};
    for (uint32_t i = 0; i < params->binding_count; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = params->bindings[i],
            .descriptorCount = 1,
            .stageFlags = params->stages,
        };
        sizes[i] = (VkDescriptorPoolSize){params->bindings[i], params->set_count};
    }
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = params->binding_count,
        .pBindings = bindings,
    };
    if (!VKB_MADE(
            error, params->name,
            vkCreateDescriptorSetLayout(device->handle, &set_info, NULL, &layout->set_layout))) {
        layout->set_layout = VK_NULL_HANDLE;
        goto fail;
    }
    const VkDescriptorSetLayout set_layouts[] = {
        layout->set_layout,
        params->second ? params->second->set_layout : VK_NULL_HANDLE,
    };
    const VkPushConstantRange range = {params->stages, 0, params->push_constant_size};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = params->second ? 2 : 1,
        .pSetLayouts = set_layouts,
        .pushConstantRangeCount = params->push_constant_size ? 1 : 0,
        .pPushConstantRanges = &range,
    };
    if (!VKB_MADE(error, params->name,
                  vkCreatePipelineLayout(device->handle, &info, NULL, &layout->handle))) {
        layout->handle = VK_NULL_HANDLE;
        goto fail;
    }
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = params->set_count,
        .poolSizeCount = params->binding_count,
        .pPoolSizes = sizes,
    };
    if (!VKB_MADE(error, params->name,
                  vkCreateDescriptorPool(device->handle, &pool_info, NULL, &layout->pool))) {
        layout->pool = VK_NULL_HANDLE;
        goto fail;
    }
    vkb_name(device, VK_OBJECT_TYPE_PIPELINE_LAYOUT, VKB_HANDLE(layout->handle), "%s",
             params->name);
    return true;
fail:
    vkb_layout_destroy(device, layout);
    return false;
}

void vkb_layout_destroy(const struct vkb_device *device, struct vkb_layout *layout)
{
    if (layout->pool)
        vkDestroyDescriptorPool(device->handle, layout->pool, NULL);
    if (layout->handle)
        vkDestroyPipelineLayout(device->handle, layout->handle, NULL);
    if (layout->set_layout)
        vkDestroyDescriptorSetLayout(device->handle, layout->set_layout, NULL);
    *layout = (struct vkb_layout){0};
}

bool vkb_set_allocate(const struct vkb_device *device, const struct vkb_layout *layout,
                      VkDescriptorSet *set, struct error *error)
{
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = layout->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout->set_layout,
    };
    return VKB_OK(error, "allocate a descriptor set",
                  vkAllocateDescriptorSets(device->handle, &info, set));
}

void vkb_set_buffer(const struct vkb_device *device, VkDescriptorSet set, uint32_t binding,
                    VkBuffer buffer)
{
    const VkDescriptorBufferInfo buffer_info = {buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .dstBinding = binding,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &buffer_info,
    };
    vkUpdateDescriptorSets(device->handle, 1, &write, 0, NULL);
}

void vkb_set_storage_image(const struct vkb_device *device, VkDescriptorSet set, uint32_t binding,
                           VkImageView view)
{
    const VkDescriptorImageInfo image_info = {
        .imageView = view,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .dstBinding = binding,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        .pImageInfo = &image_info,
    };
    vkUpdateDescriptorSets(device->handle, 1, &write, 0, NULL);
}

static bool create_module(const struct vkb_device *device, struct vkb_shader shader,
                          const char *name, VkShaderModule *module, struct error *error)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = shader.size,
        .pCode = shader.words,
    };
    *module = VK_NULL_HANDLE;
    if (!VKB_MADE(error, name, vkCreateShaderModule(device->handle, &info, NULL, module))) {
        *module = VK_NULL_HANDLE;
        return false;
    }
    return true;
}

bool vkb_compute_pipeline_create(const struct vkb_device *device, const struct vkb_layout *layout,
                                 VkPipelineCache cache, struct vkb_shader shader,
                                 const VkSpecializationInfo *specialization, const char *name,
                                 VkPipeline *pipeline, struct error *error)
{
    VkShaderModule module = VK_NULL_HANDLE;
    *pipeline = VK_NULL_HANDLE;
    if (!create_module(device, shader, name, &module, error))
        return false;
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = specialization},
        .layout = layout->handle,
    };
    const bool ok = VKB_MADE(
        error, name, vkCreateComputePipelines(device->handle, cache, 1, &info, NULL, pipeline));
    vkDestroyShaderModule(device->handle, module, NULL);
    if (!ok)
        *pipeline = VK_NULL_HANDLE;
    else
        vkb_name(device, VK_OBJECT_TYPE_PIPELINE, VKB_HANDLE(*pipeline), "%s", name);
    return ok;
}

bool vkb_graphics_pipeline_create(const struct vkb_device *device,
                                  const struct vkb_graphics_params *params, VkPipeline *pipeline,
                                  struct error *error)
{
    VkShaderModule vertex = VK_NULL_HANDLE;
    VkShaderModule fragment = VK_NULL_HANDLE;
    bool ok = false;
    *pipeline = VK_NULL_HANDLE;
    if (!create_module(device, params->vertex, params->name, &vertex, error) ||
        !create_module(device, params->fragment, params->name, &fragment, error))
        goto done;

    const VkPipelineShaderStageCreateInfo stages[] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = vertex,
         .pName = "main",
         .pSpecializationInfo = params->specialization},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = fragment,
         .pName = "main"},
    };
    const VkPipelineVertexInputStateCreateInfo vertex_input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
    };
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = params->topology,
    };
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1,
    };
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .polygonMode = VK_POLYGON_MODE_FILL,
        .rasterizerDiscardEnable = params->rasterizer_discard,
        .cullMode = params->cull_mode,
        .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
        .lineWidth = 1.0F,
    };
    const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = params->samples,
    };
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = params->depth_format != VK_FORMAT_UNDEFINED,
        .depthWriteEnable = params->depth_format != VK_FORMAT_UNDEFINED,
        .depthCompareOp = VK_COMPARE_OP_LESS,
    };
    const VkPipelineColorBlendAttachmentState attachment = {
        .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                          VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT,
    };
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment,
    };
    const VkDynamicState dynamic_states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2,
        .pDynamicStates = dynamic_states,
    };
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &params->color_format,
        .depthAttachmentFormat = params->depth_format,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &rendering,
        .stageCount = 2,
        .pStages = stages,
        .pVertexInputState = &vertex_input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &multisample,
        .pDepthStencilState = &depth,
        .pColorBlendState = &blend,
        .pDynamicState = &dynamic,
        .layout = params->layout->handle,
    };
    ok = VKB_MADE(
        error, params->name,
        vkCreateGraphicsPipelines(device->handle, params->cache, 1, &info, NULL, pipeline));
    if (!ok)
        *pipeline = VK_NULL_HANDLE;
    else
        vkb_name(device, VK_OBJECT_TYPE_PIPELINE, VKB_HANDLE(*pipeline), "%s", params->name);
done:
    if (fragment)
        vkDestroyShaderModule(device->handle, fragment, NULL);
    if (vertex)
        vkDestroyShaderModule(device->handle, vertex, NULL);
    return ok;
}
