// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/machine_configuration.h"

namespace heddle {

void smx_limits::declare(parameter_list& p) {
    p.add("max_blocks", max_blocks, range(1, 64), "block",
          "Thread blocks that can be resident on one SMX");
    p.add("max_threads", max_threads, range(32, 4096), "thread",
          "Threads that can be resident on one SMX");
    p.add("registers", registers, range(1024, 1 << 20), "register",
          "32-bit registers of one SMX, shared by its resident threads");
    p.add("register_granule", register_granule, range(1, 32), "register",
          "Granule of the registers of a thread: a thread is charged a multiple of it");
    p.add("shared_bytes", shared_bytes, range(0, 1 << 20), "byte",
          "Shared memory of one SMX, shared by its resident blocks");
    p.add("private_bytes", private_bytes, range(256, 1 << 20), "byte",
          "Private memory of one thread, including its stack");
    // The calling convention of RV32 keeps the stack pointer 16-byte aligned.
    p.require({"private_bytes"}, "smx.private_bytes is a multiple of 16",
              [this] { return private_bytes % 16 == 0; });
}

void iss_configuration::declare(parameter_list& p) {
    p.add("quantum", quantum, range(1, 1'000'000'000), "instruction",
          "Instructions that a warp runs in the functional simulator before the next warp takes "
          "its turn");
    p.add("watchdog", watchdog, range(1'000, 1'000'000'000'000), "instruction",
          "Warp instructions without progress after which the functional simulator gives up");
}

void machine_configuration::declare(parameter_list& p) {
    p.add("gpu.warp_size", warp_size, one_of({8, 16, 32, 64}), "thread", "Threads in a warp");
    p.add("gpu.smx_count", smx_count, range(1, 1024), "SMX",
          "Number of streaming multiprocessors (SMX)");
    p.nest("smx", smx);
    p.nest("iss", iss);
    p.require({"smx.max_threads", "gpu.warp_size"},
              "smx.max_threads is a multiple of gpu.warp_size",
              [this] { return smx.max_threads % warp_size == 0; });
    // No program uses more than 32 registers: one warp of any kernel has to fit.
    p.require({"smx.registers", "gpu.warp_size"}, "smx.registers is at least 32 * gpu.warp_size",
              [this] { return smx.registers >= 32 * warp_size; });
}

}  // namespace heddle
