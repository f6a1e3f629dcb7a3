// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/find.h"
#include "runtime/opencl/the_platform.h"

namespace heddle::opencl {
namespace {

using notify_function = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);

/// Checks the list, which ends with 0, and returns it with its end.
std::vector<cl_context_properties> read_properties(const cl_context_properties* list) {
    std::vector<cl_context_properties> all;
    if (list == nullptr) return all;
    bool has_platform = false;
    bool has_sync = false;
    for (; *list != 0; list += 2) {
        switch (*list) {
            case CL_CONTEXT_PLATFORM:
                require(!std::exchange(has_platform, true), CL_INVALID_PROPERTY);
                require(reinterpret_cast<cl_platform_id>(list[1]) == the_platform(),
                        CL_INVALID_PLATFORM);
                break;
            case CL_CONTEXT_INTEROP_USER_SYNC:
                require(!std::exchange(has_sync, true), CL_INVALID_PROPERTY);
                require(list[1] == CL_TRUE || list[1] == CL_FALSE, CL_INVALID_PROPERTY);
                break;
            default:
                throw error(CL_INVALID_PROPERTY);
        }
        all.insert(all.end(), list, list + 2);
    }
    all.push_back(0);
    return all;
}

cl_context make_context(const cl_context_properties* properties, notify_function notify,
                        void* data) {
    auto context = std::make_shared<_cl_context>();
    context->properties = read_properties(properties);
    if (notify != nullptr) {
        context->notify = [notify, data](const char* why) { notify(why, nullptr, 0, data); };
    }
    context->device = device_in_use();
    context->device->add_context(context);
    return the_library().contexts.add(context);
}

}  // namespace

cl_context clCreateContext(const cl_context_properties* properties, cl_uint count,
                           const cl_device_id* devices, notify_function notify, void* data,
                           cl_int* code) {
    return made_by(code, [&] {
        require(devices != nullptr && count != 0, CL_INVALID_VALUE);
        require(notify != nullptr || data == nullptr, CL_INVALID_VALUE);
        check_devices(count, devices);
        return make_context(properties, notify, data);
    });
}

cl_context clCreateContextFromType(const cl_context_properties* properties, cl_device_type type,
                                   notify_function notify, void* data, cl_int* code) {
    return made_by(code, [&] {
        require(notify != nullptr || data == nullptr, CL_INVALID_VALUE);
        (void)read_properties(properties);
        require(matches_device(type), CL_DEVICE_NOT_FOUND);
        return make_context(properties, notify, data);
    });
}

cl_int clRetainContext(cl_context context) {
    return code_of([&] { require(the_library().contexts.retain(context), CL_INVALID_CONTEXT); });
}

cl_int clReleaseContext(cl_context context) {
    return code_of([&] { require(the_library().contexts.release(context), CL_INVALID_CONTEXT); });
}

cl_int clGetContextInfo(cl_context handle, cl_context_info name, size_t size, void* value,
                        size_t* size_ret) {
    return code_of([&] {
        const auto context = find(handle);
        const info_place place(size, value, size_ret);
        switch (name) {
            case CL_CONTEXT_REFERENCE_COUNT:
                return place.put(cl_uint{context->references});
            case CL_CONTEXT_NUM_DEVICES:
                return place.put(cl_uint{1});
            case CL_CONTEXT_DEVICES:
                return place.put(the_device());
            case CL_CONTEXT_PROPERTIES:
                return place.put_list(context->properties);
            default:
                throw error(CL_INVALID_VALUE);
        }
    });
}

}  // namespace heddle::opencl
