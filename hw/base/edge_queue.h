// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle {

class clock_domain;

/// Edges of clock domains, the earliest first.
///
/// Edges at one time come in the order of the event queue of SystemC's kernel (sc_ppq): a binary
/// heap, which does not keep the order of insertion. So what is written down in the order of calls
/// is the same whether domains run ahead of the kernel or not.
class edge_queue {
public:
    struct entry {
        std::uint64_t time = 0;
        clock_domain* domain = nullptr;
        std::uint64_t order = 0;  ///< of insertion
    };

    [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }
    /// Call top() and pop() only if not empty().
    [[nodiscard]] const entry& top() const noexcept { return heap_.front(); }
    void insert(const entry& added) {
        heap_.push_back(added);
        std::size_t at = heap_.size() - 1;
        for (; at > 0 && heap_[(at - 1) / 2].time > added.time; at = (at - 1) / 2) {
            heap_[at] = heap_[(at - 1) / 2];
        }
        heap_[at] = added;
    }
    void pop() {
        heap_.front() = heap_.back();
        heap_.pop_back();
        for (std::size_t at = 0, left = 1; left < heap_.size(); left = 2 * at + 1) {
            std::size_t earliest = heap_[left].time < heap_[at].time ? left : at;
            const std::size_t right = left + 1;
            if (right < heap_.size() && heap_[right].time < heap_[earliest].time) earliest = right;
            if (earliest == at) return;
            std::swap(heap_[at], heap_[earliest]);
            at = earliest;
        }
    }

private:
    std::vector<entry> heap_;
};

}  // namespace heddle
