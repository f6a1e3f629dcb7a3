// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hw/base/slot_registry.h"

namespace heddle {

/// Keeps the last value of each name, which has its width behind it; 0: a number.
class last_values final : public slot_view {
public:
    [[nodiscard]] handle declare_number(const std::string& name) override {
        return declare_bits(name, 0);
    }
    [[nodiscard]] handle declare_bits(const std::string& name, unsigned width) override {
        names.push_back(name + "/" + std::to_string(width));
        return names.size() - 1;
    }
    void set_number(handle which, std::uint64_t value) override { set_bits(which, &value); }
    void set_bits(handle which, const std::uint64_t* words) override {
        last[names[which]] = *words;
    }

    std::vector<std::string> names;
    std::map<std::string, std::uint64_t> last;
};

/// What a slot needs, without SystemC: a clock that is set by hand, and a run status.
struct slot_rig {
    struct hand_clock final : cycle_counter {
        [[nodiscard]] std::string clock_name() const override { return "gpu.clock"; }
        [[nodiscard]] std::uint64_t cycle() const override { return now; }
        std::uint64_t now = 0;
    };

    template <class Traits>
    [[nodiscard]] slot_maker<Traits> maker(slot_registry<Traits> registry,
                                           slot_implementation which) {
        return {std::move(registry), which, 1, clock, status, listeners};
    }
    template <class Traits>
    [[nodiscard]] slot_maker<Traits> tlm(std::uint64_t run_seed = 1) {
        return {Traits::implementations(), slot_implementation::tlm, run_seed, clock, status};
    }

    hand_clock clock;
    run_status status;
    slot_listeners listeners;
};

}  // namespace heddle
