// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace heddle::cosim {

/// RTL behind the shell that is generated for its slot: flat ports `in` and `out`, `clk`, `rst_n`,
/// `enable`. Simulated in zero time, when it is called.
class rtl_model {
public:
    rtl_model() = default;
    rtl_model(const rtl_model&) = delete;
    rtl_model& operator=(const rtl_model&) = delete;
    virtual ~rtl_model() = default;

    [[nodiscard]] virtual std::uint32_t* inputs() noexcept = 0;
    [[nodiscard]] virtual const std::uint32_t* outputs() const noexcept = 0;
    /// Lets the outputs follow the inputs.
    virtual void evaluate() = 0;
    /// One clock with `enable` high.
    virtual void clock() = 0;
    /// One clock with `enable` low: registers that load only with it keep their values.
    virtual void idle_clock() { evaluate(); }
    /// One clock in reset, with the inputs as they are.
    virtual void reset() = 0;
    /// It needs a clock in each cycle of its owner (free_running_model).
    [[nodiscard]] virtual bool free_running() const noexcept { return false; }
    /// Who hears that the RTL has stopped, with the place: a failed assertion, $error, $fatal,
    /// $stop or $finish. The RTL goes on all the same.
    virtual void on_stop(std::function<void(const std::string& place)> /*listener*/) {}
    /// From now on a VCD file has all signals inside, at the times that `now` says, in ps; nothing
    /// for a model without any. False if the file can't be written.
    [[nodiscard]] virtual bool dump(const std::string& /*file*/,
                                    std::function<std::uint64_t()> /*now*/) {
        return true;
    }
};

/// The RTL that this build has for slot.warp_scheduler, ...: its own, or that of HEDDLE_RTL.
[[nodiscard]] std::unique_ptr<rtl_model> make_warp_scheduler_rtl();
[[nodiscard]] std::unique_ptr<rtl_model> make_formation_rtl();
[[nodiscard]] std::unique_ptr<rtl_model> make_crossbar_allocator_rtl();
[[nodiscard]] std::unique_ptr<rtl_model> make_dram_scheduler_rtl();
[[nodiscard]] std::unique_ptr<rtl_model> make_queue_picker_rtl();
[[nodiscard]] std::unique_ptr<rtl_model> make_kde_chain_rtl();
[[nodiscard]] std::unique_ptr<rtl_model> make_group_allocator_rtl();
[[nodiscard]] std::unique_ptr<rtl_model> make_tm_bank_rtl();

}  // namespace heddle::cosim
