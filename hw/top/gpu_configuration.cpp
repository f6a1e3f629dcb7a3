// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/gpu_configuration.h"

#include "hw/protocol/link.h"
#include "models/program/address_map.h"

namespace heddle {

void clock_configuration::declare(parameter_list& p) {
    constexpr std::int64_t slowest = 1'000;
    constexpr std::int64_t fastest = 100'000'000;
    p.add("core", core, range(slowest, fastest), "kHz", "Clock of SMXs and launch path");
    p.add("interconnect", interconnect, range(slowest, fastest), "kHz",
          "Clock of the network between SMXs and L2 banks");
    p.add("l2", l2, range(slowest, fastest), "kHz", "Clock of the L2 banks");
    p.add("dram", dram, range(slowest, fastest), "kHz", "Command clock of the memory");
}

void gpu_configuration::declare(parameter_list& p) {
    machine.declare(p);
    p.nest("gpu", watchdog);
    p.nest("clock", clock);
    p.nest("kmu", kmu);
    p.nest("kd", kernel_distributor);
    p.nest("smx_scheduler", smx_scheduler);
    p.nest("smx", smx);
    p.nest("smx", warp_scheduler);
    p.nest("motrr", warp_scheduler.motrr);
    p.nest("two_level", warp_scheduler.two_level);
    p.nest("ccws", warp_scheduler.ccws);
    p.nest("lsu", lsu);
    p.nest("l1i", l1i);
    p.nest("l1d", l1d);
    p.nest("local", local);
    p.nest("network", network);
    p.nest("l2", l2);
    p.nest("dram", dram);
    p.nest("slot", warp_scheduler.slot);
    p.require({"smx.max_threads", "gpu.warp_size"},
              "smx.max_threads / gpu.warp_size is at most 64, the warp slots of an SMX", [this] {
                  return machine.smx.max_threads / machine.warp_size <= protocol::maximum_warps;
              });
    p.require({"l1i.line", "l1d.line", "l2.line"}, "no line of an L1 is longer than a line of L2",
              [this] { return l1i.line <= l2.line && l1d.line <= l2.line; });
    // The upper three quarters: parameter buffers and records grow from the lower end.
    p.require({"gpu.smx_count", "smx.max_threads", "smx.private_bytes"},
              "their product, the private memory of all threads, is at most 768 MiB", [this] {
                  return std::uint64_t{machine.smx_count} * machine.smx.max_threads *
                             machine.smx.private_bytes <=
                         std::uint64_t{program::reserve_window.size} / 4 * 3;
              });
}

}  // namespace heddle
