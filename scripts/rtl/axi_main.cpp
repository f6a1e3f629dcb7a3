// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// main() of the bench of a memory behind AXI4: bench BUS_BYTES IDS REGION BURSTS SEED
// [+verilator+...].
#include <Vaxi_shell.h>
#include <verilated.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "hw/axi/bench/memory_bench.h"
#if VM_COVERAGE
#include <verilated_cov.h>
#endif

int main(int count, char** words) {
    VerilatedContext context;
    context.commandArgs(count, words);
    const auto top = std::make_unique<Vaxi_shell>(&context);
    const auto number = [&](int n) { return std::strtoull(words[n], nullptr, 10); };
    void* const bench =
        heddle_axi_bench_create(static_cast<unsigned>(number(1)), static_cast<unsigned>(number(2)),
                                number(3), static_cast<unsigned>(number(4)), number(5));
    constexpr int clocks_of_reset = 10;
    int end = 0;
    for (int clock = 0; end == 0; ++clock) {
        top->rst_n = clock >= clocks_of_reset;
        std::uint32_t inputs[sizeof(top->in) / 4] = {};
        if (top->rst_n) heddle_axi_bench_inputs(bench, inputs);
        for (unsigned n = 0; n < sizeof(inputs) / 4; ++n) top->in[n] = inputs[n];
        top->clk = 0;
        context.timeInc(1);
        top->eval();
        std::uint32_t outputs[sizeof(top->out) / 4];
        for (unsigned n = 0; n < sizeof(outputs) / 4; ++n) outputs[n] = top->out[n];
        // A memory that is reset late may show anything before its first edge.
        if (clock > 1) end = heddle_axi_bench_clock(bench, outputs, top->rst_n == 0);
        top->clk = 1;
        context.timeInc(1);
        top->eval();
        if (context.gotFinish()) end = 2;
    }
    top->final();
#if VM_COVERAGE
    context.coveragep()->write("1.coverage");
#endif
    heddle_axi_bench_destroy(bench);
    return end == 1 ? 0 : 1;
}
