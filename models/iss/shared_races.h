// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::iss {

/// Finds accesses of two warps of a block to one word of its shared memory without a barrier
/// between them, one of which changes it: what they give depends on which warp is faster. Atomics
/// don't race with each other. Remembers the last writer and reader of a word, so that of many
/// races not all are found, but a word that is raced for is.
class shared_races {
public:
    struct access {
        std::uint16_t warp = 0;
        std::uint32_t pc = 0;
    };
    enum class kind { read, write, atomic };

    explicit shared_races(std::size_t bytes) : words_((bytes + 3) / 4) {}

    /// All threads of the block have met.
    void barrier() noexcept { ++epoch_; }

    /// The access that this one races with. `changes`: a write leaves another value than it found.
    std::optional<access> note(std::size_t offset, kind what, const access& by, bool changes) {
        word& w = words_[offset / 4];
        std::optional<access> other;
        const bool written = w.write_epoch == epoch_ && w.writer.warp != by.warp;
        const bool was_read =
            w.read_epoch == epoch_ && (w.several_readers || w.reader.warp != by.warp);
        if (what == kind::read) {
            if (written) other = w.writer;
            w.several_readers = was_read || (w.several_readers && w.read_epoch == epoch_);
            w.reader = by;
            w.read_epoch = epoch_;
            return other;
        }
        if (!changes) return other;
        if (written && !(w.write_atomic && what == kind::atomic)) other = w.writer;
        if (was_read) other = w.reader;
        w.writer = by;
        w.write_epoch = epoch_;
        w.write_atomic = what == kind::atomic;
        return other;
    }

private:
    struct word {
        access writer;
        access reader;
        std::uint32_t write_epoch = 0;
        std::uint32_t read_epoch = 0;
        bool write_atomic = false;
        bool several_readers = false;
    };

    std::vector<word> words_;
    std::uint32_t epoch_ = 1;
};

}  // namespace heddle::iss
