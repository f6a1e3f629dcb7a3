// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "hw/base/slot_trace.h"
#include "hw/base/waveform.h"

namespace heddle {

/// The values of slots in the waveform of a run.
class slot_waves final : public slot_view {
public:
    /// `waves` outlives this object.
    explicit slot_waves(waveform& waves) : waves_(waves) {}

    [[nodiscard]] handle declare_number(const std::string& name) override {
        numbers_.push_back(waves_.declare_integer(name));
        return numbers_.size() - 1;
    }
    [[nodiscard]] handle declare_bits(const std::string& name, unsigned width) override {
        bits_.push_back(waves_.declare_bits(name, width));
        return bits_.size() - 1;
    }
    void set_number(handle which, std::uint64_t value) override {
        numbers_[which].set(static_cast<std::int64_t>(value));
    }
    void set_bits(handle which, const std::uint64_t* words) override { bits_[which].set(words); }

private:
    waveform& waves_;
    std::vector<wave_integer> numbers_;
    std::vector<wave_bits> bits_;
};

}  // namespace heddle
