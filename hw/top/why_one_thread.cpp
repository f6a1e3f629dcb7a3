// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/why_one_thread.h"

#include "hw/top/gpu_configuration.h"
#include "hw/top/gpu_options.h"

namespace heddle {
namespace {

bool has_rtl(const gpu_configuration& configuration) {
    const slot_configuration& slots = configuration.slots;
    for (const slot_choice* const each :
         {&slots.warp_scheduler, &slots.formation, &slots.crossbar_allocator, &slots.dram_scheduler,
          &slots.queue_picker, &slots.kde_chain, &slots.group_allocator, &slots.tm_bank}) {
        if (each->implementation != slot_implementation::tlm) return true;
    }
    for (const pins::block_choice* const each :
         {&slots.memory_controller, &slots.kernel_distributor, &slots.smx}) {
        if (each->implementation != pins::block_implementation::tlm) return true;
    }
    return configuration.bus.bus != axi::memory_bus::tlm;
}

}  // namespace

std::string why_one_thread(const gpu_configuration& configuration, const gpu_options& options) {
    if (has_rtl(configuration)) return "RTL, pins or an AXI bus";
    if (options.memory) return "a memory model of others";
    if (options.interposers != nullptr) return "models in the links";
    if (!options.run_ahead) return "the SystemC kernel runs each edge";
    if (options.waves != nullptr) return "a waveform";
    if (options.timeline != nullptr) return "a timeline";
    if (options.messages != nullptr) return "a link trace";
    if (options.slot_ports != nullptr || options.slot_signals != nullptr) return "a slot trace";
    if (options.check_protocols) return "protocol checkers";
    if (options.observed) return "something that follows each instruction";
    return {};
}

}  // namespace heddle
