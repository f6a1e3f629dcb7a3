// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/base/apart_allocator.h"

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
    /// Once, when all parts have been constructed. Deals them. Parts of `late`, which may be null,
    /// are evaluated at instants of other domains (late_edges.h).
    void prepare(const std::vector<clock_domain*>& domains, const clock_domain* late = nullptr);
    /// By the evaluations since the last time.
    void deal();

    /// 0: the part is not shared.
    [[nodiscard]] const std::vector<std::uint32_t>& weights(std::size_t domain) const noexcept {
        return weights_[domain];
    }
    /// One bit for each part that the thread evaluates.
    [[nodiscard]] const apart_vector<std::uint64_t>& of(std::size_t thread,
                                                        std::size_t domain) const noexcept {
        return masks_[thread][domain];
    }
    /// From the thread that has evaluated the part.
    void count(std::size_t thread, std::size_t domain, std::size_t part,
               std::uint32_t evaluations = 1) noexcept {
        counts_[thread][domain][part] += evaluations;
    }
    /// Weights of the shared parts that are awake at the edges of these domains.
    [[nodiscard]] std::uint32_t awake_weight(const std::vector<clock_domain*>& due) const;
    /// Whether a part that is not shared is awake at the edges of these domains.
    [[nodiscard]] bool others_awake(const std::vector<clock_domain*>& due) const;

private:
    struct shared_part {
        clocked* part;
        std::uint32_t weight;
    };
    template <class T>
    using by_domain = std::vector<std::vector<T>>;
    /// What one thread reads and writes all the time.
    template <class T>
    using of_thread = std::vector<apart_vector<T>>;

    void deal_together(const std::vector<std::size_t>& domains);

    std::vector<shared_part> shared_;
    std::vector<clock_domain*> domains_;
    by_domain<std::size_t> together_;  ///< domains whose parts are dealt at once
    by_domain<std::uint32_t> weights_;
    std::vector<of_thread<std::uint64_t>> masks_;   ///< by thread and domain
    std::vector<of_thread<std::uint32_t>> counts_;  ///< likewise: evaluations of parts
};

}  // namespace heddle
