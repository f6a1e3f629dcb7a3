// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <verilated.h>
#include <verilated_vcd_c.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace heddle::cosim {

/// The signals of a shell over time, in a VCD file of Verilator. The shell is evaluated several
/// times in an instant of the run; these times are 1 ps apart in the file.
class verilated_dump {
public:
    /// False if the file can't be written.
    template <class Shell>
    [[nodiscard]] bool open(VerilatedContext& context, Shell& shell, const std::string& file,
                            std::function<std::uint64_t()> now) {
        constexpr int all_levels = 99;
        context.traceEverOn(true);
        auto fresh = std::make_unique<VerilatedVcdC>();
        shell.trace(fresh.get(), all_levels);
        fresh->set_time_unit("1ps");
        fresh->set_time_resolution("1ps");
        fresh->open(file.c_str());
        if (!fresh->isOpen()) return false;
        file_ = std::move(fresh);
        now_ = std::move(now);
        return true;
    }
    /// After an evaluation.
    void show() {
        if (file_ == nullptr) return;
        next_ = std::max(next_, now_());
        file_->dump(next_++);
    }

private:
    std::unique_ptr<VerilatedVcdC> file_;
    std::function<std::uint64_t()> now_;
    std::uint64_t next_ = 0;  ///< the earliest time that the file takes
};

}  // namespace heddle::cosim
