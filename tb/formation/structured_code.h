// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/random.h"

namespace heddle::formation_tb {

enum class step_kind : std::uint8_t { straight, jump, branch, call, any_call, ret, exit };

/// An instruction, as far as it matters where threads go.
struct code_step {
    step_kind what = step_kind::straight;
    std::uint32_t target = 0;                  ///< jump, branch, call
    std::uint32_t join = 0;                    ///< branch: its immediate post-dominator
    bool guard = false;                        ///< branch: taken where calls are nested deeply
    std::array<std::uint32_t, 3> functions{};  ///< any_call: each thread picks one
};

/// A random program of nested branches, loops, calls, recursion, early returns and exits.
class structured_code {
public:
    static constexpr std::uint32_t base = 0x1000;

    explicit structured_code(random_stream random);

    /// Where threads begin.
    [[nodiscard]] std::uint32_t entry() const noexcept { return functions_[0]; }
    [[nodiscard]] const code_step& at(std::uint32_t pc) const { return steps_.at((pc - base) / 4); }

private:
    [[nodiscard]] std::uint32_t here() const noexcept {
        return base + 4 * static_cast<std::uint32_t>(steps_.size());
    }
    code_step& step_at(std::uint32_t pc) { return steps_[(pc - base) / 4]; }
    std::uint32_t emit(step_kind what, std::uint32_t target = 0);
    bool block(unsigned function, unsigned level, bool in_arm);
    bool either(unsigned function, unsigned level);
    bool loop(unsigned function, unsigned level);
    void call(unsigned function);

    static constexpr unsigned count = 5;  ///< functions; each calls itself and later ones
    random_stream random_;
    std::vector<code_step> steps_;
    std::array<std::uint32_t, count> functions_{};
};

}  // namespace heddle::formation_tb
