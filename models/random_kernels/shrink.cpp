// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/random_kernels/shrink.h"

#include <algorithm>
#include <utility>

namespace heddle::iss {
namespace {

using kind = statement_kind;

std::size_t count_in(const statements& all) noexcept {
    std::size_t count = 0;
    for (const statement& s : all) {
        count += 1 + count_in(s.first) + count_in(s.second) + count_in(s.third);
    }
    return count;
}

bool contains(const statements& all, kind what) {
    return std::any_of(all.begin(), all.end(), [what](const statement& s) {
        return s.what == what || contains(s.first, what) || contains(s.second, what) ||
               contains(s.third, what);
    });
}

bool is_loop(const statement& s) {
    return s.what == kind::for_loop || s.what == kind::do_loop || s.what == kind::while_loop;
}

/// Whether a break or continue among them is one of the loop around them.
bool ends_loop(const statements& all) {
    return std::any_of(all.begin(), all.end(), [](const statement& s) {
        return s.what == kind::end_loop || s.what == kind::next_turn ||
               (!is_loop(s) && (ends_loop(s.first) || ends_loop(s.second) || ends_loop(s.third)));
    });
}

/// Whether the statements may stand where their statement stands: not if they end it.
bool may_stand_alone(const statement& of, const statements& inside) {
    return !inside.empty() && !(is_loop(of) && ends_loop(inside));
}

/// One loop less is around them.
void leave_loop(statements& all) {
    for (statement& s : all) {
        --s.depth;
        leave_loop(s.first);
        leave_loop(s.second);
        leave_loop(s.third);
    }
}

/// Carries out step number `which` of those that there are; false if there are not so many.
/// `which` counts down.
bool edit(statements& all, std::size_t& which) {
    for (std::size_t at = 0; at < all.size(); ++at) {
        statement& s = all[at];
        if (which-- == 0) {
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
            return true;
        }
        for (statements statement::*const part :
             {&statement::first, &statement::second, &statement::third}) {
            if (!may_stand_alone(s, s.*part)) continue;
            if (which-- != 0) continue;
            statements inside = std::move(s.*part);
            if (is_loop(s)) leave_loop(inside);
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
            all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), inside.begin(), inside.end());
            return true;
        }
        for (statements statement::*const part :
             {&statement::first, &statement::second, &statement::third}) {
            if (edit(s.*part, which)) return true;
        }
    }
    return false;
}

bool edit(kernel_tree& kernel, std::size_t which) {
    const bool called = contains(kernel.body, kind::call) ||
                        std::any_of(kernel.functions.begin(), kernel.functions.end(),
                                    [](const auto& f) { return contains(f.body, kind::call); });
    if (!called && !kernel.functions.empty()) {
        if (which-- == 0) {
            kernel.functions.clear();
            return true;
        }
    }
    if (edit(kernel.body, which)) return true;
    return std::any_of(kernel.functions.begin(), kernel.functions.end(),
                       [&](kernel_function& f) { return edit(f.body, which); });
}

}  // namespace

std::size_t statement_count(const kernel_tree& kernel) noexcept {
    std::size_t count = count_in(kernel.body);
    for (const kernel_function& f : kernel.functions) count += count_in(f.body);
    return count;
}

kernel_tree shrunk(kernel_tree failing, const std::function<bool(const kernel_tree&)>& fails) {
    for (bool again = true; again;) {  // a step may become possible by later ones
        again = false;
        for (std::size_t which = 0;;) {
            kernel_tree smaller = failing;
            if (!edit(smaller, which)) break;
            if (fails(smaller)) {
                failing = std::move(smaller);  // what comes next has the number of what is gone
                again = true;
            } else {
                ++which;
            }
        }
    }
    return failing;
}

}  // namespace heddle::iss
