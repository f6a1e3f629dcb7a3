// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// main() of a bench that says which lines were executed: Verilator's own does not write them.
#include <Vreplay.h>
#include <verilated.h>
#include <verilated_cov.h>

#include <memory>

int main(int count, char** words) {
    VerilatedContext context;
    context.commandArgs(count, words);
    const auto top = std::make_unique<Vreplay>(&context);
    while (!context.gotFinish()) {
        top->eval();
        if (!top->eventsPending()) break;
        context.time(top->nextTimeSlot());
    }
    top->final();
    const char* const seed = context.commandArgsPlusMatch("coverage=");
    context.coveragep()->write(seed + sizeof("+coverage=") - 1);
    return 0;
}
