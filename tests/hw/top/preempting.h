// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/device/device.h"

namespace heddle {

inline launch_shape shape_of(std::uint32_t blocks, std::uint32_t threads,
                             bool cooperative = false) {
    launch_shape shape{{blocks}, {threads}};
    shape.cooperative = cooperative;
    return shape;
}

/// Until a launch has ended, a task of higher priority after the other. Returns how many.
inline std::uint32_t disturb(device& gpu, event_id until, std::uint64_t period,
                             std::uint32_t blocks, const device_buffer<std::uint32_t>& done) {
    launch_shape shape = shape_of(blocks, 64);
    shape.priority = 1;
    shape.stream = gpu.create_stream();
    std::uint32_t tasks = 0;
    for (; !gpu.finished(until); ++tasks) {
        (void)gpu.wait_until(gpu.wait_until(0) + period);
        launch(gpu, "task", shape, done.get(), 20U);
        gpu.wait(gpu.record(shape.stream));
    }
    return tasks;
}

}  // namespace heddle
