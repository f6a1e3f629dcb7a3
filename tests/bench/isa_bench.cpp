// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Time of one warp instruction in execute(), decode() and branch_taken().
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <string>

#include "models/isa/execute.h"

namespace heddle::isa {
namespace {

/// Registers with varied, ordinary values: floats in (1, 2) and their bit patterns.
template <unsigned Lanes>
std::unique_ptr<warp_registers<Lanes>> filled_registers() {
    auto registers = std::make_unique<warp_registers<Lanes>>();
    for (unsigned row = 1; row < register_count; ++row) {
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            registers->x[row][lane] = 0x3f800000 + row * 40503 + lane * 9973;
        }
    }
    for (unsigned lane = 0; lane < Lanes; ++lane) registers->x[0][lane] = 0;
    return registers;
}

template <unsigned Lanes>
void run(benchmark::State& state, const instruction& i, lane_mask active) {
    const auto registers = filled_registers<Lanes>();
    for (auto _ : state) {
        execute<Lanes>(i, 0x10000, *registers, active, nullptr);
        benchmark::ClobberMemory();
    }
}

template <unsigned Lanes>
void run_branch(benchmark::State& state) {
    const auto registers = filled_registers<Lanes>();
    const instruction i = decode(0x00734063);  // blt t1, t2
    for (auto _ : state) {
        benchmark::DoNotOptimize(branch_taken<Lanes>(i, *registers, all_lanes<Lanes>));
        benchmark::ClobberMemory();
    }
}

void run_decode(benchmark::State& state) {
    std::uint32_t word = 0x007302b3;
    for (auto _ : state) {
        benchmark::DoNotOptimize(decode(word));
        word ^= 0x00100000;
    }
}

struct measured {
    const char* name;
    std::uint32_t word;  ///< x5 = x6 op x7 (op x8)
};

constexpr measured instructions[] = {
    {"add", 0x007302b3},          {"addi", 0xfff30293},     {"sll", 0x007312b3},
    {"czero.eqz", 0x0e7352b3},    {"mul", 0x027302b3},      {"mulh", 0x027312b3},
    {"div", 0x027342b3},          {"remu", 0x027372b3},     {"fadd", 0x007372d3},
    {"fadd.rtz", 0x007312d3},     {"fmadd", 0x407372c3},    {"fdiv", 0x187372d3},
    {"fsqrt", 0x580372d3},        {"fmin", 0x287302d3},     {"flt", 0xa07312d3},
    {"fcvt.w.s.rtz", 0xc00312d3}, {"fcvt.s.w", 0xd00372d3}, {"rcp", 0x0003128b},
    {"rsq", 0x0203128b},          {"ex2", 0x0403128b},      {"lg2", 0x0603128b},
    {"sin", 0x0803128b},          {"shfl.xor", 0xba73028b}, {"ballot", 0x1403028b},
};

constexpr lane_mask partial = 0x5a5a7c31f00fa5a5;

void register_all() {
    for (const measured& entry : instructions) {
        const std::string name = entry.name;
        const instruction i = decode(entry.word);
        const auto add = [](const std::string& full_name, auto function) {
            benchmark::RegisterBenchmark(full_name.c_str(), function);
        };
        add(name + "/32", [i](benchmark::State& s) { run<32>(s, i, all_lanes<32>); });
        add(name + "/32/partial",
            [i](benchmark::State& s) { run<32>(s, i, partial & all_lanes<32>); });
        add(name + "/64", [i](benchmark::State& s) { run<64>(s, i, all_lanes<64>); });
    }
    benchmark::RegisterBenchmark("branch/32", run_branch<32>);
    benchmark::RegisterBenchmark("branch/64", run_branch<64>);
    benchmark::RegisterBenchmark("decode", run_decode);
}

}  // namespace
}  // namespace heddle::isa

int main(int argument_count, char** arguments) {
    heddle::isa::register_all();
    benchmark::Initialize(&argument_count, arguments);
    if (benchmark::ReportUnrecognizedArguments(argument_count, arguments)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
