// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/traced_model.h"

#include <gmock/gmock.h>

#include <string>

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
        text += "ecr"[static_cast<std::size_t>(what)] + std::to_string(*inputs) + ">" +
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

}  // namespace
}  // namespace heddle::cosim
