// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/protocol/byte_mask.h"
#include "hw/smx/l1/dirty_lines.h"
#include "hw/smx/l1/l1_data_cache_configuration.h"
#include "hw/smx/l1/line_user.h"
#include "models/base/strong_index.h"

namespace heddle {

/// A register of a cache that holds a line which has been asked for, and who waits for it.
using miss_register = strong_index<struct miss_register_tag>;

/// Why an access has to wait for the cache.
enum class reservation_fail : std::uint8_t {
    mshr_full,        ///< no miss register is free
    mshr_merge_full,  ///< the line's miss register has all the targets it can have
    miss_queue_full,  ///< no room for the request, or for the line that has to be written back
    line_reserved,    ///< the line, or every line of its set, waits for a fill
    constant_cache,   ///< one of these reasons, in the constant cache
    read_only_cache,  ///< so, in the read-only cache
};
inline constexpr std::size_t reservation_fail_count = 6;

struct l1_data_cache_counters {
    std::uint64_t loads = 0;  ///< hits + mshr_merges + misses
    std::uint64_t hits = 0;
    std::uint64_t mshr_merges = 0;
    std::uint64_t misses = 0;
    std::uint64_t private_stores = 0;
    std::uint64_t global_stores = 0;  ///< that stayed here
    /// Of these, those that changed a value, for the watchdog. A store to bytes that the cache did
    /// not hold counts as one.
    std::uint64_t changes = 0;
    std::uint64_t evictions = 0;
    std::uint64_t write_backs = 0;
    std::uint64_t lines_cleaned = 0;  ///< write-backs of global lines that kept their place
    std::uint64_t fills_not_installed = 0;
    std::uint64_t lines_dropped = 0;    ///< by atomics and invalidations
    std::uint64_t lines_discarded = 0;  ///< of dead private memory
};

/// The data cache of an SMX: tags, data, miss registers. No SystemC, no time: the load-store unit
/// owns the clock, the targets of a miss, and the way to memory.
///
/// Set-associative, least recently used goes first, lines are reserved when they miss. The set is
/// that of l1d.set_index; hashed, it is the exclusive or of the line number's bit groups, as set
/// hashes of Fermi and Kepler are (Nugteren et al., "A Detailed GPU Cache Model", HPCA 2014):
/// private memory has large power-of-two strides. Private lines are write-back with allocation and
/// a valid and a dirty bit a byte, so that a store never fetches. Global lines are write-through
/// without allocation, or write-back like private ones. A fill may come after the line has been
/// closed by a store, an atomic or an invalidation: its data go to those who waited before that,
/// and are not installed. Addresses are device addresses of lines. Costs: O(ways) an access,
/// O(lines) the invalidations (nothing if there is no such line). Nothing is allocated after
/// construction.
///
/// Global lines under write-back: an invalidation leaves dirty bytes, which only this cache has,
/// and makes the others invalid. A store to a line on which loads wait writes the line if none of
/// them wants its bytes, and fails else. An invalidation of a line on which loads wait and of which
/// some bytes are here takes effect with the fill; meanwhile accesses to the line fail.
class l1_data_cache {
public:
    enum class outcome : std::uint8_t {
        hit,      ///< `data` is the line
        pending,  ///< wait for the fill of `miss`, which has been asked for
        missed,   ///< ask memory for the whole line, then wait for the fill of `miss`
        failed,   ///< try again after something has changed; `cause` says what stands in the way
    };
    struct answer {
        outcome what;
        reservation_fail cause = reservation_fail::mshr_full;
        miss_register miss{};
        const std::uint8_t* data = nullptr;  ///< of the line
        /// A store: the line held no store of this owner that memory has not got.
        bool first_write = false;
    };
    /// Dirty bytes of a line that must be written to memory before anything else is asked of that
    /// line. Valid until the next call.
    struct eviction {
        std::uint32_t address;
        line_user by;       ///< who made the line
        owner_set writers;  ///< of a global line
        bool is_private;
        byte_mask dirty;
        std::array<std::uint8_t, protocol::maximum_line_bytes> data;
    };

    explicit l1_data_cache(const l1_data_cache_configuration& configuration);

    /// Whether there is a cache at all.
    [[nodiscard]] bool exists() const noexcept { return !lines_.empty(); }
    /// Whether loads of global memory look into it.
    [[nodiscard]] bool holds_global() const noexcept { return holds_global_; }
    /// Whether stores to global memory stay here.
    [[nodiscard]] bool writes_back() const noexcept { return writes_back_; }
    /// Whether a store to the global line stays here, if writes_back().
    [[nodiscard]] bool keeps_store(std::uint32_t line) const noexcept {
        return allocates_ || find(line) != nowhere;
    }

    /// A load of some bytes. `room`: requests that the way to memory takes now. `by`: whose private
    /// memory it is, or who brings the line.
    answer load_global(std::uint32_t line, const byte_mask& bytes, unsigned room,
                       const line_user& by = {});
    answer load_private(std::uint32_t line, const byte_mask& bytes, unsigned room,
                        const line_user& by);
    /// Writes private bytes, which stay here: hit or failed. `data` is indexed like the line.
    answer store_private(std::uint32_t line, const byte_mask& bytes, const std::uint8_t* data,
                         unsigned room, const line_user& by);
    /// The same for bytes of global memory; only if writes_back().
    answer keep_global(std::uint32_t line, const byte_mask& bytes, const std::uint8_t* data,
                       unsigned room, const line_user& by);
    /// Memory is about to get these bytes: keeps the own copy up to date, closes a pending miss.
    void store_global(std::uint32_t line, const byte_mask& bytes, const std::uint8_t* data);
    /// Memory is about to change the line by an atomic: forgets the own copy, whose dirty bytes are
    /// written back first: hit when that is done.
    answer drop_global(std::uint32_t line, unsigned room);
    /// The same for a private line.
    answer flush_private(std::uint32_t line, unsigned room);
    /// Memory is about to be asked for the line past the cache: writes its dirty bytes back. The
    /// line stays, clean.
    answer clean_global(std::uint32_t line, unsigned room);
    /// The same for the global line that has been dirty longest. There must be one, and room.
    void clean_oldest();
    /// Global lines that are dirty.
    [[nodiscard]] const dirty_lines& dirty() const noexcept { return dirty_; }

    /// What the last load, store, flush or cleaning writes back; null if nothing.
    [[nodiscard]] const eviction* evicted() const noexcept {
        return has_evicted_ ? &evicted_ : nullptr;
    }

    /// A line that has lost its place, and the warp that had brought it.
    struct lost_line {
        std::uint32_t address;
        warp_slot warp;
    };
    /// The one that the last missed load or the last store has pushed out; null if there was room.
    [[nodiscard]] const lost_line* displaced() const noexcept {
        return has_displaced_ ? &displaced_ : nullptr;
    }

    /// Memory's answer to a miss. Returns the line as those who wait have to see it, valid until
    /// the next call.
    const std::uint8_t* fill(miss_register miss, const std::uint8_t* data);

    /// A debugger has changed a byte of memory: changes the copy, too, if the line is here.
    void change(std::uint32_t address, std::uint8_t value) noexcept;
    void invalidate_global();
    /// A dirty private line in [low, high), from place `from` on, which becomes the place behind
    /// it; null: there is none.
    [[nodiscard]] std::optional<std::uint32_t> dirty_private(std::uint64_t low, std::uint64_t high,
                                                             std::size_t& from) const;
    /// Forgets private lines in [low, high), dirty ones too.
    void discard_private(std::uint64_t low, std::uint64_t high);

    /// Has the host's cache fetch what an access to this line, or its fill, will look at.
    void prefetch(std::uint32_t line) const noexcept;

    [[nodiscard]] unsigned misses_pending() const noexcept { return pending_; }
    [[nodiscard]] const l1_data_cache_counters& counters() const noexcept { return counters_; }

private:
    static constexpr std::uint16_t none = 0xffff;
    static constexpr std::uint32_t nowhere = ~0u;
    static constexpr std::uint32_t no_line = 1;  ///< tag of an empty line: no line's address

    struct line_state {
        byte_mask valid;
        byte_mask dirty;
        std::uint64_t used = 0;     ///< larger is more recent
        std::uint16_t miss = none;  ///< whose fill the line is reserved for
        bool is_private = false;
        line_user by;
    };
    struct miss_state {
        std::uint32_t line = 0;
        std::uint32_t place = 0;  ///< index into lines_
        std::uint32_t targets = 0;
        bool install = false;
        byte_mask wanted{};  ///< by the targets
        /// If any: the line has been invalidated since, and these bytes were valid then.
        byte_mask forgotten{};
    };

    /// First place of the line's set.
    [[nodiscard]] std::uint32_t first_of(std::uint32_t line) const noexcept;
    /// Index of the line, or nowhere.
    [[nodiscard]] std::uint32_t find(std::uint32_t line) const noexcept {
        return find(line, first_of(line));
    }
    /// The same for who knows where the line's set begins.
    [[nodiscard]] std::uint32_t find(std::uint32_t line, std::uint32_t first) const noexcept;
    /// Best line to give up of the set that begins there, nowhere if all are reserved.
    [[nodiscard]] std::uint32_t victim(std::uint32_t first) const noexcept;
    answer load(std::uint32_t line, const byte_mask& bytes, unsigned room, bool is_private,
                const line_user& by);
    [[nodiscard]] bool is_dirty(std::uint32_t place) const noexcept {
        return lines_[place].dirty.any();
    }
    answer store(std::uint32_t line, const byte_mask& bytes, const std::uint8_t* data,
                 unsigned room, bool is_private, const line_user& by);
    /// Whether a store has to wait for the fill of the line.
    [[nodiscard]] bool holds_back_store(std::uint32_t place, const byte_mask& bytes) const noexcept;
    answer flush(std::uint32_t place, unsigned room);
    /// Invalidates a global line: all but its dirty bytes.
    void forget(std::uint32_t place);
    void clean(std::uint32_t place);
    /// Makes an empty line at `place`, whatever is there.
    void replace(std::uint32_t place, std::uint32_t line, bool is_private, const line_user& by);
    void write_out(std::uint32_t place);
    /// Takes the line away from its pending miss if it has one, and empties it.
    void close(std::uint32_t place) noexcept;
    [[nodiscard]] std::uint8_t* data(std::uint32_t place) noexcept {
        return &data_[std::size_t{place} * line_bytes_];
    }

    std::uint32_t line_bytes_;
    std::uint32_t line_shift_;
    std::uint32_t ways_;
    std::uint32_t set_bits_;
    std::uint32_t target_limit_;
    bool holds_global_;
    bool writes_back_;
    bool allocates_;  ///< for stores to global memory
    bool hashes_;
    std::vector<std::uint32_t> tags_;
    std::vector<line_state> lines_;
    std::vector<std::uint8_t> data_;
    std::vector<miss_state> misses_;
    std::vector<std::uint16_t> free_misses_;
    dirty_lines dirty_;
    unsigned pending_ = 0;
    unsigned global_lines_ = 0;
    unsigned private_lines_ = 0;
    std::uint64_t clock_ = 0;
    bool has_evicted_ = false;
    bool has_displaced_ = false;
    lost_line displaced_{};
    eviction evicted_{};
    l1_data_cache_counters counters_;
};

}  // namespace heddle
