// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/library.h"

#include <cstdio>
#include <utility>

#include "runtime/opencl/api.h"
#include "runtime/opencl/device_session.h"
#include "runtime/opencl/objects.h"

namespace heddle::opencl {
namespace {

/// The server writes its files when its connection ends.
void close_device() {
    const auto& device = the_library().device;
    if (device == nullptr) return;
    runtime::tell_kept(device->kept_launches());
    device->close();
}

/// The device belongs to the parent.
void forget_device() {
    auto& device = the_library().device;
    if (device != nullptr) device->forget();
    device.reset();
}

library* make_library() {
    runtime::the_process().begin({close_device, forget_device});
    return new library;
}

}  // namespace

library& the_library() {
    static library* const only = make_library();
    return *only;
}

library_lock::~library_lock() {
    const auto calls = std::exchange(the_library().after_call, {});
    held_.release();
    for (const auto& call : calls) call();
}

std::shared_ptr<device_session> device_in_use() {
    library& all = the_library();
    if (all.device != nullptr && !all.device->is_lost()) return all.device;
    try {
        all.device = std::make_shared<device_session>(++all.sessions);
    } catch (const runtime::connection_error& why) {
        all.device = nullptr;
        // The server itself has said what is wrong with its options.
        if (!why.is_told()) std::fprintf(stderr, "heddle: %s\n", why.what());
        throw error(CL_DEVICE_NOT_AVAILABLE);
    }
    return all.device;
}

}  // namespace heddle::opencl
