// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/api.h"
#include "runtime/opencl/device_info.h"
#include "runtime/opencl/device_session.h"
#include "runtime/opencl/objects.h"
#include "runtime/opencl/the_platform.h"

namespace heddle::opencl {
namespace {

_cl_platform_id platform_object;
_cl_device_id device_object;

constexpr cl_device_type all_types = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                     CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM |
                                     CL_DEVICE_TYPE_DEFAULT;

}  // namespace

cl_platform_id the_platform() noexcept {
    return &platform_object;
}

cl_device_id the_device() noexcept {
    return &device_object;
}

bool matches_device(cl_device_type type) {
    require(type == CL_DEVICE_TYPE_ALL || ((type & all_types) != 0 && (type & ~all_types) == 0),
            CL_INVALID_DEVICE_TYPE);
    return (type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)) != 0;
}

void check_devices(cl_uint count, const cl_device_id* devices) {
    require((count == 0) == (devices == nullptr), CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; ++i) require(devices[i] == the_device(), CL_INVALID_DEVICE);
}

cl_int clGetPlatformIDs(cl_uint count, cl_platform_id* platforms, cl_uint* found) {
    return code_of([&] {
        require(platforms != nullptr || found != nullptr, CL_INVALID_VALUE);
        require(platforms == nullptr || count != 0, CL_INVALID_VALUE);
        if (platforms != nullptr) platforms[0] = the_platform();
        if (found != nullptr) *found = 1;
    });
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void* value,
                         size_t* size_ret) {
    return code_of([&] {
        require(platform == nullptr || platform == the_platform(), CL_INVALID_PLATFORM);
        const info_place place(size, value, size_ret);
        switch (name) {
            case CL_PLATFORM_PROFILE:
                return place.put_text("FULL_PROFILE");
            case CL_PLATFORM_VERSION:
                return place.put_text("OpenCL 1.2 Heddle");
            case CL_PLATFORM_NAME:
                return place.put_text("Heddle");
            case CL_PLATFORM_VENDOR:
                return place.put_text("The Heddle authors");
            case CL_PLATFORM_EXTENSIONS:
                return place.put_text("cl_khr_icd");
            case CL_PLATFORM_ICD_SUFFIX_KHR:
                return place.put_text("HEDDLE");
            default:
                throw error(CL_INVALID_VALUE);
        }
    });
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint count,
                      cl_device_id* devices, cl_uint* found) {
    return code_of([&] {
        require(platform == nullptr || platform == the_platform(), CL_INVALID_PLATFORM);
        const bool is_ours = matches_device(type);
        require(devices != nullptr || found != nullptr, CL_INVALID_VALUE);
        require(devices == nullptr || count != 0, CL_INVALID_VALUE);
        if (found != nullptr) *found = is_ours ? 1 : 0;
        require(is_ours, CL_DEVICE_NOT_FOUND);
        if (devices != nullptr) devices[0] = the_device();
    });
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void* value,
                       size_t* size_ret) {
    return code_of([&] {
        require(device == the_device(), CL_INVALID_DEVICE);
        put_device_info(name, info_place(size, value, size_ret));
    });
}

cl_int clCreateSubDevices(cl_device_id device, const cl_device_partition_property* properties,
                          cl_uint, cl_device_id*, cl_uint*) {
    return code_of([&] {
        require(device == the_device(), CL_INVALID_DEVICE);
        require(properties != nullptr, CL_INVALID_VALUE);
        throw error(CL_INVALID_VALUE);  // it supports no way to part it
    });
}

cl_int clRetainDevice(cl_device_id device) {
    return code_of([&] { require(device == the_device(), CL_INVALID_DEVICE); });
}

cl_int clReleaseDevice(cl_device_id device) {
    return code_of([&] { require(device == the_device(), CL_INVALID_DEVICE); });
}

cl_int clUnloadCompiler() {
    return CL_SUCCESS;
}

cl_int clUnloadPlatformCompiler(cl_platform_id platform) {
    return code_of([&] { require(platform == the_platform(), CL_INVALID_PLATFORM); });
}

void* clGetExtensionFunctionAddress(const char* name) {
    return find_function(name);
}

void* clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char* name) {
    return platform == the_platform() ? find_function(name) : nullptr;
}

}  // namespace heddle::opencl
