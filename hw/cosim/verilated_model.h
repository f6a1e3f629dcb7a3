// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "hw/cosim/rtl_model.h"
#include "hw/cosim/rtl_stop.h"
#include "hw/cosim/verilated_dump.h"

namespace heddle::cosim {

/// A shell that Verilator has translated; each object has a context of its own.
template <class Shell, bool FreeRunning>
class verilated_model final : public rtl_model {
public:
    verilated_model() : shell_(&prepared(context_)) {
        std::fill_n(shell_.in.data(), sizeof(shell_.in) / sizeof(std::uint32_t), 0);
        shell_.clk = 0;
        shell_.rst_n = 1;
        shell_.enable = 0;
    }
    ~verilated_model() override { shell_.final(); }

    std::uint32_t* inputs() noexcept override { return shell_.in.data(); }
    const std::uint32_t* outputs() const noexcept override { return shell_.out.data(); }
    void evaluate() override {
        shell_.clk = 0;
        evaluate_shell();
        dump_.show();
        settled_ = true;
    }
    void clock() override {
        if (!settled_) evaluate();
        shell_.enable = 1;
        edge();
        shell_.enable = 0;
    }
    void idle_clock() override {
        if (!settled_) evaluate();
        edge();
    }
    void reset() override {
        shell_.rst_n = 0;
        clock();
        evaluate();
        shell_.rst_n = 1;
    }
    [[nodiscard]] bool free_running() const noexcept override { return FreeRunning; }
    [[nodiscard]] bool dump(const std::string& file, std::function<std::uint64_t()> now) override {
        return dump_.open(context_, shell_, file, std::move(now));
    }

    void on_stop(std::function<void(const std::string& place)> listener) override {
        on_stop_ = std::move(listener);
    }

private:
    /// Registers that nothing has loaded have random values, the same in each run: a reset that was
    /// forgotten shows.
    static VerilatedContext& prepared(VerilatedContext& context) {
        constexpr int random_bits = 2;
        context.randReset(random_bits);
        context.randSeed(1);
        Verilated::threadContextp(&context);
        return context;
    }
    void evaluate_shell() {
        const rtl_stop_listener listens(on_stop_);
        shell_.eval();
    }
    void edge() {
        shell_.clk = 1;
        evaluate_shell();
        dump_.show();
        settled_ = false;
    }

    VerilatedContext context_;
    Shell shell_;
    verilated_dump dump_;
    std::function<void(const std::string&)> on_stop_;
    bool settled_ = false;  ///< the clock is low
};

}  // namespace heddle::cosim
