// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "hw/smx/l1/load_cache_configuration.h"
#include "hw/smx/shared_memory/shared_memory_configuration.h"
#include "hw/smx/warp_scheduler/cache_conscious.h"
#include "models/isa/instruction.h"
#include "tb/smx_reference/cache_model.h"
#include "tb/smx_reference/port_model.h"

namespace heddle::smx_reference {

struct lane_address {
    unsigned lane;
    std::uint32_t address;  ///< private memory: in device memory
};
using lane_list = std::vector<lane_address>;

/// A load, store or atomic that a warp has issued, with the lanes that have not accessed.
struct memory_operation {
    unsigned warp = 0;
    std::uint64_t number = 0;  ///< of the warp's instructions
    std::uint32_t pc = 0;
    const isa::instruction* instruction = nullptr;
    lane_list shared, constants, read_only, in_private, global;
    unsigned accesses = 0;  ///< under way, and one while it is in the queue
    bool in_queue = false;
};
using operation = std::shared_ptr<memory_operation>;

/// What the load-store unit tells the SMX.
struct load_store_news {
    std::function<void(const memory_operation&, const lane_list&)> loaded;
    std::function<void(const memory_operation&)> completed;
    std::function<void(unsigned warp)> drained;
    std::function<void(unsigned warp)> lost_locality;
};

struct load_store_settings {
    load_store_configuration unit;
    l1_data_cache_configuration l1d;
    constant_cache_configuration constant;
    read_only_cache_configuration read_only;
    shared_memory_configuration shared;
    /// Lines that a warp has lost are remembered for ccws; empty: they are not.
    std::optional<ccws_configuration> victims;
};

/// The load-store unit: docs/smx_rules.md, "(5) Load-store unit". Lists and no masks; a refused
/// access is tried in every cycle.
class load_store_model {
public:
    enum cause { mshr_full, mshr_merge_full, miss_queue_full, line_reserved, constant, read_only };
    struct counts {
        std::uint64_t loads = 0, stores = 0, atomics = 0, line_accesses = 0, shared_accesses = 0,
                      uncached_loads = 0, write_requests = 0, atomic_requests = 0,
                      bank_conflicts = 0, lost_localities = 0, shared_conflicts = 0,
                      shared_conflict_turns = 0;
        std::array<std::uint64_t, 6> fails{};  ///< by cause
    };

    load_store_model(const load_store_settings& settings, port_model& port, unsigned warps,
                     load_store_news news);

    /// Step (1), after the answers.
    void complete(std::uint64_t edge);
    /// Step (5).
    void cycle(std::uint64_t edge);

    [[nodiscard]] bool has_room() const { return queue_.size() < settings_.unit.queue_depth; }
    /// Whether a load that is taken for one of constants may issue.
    [[nodiscard]] bool takes_constants(std::uint64_t edge) const;
    /// Whether the oldest instruction waits for a cache.
    [[nodiscard]] bool refused() const { return refused_; }
    void accept(const operation& what, std::uint64_t edge);

    [[nodiscard]] bool drained(unsigned warp) const {
        return instructions_[warp] == 0 && writes_[warp] == 0;
    }
    void begin_launch();
    void forget_global() { l1d_.forget_global(); }
    void discard(std::uint64_t low, std::uint64_t high) { l1d_.discard(low, high); }
    void new_warp(unsigned warp) { victims_[warp].clear(); }

    [[nodiscard]] bool has_constants() const { return constants_.cache.exists(); }
    [[nodiscard]] bool has_read_only() const { return read_only_.cache.exists(); }
    [[nodiscard]] const counts& counted() const { return counts_; }
    [[nodiscard]] const cache_model& l1d() const { return l1d_; }
    [[nodiscard]] const cache_model& constants() const { return constants_.cache; }
    [[nodiscard]] const cache_model& read_only_data() const { return read_only_.cache; }

private:
    /// A cache with ports of its own.
    struct ported_cache {
        cache_model cache;
        std::uint32_t granule;  ///< bytes that an access sees
        std::uint32_t ports;
        std::uint32_t hit_latency;
        std::uint64_t last = ~std::uint64_t{0};  ///< edge of the last access
        std::uint32_t made = 0;                  ///< accesses at that edge
    };
    struct timed_end {
        std::uint64_t due;
        operation what;
    };
    /// Loads that wait for a fill of a cache.
    struct target {
        const cache_model* cache;
        unsigned fill;
        operation what;
        lane_list lanes;
    };
    using refusal = std::optional<cause>;

    [[nodiscard]] static bool is_free(const ported_cache& c, std::uint64_t edge) {
        return c.last != edge || c.made < c.ports;
    }
    refusal access(memory_operation& m, const operation& head, std::uint64_t edge);
    void access_shared(const operation& m, std::uint64_t edge);
    bool access_ported(ported_cache& c, const operation& m, lane_list& left, std::uint64_t edge);
    refusal access_lines(const operation& m, lane_list& left, bool is_private, std::uint64_t edge);
    void other_banks(const operation& m, lane_list& left, bool is_private, std::uint32_t first,
                     std::uint64_t edge);
    refusal access_line(const operation& m, const lane_list& lanes, bool is_private,
                        std::uint64_t edge);
    refusal load_line(cache_model& cache, std::uint32_t hit_latency, const operation& m,
                      const lane_list& lanes, bool is_private, std::uint64_t edge);
    refusal store_line(const operation& m, const lane_list& lanes, bool is_private,
                       std::uint64_t edge);
    refusal atomic_line(const operation& m, const lane_list& lanes, bool is_private,
                        std::uint64_t edge);
    void load_sectors(const operation& m, const lane_list& lanes, std::uint64_t edge);
    void note_miss(unsigned warp, std::uint32_t line, const cache_model::answer& got);
    void write_back(const cache_model::answer& got, std::uint64_t edge);
    [[nodiscard]] bool uses_l1d(const isa::instruction& i, std::uint32_t line,
                                bool is_private) const;
    void filled(cache_model& cache, unsigned fill);
    void end_access(const operation& what);
    void end_write(unsigned warp);
    void leave_queue();

    load_store_settings settings_;
    port_model& port_;
    load_store_news news_;
    cache_model l1d_;
    ported_cache constants_;
    ported_cache read_only_;
    std::deque<operation> queue_;
    std::vector<timed_end> ends_;
    std::vector<target> targets_;
    std::vector<unsigned> instructions_, writes_;      ///< under way, by warp
    std::vector<std::vector<std::uint32_t>> victims_;  ///< by warp, the last one first
    std::uint64_t banks_busy_until_ = 0;
    bool refused_ = false;
    counts counts_;
};

}  // namespace heddle::smx_reference
