// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/traced_model.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/hw/base/slot_rig.h"

namespace heddle::cosim {
namespace {

/// A register that adds up its input; the output is their sum.
class adder final : public rtl_model {
public:
    std::uint32_t* inputs() noexcept override { return &input_; }
    const std::uint32_t* outputs() const noexcept override { return &output_; }
    void evaluate() override { output_ = sum_ + input_; }
    void clock() override {
        sum_ += input_;
        evaluate();
    }
    void reset() override {
        sum_ = 0;
        evaluate();
    }

private:
    std::uint32_t input_ = 0, output_ = 0, sum_ = 0;
};

class steps final : public slot_trace {
public:
    void begin(const std::string&, const std::string&, std::size_t, std::size_t) override {}
    void record(step what, const std::uint32_t* inputs, const std::uint32_t* outputs) override {
        text += "ecri"[static_cast<std::size_t>(what)] + std::to_string(*inputs) + ">" +
                std::to_string(*outputs) + " ";
    }
    std::string text;
};

class traced_adder : public testing::Test {
protected:
    void ask(std::uint32_t input) {
        *model.inputs() = input;
        model.evaluate();
    }
    steps trace;
    traced_model model{std::make_unique<adder>(), trace};
};

TEST_F(traced_adder, a_clock_has_the_values_before_its_edge) {
    ask(5);
    model.clock();
    ask(2);
    model.clock();
    EXPECT_EQ(trace.text, "c5>5 c2>7 ");
}

TEST_F(traced_adder, what_no_clock_follows_is_an_evaluation) {
    ask(5);
    ask(3);
    model.clock();
    ask(1);
    EXPECT_EQ(*model.outputs(), 4U);
    EXPECT_EQ(trace.text, "e5>5 c3>3 ") << "the last one may still get its clock";
    ask(9);
    EXPECT_EQ(trace.text, "e5>5 c3>3 e1>4 ");
}

TEST_F(traced_adder, a_clock_without_evaluation_settles_its_inputs_first) {
    *model.inputs() = 6;
    model.clock();
    EXPECT_EQ(trace.text, "c6>6 ");
}

TEST_F(traced_adder, a_reset_is_a_step_of_its_own) {
    ask(5);
    model.clock();
    model.reset();
    ask(1);
    model.clock();
    EXPECT_EQ(trace.text, "c5>5 r5>10 c1>1 ");
}

TEST_F(traced_adder, a_clock_without_enable_is_idle) {
    ask(5);
    model.idle_clock();
    ask(1);
    EXPECT_EQ(*model.outputs(), 1U) << "nothing was added";
    EXPECT_EQ(trace.text, "i5>5 ");
}

/// Adds up its input whether `enable` is high or not.
class careless_adder final : public rtl_model {
public:
    std::uint32_t* inputs() noexcept override { return &input_; }
    const std::uint32_t* outputs() const noexcept override { return &sum_; }
    void evaluate() override {}
    void clock() override { sum_ += input_; }
    void idle_clock() override { sum_ += input_; }
    void reset() override { sum_ = 0; }

private:
    std::uint32_t input_ = 0, sum_ = 0;
};

TEST(enable_checked_model, clocks_without_enable_come_before_the_first_64_and_each_eighth) {
    enable_checked_model model{std::make_unique<careless_adder>()};
    *model.inputs() = 1;
    std::vector<unsigned> later;
    std::uint32_t before = 0;
    for (unsigned clock = 0; clock < 100; ++clock) {
        model.clock();
        const std::uint32_t steps = *model.outputs() - before;
        before = *model.outputs();
        if (clock < 64) {
            EXPECT_EQ(steps, 2U) << clock;
        } else if (steps == 2) {
            later.push_back(clock);
        }
    }
    EXPECT_THAT(later, testing::ElementsAre(64, 72, 80, 88, 96));
}

/// Counts its clocks, enabled or not; the output is their number.
class ticker final : public rtl_model {
public:
    std::uint32_t* inputs() noexcept override { return &input_; }
    const std::uint32_t* outputs() const noexcept override { return &clocks_; }
    void evaluate() override {}
    void clock() override { ++clocks_; }
    void idle_clock() override { ++clocks_; }
    void reset() override { clocks_ = 0; }
    [[nodiscard]] bool free_running() const noexcept override { return true; }

private:
    std::uint32_t input_ = 0, clocks_ = 0;
};

/// As a slot has it, in a machine whose clock the test sets.
class running_ticker : public testing::Test {
protected:
    struct call {
        std::uint32_t in = 0, out = 0;
    };
    static constexpr port_field<call> fields[] = {
        port_of<&call::in>(port_direction::input, "in", 32),
        port_of<&call::out>(port_direction::output, "out", 32)};

    [[nodiscard]] std::unique_ptr<rtl_model> make(slot_listeners listeners = {}) {
        return traced(std::make_unique<ticker>(), "ticker",
                      slot_context("gpu.part", 1, rig.clock, rig.status, listeners),
                      port_table<call>(fields));
    }
    std::uint32_t asked_in(rtl_model& model, std::uint64_t cycle) {
        rig.clock.now = cycle;
        *model.inputs() = 1;
        model.evaluate();
        return *model.outputs();
    }
    slot_rig rig;
};

TEST_F(running_ticker, has_a_clock_for_each_cycle_that_has_passed) {
    const auto model = make();
    EXPECT_EQ(asked_in(*model, 0), 0U);
    EXPECT_EQ(asked_in(*model, 1), 1U) << "that of cycle 0, in which nobody clocked it";
    model->clock();
    EXPECT_EQ(asked_in(*model, 2), 2U) << "cycle 1 had its clock";
    EXPECT_EQ(asked_in(*model, 2), 2U) << "asked again";
    model->clock();
    model->clock();
    EXPECT_EQ(asked_in(*model, 10), 11U) << "two in cycle 2, then 3 to 9";
}

TEST_F(running_ticker, is_traced_with_the_clocks_that_it_got) {
    steps trace;
    slot_listeners listeners;
    listeners.trace = &trace;
    const auto model = make(listeners);
    asked_in(*model, 2);
    model->clock();
    asked_in(*model, 4);
    EXPECT_EQ(trace.text, "i0>0 i0>1 c1>2 i1>3 ");
}

TEST_F(running_ticker, shows_its_ports_when_it_is_asked) {
    last_values view;
    slot_listeners listeners;
    listeners.view = &view;
    const auto model = make(listeners);
    EXPECT_EQ(view.names,
              (std::vector<std::string>{"gpu.part.ports.in/32", "gpu.part.ports.out/32",
                                        "gpu.part.edges.enabled/0", "gpu.part.edges.idle/0",
                                        "gpu.part.edges.reset/0"}));
    EXPECT_TRUE(view.last.empty());
    asked_in(*model, 3);
    EXPECT_EQ(view.last["gpu.part.ports.in/32"], 1U);
    EXPECT_EQ(view.last["gpu.part.ports.out/32"], 3U);
    model->clock();
    EXPECT_EQ(view.last["gpu.part.ports.out/32"], 3U) << "as before the edge";
}

TEST_F(running_ticker, shows_how_many_edges_its_clock_had) {
    last_values view;
    slot_listeners listeners;
    listeners.view = &view;
    const auto model = make(listeners);
    const auto edges = [&] {
        return std::vector<std::uint64_t>{view.last["gpu.part.edges.enabled/0"],
                                          view.last["gpu.part.edges.idle/0"],
                                          view.last["gpu.part.edges.reset/0"]};
    };
    model->reset();
    asked_in(*model, 3);
    EXPECT_EQ(edges(), (std::vector<std::uint64_t>{0, 3, 1}));
    model->clock();
    model->clock();
    EXPECT_EQ(edges(), (std::vector<std::uint64_t>{2, 3, 1}));
}

}  // namespace
}  // namespace heddle::cosim
