// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <tlm>

#include "hw/l2/l2_configuration.h"
#include "hw/l2/line_store.h"
#include "hw/l2/miss_table.h"
#include "hw/l2/reservations.h"
#include "hw/l2/write_buffer.h"
#include "hw/protocol/memory_access.h"

namespace heddle {

class written_pages;

struct l2_counts {
    std::uint64_t accesses = 0, hits = 0, misses = 0, mshr_merges = 0;
    std::uint64_t loads = 0, stores = 0, atomics = 0;
    std::uint64_t fetches = 0, evictions = 0, write_backs = 0, errors = 0;
    /// Stores and atomics that changed a value, for the watchdog (perform_access()). A store to
    /// bytes that the cache does not hold counts as one, unless it holds none at all.
    std::uint64_t changes = 0;

    static constexpr std::uint64_t l2_counts::*fields[] = {
        &l2_counts::accesses,    &l2_counts::hits,    &l2_counts::misses,
        &l2_counts::mshr_merges, &l2_counts::loads,   &l2_counts::stores,
        &l2_counts::atomics,     &l2_counts::fetches, &l2_counts::evictions,
        &l2_counts::write_backs, &l2_counts::errors};
};

/// One L2 bank without its time: lines, misses, write-backs, atomics.
///
/// Write-back; a store allocates its line without a fetch and makes its bytes valid and dirty. A
/// load or an atomic that needs other bytes gets a miss_table entry, and every later access to the
/// line waits behind it, so that accesses to one address take effect in their order. What is
/// fetched fills only bytes that are not valid. Evicted dirty bytes go to the write buffer, which
/// is looked at whenever a line comes back. Without a cache (size 0) a line stays only while
/// accesses wait for it.
class l2_cache {
public:
    using payload = tlm::tlm_generic_payload;
    enum class outcome : std::uint8_t { performed, missed, merged, stalled };
    /// Why an access has to wait before it is taken.
    enum class stall : std::uint8_t { none, misses, mshr_targets, ways, write_buffer };

    /// Which request of the bank an answer of memory belongs to.
    struct request_name {
        enum class kind : std::uint8_t { none, fetch, fill, write } what = kind::none;
        std::uint32_t slot = 0;  ///< of the miss table, of the write buffer for fill and write
        bool whole = true;       ///< no byte of it is left out

        /// In one word, and back.
        using word = strong_index<struct l2_request_tag>;
        [[nodiscard]] word packed() const noexcept {
            return word(slot << 3 | static_cast<std::uint32_t>(what) << 1 | (whole ? 1U : 0U));
        }
        [[nodiscard]] static request_name of(word packed) noexcept {
            const std::uint32_t bits = packed.value();
            return {static_cast<kind>(bits >> 1 & 3U), bits >> 3, (bits & 1U) != 0};
        }
    };
    /// What the bank wants of memory. `data` stays where it is until the answer.
    struct memory_request : request_name {
        std::uint64_t address = 0;
        unsigned length = 0;
        std::uint8_t* data = nullptr;
        byte_mask enabled;  ///< relative to address
        protocol::launch_id launch{};
        /// fetch: the access that missed, until the request is sent.
        const protocol::memory_access* cause = nullptr;
    };

    explicit l2_cache(const l2_configuration& configuration);

    /// Has the host's cache fetch what an access at this address will look at.
    void prefetch(std::uint64_t address) const noexcept {
        if (keeps_lines_) lines_.prefetch(address >> line_shift_);
    }

    /// A legal request (check_request()), seen for the first time. Stalled: nothing has changed;
    /// missed, merged: the cache keeps it and replay() returns it when it has been performed.
    /// `access`: the request's own.
    outcome access(payload& request, protocol::memory_access& access);
    /// Why access() or replay() has stalled.
    [[nodiscard]] stall reason() const noexcept { return reason_; }

    /// Whether waiting accesses can be tried again.
    [[nodiscard]] bool replay_ready() const noexcept { return !misses_.ready().empty(); }
    /// Tries the oldest one, which is returned when it has been performed or answered with the
    /// error of its fetch. Null: it stalled, or needs another fetch.
    payload* replay();

    /// Whether next_memory_request() may have one; most cycles of a bank have none.
    [[nodiscard]] bool wants_memory() const noexcept {
        return !misses_.to_fetch().empty() || write_buffer_.waits();
    }
    /// What to send to memory next: fetches first, unless the write buffer is full.
    [[nodiscard]] memory_request next_memory_request();
    void sent(const memory_request& request);
    /// Memory has answered. `times` goes to the accesses that waited for a fetch.
    void answered(const request_name& request, tlm::tlm_response_status status,
                  const protocol::fetch_times& times = {});

    /// Where stores and atomics are to be marked.
    void mark_writes(written_pages& in) noexcept { written_ = &in; }

    /// The newest bytes that the bank has of a line; the others of `data` are left alone.
    byte_mask read_debug(std::uint64_t line, std::uint8_t* data) const;
    /// Memory gets the same bytes by its own debug transport.
    void write_debug(std::uint64_t line, const std::uint8_t* data, const byte_mask& bytes);

    /// What is read is in memory, and nothing has to know of what is written there.
    [[nodiscard]] bool empty() const noexcept {
        return lines_.empty() && write_buffer_.empty() && reserved_.empty();
    }
    /// Nothing waits and nothing is under way; lines may be dirty.
    [[nodiscard]] bool idle() const noexcept {
        return misses_.used() == 0 && write_buffer_.empty();
    }
    [[nodiscard]] const l2_counts& counts() const noexcept { return counts_; }
    [[nodiscard]] std::uint32_t misses_used() const noexcept { return misses_.used(); }
    [[nodiscard]] std::uint32_t write_buffer_used() const noexcept { return write_buffer_.used(); }
    void count_error() noexcept { ++counts_.errors; }

private:
    outcome stalled(stall why);
    void perform(payload& request, protocol::memory_access& access, line_store::index way);
    void count(const protocol::memory_access& access);
    /// Makes room for `line` and puts it there with what the write buffer has of it; none, after
    /// stalled(), if there is no room.
    line_store::index bring_in(std::uint64_t line);
    void evict(line_store::index way);
    /// Bytes that the access needs and the line lacks.
    [[nodiscard]] byte_mask missing(const payload& request, const protocol::memory_access& access,
                                    line_store::index way) const;
    void want_fetch(miss_table::index at, const byte_mask& bytes);
    [[nodiscard]] bool can_leave(const protocol::memory_access& access, line_store::index way,
                                 std::uint64_t line) const;
    void close(miss_table::index at);

    const l2_configuration configuration_;
    const unsigned line_shift_;  ///< lines are powers of two
    const bool keeps_lines_;
    line_store lines_;
    miss_table misses_;
    write_buffer write_buffer_;
    reservations reserved_;
    written_pages* written_ = nullptr;  ///< null: nobody asks
    stall reason_ = stall::none;
    l2_counts counts_;
};

}  // namespace heddle
