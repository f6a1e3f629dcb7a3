// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <verilated.h>

#include "hw/cosim/rtl_model.h"

namespace heddle::cosim {

/// A shell that Verilator has translated; each object has a context of its own.
template <class Shell>
class verilated_model final : public rtl_model {
public:
    verilated_model() : shell_(&context_) {
        shell_.clk = 0;
        shell_.rst_n = 1;
        shell_.enable = 0;
    }
    ~verilated_model() override { shell_.final(); }

    std::uint32_t* inputs() noexcept override { return shell_.in.data(); }
    const std::uint32_t* outputs() const noexcept override { return shell_.out.data(); }
    void evaluate() override {
        shell_.clk = 0;
        shell_.eval();
        settled_ = true;
    }
    void clock() override {
        if (!settled_) evaluate();
        shell_.enable = 1;
        shell_.clk = 1;
        shell_.eval();
        shell_.enable = 0;
        settled_ = false;
    }
    void reset() override {
        shell_.rst_n = 0;
        clock();
        evaluate();
        shell_.rst_n = 1;
    }

private:
    VerilatedContext context_;
    Shell shell_;
    bool settled_ = false;  ///< the clock is low
};

}  // namespace heddle::cosim
