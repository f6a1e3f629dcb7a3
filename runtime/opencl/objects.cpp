// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/objects.h"

#include <cstdlib>
#include <new>

#include "runtime/opencl/device_session.h"

namespace heddle::opencl {

loaded_program::~loaded_program() {
    if (device != nullptr) device->unload(number);  // null: it could not be loaded
}

host_mirror::host_mirror(std::size_t bytes, void* given)
    : data_(static_cast<std::byte*>(given)), owned_(given == nullptr) {
    constexpr std::size_t page = 4096;
    if (!owned_) return;
    data_ = static_cast<std::byte*>(std::aligned_alloc(page, (bytes + page - 1) / page * page));
    if (data_ == nullptr) throw std::bad_alloc();
}

host_mirror::~host_mirror() {
    if (owned_) std::free(data_);
}

}  // namespace heddle::opencl

_cl_command_queue::~_cl_command_queue() {
    if (context != nullptr) context->device->return_stream(stream);  // null: it was never made
}

_cl_mem::~_cl_mem() {
    if (context == nullptr) return;  // it was never made
    if (parent == nullptr) context->device->release(address);
    if (image != nullptr) context->device->release(image->descriptor);
    auto& due = heddle::opencl::the_library().after_call;
    due.insert(due.end(), destructors.rbegin(), destructors.rend());
}

std::byte* _cl_mem::host_data() {
    if (parent != nullptr) return parent->host_data() + origin;
    if (mirror == nullptr) {
        const std::size_t bytes = image == nullptr ? size : image->host_pitch * image->height;
        mirror = std::make_unique<heddle::opencl::host_mirror>(bytes, host_pointer);
    }
    return mirror->data();
}
