// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/smx/warp_scheduler/loose_round_robin.h"
#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "hw/smx/warp_scheduler/warp_selection.h"
#include "models/base/bits.h"

namespace heddle {

/// Keys `two_level.`.
struct two_level_configuration {
    std::uint32_t fetch_group = 8;

    void declare(parameter_list& p) {
        p.add("two_level.fetch_group", fetch_group, range(1, 64), "warp",
              "Warp slots in a fetch group of two_level");
    }
};

/// `two_level` (Narasiman et al., MICRO 2011): the scheduler's warps are divided into fetch groups
/// of `two_level.fetch_group` slots. One group has the highest priority; the other groups follow
/// cyclically. Within a group the warps take turns. When every warp of the first group waits for
/// memory, the next group with a warp that does not wait becomes the first. So the groups reach
/// their long waits one after the other.
///
/// A lower group issues when no warp of a higher group can. The first group changes only in a cycle
/// in which a warp can issue, so cycles without an issuable warp change nothing.
class two_level : public selection_events {
public:
    static constexpr const char* name = "two_level";
    static constexpr const char* description =
        "round robin in fetch groups; the next group comes when all warps of one wait for memory";
    using configuration = two_level_configuration;

    explicit two_level(const selection_setting& setting) {
        const unsigned size = setting.configuration.policies.of<configuration>().fetch_group;
        unsigned members = 0;
        for (std::uint64_t left = setting.own; left != 0; left &= left - 1) {
            if (members++ % size == 0) ++count_;
            groups_[count_ - 1] |= left & (~left + 1);
            group_of_[bits::first(left)] = static_cast<std::uint8_t>(count_ - 1);
        }
    }

    [[nodiscard]] unsigned select(const selection_inputs& in) const noexcept {
        unsigned group = next_first_;
        while ((in.issuable & groups_[group]) == 0) group = after(group);
        return turns_[group].next(in.issuable & groups_[group]);
    }
    void look(const selection_inputs& in) noexcept {
        const std::uint64_t awake = in.resident & ~in.long_latency;
        next_first_ = first_;
        for (unsigned i = 0; i < count_ && (awake & groups_[next_first_]) == 0; ++i) {
            next_first_ = after(next_first_);
        }
    }
    void issued(unsigned warp) noexcept {
        first_ = next_first_;
        turns_[group_of_[warp]].issued(warp);
    }

private:
    [[nodiscard]] unsigned after(unsigned group) const noexcept {
        return group + 1 == count_ ? 0 : group + 1;
    }

    static constexpr unsigned slots = 64;
    std::array<std::uint64_t, slots> groups_{};
    std::array<loose_round_robin, slots> turns_{};
    std::array<std::uint8_t, slots> group_of_{};
    unsigned count_ = 0;
    unsigned first_ = 0;
    unsigned next_first_ = 0;  ///< after this cycle, if a warp issues
};

}  // namespace heddle
