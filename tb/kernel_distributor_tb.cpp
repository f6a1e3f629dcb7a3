// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the Kernel Distributor between a source of random kernels and a fake SMX scheduler
// that starts and finishes their blocks at random. Everything that the Kernel Distributor does is
// compared, edge by edge, with a reference model.
#include <algorithm>
#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "hw/kernel_distributor/kernel_distributor.h"
#include "hw/protocol/instrumentation.h"
#include "tb/kit/testbench.h"
#include "tb/launch/event_log.h"
#include "tb/launch/random_launch.h"

namespace {

using namespace heddle;
using namespace heddle::launch_tb;
using launch_ptr = pool_ptr<protocol::kernel_launch>;

constexpr unsigned smxs = 4;

/// What passed the Kernel Distributor's sockets.
struct distributor_log {
    event_log requests;     ///< edge, launch
    event_log updates;      ///< edge, event, entry
    event_log accepts;      ///< edge, launch, whether in the call of the request
    event_log ready;        ///< edge, launch, entry
    event_log completions;  ///< edge, launch
};

/// Requests one random kernel after the other, as fast as the link and random stalls let it.
class kernel_source final : public sc_core::sc_module, public clocked {
public:
    protocol::initiator_socket_of<kernel_source, protocol::kernel_dispatch_link> dispatch_socket;

    kernel_source(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
                  unsigned kernels, distributor_log& log)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          dispatch_socket("dispatch_socket"),
          bench_(&bench),
          kernels_(kernels),
          log_(&log),
          random_(bench.random(sc_module::name())),
          stalls_(bench.stalls(sc_module::name())),
          launches_("launches"),
          accepted_(*this, 1) {
        dispatch_socket.register_nb_transport_bw(this, &kernel_source::take_answer);
    }
    void evaluate() override {
        if (accepted_.ready() != nullptr) {
            (void)accepted_.pop();
            requested_ = false;
        }
        const std::uint64_t now = clocked::domain().edge();
        if (!requested_ && made_ < kernels_ && now >= next_ && !stalls_.stalled(now)) {
            request(now);
        }
    }
    activity update() override {
        if (requested_ || made_ == kernels_) {
            return activity::idle;
        }
        wake_at(std::max(next_, clocked::domain().edge() + 1));
        return activity::idle;
    }
    [[nodiscard]] std::string leak_report() const { return launches_.leak_report(); }

private:
    void request(std::uint64_t now) {
        const launch_ptr launch = launches_.make();
        launch->launch = protocol::launch_id(++made_);
        randomize(*launch, random_, machine_configuration(), 60);
        next_ = now + 1 + (random_.chance(0.02) ? random_.below(2000) : random_.below(2));
        requested_ = true;
        held_.push_back(launch);
        log_->requests.push_back({now, launch->launch.value()});
        protocol::launch_phase phase = protocol::launch_phase::request;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        if (dispatch_socket->nb_transport_fw(*launch, phase, delay) == tlm::TLM_UPDATED) {
            log_->accepts.push_back({now, launch->launch.value(), 1});
            requested_ = false;
        }
    }
    tlm::tlm_sync_enum take_answer(protocol::kernel_launch& launch, protocol::launch_phase& phase,
                                   sc_core::sc_time&) {
        const std::uint64_t now = clocked::domain().edge();
        if (phase == protocol::launch_phase::accepted) {
            log_->accepts.push_back({now, launch.launch.value(), 0});
            bench_->check(accepted_.push(true), "two launches were accepted in one cycle");
            return tlm::TLM_ACCEPTED;
        }
        log_->completions.push_back({now, launch.launch.value()});
        bench_->check(launch.outcome == protocol::launch_outcome::completed,
                      "a kernel completed without an outcome");
        bench_->progress();
        const auto held = std::find_if(held_.begin(), held_.end(),
                                       [&](const launch_ptr& l) { return l.get() == &launch; });
        if (bench_->check(held != held_.end(), "a kernel completed twice")) {
            held_.erase(held);
        }
        if (log_->completions.size() == kernels_) {
            bench_->finish();
        }
        return tlm::TLM_COMPLETED;
    }

    testbench* bench_;
    unsigned kernels_;
    distributor_log* log_;
    random_stream random_;
    stall_source stalls_;
    pool<protocol::kernel_launch> launches_;
    std::vector<launch_ptr> held_;
    inbox<bool> accepted_;
    unsigned made_ = 0;
    bool requested_ = false;
    std::uint64_t next_ = 0;
};

/// Starts and finishes blocks of the kernels that are ready: up to one of each SMX a cycle.
class block_source final : public sc_core::sc_module, public clocked {
public:
    protocol::target_socket_of<block_source, protocol::kde_link> kernel_ready_socket;
    protocol::initiator_socket_of<block_source, protocol::kde_link> block_update_socket;

    block_source(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
                 distributor_log& log)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          kernel_ready_socket("kernel_ready_socket"),
          block_update_socket("block_update_socket"),
          bench_(&bench),
          log_(&log),
          random_(bench.random(sc_module::name())),
          stalls_(bench.stalls(sc_module::name())),
          ready_(*this, 2),
          updates_("updates") {
        kernel_ready_socket.register_nb_transport_fw(this, &block_source::take);
    }
    void evaluate() override {
        while (ready_.ready() != nullptr) {
            const pool_ptr<protocol::kde_update> update = ready_.pop();
            kernels_.push_back({update->launch, update->kde, update->kernel->grid.count(), 0, 0});
        }
        if (stalls_.stalled(clocked::domain().edge())) {
            return;
        }
        // Kernels finish in any order: unlike the SMX scheduler, this one is not first come, first
        // served.
        for (unsigned smx = 0; smx < smxs && !kernels_.empty(); ++smx) {
            start(kernels_[random_.below(kernels_.size())]);
            finish(kernels_[random_.below(kernels_.size())]);
            kernels_.erase(std::remove_if(kernels_.begin(), kernels_.end(),
                                          [](const kernel& k) { return k.finished == k.blocks; }),
                           kernels_.end());
        }
    }
    activity update() override { return kernels_.empty() ? activity::idle : activity::busy; }

private:
    struct kernel {
        protocol::launch_id launch;
        kde_index entry;
        std::uint64_t blocks, started, finished;
    };

    tlm::tlm_sync_enum take(protocol::kde_update& update, protocol::kde_phase&, sc_core::sc_time&) {
        log_->ready.push_back(
            {clocked::domain().edge(), update.launch.value(), update.kde.value()});
        bench_->check(ready_.push(pool_ptr<protocol::kde_update>(&update)),
                      "two kernels became ready in one cycle");
        return tlm::TLM_COMPLETED;
    }
    void start(kernel& k) {
        if (k.started == k.blocks) {
            return;
        }
        tell(k, protocol::kde_event::block_started, k.started++);
        if (k.started == k.blocks) {
            tell(k, protocol::kde_event::blocks_exhausted, k.blocks - 1);
        }
    }
    void finish(kernel& k) {
        if (k.finished < k.started && random_.chance(0.7)) {
            tell(k, protocol::kde_event::block_finished, k.finished++);
        }
    }
    void tell(const kernel& k, protocol::kde_event event, std::uint64_t block) {
        const pool_ptr<protocol::kde_update> update = updates_.make();
        update->launch = k.launch;
        update->kde = k.entry;
        update->event = event;
        update->block = static_cast<std::uint32_t>(block);
        log_->updates.push_back(
            {clocked::domain().edge(), static_cast<std::uint64_t>(event), k.entry.value()});
        protocol::kde_phase phase = protocol::kde_phase::update;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        block_update_socket->nb_transport_fw(*update, phase, delay);
    }

    testbench* bench_;
    distributor_log* log_;
    random_stream random_;
    stall_source stalls_;
    inbox<pool_ptr<protocol::kde_update>> ready_;
    pool<protocol::kde_update> updates_;
    std::vector<kernel> kernels_;
};

/// What the Kernel Distributor has to do, from what its neighbours did.
class distributor_reference {
public:
    distributor_reference(unsigned entries, const distributor_log& log)
        : requests_(log.requests), updates_(log.updates), entries_(entries) {}

    distributor_log run(std::uint64_t edges) {
        for (std::uint64_t t = 0; t < edges; ++t) {
            step(t);
        }
        return expected_;
    }

private:
    struct entry {
        std::uint64_t launch = 0;  ///< 0: free
        std::uint64_t executing = 0;
        bool exhausted = false;
    };
    struct request {
        std::uint64_t edge, launch;
        bool accepted;
    };

    [[nodiscard]] std::uint64_t free() const {
        return static_cast<std::uint64_t>(std::count_if(
            entries_.begin(), entries_.end(), [](const entry& e) { return e.launch == 0; }));
    }
    void step(std::uint64_t t) {
        // A request is judged by the state at the end of the cycle before.
        while (const event* made = requests_.next(t)) {
            const bool accepted = free() > waiting_.size();
            waiting_.push_back({t, (*made)[1], accepted});
            if (accepted) {
                expected_.accepts.push_back({t, (*made)[1], 1});
            }
        }
        while (const event* update = t == 0 ? nullptr : updates_.next(t - 1)) {
            entry& e = entries_[(*update)[2]];
            const auto what = static_cast<protocol::kde_event>((*update)[1]);
            e.executing += what == protocol::kde_event::block_started ? 1 : 0;
            e.executing -= what == protocol::kde_event::block_finished ? 1 : 0;
            e.exhausted = e.exhausted || what == protocol::kde_event::blocks_exhausted;
            if (e.exhausted && e.executing == 0) {
                expected_.completions.push_back({t, e.launch});
                e = {};
            }
        }
        if (waiting_.empty() || waiting_.front().edge == t || free() == 0) {
            return;
        }
        const request taken = waiting_.front();
        waiting_.pop_front();
        std::size_t at = 0;
        while (entries_[at].launch != 0) {
            ++at;
        }
        entries_[at].launch = taken.launch;
        if (!taken.accepted) {
            expected_.accepts.push_back({t, taken.launch, 0});
        }
        expected_.ready.push_back({t, taken.launch, at});
    }

    event_reader requests_, updates_;
    std::vector<entry> entries_;
    std::deque<request> waiting_;
    distributor_log expected_;
};

void run_distributor(testbench& bench, unsigned entries, unsigned kernels, bool reversed) {
    clock_domain core("core", frequency::megahertz(706), bench.domain_options());
    kernel_distributor_configuration configuration;
    configuration.entries = entries;
    distributor_log log;
    std::unique_ptr<kernel_source> source;
    std::unique_ptr<kernel_distributor> distributor;
    std::unique_ptr<block_source> blocks;
    const auto make_source = [&] {
        source = std::make_unique<kernel_source>("source", core, bench, kernels, log);
    };
    const auto make_blocks = [&] {
        blocks = std::make_unique<block_source>("blocks", core, bench, log);
    };
    // The order of construction is the order within a cycle.
    reversed ? make_blocks() : make_source();
    distributor = std::make_unique<kernel_distributor>("kernel_distributor", core, configuration,
                                                       smxs, bench.waves());
    reversed ? make_source() : make_blocks();
    protocol::instrumentation links(true, bench.timeline());
    links.connect(source->dispatch_socket, distributor->dispatch_socket, "source_to_distributor");
    links.connect(distributor->kernel_ready_socket, blocks->kernel_ready_socket,
                  "distributor_to_blocks");
    links.connect(blocks->block_update_socket, distributor->block_update_socket,
                  "blocks_to_distributor");

    if (bench.run(core) != error_kind::none) {
        return;
    }
    links.report_lost();
    links.finish();
    distributor_reference reference(entries, log);
    const distributor_log expected = reference.run(core.edge() + 1);
    compare(bench, "acceptance {launch, in the call}", expected.accepts, log.accepts);
    compare(bench, "kernel_ready {launch, entry}", expected.ready, log.ready);
    compare(bench, "completion {launch}", expected.completions, log.completions);
    bench.check(distributor->entries().used() == 0, "entries have leaked");
    bench.check(source->leak_report().empty(), source->leak_report());
    statistics all;
    distributor->collect(all, "kernel_distributor");
    std::cout << to_csv(all);
}

}  // namespace

int sc_main(int argc, char** argv) {
    unsigned entries = 5;
    unsigned kernels = 1500;
    bool reversed = false;
    testbench_description description;
    description.name = "kernel_distributor_tb";
    description.summary = "The kernel distributor against a reference model, edge by edge";
    description.add_options = [&](command_line& line) {
        line.number("--entries", entries, "Kernel distributor entries", 1, 1024);
        line.number("--kernels", kernels, "Kernels to run", 1, 100000);
        line.flag("--reversed", reversed, "Reversed order of the modules");
    };
    return run_testbench(description, argc, argv, [&](testbench& bench) {
        run_distributor(bench, entries, kernels, reversed);
    });
}
