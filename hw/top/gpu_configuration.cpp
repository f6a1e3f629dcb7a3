// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/gpu_configuration.h"

#include <algorithm>

#include "hw/protocol/link.h"
#include "hw/smx/thread_pool/formations.h"
#include "models/program/address_map.h"

namespace heddle {

void clock_configuration::declare(parameter_list& p) {
    constexpr std::int64_t slowest = 1'000;
    constexpr std::int64_t fastest = 100'000'000;
    p.add("core", core, range(slowest, fastest), "kHz", "Clock of the SMXs and the launch path");
    p.add("interconnect", interconnect, range(slowest, fastest), "kHz",
          "Clock of the crossbar between SMXs and L2 banks")
        .more_is_better()
        .of("crossbar");
    p.add("l2", l2, range(slowest, fastest), "kHz", "Clock of the L2 banks")
        .more_is_better()
        .of("l2");
    p.add("dram", dram, range(slowest, fastest), "kHz", "Command clock of the memory")
        .more_is_better()
        .of("dram");
}

void memory_model_configuration::declare(parameter_list& p) {
    p.add("model", model,
          choices<memory_model>{{"fixed", memory_model::fixed}, {"gddr", memory_model::gddr}},
          "Memory behind the L2 banks: gddr = memory controllers and DRAM channels, fixed = a "
          "memory of fixed latency");
}

std::uint32_t gpu_configuration::longest_line() const {
    const auto of = [](const load_cache_configuration& c) { return c.size != 0 ? c.line : 0; };
    return std::max({l1i.line, l1d.line, of(constant_cache), of(read_only_cache)});
}

std::uint32_t gpu_configuration::longest_message() const {
    return std::max(longest_line(), 8 * machine.warp_size);
}

void gpu_configuration::declare(parameter_list& p) {
    machine.declare(p);
    p.nest("gpu", watchdog);
    p.nest("clock", clock);
    p.nest("kmu", kmu);
    p.nest("kernel_distributor", kernel_distributor);
    p.nest("smx_scheduler", smx_scheduler);
    p.nest("agt", groups);
    p.nest("smx", smx);
    p.nest("smx", warp_scheduler);
    warp_scheduler.policies.declare(p);
    formations.declare(p);
    p.nest("lsu", lsu);
    p.nest("l1i", l1i);
    p.nest("l1d", l1d);
    p.nest("constant_cache", constant_cache);
    p.nest("read_only_cache", read_only_cache);
    p.nest("shared", shared);
    p.nest("crossbar", crossbar);
    p.nest("l2", l2);
    p.nest("memory", bus);
    p.nest("dram", memory);
    p.nest("dram", dram);
    p.nest("dram.fixed", fixed_memory);
    p.nest("slot", slots);
    p.nest("pins", pins);
    p.require(
        {"slot.memory_controller", "dram.model", "memory.bus"},
        "slot.memory_controller = pins and rtl need dram.model = gddr, and another memory.bus "
        "than axi_rtl",
        [this] {
            return slots.memory_controller.implementation == pins::block_implementation::tlm ||
                   (memory.model == memory_model::gddr && bus.bus != axi::memory_bus::axi_rtl);
        });
    const auto behind_pins = [this](bool needed) {
        return slots.smx.implementation == pins::block_implementation::tlm || needed;
    };
    p.require(
        {"slot.smx", "gpu.warp_size", "l2.line"},
        "SMXs behind pins (slot.smx) need gpu.warp_size = 32 and l2.line = 128",
        [this, behind_pins] { return behind_pins(machine.warp_size == 32 && l2.line == 128); });
    p.require({"slot.smx", "smx.formation", "coop.preempt"},
              "SMXs behind pins (slot.smx) need smx.formation = pdom, and coop.preempt = false: "
              "their blocks stay until they end",
              [this, behind_pins] {
                  return behind_pins(!row_of(smx.formation).on_pool && !machine.coop.preempt);
              });
    p.require({"smx.max_threads", "gpu.warp_size"},
              "smx.max_threads / gpu.warp_size is at most 64, the warp slots of an SMX", [this] {
                  return machine.smx.max_threads / machine.warp_size <= protocol::maximum_warps;
              });
    p.require({"l1i.line", "l1d.line", "constant_cache.line", "read_only_cache.line", "l2.line"},
              "the lines of an SMX's caches are at most l2.line",
              [this] { return longest_line() <= l2.line; });
    p.require({"dram.row_mask", "dram.bank_mask", "dram.column_mask", "l2.banks", "l2.interleave"},
              "with dram.model = gddr the channels together hold 4 GiB, Heddle's address space",
              [this] {
                  constexpr std::uint64_t last = (std::uint64_t{1} << 32) - 1;
                  return memory.model == memory_model::fixed ||
                         l2.partition().offset(last) < dram.bytes();
              });
    p.require({"crossbar.input_buffer", "crossbar.output_buffer", "crossbar.flit_bytes",
               "crossbar.header_bytes", "gpu.warp_size", "l1d.line", "l1i.line",
               "constant_cache.line", "read_only_cache.line"},
              "each buffer of the crossbar holds the longest message: the header, and a line or 8 "
              "bytes for each lane of a warp",
              [this] {
                  return crossbar.flits_of(longest_message()) <=
                         std::min(crossbar.input_buffer, crossbar.output_buffer);
              });
    // The upper three quarters: parameter buffers and records grow from the lower end.
    p.require({"gpu.smx_count", "smx.max_threads", "smx.private_bytes"},
              "gpu.smx_count * smx.max_threads * smx.private_bytes, the private memory of all "
              "threads, is at most 768 MiB",
              [this] {
                  return std::uint64_t{machine.smx_count} * machine.smx.max_threads *
                             machine.smx.private_bytes <=
                         std::uint64_t{program::reserve_window.size} / 4 * 3;
              });
}

}  // namespace heddle
