// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/base/slot_registry.h"
#include "hw/smx/smx_configuration.h"
#include "models/simt/reconvergence_stack.h"

namespace heddle {

/// Threads of a warp that run together, and where.
struct warp_group {
    std::uint32_t pc = 0;
    /// The formation has to hear when the group gets here; before that it may run straight on.
    std::uint32_t limit = simt::never;
    isa::lane_mask lanes = 0;
};

/// Which threads make up a warp now, and at which PC. One object serves all warp slots of an SMX.
/// The pipeline keeps the group that it was given and moves its PC straight on by itself; each
/// call below tells where the group's threads go and gives the group that runs next (no lanes: the
/// warp has ended).
class formation {
public:
    formation() = default;
    formation(const formation&) = delete;
    formation& operator=(const formation&) = delete;
    virtual ~formation() = default;

    /// A warp begins in `warp` with these threads at `pc`.
    virtual warp_group start(unsigned warp, std::uint32_t pc, isa::lane_mask lanes) = 0;
    /// All go to `pc`; to be called at the group's limit and after uniform branches.
    virtual warp_group advance(unsigned warp, std::uint32_t pc) = 0;
    /// They go where a control-flow instruction sends them; not for a refused transfer. Nothing: it
    /// needs more than the formation_setting's stack_entries, and the warp can't go on.
    virtual std::optional<warp_group> follow(unsigned warp, const simt::transfer& to) = 0;
    /// The group's threads end.
    virtual warp_group exit(unsigned warp, isa::lane_mask lanes) = 0;
    /// Puts a warp's state behind `words`, in the form that all implementations share.
    virtual void save(unsigned warp, std::vector<std::uint32_t>& words) const = 0;
    /// A warp goes on in `warp` as save() has left it, here or in another SMX; `words` begins with
    /// its words.
    virtual warp_group restore(unsigned warp, const std::uint32_t* words) = 0;

    // Transactions (simt/reconvergence_stack.h); one at a time in a warp.

    /// A transaction of the group begins; its threads may start again at `pc`.
    virtual void mark(unsigned warp, std::uint32_t pc) = 0;
    /// Whether the group may end the transaction here.
    [[nodiscard]] virtual bool at_mark(unsigned warp) const = 0;
    /// Threads lose. No lanes: all have lost. A group whose lanes have not all lost goes on where
    /// the pipeline has moved it.
    virtual warp_group leave(unsigned warp, isa::lane_mask lanes) = 0;
    /// The transaction starts again with these of its threads.
    virtual warp_group rewind(unsigned warp, isa::lane_mask lanes) = 0;
    /// The transaction ends: all its threads go on at `pc`.
    virtual warp_group release(unsigned warp, std::uint32_t pc) = 0;

    /// For the wait-for report: lanes of the warp that wait for its group, and where; no lanes if
    /// none do. `live` are all threads of the warp that have not ended.
    [[nodiscard]] virtual warp_group waiting(unsigned warp, isa::lane_mask live) const = 0;
    /// Likewise: waited() tells which lanes of the warp have waited since the last call, and have
    /// not run. An implementation that can't tell says that none have.
    virtual void watch(unsigned) {}
    [[nodiscard]] virtual isa::lane_mask waited(unsigned) const { return 0; }
};

/// The group of a warp goes on at `pc`. The formation waits for it at the group's limit, and
/// decides there which threads run next.
inline void go_on(formation& of, unsigned warp, warp_group& group, std::uint32_t pc) {
    group.pc = pc;
    if (pc == group.limit) group = of.advance(warp, pc);
}

/// What a warp's fault says whose stack has no room for another entry.
[[nodiscard]] std::string full_stack_text(std::uint32_t entries);

/// What a formation of warp slots is made for: smx.formation = pdom.
struct formation_setting {
    unsigned warps;              ///< slots of the SMX
    unsigned stack_entries = 0;  ///< of a warp; 0: no limit
};

/// The `tlm` implementation.
[[nodiscard]] std::unique_ptr<formation> make_formation(const formation_setting& setting);

/// The slot of an SMX's formation (hw/base/slot.h), key `slot.formation`.
struct formation_traits {
    static constexpr const char* name = "formation";
    using interface = formation;
    using setting = formation_setting;
    [[nodiscard]] static slot_registry<formation_traits> implementations();
    /// Compares the group that each call gives.
    [[nodiscard]] static std::unique_ptr<formation> shadow(std::unique_ptr<formation> tlm,
                                                           std::unique_ptr<formation> rtl,
                                                           lock_step comparison);
};

}  // namespace heddle
