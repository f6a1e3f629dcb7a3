// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/analytic/limit_study.h"

#include <gmock/gmock.h>

#include "models/analytic/alignment.h"
#include "models/base/error.h"
#include "models/base/random.h"

namespace heddle::analytic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

bool contains(const block_sequence& all, const block_sequence& part) {
    auto next = part.begin();
    for (const std::uint32_t block : all) {
        if (next != part.end() && *next == block) ++next;
    }
    return next == part.end();
}

/// Cost of the cheapest sequence that contains both, by the whole table.
std::uint64_t least_cost(const block_sequence& a, const block_sequence& b,
                         const std::vector<std::uint32_t>& cost) {
    std::vector<std::vector<std::uint64_t>> least(a.size() + 1,
                                                  std::vector<std::uint64_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            auto best = std::numeric_limits<std::uint64_t>::max();
            if (i == 0 && j == 0) best = 0;
            if (i > 0) best = std::min(best, least[i - 1][j] + cost[a[i - 1]]);
            if (j > 0) best = std::min(best, least[i][j - 1] + cost[b[j - 1]]);
            if (i > 0 && j > 0 && a[i - 1] == b[j - 1]) {
                best = std::min(best, least[i - 1][j - 1] + cost[a[i - 1]]);
            }
            least[i][j] = best;
        }
    }
    return least[a.size()][b.size()];
}

TEST(alignment, is_the_cheapest_of_random_sequences) {
    random_stream random(1, "alignment");
    const std::vector<std::uint32_t> cost{1, 7, 2, 30};
    for (unsigned round = 0; round < 2000; ++round) {
        block_sequence sequences[2];
        for (auto& sequence : sequences) {
            for (auto n = random.below(12); n > 0; --n) {
                sequence.push_back(static_cast<std::uint32_t>(random.below(cost.size())));
            }
        }
        const auto merged = merge(sequences[0], sequences[1], cost);
        ASSERT_TRUE(contains(merged, sequences[0]));
        ASSERT_TRUE(contains(merged, sequences[1]));
        ASSERT_EQ(cost_of(merged, cost), least_cost(sequences[0], sequences[1], cost));
    }
}

/// Writes lines of a --retire file.
class retired {
public:
    /// The lanes of warp 0 execute an instruction.
    void add(unsigned pc, unsigned lanes, const char* text = "addi a0, a0, 0x1") {
        traces_.add(line(1, 0, pc, lanes, text));
    }
    static std::string line(unsigned launch, unsigned block, unsigned pc, unsigned lanes,
                            const char* text) {
        char buffer[200];
        std::snprintf(buffer, sizeof buffer, "7\t0\t0\t%u\t%u\t0\t1\t0x%08x\t%08x\t%s\t-\t-",
                      launch, block, pc, lanes, text);
        return buffer;
    }
    [[nodiscard]] limit_study study() {
        traces_.find_blocks();
        return study_reconvergence(traces_);
    }
    thread_traces traces_;
};

TEST(thread_traces, cut_at_branches_targets_calls_and_barriers) {
    retired file;
    // Lanes 0 and 1: a branch over two instructions, which lane 1 takes.
    file.add(0, 3);
    file.add(4, 3, "beq a0, zero, 0x10");
    file.add(8, 1);
    file.add(12, 1);
    file.add(16, 3, "barrier");
    file.add(20, 3, "jalr ra, 0x20(ra)");
    file.add(64, 3, "jalr zero, 0x0(ra)");
    file.add(24, 3, "exit");
    file.traces_.find_blocks();
    std::vector<std::vector<std::uint32_t>> blocks;
    for (const traced_block& block : file.traces_.blocks()) {
        blocks.push_back({block.first, block.instructions, static_cast<std::uint32_t>(block.end)});
    }
    EXPECT_THAT(blocks,
                ElementsAre(ElementsAre(0, 2, 0), ElementsAre(8, 2, 0), ElementsAre(16, 1, 4),
                            ElementsAre(20, 1, 1), ElementsAre(24, 1, 3), ElementsAre(64, 1, 2)));
    const auto warps = file.traces_.warps(128, 4);
    ASSERT_EQ(warps.size(), 1);
    EXPECT_THAT(warps[0], ElementsAre(ElementsAre(0, 1, 2, 3, 5, 4), ElementsAre(0, 2, 3, 5, 4)));
}

TEST(thread_traces, group_threads_of_a_block_and_take_the_first_of_each_launch) {
    thread_traces traces;
    for (const unsigned launch : {1U, 2U}) {
        for (const unsigned block : {10U, 9U}) {
            traces.add(retired::line(launch, block, 0, 0x3f, "exit"));
        }
    }
    traces.find_blocks();
    std::vector<std::size_t> sizes;
    for (const auto& warp : traces.warps(11, 4)) sizes.push_back(warp.size());
    EXPECT_THAT(sizes, ElementsAre(4, 2, 4, 1, 4, 2, 4, 1));
}

TEST(thread_traces, refuse_other_files) {
    for (const char* line : {"n,x", "7\t0\t0\t1\t0\t0\t1\t0xyz\t1\texit\t-\t-",
                             "7\t0\t0\t1\t0\t0\t1\t0x10\t1\texit"}) {
        thread_traces traces;
        try {
            traces.add(line);
            ADD_FAILURE() << line;
        } catch (const configuration_error& error) {
            EXPECT_THAT(error.what(), HasSubstr(line));
        }
    }
}

TEST(limit_study, meets_at_the_post_dominator_and_counts_both_arms) {
    retired file;
    // Two arms of 3 and 2 instructions, and one behind them: NREC issues that one twice.
    file.add(0, 15, "beq a0, zero, 0x10");
    for (const unsigned pc : {4U, 8U, 12U}) file.add(pc, 7);
    for (const unsigned pc : {16U, 20U}) file.add(pc, 8);
    file.add(24, 15, "exit");
    const limit_study study = file.study();
    EXPECT_EQ(study.warps, 1);
    EXPECT_EQ(study.thread_instructions, 4 + 9 + 2 + 4);
    EXPECT_EQ(study.no_reconvergence, 1 + 3 + 2 + 2);
    EXPECT_EQ(study.post_dominator, 1 + 3 + 2 + 1);
    EXPECT_EQ(study.oracle, 7);
}

TEST(limit_study, a_function_called_in_both_arms_is_shared_by_the_oracle_only) {
    retired file;
    file.add(0, 3, "beq a0, zero, 0x10");
    file.add(4, 1, "jal ra, 0x80");
    file.add(16, 2, "jal ra, 0x80");
    for (const unsigned pc : {0x80U, 0x84U, 0x88U}) file.add(pc, 3);
    file.add(0x8c, 3, "jalr zero, 0x0(ra)");
    file.add(8, 1, "jal zero, 0xc");
    file.add(20, 3, "exit");
    const limit_study study = file.study();
    EXPECT_EQ(study.post_dominator, 1 + (1 + 4 + 1) + (1 + 4) + 1);
    EXPECT_EQ(study.oracle, 1 + 1 + 1 + 4 + 1 + 1);
    EXPECT_EQ(study.no_reconvergence, study.post_dominator + 1);
}

/// Threads 0 and 3 go through two blocks in one order, threads 1 and 2 in the other. Whoever is
/// merged first with one of the other order takes three blocks, and then not always the same three.
TEST(limit_study, pairs_the_threads_in_all_three_ways) {
    for (const auto& [like_the_first, others] : {std::pair{3U, 12U}, {5U, 10U}, {9U, 6U}}) {
        retired file;
        file.add(0, 15, "beq a0, zero, 0x20");
        file.add(16, like_the_first, "beq a1, zero, 0x20");
        file.add(32, like_the_first, "beq a1, zero, 0x10");
        file.add(32, others, "beq a1, zero, 0x10");
        file.add(16, others, "beq a1, zero, 0x20");
        file.add(48, 15, "exit");
        EXPECT_EQ(file.study().oracle, 1 + 3 + 1) << like_the_first;
    }
}

/// The loop of figure 3.3: odd threads take the body in even iterations, even threads in odd ones.
limit_study contrived(unsigned ratio, unsigned iterations, bool barriers) {
    retired file;
    const unsigned body = 5 * ratio;
    for (unsigned i = 0; i < iterations; ++i) {
        file.add(0, 15);
        file.add(4, 15, "beq a0, zero, 0x10");
        const unsigned takes = i % 2 == 0 ? 10 : 5;
        for (unsigned n = 0; n < body; ++n) file.add(8 + 4 * n, takes);
        const unsigned behind = 8 + 4 * body;
        file.add(behind, 15, barriers ? "barrier" : "addi a1, a1, 0x1");
        file.add(behind + 4, 15);
        file.add(behind + 8, 15, "bne a1, zero, 0x0");
    }
    return file.study();
}

TEST(limit_study, gains_what_the_closed_form_says_unless_barriers_stop_it) {
    for (const unsigned ratio : {1U, 8U, 23U}) {
        const limit_study study = contrived(ratio, 200, false);
        EXPECT_EQ(study.post_dominator, 200 * 5 * (1 + ratio));
        const double r = ratio;
        const double gain =
            static_cast<double>(study.post_dominator) / static_cast<double>(study.oracle);
        EXPECT_NEAR(gain / (2 * (1 + r) / (2 + r)), 1, 0.02) << ratio;
        const limit_study held = contrived(ratio, 20, true);
        EXPECT_EQ(held.oracle, held.post_dominator) << ratio;
    }
}

}  // namespace
}  // namespace heddle::analytic
