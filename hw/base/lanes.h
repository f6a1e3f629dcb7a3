// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

class clock_domain;
class clocked;

/// Which thread of a crew evaluates which part. Domains are counted by their
/// place in the edge_loop, parts by their place in the domain.
///
/// Parts are dealt by weight x evaluations since the last deal, the largest
/// first, each to the thread that has the least so far. Time is never measured,
/// so a run always deals alike.
class lanes {
public:
    explicit lanes(unsigned threads) : masks_(threads), counts_(threads) {}

    /// Before prepare(): the part is shared.
    void share(clocked& part, std::uint32_t weight) { shared_.push_back({&part, weight}); }
    [[nodiscard]] bool empty() const noexcept { return shared_.empty(); }
    /// Once, when all parts have been constructed. Deals them.
    void prepare(const std::vector<clock_domain*>& domains);
    /// By the evaluations since the last time.
    void deal();

    /// 0: the part is not shared.
    [[nodiscard]] const std::vector<std::uint32_t>& weights(std::size_t domain) const noexcept {
        return weights_[domain];
    }
    /// One bit for each part that the thread evaluates.
    [[nodiscard]] const std::vector<std::uint64_t>& of(std::size_t thread,
                                                       std::size_t domain) const noexcept {
        return masks_[thread][domain];
    }
    /// From the thread that has evaluated the part.
    void count(std::size_t thread, std::size_t domain, std::size_t part) noexcept {
        ++counts_[thread][domain][part];
    }
    /// Weights of the shared parts that are awake at the edges of these domains.
    [[nodiscard]] std::uint32_t awake_weight(const std::vector<clock_domain*>& due) const;

private:
    struct shared_part {
        clocked* part;
        std::uint32_t weight;
    };
    template <class T>
    using by_domain = std::vector<std::vector<T>>;

    void deal(std::size_t domain);

    std::vector<shared_part> shared_;
    std::vector<clock_domain*> domains_;
    by_domain<std::uint32_t> weights_;
    std::vector<by_domain<std::uint64_t>> masks_;   ///< by thread
    std::vector<by_domain<std::uint32_t>> counts_;  ///< by thread: evaluations of parts
};

}  // namespace heddle
