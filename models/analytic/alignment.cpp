// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/analytic/alignment.h"

#include <algorithm>
#include <iterator>

namespace heddle::analytic {
namespace {

using iterator = block_sequence::const_iterator;
using reverse = std::reverse_iterator<iterator>;

/// Merges by halves: the first half of a with the part of b that suits it, then the rest.
class merger {
public:
    explicit merger(const std::vector<std::uint32_t>& cost) : cost_(cost) {}

    void merge(iterator a, iterator a_end, iterator b, iterator b_end) {
        while (a != a_end && b != b_end && *a == *b) {
            merged.push_back(*a++);
            ++b;
        }
        iterator a_same = a_end;
        iterator b_same = b_end;
        while (a_same != a && b_same != b && *std::prev(a_same) == *std::prev(b_same)) {
            --a_same;
            --b_same;
        }
        merge_different(a, a_same, b, b_same);
        merged.insert(merged.end(), a_same, a_end);
    }

    block_sequence merged;

private:
    void merge_different(iterator a, iterator a_end, iterator b, iterator b_end) {
        if (a_end - a < 2 || b == b_end) {
            // One block of a at most, and where b has it, there.
            const iterator place = a == a_end ? b_end : std::find(b, b_end, *a);
            if (place == b_end) merged.insert(merged.end(), a, a_end);
            merged.insert(merged.end(), b, b_end);
            return;
        }
        const iterator a_middle = a + (a_end - a) / 2;
        const auto before = shared(a, a_middle, b, b_end);
        const auto behind = shared(reverse(a_end), reverse(a_middle), reverse(b_end), reverse(b));
        const std::size_t length = before.size() - 1;
        std::size_t best = 0;
        for (std::size_t i = 1; i <= length; ++i) {
            if (before[i] + behind[length - i] > before[best] + behind[length - best]) best = i;
        }
        const iterator b_middle = b + static_cast<std::ptrdiff_t>(best);
        merge(a, a_middle, b, b_middle);
        merge(a_middle, a_end, b_middle, b_end);
    }

    /// [n]: the most that [a, a_end) can share with the first n blocks of b.
    template <class Iterator>
    [[nodiscard]] std::vector<std::uint64_t> shared(Iterator a, Iterator a_end, Iterator b,
                                                    Iterator b_end) const {
        std::vector<std::uint64_t> most(static_cast<std::size_t>(b_end - b) + 1);
        for (; a != a_end; ++a) {
            std::uint64_t diagonal = 0;
            std::size_t n = 1;
            for (Iterator place = b; place != b_end; ++place, ++n) {
                const std::uint64_t above = most[n];
                most[n] = *place == *a ? diagonal + cost_[*a] : std::max(above, most[n - 1]);
                diagonal = above;
            }
        }
        return most;
    }

    const std::vector<std::uint32_t>& cost_;
};

}  // namespace

block_sequence merge(const block_sequence& a, const block_sequence& b,
                     const std::vector<std::uint32_t>& cost) {
    merger merging(cost);
    merging.merge(a.begin(), a.end(), b.begin(), b.end());
    return std::move(merging.merged);
}

std::uint64_t cost_of(const block_sequence& blocks, const std::vector<std::uint32_t>& cost) {
    std::uint64_t sum = 0;
    for (const std::uint32_t block : blocks) sum += cost[block];
    return sum;
}

}  // namespace heddle::analytic
