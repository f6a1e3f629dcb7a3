// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/find.h"
#include "runtime/opencl/memory_flags.h"

namespace heddle::opencl {
namespace {

constexpr cl_mem_flags access_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags pointer_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
constexpr cl_mem_flags host_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr std::size_t base_alignment = 256;

bool at_most_one(cl_mem_flags flags) {
    return (flags & (flags - 1)) == 0;
}

}  // namespace

void check_memory_flags(cl_mem_flags flags) {
    require((flags & ~(access_flags | pointer_flags | host_flags)) == 0, CL_INVALID_VALUE);
    require(at_most_one(flags & access_flags) && at_most_one(flags & host_flags), CL_INVALID_VALUE);
    const bool uses = (flags & CL_MEM_USE_HOST_PTR) != 0;
    require(!uses || (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == 0,
            CL_INVALID_VALUE);
}

cl_mem_flags with_default_access(cl_mem_flags flags) {
    return (flags & access_flags) != 0 ? flags : flags | CL_MEM_READ_WRITE;
}

cl_mem clCreateBuffer(cl_context handle, cl_mem_flags flags, size_t size, void* host_pointer,
                      cl_int* code) {
    return made_by(code, [&] {
        const auto context = find(handle);
        check_memory_flags(flags);
        require(size != 0 && size <= context->device->description().memory_bytes / 2,
                CL_INVALID_BUFFER_SIZE);
        const bool needs_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
        require(needs_pointer == (host_pointer != nullptr), CL_INVALID_HOST_PTR);
        const auto memory = std::make_shared<_cl_mem>();
        memory->flags = with_default_access(flags);
        memory->size = size;
        if ((flags & CL_MEM_USE_HOST_PTR) != 0) memory->host_pointer = host_pointer;
        memory->address =
            context->device->allocate(size, "buffer " + std::to_string(context->buffers));
        ++context->buffers;
        memory->context = context;
        if (needs_pointer) {
            context->device->write(host_pointer, size, size, {memory->address, size, size},
                                   {size, 1, 1});
        }
        return the_library().memories.add(memory);
    });
}

cl_mem clCreateSubBuffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type,
                         const void* info, cl_int* code) {
    return made_by(code, [&] {
        const auto parent = find_buffer(handle);
        require(parent->parent == nullptr, CL_INVALID_MEM_OBJECT);
        check_memory_flags(flags);
        require((flags & pointer_flags) == 0, CL_INVALID_VALUE);
        const cl_mem_flags access = flags & access_flags;
        const cl_mem_flags host = flags & host_flags;
        const auto had = parent->flags;
        require(access == 0 || (had & access_flags) == CL_MEM_READ_WRITE ||
                    (had & access_flags) == access,
                CL_INVALID_VALUE);
        require(host == 0 || (had & host_flags) == 0 || (had & host_flags) == host ||
                    host == CL_MEM_HOST_NO_ACCESS,
                CL_INVALID_VALUE);
        require(type == CL_BUFFER_CREATE_TYPE_REGION && info != nullptr, CL_INVALID_VALUE);
        const auto region = *static_cast<const cl_buffer_region*>(info);
        require(region.size != 0, CL_INVALID_BUFFER_SIZE);
        require(region.origin <= parent->size && region.size <= parent->size - region.origin,
                CL_INVALID_VALUE);
        require(region.origin % base_alignment == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET);
        const auto memory = std::make_shared<_cl_mem>();
        memory->flags = (access != 0 ? access : had & access_flags) |
                        (host != 0 ? host : had & host_flags) | (had & pointer_flags);
        memory->size = region.size;
        memory->origin = region.origin;
        memory->address = parent->address + static_cast<std::uint32_t>(region.origin);
        if (parent->host_pointer != nullptr) {
            memory->host_pointer = static_cast<std::byte*>(parent->host_pointer) + region.origin;
        }
        memory->parent = parent;
        memory->context = parent->context;
        return the_library().memories.add(memory);
    });
}

cl_int clRetainMemObject(cl_mem memory) {
    return code_of([&] { require(the_library().memories.retain(memory), CL_INVALID_MEM_OBJECT); });
}

cl_int clReleaseMemObject(cl_mem memory) {
    return code_of([&] { require(the_library().memories.release(memory), CL_INVALID_MEM_OBJECT); });
}

cl_int clGetMemObjectInfo(cl_mem handle, cl_mem_info name, size_t size, void* value,
                          size_t* size_ret) {
    return code_of([&] {
        const auto memory = find(handle);
        const info_place place(size, value, size_ret);
        switch (name) {
            case CL_MEM_TYPE:
                return place.put(static_cast<cl_mem_object_type>(
                    memory->image == nullptr ? CL_MEM_OBJECT_BUFFER : CL_MEM_OBJECT_IMAGE2D));
            case CL_MEM_FLAGS:
                return place.put(memory->flags);
            case CL_MEM_SIZE:
                return place.put(memory->size);
            case CL_MEM_HOST_PTR:
                return place.put(memory->host_pointer);
            case CL_MEM_MAP_COUNT:
                return place.put(static_cast<cl_uint>(memory->mappings.size()));
            case CL_MEM_REFERENCE_COUNT:
                return place.put(cl_uint{memory->references});
            case CL_MEM_CONTEXT:
                return place.put(memory->context.get());
            case CL_MEM_ASSOCIATED_MEMOBJECT:
                return place.put(memory->parent.get());
            case CL_MEM_OFFSET:
                return place.put(memory->origin);
            default:
                throw error(CL_INVALID_VALUE);
        }
    });
}

cl_int clSetMemObjectDestructorCallback(cl_mem handle, void(CL_CALLBACK* notify)(cl_mem, void*),
                                        void* data) {
    return code_of([&] {
        const auto memory = find(handle);
        require(notify != nullptr, CL_INVALID_VALUE);
        memory->destructors.emplace_back([=] { notify(handle, data); });
    });
}

}  // namespace heddle::opencl
