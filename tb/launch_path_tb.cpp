// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the launch path: host, KMU, Kernel Distributor, SMX scheduler and fake SMXs whose
// blocks run for random times. Every block of every grid has to run exactly once, first come,
// first served, within the SMXs' capacities; queues, entries and payloads have to be free at the
// end. Prints the statistics, which neither sleeping nor the order of modules may change.
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "hw/kernel_distributor/kernel_distributor.h"
#include "hw/kmu/kmu.h"
#include "hw/protocol/instrumentation.h"
#include "hw/smx_scheduler/smx_scheduler.h"
#include "tb/kit/testbench.h"
#include "tb/kit/tlm_slots.h"
#include "tb/launch/fake_smx.h"
#include "tb/launch/launch_host.h"
#include "tb/launch/launch_ledger.h"

namespace {

using namespace heddle;
using namespace heddle::launch_tb;

struct path_options {
    unsigned smxs = 5;
    unsigned launches = 250;
    unsigned streams = 24;
    unsigned order = 0;  ///< 0: that of the netlist; else a permutation
    kmu_configuration kmu;
    kernel_distributor_configuration distributor;
    smx_scheduler_configuration scheduler;
};

/// Sees kernel_ready pass.
class ready_monitor final : public protocol::link_observer<protocol::kde_link> {
public:
    ready_monitor(const sc_core::sc_module_name& name, launch_ledger& ledger)
        : link_observer(name), ledger_(&ledger) {}

protected:
    tlm::tlm_sync_enum pass(protocol::path via, protocol::kde_update& update,
                            protocol::kde_phase& phase, sc_core::sc_time& time) override {
        ledger_->ready(update);
        return link_observer::pass(via, update, phase, time);
    }

private:
    launch_ledger* ledger_;
};

machine_configuration small_machine(unsigned smxs) {
    machine_configuration machine;
    machine.smx_count = smxs;
    machine.smx.max_blocks = 8;
    machine.smx.max_threads = 1024;
    machine.smx.registers = 16384;
    machine.smx.shared_bytes = 16384;
    return machine;
}

void run_path(testbench& bench, const path_options& options) {
    const machine_configuration machine = small_machine(options.smxs);
    clock_domain core("core", frequency::megahertz(706), bench.domain_options());
    launch_ledger ledger(bench, machine, options.kmu.queues);
    launch_host_options launching;
    launching.launches = options.launches;
    launching.streams = options.streams;
    launching.queues = options.kmu.queues;

    std::unique_ptr<launch_host> host;
    std::unique_ptr<kmu> manager;
    std::unique_ptr<kernel_distributor> distributor;
    std::unique_ptr<smx_scheduler> scheduler;
    std::vector<std::unique_ptr<fake_smx>> smxs(options.smxs);
    std::vector<std::function<void()>> builders{
        [&] { host = std::make_unique<launch_host>("host", core, bench, machine, launching); },
        [&] {
            manager = std::make_unique<kmu>("kmu", core, options.kmu,
                                            tlm_slots<queue_picker_traits>(core, bench.status()),
                                            bench.waves());
        },
        [&] {
            distributor = std::make_unique<kernel_distributor>(
                "kernel_distributor", core, options.distributor, options.smxs, bench.waves());
        },
        [&] {
            scheduler = std::make_unique<smx_scheduler>(
                "smx_scheduler", core, options.scheduler, machine, options.distributor.entries,
                smx_scheduler_slots{tlm_slots<kde_chain_traits>(core, bench.status()),
                                    tlm_slots<group_allocator_traits>(core, bench.status())},
                bench.waves());
        }};
    for (unsigned sm = 0; sm < options.smxs; ++sm) {
        builders.emplace_back([&, sm] {
            smxs[sm] = std::make_unique<fake_smx>(("smx_" + std::to_string(sm)).c_str(), core,
                                                  bench, machine.smx.max_blocks, 120);
        });
    }
    // The order of construction is the order within a cycle.
    random_stream permutation(options.order, "order");
    for (std::size_t left = options.order == 0 ? 0 : builders.size(); left > 1; --left) {
        std::swap(builders[left - 1], builders[permutation.below(left)]);
    }
    for (const auto& build : builders) {
        build();
    }

    protocol::instrumentation links(true, bench.timeline());
    ready_monitor monitor("ready_monitor", ledger);
    links.connect(host->launch_socket, manager->launch_socket, "host_to_kmu");
    links.connect(manager->dispatch_socket, distributor->dispatch_socket, "kmu_to_distributor");
    distributor->kernel_ready_socket.bind(monitor.target_socket);
    links.connect(monitor.initiator_socket, scheduler->kernel_ready_socket,
                  "distributor_to_scheduler");
    links.connect(scheduler->block_update_socket, distributor->block_update_socket,
                  "scheduler_to_distributor");
    host->on_accepted = [&](const auto& launch) { ledger.accepted(launch); };
    host->on_completed = [&](const auto& launch) {
        ledger.completed(launch);
        if (ledger.completed_launches() == options.launches) {
            bench.finish();
        }
    };
    for (unsigned sm = 0; sm < options.smxs; ++sm) {
        links.connect(scheduler->smxs().block_socket, smxs[sm]->block_socket,
                      "scheduler_to_smx_" + std::to_string(sm));
        smxs[sm]->on_dispatch = [&, sm](const protocol::block_dispatch& block) {
            bench.check(block.sm == sm_id(sm),
                        "a block for another SMX came to smx_" + std::to_string(sm));
            ledger.dispatched(block);
        };
        smxs[sm]->on_start = [](const auto&) {};
        smxs[sm]->on_done = [&](const auto& block) { ledger.finished(block); };
    }

    if (bench.run(core) != error_kind::none) {
        return;
    }
    links.report_lost();
    links.finish();
    bench.check(manager->empty(), "the KMU holds launches at the end");
    bench.check(distributor->entries().used() == 0, "kernel distributor entries have leaked");
    bench.check(scheduler->empty(), "the SMX scheduler holds blocks at the end");
    bench.check(host->leak_report().empty(), host->leak_report());
    bench.check(ledger.completed_launches() == options.launches, "launches were lost");
    statistics all;
    manager->collect(all, "kmu");
    distributor->collect(all, "kernel_distributor");
    scheduler->collect(all, "smx_scheduler");
    bench.check(std::get<std::uint64_t>(all.find("smx_scheduler.blocks")->value) ==
                    ledger.finished_blocks(),
                "the count of blocks is wrong");
    std::cout << to_csv(all);
}

}  // namespace

int sc_main(int argc, char** argv) {
    path_options options;
    options.kmu.queues = 8;
    options.kmu.queue_depth = 4;
    options.distributor.entries = 6;
    testbench_description description;
    description.name = "launch_path_tb";
    description.summary = "KMU, kernel distributor and SMX scheduler between a host and fake SMXs";
    description.add_options = [&](command_line& line) {
        line.number("--smxs", options.smxs, "SMXs", 1, 64);
        line.number("--launches", options.launches, "Kernels to launch", 1, 100000);
        line.number("--streams", options.streams, "Streams of the host", 1, 1000);
        line.number("--queues", options.kmu.queues, "Hardware work queues", 1, 64);
        line.number("--queue-depth", options.kmu.queue_depth, "Launches in a queue", 1, 1000);
        line.number("--dispatch-latency", options.kmu.dispatch_latency, "Cycles", 1, 10000);
        line.number("--entries", options.distributor.entries, "Kernel distributor entries", 1,
                    1024);
        line.number("--blocks-per-cycle", options.scheduler.blocks_per_cycle,
                    "Blocks that are distributed in a cycle", 1, 64);
        line.number("--order", options.order, "Order of the modules", 0, 1000000);
    };
    return run_testbench(description, argc, argv,
                         [&](testbench& bench) { run_path(bench, options); });
}
