// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <Vsmx.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "hw/cosim/pins/block_rtl.h"
#include "models/base/error.h"
#include "models/base/warp_slots.h"

namespace heddle::pins {
namespace {

/// The RTL, with its constant port.
class smx_rtl final : public sc_core::sc_module {
public:
    smx_rtl(const sc_core::sc_module_name& name, pin_clock& clock, core_pins& pins, sm_id id)
        : sc_module(name), rtl_("rtl") {
        rtl_.clk(clock.clk);
        rtl_.rst_n(clock.rst_n);
        constants_.smx_id.write(static_cast<std::uint32_t>(id.value()));
        rtl_.smx_id(constants_.smx_id);
        pins.dispatch.bind(rtl_.dispatch_valid, rtl_.dispatch_ready, rtl_.dispatch_launch,
                           rtl_.dispatch_grid_id, rtl_.dispatch_block, rtl_.dispatch_entry_pc,
                           rtl_.dispatch_parameters, rtl_.dispatch_index_x, rtl_.dispatch_index_y,
                           rtl_.dispatch_index_z, rtl_.dispatch_block_x, rtl_.dispatch_block_y,
                           rtl_.dispatch_block_z, rtl_.dispatch_grid_x, rtl_.dispatch_grid_y,
                           rtl_.dispatch_grid_z, rtl_.dispatch_offset_x, rtl_.dispatch_offset_y,
                           rtl_.dispatch_offset_z, rtl_.dispatch_dimensions,
                           rtl_.dispatch_shared_bytes, rtl_.dispatch_dynamic_bytes,
                           rtl_.dispatch_region, rtl_.dispatch_first);
        pins.done.bind(rtl_.done_valid, rtl_.done_ready, rtl_.done_launch, rtl_.done_block);
        pins.fetch.bind(rtl_.fetch_valid, rtl_.fetch_ready, rtl_.fetch_launch, rtl_.fetch_address);
        pins.line.bind(rtl_.line_valid, rtl_.line_ready, rtl_.line_error, rtl_.line_words,
                       rtl_.line_reconvergence);
        pins.request.bind(rtl_.request_valid, rtl_.request_ready, rtl_.request_id,
                          rtl_.request_kind, rtl_.request_launch, rtl_.request_address,
                          rtl_.request_mask, rtl_.request_data, rtl_.request_op, rtl_.request_warp,
                          rtl_.request_lanes, rtl_.request_words, rtl_.request_compare);
        pins.response.bind(rtl_.response_valid, rtl_.response_ready, rtl_.response_id,
                           rtl_.response_error, rtl_.response_data);
        bind(pins.retire);
    }

private:
    void bind(retire_pins& r) {
        rtl_.retire_valid(r.valid);
        rtl_.retire_kind(r.kind);
        rtl_.retire_time(r.time);
        rtl_.retire_core(r.core);
        rtl_.retire_slot(r.slot);
        rtl_.retire_launch(r.launch);
        rtl_.retire_block(r.block);
        rtl_.retire_warp(r.warp);
        rtl_.retire_n(r.n);
        rtl_.retire_pc(r.pc);
        rtl_.retire_word(r.word);
        rtl_.retire_lanes(r.lanes);
        rtl_.retire_live(r.live);
        rtl_.retire_next_lanes(r.next_lanes);
        rtl_.retire_next_pc(r.next_pc);
        rtl_.retire_depth(r.depth);
        rtl_.retire_taken(r.taken);
        rtl_.retire_rd(r.rd);
        rtl_.retire_known(r.known);
        rtl_.retire_value(r.value);
        rtl_.retire_address(r.address);
        rtl_.retire_data(r.data);
        rtl_.retire_compare(r.compare);
        rtl_.retire_event(r.event);
        rtl_.retire_event_lanes(r.event_lanes);
        rtl_.retire_fault(r.fault);
    }

    core_constants constants_;
    Vsmx rtl_;
};

/// A parameter of the module: what heddle_rtl() says, else the default of docs/rtl_smx.md.
std::uint64_t parameter(const std::string& name, std::uint64_t standard) {
    const std::string all = std::string(" ") + HEDDLE_SMX_PARAMETERS + " ";
    const std::string key = " " + name + "=";
    const std::size_t found = all.find(key);
    if (found == std::string::npos) return standard;
    return std::strtoull(all.c_str() + found + key.size(), nullptr, 0);
}

struct needed {
    const char* key;
    std::uint64_t machine;
    const char* parameter;
    std::uint64_t standard;
    bool same;  ///< else the module may have more
};

/// The retire port names warp slots in 32 bits, and a stack has 128 entries at most.
void check_largest(const char* name, std::uint64_t standard, std::uint64_t largest) {
    const std::uint64_t rtl = parameter(name, standard);
    if (rtl <= largest) return;
    throw configuration_error(std::string("slot.smx: the RTL has ") + name + " = " +
                              std::to_string(rtl) + "; legal: up to " + std::to_string(largest));
}

void check(const needed& each) {
    const std::uint64_t rtl = parameter(each.parameter, each.standard);
    if (rtl == each.machine || (!each.same && rtl > each.machine)) return;
    throw configuration_error(std::string("slot.smx: ") + each.key + " = " +
                              std::to_string(each.machine) + ", and the RTL has " + each.parameter +
                              " = " + std::to_string(rtl) +
                              "; legal: " + (each.same ? "the same" : "at most that") +
                              ", or heddle_rtl(smx ... PARAMETERS " + each.parameter + "=" +
                              std::to_string(each.machine) + ")");
}

}  // namespace

std::unique_ptr<sc_core::sc_module> make_smx_rtl(const char* name, pin_clock& clock,
                                                 core_pins& pins, sm_id id,
                                                 const machine_configuration& machine,
                                                 std::uint32_t stack_entries) {
    check_largest("WARPS", 16, 32);
    check_largest("STACK_ENTRIES", 128, 128);
    check({"gpu.warp_size", machine.warp_size, "LANES", 32, true});
    check({"smx.max_threads / gpu.warp_size", warp_slots(machine), "WARPS", 16, false});
    check({"smx.shared_bytes", machine.smx.shared_bytes, "SHARED_BYTES", 16384, false});
    check({"smx.private_bytes", machine.smx.private_bytes, "PRIVATE_BYTES", 8192, true});
    // 0: any number, so that a full stack of the RTL is a fault of the kernel.
    check({"smx.stack_entries", stack_entries, "STACK_ENTRIES", 128, false});
    return std::make_unique<smx_rtl>(name, clock, pins, id);
}

}  // namespace heddle::pins
