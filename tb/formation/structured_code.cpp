// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/formation/structured_code.h"

#include <utility>

#include "models/program/kernel.h"

namespace heddle::formation_tb {

structured_code::structured_code(random_stream random) : random_(std::move(random)) {
    // From the last one on, so that calls know where their functions begin.
    for (unsigned function = count; function-- > 0;) {
        functions_[function] = here();
        block(function, 3, false);
        emit(function == 0 ? step_kind::exit : step_kind::ret);
    }
}

std::uint32_t structured_code::emit(step_kind what, std::uint32_t target) {
    const std::uint32_t pc = here();
    steps_.push_back({what, target, 0, false, {}});
    return pc;
}

/// Whether threads may return from the function in it.
bool structured_code::block(unsigned function, unsigned level, bool in_arm) {
    bool returns = false;
    for (std::uint64_t left = 1 + random_.below(3); left != 0; --left) {
        const std::uint64_t what = random_.below(12);
        if (what < 4 && level != 0) {
            returns |= either(function, level - 1);
        } else if (what < 6 && level != 0) {
            returns |= loop(function, level - 1);
        } else if (what < 8) {
            call(function);
        } else if (what == 8 && in_arm && function != 0) {
            emit(step_kind::ret);
            return true;
        } else if (what == 9 && in_arm && random_.below(3) == 0) {
            emit(step_kind::exit);
            return returns;
        } else {
            emit(step_kind::straight);
        }
    }
    return returns;
}

/// if, or if and else.
bool structured_code::either(unsigned function, unsigned level) {
    const std::uint32_t branch = emit(step_kind::branch);
    bool returns = block(function, level, true);
    if (random_.below(2) == 0) {
        step_at(branch).target = here();
    } else {
        const std::uint32_t over = emit(step_kind::jump);
        step_at(branch).target = here();
        returns |= block(function, level, true);
        step_at(over).target = here();
    }
    step_at(branch).join = returns ? program::function_exit : here();
    return returns;
}

bool structured_code::loop(unsigned function, unsigned level) {
    const std::uint32_t begin = here();
    const bool returns = block(function, level, true);
    const std::uint32_t branch = emit(step_kind::branch, begin);
    step_at(branch).join = returns ? program::function_exit : here();
    return returns;
}

/// Of this function or a later one, by some of the threads.
void structured_code::call(unsigned function) {
    const auto callee = function + static_cast<unsigned>(random_.below(count - function));
    const std::uint32_t guard = emit(step_kind::branch);
    const std::uint32_t pc =
        emit(random_.below(3) == 0 ? step_kind::any_call : step_kind::call, functions_[callee]);
    for (std::uint32_t& each : step_at(pc).functions) {
        each = functions_[callee + random_.below(count - callee)];
    }
    step_at(guard).target = step_at(guard).join = here();
    step_at(guard).guard = true;
}

}  // namespace heddle::formation_tb
