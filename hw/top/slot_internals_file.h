// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "hw/base/slot_trace.h"

namespace heddle {

/// `heddle run --rtl-vcd`: the signals inside of one RTL part, in a VCD file that Verilator writes
/// during the run.
class slot_internals_file final : public slot_internals {
public:
    explicit slot_internals_file(std::string file);

    /// A file has one instance: throws configuration_error for a second one.
    [[nodiscard]] const std::string& begin(const std::string& slot,
                                           const std::string& instance) override;
    [[nodiscard]] std::uint64_t now() const override;
    /// With the netlist built: throws configuration_error if no slot has RTL.
    void check() const;

private:
    std::string file_;
    std::string instance_;
};

}  // namespace heddle
