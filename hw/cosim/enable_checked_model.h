// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "hw/cosim/rtl_model.h"

namespace heddle::cosim {

/// RTL that gets clocks without `enable`, as it would in hardware: before each of the first clocks
/// of its part, and then before some, with the same inputs. Registers that load nevertheless have
/// other values from then on. Costs one clock of the RTL for each eight.
class enable_checked_model final : public rtl_model {
public:
    explicit enable_checked_model(std::unique_ptr<rtl_model> rtl) : rtl_(std::move(rtl)) {}

    std::uint32_t* inputs() noexcept override { return rtl_->inputs(); }
    const std::uint32_t* outputs() const noexcept override { return rtl_->outputs(); }
    void evaluate() override { rtl_->evaluate(); }
    void clock() override {
        constexpr std::uint64_t first = 64, period = 8;
        if (clocks_ < first || clocks_ % period == 0) rtl_->idle_clock();
        ++clocks_;
        rtl_->clock();
    }
    void idle_clock() override { rtl_->idle_clock(); }
    void reset() override { rtl_->reset(); }

private:
    std::unique_ptr<rtl_model> rtl_;
    std::uint64_t clocks_ = 0;
};

}  // namespace heddle::cosim
