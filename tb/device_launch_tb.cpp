// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of launches by kernels: KMU, Kernel Distributor and SMX scheduler under storms of
// kernels and aggregated groups that blocks on stub SMXs launch, with a table of groups so small
// that most of them spill. Blocks wait for their launches, are suspended and come back. Every block
// of every launch has to run exactly once, with the launch's id, parameters and shape; the launches
// of a parent end before it; no group is in a chain twice; in the end nothing is left of any
// launch; the statistics have the waiting and call times that blocks and commands had. Prints the
// statistics, which sleeping does not change.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "hw/kernel_distributor/kernel_distributor.h"
#include "hw/kmu/kmu.h"
#include "hw/protocol/instrumentation.h"
#include "hw/smx_scheduler/smx_scheduler.h"
#include "models/device/program_table.h"
#include "models/program/image.h"
#include "tb/kit/build_slots.h"
#include "tb/kit/paths.h"
#include "tb/kit/testbench.h"
#include "tb/kit/tlm_slots.h"
#include "tb/launch/chain_walk.h"
#include "tb/launch/record_store.h"
#include "tb/launch/storm_ledger.h"
#include "tb/launch/storm_smx.h"

namespace {

using namespace heddle;
using namespace heddle::launch_tb;

struct storm_options {
    unsigned smxs = 3;
    unsigned launches = 8;  ///< by the host
    unsigned entries = 4;
    unsigned groups = 8;  ///< entries of the AGT
    unsigned chains = 1;  ///< of an entry of the distributor
    unsigned priorities = 1;
    unsigned pool = 1 << 16;
    unsigned fallback = 40;
    slot_implementation slot = slot_implementation::tlm;
    storm how;
};

/// The host: all its launches at once, in two streams.
class storm_host final : public sc_core::sc_module, public clocked {
public:
    protocol::initiator_socket_of<storm_host, protocol::launch_link> socket;
    std::function<void(launch_id)> on_completed;

    storm_host(const sc_core::sc_module_name& name, clock_domain& domain)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          socket("socket"),
          launches_("host launches"),
          answers_(*this, 64) {
        socket.register_nb_transport_bw(this, &storm_host::answer);
    }
    void add(const prepared_launch& launch) {
        waiting_.push_back(launches_.make());
        waiting_.back()->carry(launch);
        waiting_.back()->queue = hwq_id(launch.id.count() % 2);
    }
    void evaluate() override {
        for (; answers_.ready() != nullptr;) {
            const auto [phase, launch] = answers_.pop();
            if (phase == protocol::launch_phase::accepted) {
                requested_ = false;
            } else {
                on_completed(launch->launch);
            }
        }
        if (requested_ || waiting_.empty()) return;
        const auto next = std::move(waiting_.back());
        waiting_.pop_back();
        requested_ = true;
        protocol::launch_phase phase = protocol::launch_phase::request;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_fw(*next, phase, delay);
    }
    [[nodiscard]] activity update() override {
        return requested_ || waiting_.empty() ? activity::idle : activity::busy;
    }
    [[nodiscard]] std::string waiting_for() const override { return {}; }
    [[nodiscard]] std::string leak_report() const { return launches_.leak_report(); }

private:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;
    tlm::tlm_sync_enum answer(protocol::kernel_launch& launch, protocol::launch_phase& phase,
                              sc_core::sc_time&) {
        (void)answers_.push({phase, launch_ptr(&launch)});
        return phase == protocol::launch_phase::completed ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    }
    pool<protocol::kernel_launch> launches_;
    std::vector<launch_ptr> waiting_;
    inbox<std::pair<protocol::launch_phase, launch_ptr>> answers_;
    bool requested_ = false;
};

machine_configuration storm_machine(const storm_options& options) {
    machine_configuration machine;
    machine.smx_count = options.smxs;
    machine.smx.max_blocks = 8;
    machine.smx.max_threads = 512;
    machine.launch.enabled = true;
    machine.launch.pool_bytes = options.pool;
    return machine;
}

void run_storm(testbench& bench, const storm_options& options) {
    const machine_configuration machine = storm_machine(options);
    program_table programs;
    const held_program& held = programs.add(std::make_shared<program::image>(
        program::image::load(build_path("kernels/iss_launch.elf"))));
    const program::image& image = *held.image;
    clock_domain core("core", frequency::megahertz(706), bench.domain_options());
    launch_table launches;
    device_runtime runtime(machine, launches);
    storm_ledger ledger(bench, machine);
    saved_states states(bench, runtime);
    launches.observe(ledger);

    storm_host host("host", core);
    kmu_configuration kmu_parameters;
    kmu_parameters.dispatch_latency = 20;
    kmu manager("kmu", core, kmu_parameters, tlm_slots<queue_picker_traits>(core, bench.status()),
                bench.waves(), {&runtime, options.fallback});
    kernel_distributor distributor("kernel_distributor", core, {options.entries}, options.smxs,
                                   bench.waves());
    smx_scheduler scheduler("smx_scheduler", core, {}, machine, options.entries,
                            {build_slots<kde_chain_traits>(options.slot, core, bench),
                             build_slots<group_allocator_traits>(options.slot, core, bench)},
                            bench.waves(), {&runtime, {options.groups, options.chains}});
    record_store memory("memory", core, bench);
    std::vector<std::unique_ptr<storm_smx>> smxs;
    protocol::instrumentation links(true, bench.timeline());
    links.connect(host.socket, manager.launch_socket, "host_to_kmu");
    links.connect(manager.dispatch_socket, distributor.dispatch_socket, "kmu_to_distributor");
    links.connect(distributor.kernel_ready_socket, scheduler.kernel_ready_socket, "kernel_ready");
    links.connect(scheduler.block_update_socket, distributor.block_update_socket, "block_update");
    links.connect(scheduler.groups()->group_socket, *manager.group_socket, "group_update");
    links.connect(*manager.over_socket, scheduler.groups()->over_socket, "group_over");
    links.connect(scheduler.groups()->memory_socket, memory.socket, "records");
    for (unsigned sm = 0; sm < options.smxs; ++sm) {
        const std::string number = std::to_string(sm);
        smxs.push_back(std::make_unique<storm_smx>(("smx_" + number).c_str(), core, bench,
                                                   sm_id(sm), machine.smx.max_blocks, runtime,
                                                   launches, states, image, options.how));
        storm_smx& smx = *smxs.back();
        smx.on_dispatch = [&](const auto& block) { ledger.dispatched(block); };
        smx.on_start = [&](const auto& block) { ledger.started(block, core.edge(), core.rate()); };
        smx.on_suspend = [&](const auto& block) { ledger.suspended(block); };
        smx.on_done = [&](const auto& block) { ledger.finished(block); };
        links.connect(scheduler.smxs().block_socket, smx.block_socket, "blocks_" + number);
        links.connect(smx.launch_socket, manager.launch_socket, "kernels_" + number);
        links.connect(smx.aggregation_socket, scheduler.groups()->aggregation_socket,
                      "groups_" + number);
    }
    chain_walk chains("chains", core, bench, distributor.entries(),
                      scheduler.groups()->chain().table());
    const program::kernel& kernel = image.get_kernel("add");
    random_stream priorities = bench.random("priorities");
    for (unsigned i = 1; i <= options.launches; ++i) {
        prepared_launch launch;
        launch.id = launch_id(i);
        launch.program = &held;
        launch.kernel = &kernel;
        launch.shape.grid = {4, 1, 1};
        launch.shape.block = {32, 1, 1};
        launch.shape.priority = static_cast<std::uint32_t>(priorities.below(options.priorities));
        launch.per_block = check_launch(kernel, launch.shape, machine);
        host.add(*launches.announce(launch));
    }
    unsigned completed = 0;
    host.on_completed = [&](launch_id id) {
        bench.check(ledger.over(id), "launch " + to_text(id) + " completed before what it caused");
        (void)launches.remove(id);
        if (++completed == options.launches) bench.finish();
    };

    if (bench.run(core) != error_kind::none) return;
    links.report_lost();
    links.finish();
    bench.check(ledger.ended() == ledger.launches(), "launches have blocks that did not run");
    bench.check(manager.empty(), "the KMU holds launches at the end");
    bench.check(distributor.entries().used() == 0, "kernel distributor entries have leaked");
    bench.check(scheduler.empty(), "the SMX scheduler holds blocks at the end");
    bench.check(scheduler.groups()->chain().table().used() == 0, "entries of groups have leaked");
    bench.check(manager.suspended().size() == 0 && states.empty() && ledger.empty(),
                "suspended blocks have left something behind");
    bench.check(options.how.waits == 0 || ledger.suspensions() != 0, "no block was suspended");
    bench.check(launches.size() == 0, "the table of launches is not empty");
    bench.check(
        runtime.pool().used_bytes() == 0 && runtime.pending() == 0 && runtime.footprint() == 0,
        "parameter buffers have leaked");
    bench.check(host.leak_report().empty(), host.leak_report());
    statistics all;
    manager.collect(all, "kmu");
    distributor.collect(all, "kernel_distributor");
    scheduler.collect(all, "smx_scheduler");
    scheduler.groups()->launches().collect(all);
    ledger.check_times(all);
    bench.check(std::get<std::uint64_t>(all.find("smx_scheduler.blocks")->value) == ledger.blocks(),
                "blocks that come back count as dispatched again");
    std::uint64_t refused = 0;
    for (const auto& smx : smxs) refused += smx->refused();
    std::cout << to_csv(all) << "launches " << ledger.launches() << "\nblocks " << ledger.blocks()
              << "\njoined " << scheduler.groups()->chain().joined() << "\nspilled "
              << scheduler.groups()->chain().spilled() << "\nno kernel "
              << scheduler.groups()->refused() << "\nrefused " << refused << "\nsuspended "
              << ledger.suspensions() << "\nof them moved " << ledger.moves() << "\nlongest chain "
              << chains.longest() << "\n";
}

}  // namespace

int sc_main(int argc, char** argv) {
    storm_options options;
    testbench_description description;
    description.name = "device_launch_tb";
    description.summary = "KMU, kernel distributor and SMX scheduler under launches by kernels";
    description.add_options = [&](command_line& line) {
        line.choice<slot_implementation>("--slot", options.slot, slot_choices(),
                                         "What keeps the chains and the AGT: the model, the RTL, "
                                         "or both in lock step");
        line.number("--smxs", options.smxs, "SMXs", 1, 64);
        line.number("--launches", options.launches, "Kernels that the host launches", 1, 1000);
        line.number("--entries", options.entries, "Kernel distributor entries", 1, 1024);
        line.number("--groups", options.groups, "Entries of the AGT: a power of two", 1, 65536);
        line.number("--chains", options.chains, "Chains of an entry", 1, kde_chain::maximum_chains);
        line.number("--priorities", options.priorities, "Priorities of the host's kernels", 1, 16);
        line.number("--pool", options.pool, "Bytes for parameter buffers", 4096, 1 << 28);
        line.number("--lanes", options.how.most_lanes, "Threads that launch together", 1, 32);
        line.number("--waits", options.how.waits, "Part of the blocks that wait for their launches",
                    0, 1);
    };
    return run_testbench(description, argc, argv,
                         [&](testbench& bench) { run_storm(bench, options); });
}
