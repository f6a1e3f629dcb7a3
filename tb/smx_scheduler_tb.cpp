// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the SMX scheduler between a fake Kernel Distributor and fake SMXs. Which block goes
// when to which SMX, slot and private memory is compared, edge by edge, with a reference model.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "hw/protocol/instrumentation.h"
#include "hw/smx_scheduler/smx_scheduler.h"
#include "tb/kit/testbench.h"
#include "tb/kit/tlm_slots.h"
#include "tb/launch/event_log.h"
#include "tb/launch/fake_smx.h"
#include "tb/launch/random_launch.h"
#include "tb/launch/scheduler_reference.h"

namespace {

using namespace heddle;
using namespace heddle::launch_tb;
using launch_ptr = pool_ptr<protocol::kernel_launch>;

constexpr unsigned entries = 6;

/// Makes random kernels ready, and checks that all of their blocks start and finish.
class kernel_source final : public sc_core::sc_module, public clocked {
public:
    protocol::initiator_socket_of<kernel_source, protocol::kde_link> kernel_ready_socket;
    protocol::target_socket_of<kernel_source, protocol::kde_link> block_update_socket;

    kernel_source(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
                  const machine_configuration& machine, unsigned kernels,
                  std::uint64_t largest_grid, scheduler_log& log)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          kernel_ready_socket("kernel_ready_socket"),
          block_update_socket("block_update_socket"),
          bench_(&bench),
          machine_(machine),
          kernels_(kernels),
          largest_grid_(largest_grid),
          log_(&log),
          random_(bench.random(sc_module::name())),
          stalls_(bench.stalls(sc_module::name())),
          launches_("launches"),
          ready_pool_("ready"),
          freed_(*this, 2 * entries),
          kdes_(entries) {
        block_update_socket.register_nb_transport_fw(this, &kernel_source::take);
    }
    void evaluate() override {
        while (freed_.ready() != nullptr) {
            kdes_[freed_.pop()] = {};
            bench_->progress();
            if (++completed_ == kernels_) {
                bench_->finish();
            }
        }
        const std::uint64_t now = clocked::domain().edge();
        const auto free =
            std::find_if(kdes_.begin(), kdes_.end(), [](const kde& k) { return !k.launch; });
        if (free != kdes_.end() && made_ < kernels_ && now >= next_ && !stalls_.stalled(now)) {
            make_ready(static_cast<std::size_t>(free - kdes_.begin()), now);
        }
    }
    activity update() override {
        const bool room =
            std::any_of(kdes_.begin(), kdes_.end(), [](const kde& k) { return !k.launch; });
        if (room && made_ < kernels_) {
            wake_at(std::max(next_, clocked::domain().edge() + 1));
        }
        return activity::idle;
    }
    [[nodiscard]] const std::vector<launch_ptr>& all() const { return all_; }
    void forget() { all_.clear(); }
    [[nodiscard]] std::string leak_report() const { return launches_.leak_report(); }

private:
    struct kde {
        launch_ptr launch;
        std::uint64_t started = 0, finished = 0;
        bool exhausted = false;
    };

    void make_ready(std::size_t entry, std::uint64_t now) {
        const launch_ptr launch = launches_.make();
        launch->launch = protocol::launch_id(++made_);
        launch->launched_at = sc_core::sc_time_stamp();
        randomize(*launch, random_, machine_, largest_grid_);
        next_ = now + 1 + (random_.chance(0.05) ? random_.below(5000) : random_.below(40));
        kdes_[entry] = {launch, 0, 0, false};
        all_.push_back(launch);
        log_->ready.push_back({now, launch->launch.value()});
        const pool_ptr<protocol::kde_update> update = ready_pool_.make();
        update->launch = launch->launch;
        update->kde = kde_index(entry);
        update->kernel = launch;
        protocol::kde_phase phase = protocol::kde_phase::update;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        kernel_ready_socket->nb_transport_fw(*update, phase, delay);
    }
    tlm::tlm_sync_enum take(protocol::kde_update& update, protocol::kde_phase&, sc_core::sc_time&) {
        log_->updates.push_back({clocked::domain().edge(), static_cast<std::uint64_t>(update.event),
                                 update.launch.value(), update.block});
        kde& k = kdes_[update.kde.value()];
        if (!bench_->check(k.launch && k.launch->launch == update.launch,
                           "an update names the wrong entry")) {
            return tlm::TLM_COMPLETED;
        }
        const std::uint64_t blocks = k.launch->grid.count();
        if (update.event == protocol::kde_event::block_started) {
            bench_->check(update.block == k.started++, "blocks do not start in order");
        } else if (update.event == protocol::kde_event::blocks_exhausted) {
            bench_->check(k.started == blocks && !k.exhausted, "exhausted at a wrong time");
            k.exhausted = true;
        } else {
            ++k.finished;
        }
        bench_->check(k.finished <= k.started && k.started <= blocks, "too many blocks");
        if (k.exhausted && k.finished == blocks) {
            bench_->check(freed_.push(std::size_t{update.kde.value()}), "an entry ended twice");
        }
        return tlm::TLM_COMPLETED;
    }

    testbench* bench_;
    machine_configuration machine_;
    unsigned kernels_;
    std::uint64_t largest_grid_;
    scheduler_log* log_;
    random_stream random_;
    stall_source stalls_;
    pool<protocol::kernel_launch> launches_;
    pool<protocol::kde_update> ready_pool_;
    inbox<std::size_t> freed_;
    std::vector<kde> kdes_;
    std::vector<launch_ptr> all_;  ///< by launch id - 1, for the reference model
    unsigned made_ = 0;
    unsigned completed_ = 0;
    std::uint64_t next_ = 0;
};

struct scheduler_options {
    unsigned smxs = 4;
    unsigned kernels = 120;
    std::uint64_t largest_grid = 500;
    smx_scheduler_configuration scheduler;
    bool reversed = false;
};

void check_stalls(testbench& bench, const statistics& all, std::uint64_t expected) {
    std::uint64_t stalls = 0;
    for (const statistic& s : all.entries()) {
        if (s.name.find(".stall_") != std::string::npos) {
            stalls += std::get<std::uint64_t>(s.value);
        }
    }
    bench.check(stalls == expected, "stall cycles: counted " + std::to_string(stalls) +
                                        ", expected " + std::to_string(expected));
}

void run_scheduler(testbench& bench, const scheduler_options& options) {
    machine_configuration machine;
    machine.smx_count = options.smxs;
    machine.smx.max_blocks = 6;
    machine.smx.max_threads = 768;
    machine.smx.registers = 16384;
    machine.smx.shared_bytes = 16384;
    clock_domain core("core", frequency::megahertz(706), bench.domain_options());
    scheduler_log log;
    std::unique_ptr<kernel_source> source;
    std::unique_ptr<smx_scheduler> scheduler;
    std::vector<std::unique_ptr<fake_smx>> smxs;
    const auto make_source = [&] {
        source = std::make_unique<kernel_source>("source", core, bench, machine, options.kernels,
                                                 options.largest_grid, log);
    };
    const auto make_smxs = [&] {
        for (unsigned sm = 0; sm < options.smxs; ++sm) {
            smxs.push_back(std::make_unique<fake_smx>(("smx_" + std::to_string(sm)).c_str(), core,
                                                      bench, machine.smx.max_blocks, 60));
        }
    };
    // The order of construction is the order within a cycle.
    options.reversed ? make_smxs() : make_source();
    scheduler = std::make_unique<smx_scheduler>(
        "smx_scheduler", core, options.scheduler, machine, entries,
        smx_scheduler_slots{tlm_slots<kde_chain_traits>(core, bench.status()),
                            tlm_slots<group_allocator_traits>(core, bench.status())},
        bench.waves());
    options.reversed ? make_source() : make_smxs();
    protocol::instrumentation links(true, bench.timeline());
    links.connect(source->kernel_ready_socket, scheduler->kernel_ready_socket, "ready");
    links.connect(scheduler->block_update_socket, source->block_update_socket, "updates");
    for (unsigned sm = 0; sm < options.smxs; ++sm) {
        fake_smx& smx = *smxs[sm];
        links.connect(scheduler->smxs().block_socket, smx.block_socket,
                      "smx_" + std::to_string(sm));
        smx.on_dispatch = [&, sm](const protocol::block_dispatch& b) {
            bench.check(b.sm == sm_id(sm), "a block came to the wrong SMX");
            log.dispatches.push_back({core.edge(), b.launch.value(), b.block,
                                      place(sm, b.slot.value()), b.context.value(),
                                      b.invalidate_l1 ? 1U : 0U});
        };
        smx.on_start = [&, sm](const auto&) { log.starts.push_back({core.edge(), sm}); };
        smx.on_done = [&, sm](const protocol::block_dispatch& b) {
            log.dones.push_back({core.edge(), sm, b.slot.value()});
        };
    }

    if (bench.run(core) != error_kind::none) {
        return;
    }
    links.report_lost();
    links.finish();
    bench.check(scheduler->empty(), "the SMX scheduler holds blocks at the end");
    scheduler_reference reference(machine, options.scheduler.blocks_per_cycle, source->all(), log);
    const scheduler_log expected = reference.run(core.edge() + 1);
    compare(bench, "dispatch {launch, block, SMX and slot, context, invalidate_l1}",
            expected.dispatches, log.dispatches);
    compare(bench, "update {event, launch, block}", expected.updates, log.updates);
    source->forget();
    bench.check(source->leak_report().empty(), source->leak_report());
    statistics all;
    scheduler->collect(all, "smx_scheduler");
    check_stalls(bench, all, reference.stalls());
    std::cout << to_csv(all);
}

}  // namespace

int sc_main(int argc, char** argv) {
    scheduler_options options;
    testbench_description description;
    description.name = "smx_scheduler_tb";
    description.summary = "The SMX scheduler against a reference model, edge by edge";
    description.add_options = [&](command_line& line) {
        line.number("--smxs", options.smxs, "SMXs", 1, 64);
        line.number("--kernels", options.kernels, "Kernels to run", 1, 100000);
        line.number("--largest-grid", options.largest_grid, "Blocks of the largest grids", 1,
                    100000);
        line.number("--blocks-per-cycle", options.scheduler.blocks_per_cycle,
                    "Blocks that are distributed in a cycle", 1, 64);
        line.flag("--reversed", options.reversed, "Reversed order of the modules");
    };
    return run_testbench(description, argc, argv,
                         [&](testbench& bench) { run_scheduler(bench, options); });
}
