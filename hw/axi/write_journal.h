// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

namespace heddle::axi {

/// Bytes that the memory behind a bus may lack: for accesses that go around the bus.
///
/// - Writes that the subordinate has answered, but may still hold (its idle pin is low).
/// - Changes by the debug transport while a write was under way, which may come to the memory later
///   and must not undo the change.
/// No simulation kernel. Copies stay allocated and are used again.
class write_journal {
public:
    using payload = tlm::tlm_generic_payload;

    /// `limit`: answered writes that it keeps before it is full().
    explicit write_journal(std::size_t limit) : limit_(limit) {}

    void answered(const payload& write) { answered_.add(write); }
    void changed(const payload& write) { changed_.add(write); }
    /// The subordinate holds no write that it has answered.
    void settled() noexcept { answered_.used = 0; }
    [[nodiscard]] bool full() const noexcept { return answered_.used >= limit_; }
    [[nodiscard]] bool has_answered() const noexcept { return answered_.used != 0; }
    [[nodiscard]] bool has_changes() const noexcept { return changed_.used != 0; }

    /// Puts the bytes of answered writes over those of `read`, the oldest first.
    void overlay_answered(payload& read) const { answered_.overlay(read); }
    void overlay_changes(payload& read) const { changed_.overlay(read); }
    /// Calls f(payload&) for each change, the oldest first, and forgets it.
    template <class Function>
    void redo_changes(Function&& f) {
        for (std::size_t i = 0; i < changed_.used; ++i) f(changed_.all[i]->write);
        changed_.used = 0;
    }

private:
    struct kept_write {
        payload write;
        std::vector<std::uint8_t> data, enables;
    };
    struct list {
        std::vector<std::unique_ptr<kept_write>> all;
        std::size_t used = 0;

        void add(const payload& write);
        void overlay(payload& read) const;
    };

    std::size_t limit_;
    list answered_, changed_;
};

}  // namespace heddle::axi
