// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What clang's host half calls before main(). Nothing is read and no device is begun here, but for
// managed variables.
#include <algorithm>

#include "runtime/cuda/library/device_objects.h"

namespace {

using namespace heddle::cuda;

/// A handle is a number that no program sees.
void** handle_of(binary_id binary) {
    return reinterpret_cast<void**>(binary + 1);
}
binary_id binary_of(void** handle) {
    return reinterpret_cast<std::uintptr_t>(handle) - 1;
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* fatCubin) {
    const library_lock lock;
    return handle_of(the_library().programs.add(fatCubin));
}

/// The host's code may use managed variables from now on: they need a device.
void __cudaRegisterFatBinaryEnd(void** handle) {
    (void)code_of([&] {
        const auto& managed = the_library().programs.managed();
        if (std::any_of(managed.begin(), managed.end(),
                        [&](const auto& each) { return each.binary == binary_of(handle); })) {
            the_device().programs.begin_managed();
        }
    });
}

/// At the end of the process, or when a shared library is closed.
void __cudaUnregisterFatBinary(void** handle) {
    // The process may end within a call: of another thread, or of this one, by a signal handler.
    const heddle::runtime::process_lock lock(the_library().process, std::try_to_lock);
    if (lock.owns_lock()) the_library().programs.remove(binary_of(handle));
}

void __cudaRegisterFunction(void** handle, const char* hostFun, char*, const char* deviceName, int,
                            uint3*, uint3*, dim3*, dim3*, int*) {
    const library_lock lock;
    the_library().programs.add_kernel(binary_of(handle), hostFun, deviceName);
}

void __cudaRegisterVar(void** handle, char* hostVar, char*, const char* deviceName, int,
                       size_t size, int, int) {
    const library_lock lock;
    the_library().programs.add_variable(binary_of(handle), hostVar, deviceName, size);
}

/// `pointer`: what the host's code reaches it by, `shadow` until there is a device.
void __cudaRegisterManagedVar(void** handle, void** pointer, void* shadow, const char* deviceName,
                              unsigned int size, unsigned int) {
    const library_lock lock;
    the_library().programs.add_managed({binary_of(handle), deviceName, size, pointer, shadow});
}

void __cudaRegisterTexture(void** handle, const textureReference* hostVar, const void**,
                           const char* deviceName, int, int norm, int) {
    const library_lock lock;
    the_library().programs.add_texture(binary_of(handle), hostVar, deviceName, norm != 0);
}

void __cudaRegisterSurface(void** handle, const surfaceReference* hostVar, const void**,
                           const char* deviceName, int, int) {
    const library_lock lock;
    the_library().programs.add_surface(binary_of(handle), hostVar, deviceName);
}

}  // extern "C"
