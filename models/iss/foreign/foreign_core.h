// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "include/heddle/retire.h"
#include "models/iss/lockstep.h"

namespace heddle::iss {

/// What a core that is followed promises.
struct foreign_rules {
    /// Threads of a warp need not run together: only the next PC of each is compared.
    bool threads_apart = false;
    /// Accesses of one core to one place are performed in the order of issue.
    bool ordered = false;
    /// It tells when writes have been performed; else they are at a fence, or at the block's end.
    bool tells_drained = false;
    /// Plain loads may hit a cache that is not coherent, until a fence.
    bool stale_loads = false;
};

/// A difference, or a fault of the kernel on which both agree.
struct foreign_finding {
    error_kind kind = error_kind::none;
    std::string text;
    std::optional<lockstep_place> place;
    std::vector<heddle_retired> last_steps;  ///< of that warp, the newest last
};

/// A core that is not ours, followed by the records of what it has retired (docs/retire.md). They
/// come in any order between warps in which a cause precedes its effect, those of a warp in program
/// order. lockstep compares; here blocks and warps are found by name, and what is no stream of
/// records is refused: a configuration_error says what, and nothing has changed then.
class foreign_core {
public:
    static constexpr std::size_t steps_kept = 20;  ///< of each warp

    /// `parts` without `foreign` and `report`; see lockstep_parts.
    foreign_core(lockstep_parts parts, const foreign_rules& rules);
    ~foreign_core();

    [[nodiscard]] lockstep& reference() noexcept { return *reference_; }
    /// A launch whose blocks may begin from now on.
    void launched(const prepared_launch& launch);
    /// The next record. Throws configuration_error for one that can't be; after the first finding
    /// nothing is compared.
    void take(const heddle_retired& record);
    /// All launches have ended. Throws configuration_error while blocks are on the core.
    void settled();
    /// What the core has done wrong beside its records.
    void differs(const std::string& text) { found(error_kind::wrong_result, text, std::nullopt); }

    [[nodiscard]] const std::optional<foreign_finding>& finding() const noexcept {
        return finding_;
    }
    /// Writes whose end nothing but a fence or the block's end has told.
    [[nodiscard]] std::uint64_t late_writes() const noexcept { return late_writes_; }

private:
    struct load {
        std::uint64_t number;
        isa::lane_mask left;  ///< lanes without a value
        unsigned rd;
    };
    struct warp {
        unsigned slot = 0;         ///< of the reference
        std::uint64_t last = 0;    ///< number of the last step
        std::uint64_t issued = 0;  ///< when
        bool wrote = false;        ///< since its writes were drained
        std::vector<load> loads;
        std::deque<heddle_retired> steps;
    };
    struct block {
        std::uint32_t launch, index;
        unsigned slot;  ///< of the reference
        std::vector<warp> warps;
    };
    struct core {
        std::uint64_t now = 0;
        std::vector<std::unique_ptr<block>> blocks;
        std::uint64_t block_slots = 0, warp_slots = 0;  ///< of the reference, in use
    };
    struct extent {
        std::uint64_t blocks;
        std::uint32_t threads;  ///< of a block
    };

    void check_form(const heddle_retired& r) const;
    void check_step(const heddle_retired& r, const warp& w) const;
    [[nodiscard]] block& block_of(const heddle_retired& r);
    [[nodiscard]] warp& warp_of(const heddle_retired& r);
    void begin(const heddle_retired& r);
    void end(const heddle_retired& r);
    void step(const heddle_retired& r);
    void data(const heddle_retired& r);
    void drain(const heddle_retired& r, warp& w, std::uint64_t up_to);
    void release_barrier(const heddle_retired& r);
    void deliver(const heddle_retired& r, warp& w, load& l, isa::lane_mask lanes);
    void found(error_kind kind, const std::string& text, const std::optional<lockstep_place>& at);

    const machine_configuration machine_;
    const foreign_rules rules_;
    std::unique_ptr<lockstep> reference_;
    std::map<std::uint32_t, extent> launches_;
    std::vector<core> cores_;
    std::optional<foreign_finding> finding_;
    std::uint64_t late_writes_ = 0;
};

}  // namespace heddle::iss
