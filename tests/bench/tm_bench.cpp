// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <benchmark/benchmark.h>

#include "hw/smx/tm/conflict_detectors.h"
#include "hw/smx/tm/tm_unit.h"
#include "tb/kit/tlm_slots.h"

/// What a warp's access to shared memory costs the host, from the load-store unit's call until its
/// answer: outside of transactions, and inside under each detection.
namespace {

using namespace heddle;
using protocol::local_command;
using protocol::shared_access;

/// A tm_unit and its memory, as an SMX of si has them.
struct unit_under_test : sc_core::sc_module {
    static constexpr std::uint32_t window = 65536;

    unit_under_test(const sc_core::sc_module_name& name, const transaction_configuration& tm,
                    unsigned lanes)
        : sc_module(name),
          memory("memory", domain, shared, window),
          unit("unit", {domain, tm, shared, lanes, 4, 1, window, memory, banks, nullptr}) {
        socket.bind(unit.socket);
        unit.memory_socket.bind(memory.socket);
        payload.lanes = bits::below(lanes);
        // Rows 2 and 3 of each bank: neither hits in the signature of the other.
        for (unsigned lane = 0; lane < lanes; ++lane) payload.address[lane] = 4 * (64 + lane);
    }
    void access() {
        payload.response = protocol::shared_response::incomplete;
        payload.lost = payload.losers = payload.lost_to_lower = payload.lost_to_higher = 0;
        sc_core::sc_time delay;
        socket->b_transport(payload, delay);
        benchmark::DoNotOptimize(payload.data.data());
    }

    clock_domain domain{"core", frequency::megahertz(1000)};
    shared_memory_configuration shared;
    shared_memory memory;
    run_status status;
    slot_maker<bank_state_traits> banks = tlm_slots<bank_state_traits>(domain, status);
    tm_unit unit;
    protocol::forward_socket<protocol::shared_link> socket{"socket"};
    shared_access payload;
};

const std::vector<transaction_detection> detections = conflict_detectors::all();
/// By detection; warps of 32, of 64 lanes.
std::vector<std::unique_ptr<unit_under_test>> units[2];

/// Accesses of one warp to words that only it touches; `transaction`: of how many accesses each, 0
/// for plain ones.
void run(benchmark::State& state, unit_under_test& u, local_command command, unsigned transaction) {
    u.payload.command = command;
    u.payload.transactional = transaction != 0;
    tm_engine& engine = u.unit.engine();
    std::uint64_t losses = engine.counts().losses;
    unsigned left = 0;
    for (auto _ : state) {
        if (transaction != 0 && left-- == 0) {
            if (!engine.inside().empty()) (void)engine.end_attempt(0);
            engine.begin(0, 0, 0, u.payload.lanes);
            engine.run(0);
            left = transaction - 1;
        }
        u.access();
    }
    if (!engine.inside().empty()) (void)engine.end_attempt(0);
    if (engine.counts().losses != losses) state.SkipWithError("a lane has lost");
}

void add_benchmarks() {
    for (unsigned wide = 0; wide < 2; ++wide) {
        const unsigned lanes = 32 << wide;
        for (const transaction_detection& detection : detections) {
            transaction_configuration tm;
            tm.detection = detection;
            const std::string name = std::string(detection.name) + "_" + std::to_string(lanes);
            units[wide].push_back(std::make_unique<unit_under_test>(name.c_str(), tm, lanes));
        }
    }
    for (const local_command command : {local_command::load, local_command::store}) {
        const std::string what = command == local_command::load ? "load" : "store";
        for (unsigned wide = 0; wide < 2; ++wide) {
            const auto add = [&](const std::string& name, unit_under_test& u, unsigned length) {
                const std::string full = what + "/lanes:" + std::to_string(32 << wide) + "/" + name;
                benchmark::RegisterBenchmark(full.c_str(),
                                             [&u, command, length](benchmark::State& state) {
                                                 run(state, u, command, length);
                                             });
            };
            add("plain", *units[wide][0], 0);
            for (std::size_t d = 0; d < detections.size(); ++d) {
                add(detections[d].name, *units[wide][d], 16);
            }
        }
    }
}

}  // namespace

int sc_main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    add_benchmarks();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
