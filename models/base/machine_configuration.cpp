// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/machine_configuration.h"

namespace heddle {

void smx_limits::declare(parameter_list& p) {
    p.add("max_blocks", max_blocks, range(1, 64), "block",
          "Thread blocks that can be resident on one SMX")
        .larger_is_better()
        .of("smx.occupancy");
    p.add("max_threads", max_threads, range(32, 4096), "thread",
          "Threads that can be resident on one SMX")
        .larger_is_better(2048)
        .of("smx.occupancy");
    p.add("registers", registers, range(1024, 1 << 20), "register",
          "32-bit registers of one SMX, shared by its resident threads")
        .larger_is_better()
        .of("smx.occupancy");
    p.add("register_granule", register_granule, range(1, 32), "register",
          "Granule of the registers of a thread: a thread is charged a multiple of it")
        .smaller_is_better()
        .of("smx.occupancy");
    p.add("shared_bytes", shared_bytes, range(0, 1 << 20), "byte",
          "Shared memory of one SMX, shared by its resident blocks")
        .larger_is_better()
        .of("smx.occupancy");
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

void launch_configuration::declare(parameter_list& p) {
    p.add("enabled", enabled,
          "Kernels may launch kernels and aggregated groups; if false, a kernel that does is "
          "refused");
    p.add("ideal", ideal,
          "Launches by kernels take no time: all latencies of launch.* count as 0, those of their "
          "dispatches as 1")
        .best(true);
    p.add("stream_latency", stream_latency, range(0, 1'000'000), "cycle",
          "Time of a warp's creation of streams")
        .smaller_is_better();
    p.add("buffer_latency", buffer_latency, range(0, 1'000'000), "cycle",
          "Time of a warp's allocation of parameter buffers, without the part of its threads")
        .smaller_is_better();
    p.add("buffer_thread_latency", buffer_thread_latency, range(0, 1'000'000), "cycle",
          "Further time of it for each thread that calls")
        .smaller_is_better();
    p.add("kernel_latency", kernel_latency, range(0, 1'000'000), "cycle",
          "Time of a warp's launch of kernels, without the part of its threads")
        .smaller_is_better();
    p.add("kernel_thread_latency", kernel_thread_latency, range(0, 1'000'000), "cycle",
          "Further time of it for each thread that calls")
        .smaller_is_better();
    p.add("fallback_latency", fallback_latency, range(0, 1'000'000), "cycle",
          "Time from the search that finds no kernel for an aggregated group to its launch as a "
          "kernel, beside kmu.dispatch_latency")
        .smaller_is_better();
    p.add("pool_bytes", pool_bytes, range(1 << 12, 1 << 28), "byte",
          "Memory for the parameter buffers of launches by kernels, in equal parts for the SMXs")
        .larger_is_better();
    p.add("pending_limit", pending_limit, range(1, 1 << 23), "launch",
          "Launches by kernels that may wait for their first block")
        .larger_is_better();
    p.add("depth_limit", depth_limit, range(1, 1024), "level",
          "Levels of launches below a launch by the host");
    p.add("record_bytes.kernel", kernel_record_bytes, range(0, 1 << 20), "byte",
          "Memory that a pending kernel holds beside its parameter buffer");
    p.add("record_bytes.group", group_record_bytes, range(0, 1 << 20), "byte",
          "Memory that a pending aggregated group holds beside its parameter buffer");
    p.add("footprint.granule", footprint_granule, range(1, 4096), "byte",
          "launch.footprint_peak counts whole granules for each parameter buffer");
    p.add("footprint.until", footprint_until,
          {{"start", launch_memory::start}, {"end", launch_memory::end}},
          "launch.footprint_peak counts a launch until its first block starts, or until its last "
          "one has ended");
}

void cooperation_configuration::declare(parameter_list& p) {
    p.add("enabled", enabled,
          "Blocks of cooperative kernels may end and start while these run; without it such a "
          "kernel runs as any other");
    p.add("query_barrier", query_barrier,
          "A resizing barrier asks how many blocks are wanted when all have come; without it each "
          "block offers itself once, as it comes");
    p.add("latency", latency, range(1, 1'000'000), "cycle",
          "Time of a call of a cooperative block to the SMX scheduler, and of the answer, each")
        .smaller_is_better();
    p.add("preempt", preempt,
          "A launch that has no room has all blocks of a running launch of lower priority taken "
          "away, to memory, until it has ended; of any kernel, cooperative or not");
}

void machine_configuration::declare(parameter_list& p) {
    p.add("gpu.warp_size", warp_size, one_of({8, 16, 32, 64}), "thread", "Threads in a warp");
    p.add("gpu.smx_count", smx_count, range(1, 1024), "SMX",
          "Number of streaming multiprocessors (SMX)");
    p.nest("smx", smx);
    p.nest("iss", iss);
    p.nest("launch", launch);
    p.nest("tm", tm);
    p.nest("coop", coop);
    p.require({"smx.max_threads", "gpu.warp_size"},
              "smx.max_threads is a multiple of gpu.warp_size",
              [this] { return smx.max_threads % warp_size == 0; });
    // No program uses more than 32 registers: one warp of any kernel has to fit.
    p.require({"smx.registers", "gpu.warp_size"}, "smx.registers is at least 32 * gpu.warp_size",
              [this] { return smx.registers >= 32 * warp_size; });
    // Half of the runtime reserve is private memory's, the other half holds parameters.
    p.require(
        {"launch.enabled", "coop.preempt", "gpu.smx_count", "smx.max_threads", "smx.private_bytes"},
        "with launch.enabled or coop.preempt, the private memory of all threads is at most "
        "512 MiB",
        [this] {
            constexpr std::uint64_t most = std::uint64_t{512} << 20;
            return !(launch.enabled || coop.preempt) ||
                   std::uint64_t{smx_count} * smx.max_threads * smx.private_bytes <= most;
        });
    // A launch id has a byte for the SMX that launches.
    p.require({"launch.enabled", "gpu.smx_count"},
              "with launch.enabled, gpu.smx_count is at most 255",
              [this] { return !launch.enabled || smx_count <= 255; });
}

}  // namespace heddle
