// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The context of a cooperative kernel against a naive machine of its semantics, which keeps a state
// for each block and counts by looking at all of them.
#include "models/simt/cooperation_context.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "models/base/random.h"

namespace heddle::simt {
namespace {

enum class action : std::uint8_t { offer_kill, request_fork, arrive, arrive_resizing };

class naive_kernel {
public:
    enum class block : std::uint8_t { absent, runs, waits, ended_at_barrier };

    naive_kernel(std::uint32_t most, std::uint32_t started, cooperation_rules rules)
        : blocks(most, block::absent), rules_(rules) {
        std::fill_n(blocks.begin(), started, block::runs);
    }
    /// True: the block ends.
    bool offer_kill(std::uint32_t id, const cooperation_terms& terms) {
        if (!rules_.resizes || terms.wanted == 0 || id == 0 || some(block::ended_at_barrier)) {
            return false;
        }
        for (std::uint32_t higher = id + 1; higher < blocks.size(); ++higher) {
            if (blocks[higher] != block::absent) return false;
        }
        blocks[id] = block::absent;
        return true;
    }
    std::uint32_t request_fork(const cooperation_terms& terms) {
        return some(block::ended_at_barrier) ? 0 : start(terms);
    }
    bool arrive(std::uint32_t id, bool resizing, const cooperation_terms& terms) {
        resizing_ = resizing;
        bool highest = id != 0;
        for (std::uint32_t higher = id + 1; higher < blocks.size(); ++higher) {
            highest = highest && blocks[higher] != block::runs && blocks[higher] != block::waits;
        }
        const bool ends =
            resizing && rules_.resizes && !rules_.query && terms.wanted != 0 && highest;
        blocks[id] = ends ? block::ended_at_barrier : block::waits;
        return ends;
    }
    [[nodiscard]] bool complete() const { return some(block::waits) && !some(block::runs); }
    cooperation_change release(const cooperation_terms& terms) {
        for (block& b : blocks) {
            if (b == block::ended_at_barrier) b = block::absent;
            if (b == block::waits) b = block::runs;
        }
        cooperation_change change{groups(), 0, 0};
        if (!resizing_ || !rules_.resizes) return change;
        if (rules_.query) {
            while (change.killed < terms.wanted && groups() > 1) {
                blocks[groups() - 1] = block::absent;
                ++change.killed;
            }
        }
        if (terms.wanted == 0) change.forked = start(terms);
        return change;
    }
    /// As blocks see it.
    [[nodiscard]] std::uint32_t groups() const {
        return static_cast<std::uint32_t>(std::find(blocks.begin(), blocks.end(), block::absent) -
                                          blocks.begin());
    }
    [[nodiscard]] bool some(block what) const {
        return std::find(blocks.begin(), blocks.end(), what) != blocks.end();
    }
    [[nodiscard]] bool dense() const {
        return std::all_of(blocks.begin() + groups(), blocks.end(),
                           [](block b) { return b == block::absent; });
    }
    std::vector<block> blocks;

private:
    std::uint32_t start(const cooperation_terms& terms) {
        if (!rules_.resizes || terms.wanted != 0) return 0;
        std::uint32_t started = 0;
        for (block& b : blocks) {
            if (b != block::absent || started == terms.places) continue;
            b = block::runs;
            ++started;
        }
        return started;
    }

    cooperation_rules rules_;
    bool resizing_ = false;
};

/// Both machines, which must agree after each call.
struct pair {
    pair(std::uint32_t most, std::uint32_t started, cooperation_rules rules)
        : context(most, started, rules), naive(most, started, rules) {}

    /// A running block calls; released barriers go on with the same terms.
    void call(std::uint32_t id, action what, const cooperation_terms& terms) {
        switch (what) {
            case action::offer_kill:
                ASSERT_EQ(context.offer_kill(id, terms), naive.offer_kill(id, terms));
                break;
            case action::request_fork:
                ASSERT_EQ(context.request_fork(terms), naive.request_fork(terms));
                break;
            default: {
                const bool resizing = what == action::arrive_resizing;
                const bool ends = naive.arrive(id, resizing, terms);
                ASSERT_EQ(context.arrive(id, resizing, terms),
                          ends ? cooperation_context::arrival::ends
                               : cooperation_context::arrival::waits);
            }
        }
        ASSERT_EQ(context.complete(), naive.complete());
        if (context.complete()) {
            const cooperation_change got = context.release(terms);
            const cooperation_change expected = naive.release(terms);
            ASSERT_EQ(got.groups, expected.groups);
            ASSERT_EQ(got.killed, expected.killed);
            ASSERT_EQ(got.forked, expected.forked);
        }
        ASSERT_EQ(context.groups(), naive.groups());
        ASSERT_TRUE(naive.dense());
        ASSERT_GE(context.groups(), 1u);
        ASSERT_LE(context.groups(), context.most());
        ASSERT_NE(naive.blocks[0], naive_kernel::block::absent);
    }

    cooperation_context context;
    naive_kernel naive;
};

/// All states that three blocks can reach, and all calls in each of them with all terms. All blocks
/// that come to one barrier come to the same kind.
class every_order {
public:
    explicit every_order(cooperation_rules rules) {
        for (std::uint32_t started = 1; started <= 3; ++started) visit(pair(3, started, rules), -1);
        while (!open_.empty() && !testing::Test::HasFatalFailure()) {
            const auto [from, kind] = open_.back();
            open_.pop_back();
            for (std::uint32_t id = 0; id < 3; ++id) {
                if (from.naive.blocks[id] == naive_kernel::block::runs) call_all(from, kind, id);
            }
        }
    }
    [[nodiscard]] std::size_t states() const { return seen_.size(); }

private:
    using key = std::tuple<std::vector<naive_kernel::block>, std::uint32_t, std::uint32_t,
                           std::uint32_t, int>;

    void visit(const pair& state, int kind) {
        const cooperation_context& c = state.context;
        if (seen_.insert({state.naive.blocks, c.groups(), c.expected(), c.arrived(), kind})
                .second) {
            open_.emplace_back(state, kind);
        }
    }
    void call_all(const pair& from, int kind, std::uint32_t id) {
        for (const action what :
             {action::offer_kill, action::request_fork, action::arrive, action::arrive_resizing}) {
            const bool arrives = what == action::arrive || what == action::arrive_resizing;
            if (arrives && kind >= 0 && kind != static_cast<int>(what)) continue;
            for (std::uint32_t wanted = 0; wanted < 4; ++wanted) {
                for (std::uint32_t places = 0; places < (wanted == 0 ? 4U : 1U); ++places) {
                    pair next = from;
                    next.call(id, what, {wanted, places});
                    if (testing::Test::HasFatalFailure()) return;
                    const bool open = next.naive.some(naive_kernel::block::waits) ||
                                      next.naive.some(naive_kernel::block::ended_at_barrier);
                    visit(next, !open ? -1 : arrives ? static_cast<int>(what) : kind);
                }
            }
        }
    }

    std::set<key> seen_;
    std::vector<std::pair<pair, int>> open_;
};

TEST(cooperation_context, three_blocks_in_every_order) {
    for (const bool query : {false, true}) {
        for (const bool resizes : {false, true}) {
            const every_order all({resizes, query});
            EXPECT_GE(all.states(), 14u);
        }
    }
}

TEST(cooperation_context, random_calls) {
    random_stream random(7, "cooperation_context");
    for (unsigned run = 0; run < 400; ++run) {
        const auto most = static_cast<std::uint32_t>(random.below(12) + 1);
        const auto started = static_cast<std::uint32_t>(random.below(most) + 1);
        pair both(most, started, {random.below(8) != 0, random.below(2) != 0});
        action barrier = action::arrive;
        for (unsigned step = 0; step < 300; ++step) {
            std::vector<std::uint32_t> running;
            for (std::uint32_t id = 0; id < most; ++id) {
                if (both.naive.blocks[id] == naive_kernel::block::runs) running.push_back(id);
            }
            ASSERT_FALSE(running.empty());
            const std::uint32_t id = running[random.below(running.size())];
            const bool open = both.naive.some(naive_kernel::block::waits) ||
                              both.naive.some(naive_kernel::block::ended_at_barrier);
            if (!open) barrier = random.below(3) == 0 ? action::arrive : action::arrive_resizing;
            const auto choice = random.below(4);
            cooperation_terms terms;
            if (random.below(2) == 0) {
                terms.wanted = static_cast<std::uint32_t>(random.below(most) + 1);
            } else {
                terms.places = static_cast<std::uint32_t>(random.below(most + 1));
            }
            both.call(id,
                      choice == 0   ? action::offer_kill
                      : choice == 1 ? action::request_fork
                                    : barrier,
                      terms);
            ASSERT_FALSE(HasFatalFailure());
        }
    }
}

/// Without query the k highest end if they come in the order of their ids from above, which has the
/// probability 1/k!: the mean is e - 1.
TEST(cooperation_context, offers_at_arrival_end_e_minus_1_blocks_on_the_mean) {
    constexpr std::uint32_t blocks = 24;
    constexpr unsigned barriers = 40'000;
    random_stream random(11, "cooperation_context");
    std::uint64_t killed = 0;
    for (unsigned barrier = 0; barrier < barriers; ++barrier) {
        cooperation_context context(blocks, blocks, {true, false});
        std::vector<std::uint32_t> order(blocks);
        std::iota(order.begin(), order.end(), 0U);
        for (std::uint32_t i = blocks; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        for (const std::uint32_t id : order) {
            killed += context.arrive(id, true, {blocks, 0}) == cooperation_context::arrival::ends;
            EXPECT_EQ(context.groups(), blocks);  // changes at the release only
        }
        ASSERT_TRUE(context.complete());
        (void)context.release({blocks, 0});
    }
    const double mean = static_cast<double>(killed) / barriers;
    EXPECT_NEAR(mean, std::exp(1.0) - 1, 0.02);
}

TEST(cooperation_context, query_ends_all_that_are_wanted_at_once) {
    for (const std::uint32_t wanted : {1u, 5u, 23u, 24u, 100u}) {
        cooperation_context context(24, 24, {true, true});
        for (std::uint32_t id = 0; id < 24; ++id) {
            EXPECT_EQ(context.arrive(id, true, {wanted, 0}), cooperation_context::arrival::waits);
        }
        EXPECT_EQ(context.release({wanted, 0}).killed, std::min(wanted, 23u));
        EXPECT_EQ(context.groups(), 24 - std::min(wanted, 23u));
    }
}

TEST(cooperation_context, starts_nothing_while_others_wait_for_room) {
    cooperation_context context(8, 3, {true, true});
    EXPECT_EQ(context.request_fork({1, 4}), 0U);
    EXPECT_EQ(context.request_fork({0, 4}), 4U);
    EXPECT_EQ(context.groups(), 7U);
}

TEST(cooperation_context, refuses_two_kinds_of_barrier) {
    cooperation_context context(3, 3, {true, true});
    EXPECT_EQ(context.arrive(0, true, {}), cooperation_context::arrival::waits);
    EXPECT_EQ(context.arrive(1, false, {}), cooperation_context::arrival::mixed);
    EXPECT_EQ(context.arrived(), 1u);
}

}  // namespace
}  // namespace heddle::simt
