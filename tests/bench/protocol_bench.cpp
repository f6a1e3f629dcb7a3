// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>

#include "hw/protocol/instrumentation.h"
#include "hw/protocol/warp_issue.h"

/// What a call over a link costs: bound directly, through a checker, through a recorder.
namespace {

using namespace heddle;
using namespace heddle::protocol;
using sc_core::sc_time;

struct scheduler : sc_core::sc_module {
    target_socket_of<scheduler, warp_link> socket{"socket"};

    explicit scheduler(const sc_core::sc_module_name& name) : sc_module(name) {
        socket.register_nb_transport_fw(this, &scheduler::select);
    }
    tlm::tlm_sync_enum select(warp_cycle& cycle, warp_phase&, sc_time&) {
        const warp_mask issuable = cycle.status.issuable;
        cycle.decision.valid = issuable != 0;
        cycle.decision.warp =
            warp_slot(issuable != 0 ? static_cast<std::size_t>(__builtin_ctzll(issuable)) : 0);
        return tlm::TLM_COMPLETED;
    }
};

struct pipeline : sc_core::sc_module {
    initiator_socket_of<pipeline, warp_link> socket{"socket"};
    explicit pipeline(const sc_core::sc_module_name& name) : sc_module(name) {}
};

struct hot_link {
    pipeline from;
    scheduler to;
    instrumentation observers;
    sc_time now;
    hot_link(const std::string& name, bool check, trace_writer* trace)
        : from(("pipeline_" + name).c_str()),
          to(("scheduler_" + name).c_str()),
          observers(check, trace) {
        observers.connect(from.socket, to.socket, "link_" + name);
    }
};

/// Calls over `link`; the annotation steps so that a checker sees one call per instant.
void call(benchmark::State& state, hot_link& link) {
    warp_cycle cycle;
    cycle.status.resident = cycle.status.ready = ~warp_mask{0};
    cycle.status.issuable = 0b10;
    const sc_time step(1, sc_core::SC_NS);
    for (auto _ : state) {
        warp_phase phase = warp_phase::select;
        link.now += step;
        sc_time annotation = link.now;
        link.from.socket->nb_transport_fw(cycle, phase, annotation);
        benchmark::DoNotOptimize(cycle.decision);
    }
}

}  // namespace

int sc_main(int argc, char** argv) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "bench.trace.json";
    {
        trace_writer trace(file);
        hot_link direct("direct", false, nullptr);
        hot_link checked("checked", true, nullptr);
        hot_link recorded("recorded", false, &trace);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        benchmark::RegisterBenchmark("hot_link/direct", [&](auto& s) { call(s, direct); });
        benchmark::RegisterBenchmark("hot_link/checked", [&](auto& s) { call(s, checked); });
        benchmark::RegisterBenchmark("hot_link/recorded", [&](auto& s) { call(s, recorded); });
        benchmark::Initialize(&argc, argv);
        benchmark::RunSpecifiedBenchmarks();
    }  // the trace was never completed: no file stays
    return 0;
}
