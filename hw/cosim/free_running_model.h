// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <utility>

#include "hw/base/cycle_counter.h"
#include "hw/cosim/rtl_model.h"

namespace heddle::cosim {

/// RTL that needs a clock in each cycle of its owner. A cycle in which the part was not clocked is
/// made up for, with `enable` low and the inputs of the last call, before the part is called again:
/// so its owner may sleep. Costs as much as the clocks, at the next call.
class free_running_model final : public rtl_model {
public:
    free_running_model(std::unique_ptr<rtl_model> rtl, const cycle_counter& clock)
        : rtl_(std::move(rtl)), clock_(clock), next_(clock.cycle()) {}

    std::uint32_t* inputs() noexcept override {
        catch_up();
        return rtl_->inputs();
    }
    const std::uint32_t* outputs() const noexcept override { return rtl_->outputs(); }
    void evaluate() override {
        catch_up();
        rtl_->evaluate();
    }
    void clock() override {
        catch_up();
        rtl_->clock();
        next_ = clock_.cycle() + 1;
    }
    void reset() override { rtl_->reset(); }

private:
    void catch_up() {
        for (const std::uint64_t now = clock_.cycle(); next_ < now; ++next_) rtl_->idle_clock();
    }

    std::unique_ptr<rtl_model> rtl_;
    const cycle_counter& clock_;
    std::uint64_t next_;  ///< the first cycle without a clock
};

}  // namespace heddle::cosim
