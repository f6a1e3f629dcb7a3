// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/exchangeable_parts.h"

#include "hw/cosim/rtl_slots.h"

namespace heddle {

exchangeable_parts::exchangeable_parts() {
    cosim::add_rtl(warp_scheduler);
    cosim::add_rtl(formation);
    cosim::add_rtl(crossbar_allocator);
    cosim::add_rtl(dram_scheduler);
    cosim::add_rtl(queue_picker);
    cosim::add_rtl(kde_chain);
    cosim::add_rtl(group_allocator);
    cosim::add_rtl(tm_bank);
}

void slot_configuration::declare(parameter_list& p) {
    const exchangeable_parts parts;
    const auto add = [&p](const std::string& name, slot_choice& choice,
                          const choices<slot_implementation>& legal, const std::string& what) {
        p.add(name, choice.implementation, legal, "What carries out " + what);
        p.add(name + ".where", choice.where,
              "Instances to replace (glob of hierarchical names); all others stay tlm");
    };
    add("warp_scheduler", warp_scheduler, parts.warp_scheduler.keys(), "the selection of warps");
    add("formation", formation, parts.formation.keys(), "the formation of warps");
    add("crossbar_allocator", crossbar_allocator, parts.crossbar_allocator.keys(),
        "the allocators of the crossbar");
    add("dram_scheduler", dram_scheduler, parts.dram_scheduler.keys(),
        "the choice among the accesses of a DRAM channel");
    add("queue_picker", queue_picker, parts.queue_picker.keys(),
        "the choice of the KMU's next hardware work queue");
    add("kde_chain", kde_chain, parts.kde_chain.keys(),
        "the order in which the SMX scheduler distributes kernels and groups");
    add("group_allocator", group_allocator, parts.group_allocator.keys(),
        "the allocation of entries of the Aggregated Group Table");
    add("tm_bank", tm_bank, parts.tm_bank.keys(),
        "the conflicts and old values of a bank under transactions");
    memory_controller.declare(p, "memory_controller", "the memory controllers");
    kernel_distributor.declare(p, "kernel_distributor", "the kernel distributor");
    smx.declare_with_shadow(p, "smx", "the SMXs");
}

slot_makers::slot_makers(const exchangeable_parts& parts, const slot_configuration& choices,
                         std::uint64_t run_seed, run_status& status, const cycle_counter& core,
                         const cycle_counter& interconnect, const cycle_counter& dram,
                         slot_listeners listeners)
    : warp_scheduler(parts.warp_scheduler, choices.warp_scheduler, run_seed, core, status,
                     listeners),
      formation(parts.formation, choices.formation, run_seed, core, status, listeners),
      crossbar_allocator(parts.crossbar_allocator, choices.crossbar_allocator, run_seed,
                         interconnect, status, listeners),
      dram_scheduler(parts.dram_scheduler, choices.dram_scheduler, run_seed, dram, status,
                     listeners),
      queue_picker(parts.queue_picker, choices.queue_picker, run_seed, core, status, listeners),
      kde_chain(parts.kde_chain, choices.kde_chain, run_seed, core, status, listeners),
      group_allocator(parts.group_allocator, choices.group_allocator, run_seed, core, status,
                      listeners),
      tm_bank(parts.tm_bank, choices.tm_bank, run_seed, core, status, listeners) {}

void slot_makers::check() const {
    warp_scheduler.check();
    formation.check();
    crossbar_allocator.check();
    dram_scheduler.check();
    queue_picker.check();
    kde_chain.check();
    group_allocator.check();
    tm_bank.check();
}

}  // namespace heddle
