// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/base/slot_trace.h"

namespace heddle {

/// How much of its ports the RTL in slots has seen: a comparison proves nothing about what was
/// never asked. A slot_view, so that it hears of all ports; it hands on what it hears.
class slot_usage final : public slot_view {
public:
    /// `next` may be null, and outlives this object.
    explicit slot_usage(slot_view* next = nullptr) : next_(next) {}

    [[nodiscard]] handle declare_number(const std::string& name) override {
        return next_ == nullptr ? 0 : next_->declare_number(name);
    }
    /// A name PATH.ports.PORT belongs to the instance PATH.
    [[nodiscard]] handle declare_bits(const std::string& name, unsigned width) override;
    void set_number(handle which, std::uint64_t value) override {
        if (next_ != nullptr) next_->set_number(which, value);
    }
    void set_bits(handle which, const std::uint64_t* words) override;

    /// A line for each group of instances whose names differ in numbers only, as
    /// gpu.smx_N.formation: how often they were asked, and which bits of ports had one value only.
    [[nodiscard]] std::vector<std::string> lines() const;
    /// Names of groups of which no instance was ever asked, with commas between them.
    [[nodiscard]] std::string never_asked() const;

private:
    struct port {
        std::string group, name;
        unsigned width;
        handle next;
        std::uint64_t asked;
        std::vector<std::uint64_t> ones, zeros;  ///< bits that were 1, and 0
    };
    struct port_group;

    [[nodiscard]] std::vector<port_group> groups() const;

    slot_view* next_;
    std::vector<port> ports_;
};

}  // namespace heddle
