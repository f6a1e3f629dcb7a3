// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/base/machine_configuration.h"
#include "models/iss/simulator.h"
#include "models/program/image.h"
#include "tb/kit/paths.h"

namespace heddle::iss {

/// A small machine: 2 SMX with 2 blocks each, so that blocks queue up early.
inline machine_configuration small_machine(unsigned warp_size = 32) {
    machine_configuration machine;
    machine.warp_size = warp_size;
    machine.smx_count = 2;
    machine.smx.max_blocks = 2;
    machine.smx.max_threads = 2048;
    machine.iss.watchdog = 100'000;
    return machine;
}

/// A simulator with one of the programs in tests/iss/kernels loaded.
inline std::unique_ptr<functional_simulator> make_simulator(
    const std::string& program, const machine_configuration& machine = small_machine()) {
    auto simulator = std::make_unique<functional_simulator>(machine);
    simulator->load(std::make_shared<program::image>(
        program::image::load(build_path("kernels/") + program + ".elf")));
    return simulator;
}

/// The error that an action throws; fails the test if it throws none.
template <class Action>
run_error error_of(Action&& action) {
    try {
        action();
    } catch (const run_error& error) {
        return error;
    }
    ADD_FAILURE() << "no error";
    return run_error(error_kind::none, "");
}

}  // namespace heddle::iss
