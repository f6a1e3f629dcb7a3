// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstring>
#include <type_traits>

#include "runtime/opencl/entry_points.h"

namespace heddle::opencl {
namespace {

/// What stands for a function that OpenCL 1.2 does not have, whatever its type is.
template <class Function>
struct absent;

template <class Result, class... Arguments>
struct absent<Result (*)(Arguments...)> {
    static Result call(Arguments... arguments) {
        if constexpr (std::is_pointer_v<Result>) {
            (tell(arguments), ...);
            return nullptr;
        } else if constexpr (!std::is_void_v<Result>) {
            return static_cast<Result>(CL_INVALID_OPERATION);
        }
    }

private:
    /// Functions that make an object have a place for the error.
    static void tell(cl_int* code) {
        if (code != nullptr) *code = CL_INVALID_OPERATION;
    }
    template <class T>
    static void tell(const T&) {}
};

template <class Function>
void put_absent(Function& slot) {
    if constexpr (std::is_same_v<Function, void*>) {
        slot = reinterpret_cast<void*>(&absent<cl_int (*)()>::call);
    } else {
        slot = &absent<Function>::call;
    }
}

cl_icd_dispatch make_table() {
    cl_icd_dispatch table{};
    // The entries of other versions and other APIs, whose headers may be missing.
    void* const nowhere = reinterpret_cast<void*>(&absent<cl_int (*)()>::call);
    for (std::size_t at = 0; at < sizeof table; at += sizeof nowhere) {
        std::memcpy(reinterpret_cast<char*>(&table) + at, &nowhere, sizeof nowhere);
    }
    put_absent(table.clSVMAlloc);
    put_absent(table.clSVMFree);
    put_absent(table.clCreatePipe);
    put_absent(table.clCreateCommandQueueWithProperties);
    put_absent(table.clCreateSamplerWithProperties);
    put_absent(table.clCreateProgramWithIL);
    put_absent(table.clCloneKernel);
    put_absent(table.clCreateBufferWithProperties);
    put_absent(table.clCreateImageWithProperties);
    put_absent(table.clCreateFromGLBuffer);
    put_absent(table.clCreateFromGLTexture);
    put_absent(table.clCreateFromGLTexture2D);
    put_absent(table.clCreateFromGLTexture3D);
    put_absent(table.clCreateFromGLRenderbuffer);
    put_absent(table.clCreateEventFromGLsyncKHR);
    put_absent(table.clCreateFromEGLImageKHR);
    put_absent(table.clCreateEventFromEGLSyncKHR);
#define HEDDLE_ENTRY(name) table.name = &name;
#include "runtime/opencl/entry_points.def"
#undef HEDDLE_ENTRY
    return table;
}

}  // namespace

cl_icd_dispatch dispatch_table = make_table();

void* find_function(const char* name) {
    if (name == nullptr) return nullptr;
    const struct {
        const char* name;
        void* function;
    } extensions[] = {{"clIcdGetPlatformIDsKHR", reinterpret_cast<void*>(&clGetPlatformIDs)}};
    for (const auto& each : extensions) {
        if (std::strcmp(each.name, name) == 0) return each.function;
    }
    return nullptr;
}

}  // namespace heddle::opencl

// All that the library exports: what the loader asks for.
extern "C" {

[[gnu::visibility("default")]] CL_API_ENTRY void* CL_API_CALL
clGetExtensionFunctionAddress(const char* name) {
    return heddle::opencl::find_function(name);
}

[[gnu::visibility("default")]] CL_API_ENTRY cl_int CL_API_CALL
clIcdGetPlatformIDsKHR(cl_uint count, cl_platform_id* platforms, cl_uint* found) {
    return heddle::opencl::clGetPlatformIDs(count, platforms, found);
}

[[gnu::visibility("default")]] CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(
    cl_platform_id platform, cl_platform_info name, size_t size, void* value, size_t* size_ret) {
    return heddle::opencl::clGetPlatformInfo(platform, name, size, value, size_ret);
}
}
