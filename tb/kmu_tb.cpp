// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the KMU: eight hosts with more streams than queues, and a fake Kernel Distributor
// that takes its time. Everything that the KMU does is compared, edge by edge, with a reference
// model.
#include <deque>
#include <iostream>
#include <string>
#include <vector>

#include "hw/kmu/kmu.h"
#include "hw/protocol/instrumentation.h"
#include "tb/kit/build_slots.h"
#include "tb/kit/testbench.h"
#include "tb/launch/event_log.h"
#include "tb/launch/launch_host.h"

namespace {

using namespace heddle;
using namespace heddle::launch_tb;

constexpr unsigned hosts = 8;  ///< so that many queues are ready at once
constexpr unsigned entries = 4;

/// What passed the KMU's sockets.
struct kmu_log {
    event_log requests;     ///< edge, host, launch, queue
    event_log accepts;      ///< edge, host, launch
    event_log dispatches;   ///< edge, launch
    event_log credits;      ///< edge at which the KMU sees that its request was accepted
    event_log ends;         ///< edge at which the KMU sees a completion; launch, queue
    event_log completions;  ///< edge, host, launch
};

/// Takes kernels, some in the call, and completes them after a random time.
class kernel_sink final : public sc_core::sc_module, public clocked {
public:
    protocol::target_socket_of<kernel_sink, protocol::kernel_dispatch_link> dispatch_socket;

    kernel_sink(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
                kmu_log& log)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          dispatch_socket("dispatch_socket"),
          bench_(&bench),
          log_(&log),
          stalls_(bench.stalls(sc_module::name())),
          requests_(*this, 2) {
        dispatch_socket.register_nb_transport_fw(this, &kernel_sink::take);
    }
    void evaluate() override {
        const std::uint64_t now = clocked::domain().edge();
        if (stalls_.stalled(now)) {
            return;
        }
        for (std::size_t i = 0; i < running_.size();) {
            if (running_[i].due > now) {
                ++i;
                continue;
            }
            const launch_ptr launch = running_[i].launch;
            running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
            complete(*launch);
        }
        if (requests_.ready() != nullptr && running_.size() < entries) {
            const launch_ptr launch = requests_.pop();
            start(launch);
            log_->credits.push_back({now + 1});
            answer(*launch, protocol::launch_phase::accepted);
        }
    }
    activity update() override {
        return running_.empty() && requests_.empty() ? activity::idle : activity::busy;
    }
    std::string waiting_for() const override {
        return running_.empty() ? "" : std::to_string(running_.size()) + " kernels to run";
    }

private:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;
    struct run {
        launch_ptr launch;
        std::uint64_t due;
    };

    tlm::tlm_sync_enum take(protocol::kernel_launch& launch, protocol::launch_phase& phase,
                            sc_core::sc_time&) {
        log_->dispatches.push_back({clocked::domain().edge(), launch.launch.value()});
        if (random_of(launch).chance(0.5)) {
            log_->credits.push_back({clocked::domain().edge()});
            start(launch_ptr(&launch));
            wake();
            phase = protocol::launch_phase::accepted;
            return tlm::TLM_UPDATED;
        }
        bench_->check(requests_.push(launch_ptr(&launch)), "the KMU ignores its credit");
        return tlm::TLM_ACCEPTED;
    }
    void start(launch_ptr launch) {
        random_stream random = random_of(*launch);
        (void)random.next();
        const std::uint64_t run_time = random.below(random.chance(0.1) ? 1500 : 60);
        running_.push_back({std::move(launch), clocked::domain().edge() + 1 + run_time});
    }
    void complete(protocol::kernel_launch& launch) {
        launch.outcome = protocol::launch_outcome::completed;
        log_->ends.push_back(
            {clocked::domain().edge() + 1, launch.launch.value(), launch.queue.value()});
        answer(launch, protocol::launch_phase::completed);
    }
    void answer(protocol::kernel_launch& launch, protocol::launch_phase phase) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        dispatch_socket->nb_transport_bw(launch, phase, delay);
    }
    [[nodiscard]] random_stream random_of(const protocol::kernel_launch& launch) const {
        return bench_->random("kernel." + std::to_string(launch.launch.value()));
    }

    testbench* bench_;
    kmu_log* log_;
    stall_source stalls_;
    inbox<launch_ptr> requests_;
    std::vector<run> running_;
};

/// What the KMU has to do, from what its neighbours did.
class kmu_reference {
public:
    kmu_reference(const kmu_configuration& configuration, const kmu_log& log)
        : configuration_(configuration),
          requests_(log.requests),
          credits_(log.credits),
          ends_(log.ends),
          queues_(configuration.queues),
          last_(configuration.queues - 1) {}  // the first turn is queue 0's

    kmu_log run(std::uint64_t edges) {
        for (std::uint64_t t = 0; t < edges; ++t) {
            step(t);
        }
        return expected_;
    }

private:
    struct item {
        std::uint64_t host, launch;
    };
    struct queue {
        std::deque<item> items;
        item running{};
        bool stopped = false;
    };
    struct dispatch {
        std::uint64_t launch, due;
    };

    void step(std::uint64_t t) {
        while (const event* end = ends_.next(t)) {
            queue& q = queues_[(*end)[2]];
            expected_.completions.push_back({t, q.running.host, q.running.launch});
            q.stopped = false;
        }
        for (std::size_t turn = 1; turn <= queues_.size(); ++turn) {
            const std::size_t at = (last_ + turn) % queues_.size();
            queue& q = queues_[at];
            if (t >= next_ && !q.stopped && !q.items.empty()) {
                q.running = q.items.front();
                q.items.pop_front();
                q.stopped = true;
                pipeline_.push_back({q.running.launch, t + configuration_.dispatch_latency - 1});
                next_ = t + configuration_.dispatch_interval;
                last_ = at;
                break;
            }
        }
        if (!link_free_ && credits_.next(t) != nullptr) {
            link_free_ = true;
        }
        if (link_free_ && !pipeline_.empty() && pipeline_.front().due <= t) {
            expected_.dispatches.push_back({t, pipeline_.front().launch});
            pipeline_.pop_front();
            link_free_ = credits_.next(t) != nullptr;
        }
        // Requests are seen one edge after they were made.
        while (const event* request = t == 0 ? nullptr : requests_.next(t - 1)) {
            waiting_[(*request)[1]].push_back(*request);
        }
        for (auto& waiting : waiting_) {
            if (waiting.empty()) continue;
            const event& request = waiting.front();
            queue& q = queues_[request[3]];
            if (q.items.size() < configuration_.queue_depth) {
                q.items.push_back({request[1], request[2]});
                expected_.accepts.push_back({t, request[1], request[2]});
                waiting.pop_front();
            }
        }
    }

    kmu_configuration configuration_;
    event_reader requests_, credits_, ends_;
    std::vector<queue> queues_;
    std::deque<dispatch> pipeline_;
    std::deque<event> waiting_[hosts];
    std::size_t last_;
    std::uint64_t next_ = 0;
    bool link_free_ = true;
    kmu_log expected_;
};

void run_kmu(testbench& bench, const kmu_configuration& configuration, unsigned launches,
             unsigned streams, slot_implementation picker) {
    clock_domain core("core", frequency::megahertz(706), bench.domain_options());
    const machine_configuration machine;
    kmu_log log;
    unsigned completed = 0;
    kmu manager("kmu", core, configuration, build_slots<queue_picker_traits>(picker, core, bench),
                bench.waves());
    std::vector<std::unique_ptr<launch_host>> senders;
    protocol::instrumentation links(true, bench.timeline());
    for (unsigned h = 0; h < hosts; ++h) {
        const std::string name = "host_" + std::to_string(h);
        launch_host_options options;
        options.launches = launches;
        options.first_id = 1 + h * launches;
        options.streams = streams;
        options.queues = configuration.queues;
        senders.push_back(
            std::make_unique<launch_host>(name.c_str(), core, bench, machine, options));
        launch_host& host = *senders.back();
        links.connect(host.launch_socket, manager.launch_socket, name + "_to_kmu");
        host.on_request = [&, h](const protocol::kernel_launch& l) {
            log.requests.push_back({core.edge(), h, l.launch.value(), l.queue.value()});
        };
        host.on_accepted = [&, h](const protocol::kernel_launch& l) {
            log.accepts.push_back({core.edge(), h, l.launch.value()});
        };
        host.on_completed = [&, h](const protocol::kernel_launch& l) {
            log.completions.push_back({core.edge(), h, l.launch.value()});
            if (++completed == hosts * launches) {
                bench.finish();
            }
        };
    }
    kernel_sink sink("sink", core, bench, log);
    links.connect(manager.dispatch_socket, sink.dispatch_socket, "kmu_to_sink");

    if (bench.run(core) != error_kind::none) {
        return;
    }
    links.report_lost();
    links.finish();
    kmu_reference reference(configuration, log);
    const kmu_log expected = reference.run(core.edge() + 1);
    compare(bench, "acceptance {host, launch}", expected.accepts, log.accepts);
    compare(bench, "dispatch {launch}", expected.dispatches, log.dispatches);
    compare(bench, "completion {host, launch}", expected.completions, log.completions);
    bench.check(manager.empty(), "the KMU holds launches at the end");
    for (const auto& host : senders) {
        bench.check(host->leak_report().empty(), host->leak_report());
    }
    statistics all;
    manager.collect(all, "kmu");
    std::cout << to_csv(all);
}

}  // namespace

int sc_main(int argc, char** argv) {
    kmu_configuration configuration;
    configuration.queues = 64;
    configuration.queue_depth = 3;
    unsigned launches = 150;
    unsigned streams = 200;
    slot_implementation picker = slot_implementation::tlm;
    testbench_description description;
    description.name = "kmu_tb";
    description.summary = "The KMU against a reference model, edge by edge";
    description.add_options = [&](command_line& line) {
        line.number("--launches", launches, "Kernels of each of the eight hosts", 1, 100000);
        line.number("--streams", streams, "Streams of each host", 1, 1000);
        line.choice<slot_implementation>("--slot", picker, slot_choices(),
                                         "What picks the queues: the model, the RTL, or both in "
                                         "lock step");
        line.number("--queues", configuration.queues, "Hardware work queues", 1, 64);
        line.number("--queue-depth", configuration.queue_depth, "Launches in a queue", 1, 1000);
        line.number("--dispatch-latency", configuration.dispatch_latency, "Cycles", 1, 10000);
        line.number("--dispatch-interval", configuration.dispatch_interval, "Cycles", 1, 10000);
    };
    return run_testbench(description, argc, argv, [&](testbench& bench) {
        run_kmu(bench, configuration, launches, streams, picker);
    });
}
