// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/smx/warp_scheduler/selection_policies.h"
#include "hw/smx/warp_scheduler/slot_assignment.h"
#include "hw/smx/warp_scheduler/warp_scheduler.h"
#include "models/base/random.h"
#include "tb/kit/tlm_slots.h"

/// What a selection costs, the call over the socket included: 16 warps of its own (gk110's four
/// schedulers), or all 64.
namespace {

using namespace heddle;
using namespace heddle::protocol;

struct pipeline : sc_core::sc_module {
    run_status status;
    clock_domain clock{"clock", frequency::megahertz(706)};
    initiator_socket_of<pipeline, warp_link> socket{"socket"};
    warp_scheduler scheduler;

    static warp_scheduler_configuration configured(selection_policy policy) {
        warp_scheduler_configuration configuration;
        configuration.scheduler = policy;
        return configuration;
    }

    pipeline(const sc_core::sc_module_name& name, selection_policy policy, unsigned schedulers)
        : sc_module(name),
          scheduler("scheduler", 0,
                    slots_of_scheduler(scheduler_assignment::modulo, 0, schedulers, maximum_warps),
                    configured(policy), tlm_slots<warp_selection_traits>(clock, status), nullptr) {
        socket.bind(scheduler.socket);
    }
};

/// `share`: how many of the warps can issue in a cycle, in eighths.
void select(benchmark::State& state, pipeline& from, unsigned share) {
    random_stream random(1, "masks");
    std::vector<warp_mask> masks(4096);
    for (warp_mask& mask : masks) {
        for (unsigned slot = 0; slot < maximum_warps; ++slot) {
            mask |= warp_mask{random.below(8) < share} << slot;
        }
    }
    const auto call = [&](warp_cycle& cycle) {
        warp_phase phase = warp_phase::select;
        sc_core::sc_time time;
        from.socket->nb_transport_fw(cycle, phase, time);
    };
    warp_cycle cycle;
    cycle.status.resident = ~warp_mask{0};
    for (unsigned i = 0; i < maximum_warps; ++i) {
        cycle.status.started = warp_mask{1} << (i * 37 % maximum_warps);
        call(cycle);
    }
    cycle.status.started = 0;
    std::size_t at = 0;
    for (auto _ : state) {
        cycle.status.ready = cycle.status.issuable = masks[at++ % masks.size()];
        call(cycle);
        benchmark::DoNotOptimize(cycle.decision);
    }
}

}  // namespace

int sc_main(int argc, char** argv) {
    pipeline lrr_16("lrr_16", selection_policies::key<loose_round_robin>, 4);
    pipeline gto_16("gto_16", selection_policies::key<greedy_then_oldest>, 4);
    pipeline lrr_64("lrr_64", selection_policies::key<loose_round_robin>, 1);
    pipeline gto_64("gto_64", selection_policies::key<greedy_then_oldest>, 1);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (pipeline* one : {&lrr_16, &gto_16, &lrr_64, &gto_64}) {
        for (const unsigned share : {1U, 4U, 8U}) {
            const std::string name = "select/" + std::string(one->basename()) + "_warps/" +
                                     std::to_string(share) + "_of_8_issuable";
            benchmark::RegisterBenchmark(name.c_str(),
                                         [one, share](auto& s) { select(s, *one, share); });
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
