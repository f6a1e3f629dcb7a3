// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>
#include <string>

namespace heddle::cosim {

/// Hears of RTL that stops, for as long as it lives. RTL stops by a failed assertion, $error,
/// $fatal, $stop or $finish, after Verilator has printed what these say. Verilator then calls a
/// function that is not told which model it is: so a model has a listener around its evaluation.
/// RTL without one, as a SystemC module of Verilator, reports a SystemC error with the id
/// "heddle/rtl/stopped".
class rtl_stop_listener {
public:
    using function = std::function<void(const std::string& place)>;

    /// `heard` outlives it; an empty function counts as none.
    explicit rtl_stop_listener(const function& heard) noexcept;
    ~rtl_stop_listener();
    rtl_stop_listener(const rtl_stop_listener&) = delete;
    rtl_stop_listener& operator=(const rtl_stop_listener&) = delete;

private:
    const function* before_;
};

}  // namespace heddle::cosim
