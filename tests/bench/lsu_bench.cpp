// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <benchmark/benchmark.h>

#include "hw/smx/lsu/load_store_unit.h"
#include "hw/smx/shared_memory/shared_memory.h"

/// What a coalesced access costs the host, from next_slot() to completed(). Private memory stands
/// for all that hits in the data cache; nothing here goes to memory.
namespace {

using namespace heddle;

struct client final : memory_client {
    void loaded(const memory_flight&, isa::lane_mask, const std::uint32_t* values) override {
        sum += values[0];
    }
    void completed(const memory_flight&) override { ++done; }
    void writes_drained(access_owner) override {}
    std::uint64_t sum = 0, done = 0;
};

struct owner final : clocked {
    explicit owner(clock_domain& domain) : clocked(domain, "owner") {}
    void evaluate() override {}
    activity update() override { return activity::idle; }
};

struct unit_under_test : sc_core::sc_module {
    clock_domain domain{"core", frequency::megahertz(706)};
    owner part{domain};
    client pipeline;
    allocation_table ranges{0x40000000, 0x1000};
    protocol::initiator_socket_of<unit_under_test, protocol::memory_link> memory{"memory"};
    protocol::target_socket_of<unit_under_test, protocol::memory_link> no_memory{"no_memory"};
    protocol::initiator_socket_of<unit_under_test, protocol::shared_link> local{"local"};
    shared_memory banks{"banks", domain, {}, 49152};
    memory_port port{part, sm_id(0), memory, {}};
    l1_data_cache_configuration l1d;
    constant_cache_configuration constants;
    read_only_cache_configuration read_only;
    load_store_unit unit{{},
                         {l1d, constants, read_only},
                         {domain, sm_id(0), 32, 64, 64, {8192, 32}, ranges, pipeline, port, local}};
    std::uint64_t edge = 0;

    explicit unit_under_test(const sc_core::sc_module_name& name) : sc_module(name) {
        local.bind(banks.socket);
        no_memory.register_nb_transport_fw(this, &unit_under_test::refuse);
        memory.bind(no_memory);
    }
    tlm::tlm_sync_enum refuse(tlm::tlm_generic_payload&, protocol::memory_phase&,
                              sc_core::sc_time&) {
        return tlm::TLM_ACCEPTED;
    }
    void access(const isa::instruction& i, std::uint32_t base, std::uint32_t stride) {
        memory_instruction& m = unit.next_slot();
        m.warp = warp_slot(0);
        m.shared_bytes = 49152;
        m.flight.instruction = &i;
        m.lanes = 0xffffffff;
        for (unsigned lane = 0; lane < 32; ++lane) m.address[lane] = base + stride * lane;
        (void)unit.accept();
        do {
            unit.complete(++edge);
        } while (unit.cycle(edge) || !unit.can_accept());
    }
};

unit_under_test& shared_unit() {
    static unit_under_test unit("unit");
    return unit;
}

void run(benchmark::State& state, std::uint32_t encoding, std::uint32_t base, std::uint32_t stride,
         unsigned accesses) {
    unit_under_test& u = shared_unit();
    const isa::instruction store = isa::decode(0x2023 | (1u << 15));
    const isa::instruction i = isa::decode(encoding | (1u << 15));
    u.access(store, base, stride);
    for (auto _ : state) u.access(i, base, stride);
    state.counters["accesses"] = benchmark::Counter(
        static_cast<double>(state.iterations()) * accesses, benchmark::Counter::kIsRate);
}

constexpr std::uint32_t lw = 0x2283, lb = 0x0283, sw = 0x2023, amoadd = 0x0000202f | (5u << 7);

BENCHMARK_CAPTURE(run, load_hit, lw, 0x20000000, 0, 1);
BENCHMARK_CAPTURE(run, byte_load_hit, lb, 0x20000000, 0, 1);
BENCHMARK_CAPTURE(run, load_hit_32_lines, lw, 0x20000000, 4, 32);
BENCHMARK_CAPTURE(run, private_store, sw, 0x20000000, 0, 1);
BENCHMARK_CAPTURE(run, shared_load, lw, 0x10000000, 4, 1);
BENCHMARK_CAPTURE(run, shared_load_4_way_conflict, lw, 0x10000000, 16, 1);
BENCHMARK_CAPTURE(run, shared_store, sw, 0x10000000, 4, 1);
BENCHMARK_CAPTURE(run, shared_atomic_one_word, amoadd, 0x10000000, 0, 1);

}  // namespace

int sc_main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    (void)shared_unit();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
