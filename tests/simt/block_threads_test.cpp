// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/block_threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/base/random.h"

namespace heddle::simt {
namespace {

constexpr unsigned lanes = 8;

enum class doing { runs, waits, ended };

/// A block thread by thread, beside the one that is tested.
class naive_block {
public:
    naive_block(std::uint32_t threads, random_stream& random)
        : random_(random), threads_(threads, doing::runs), live_((threads + lanes - 1) / lanes) {
        block_.start(threads);
        for (unsigned warp = 0; warp < live_.size(); ++warp) live_[warp] = those(warp, true);
    }

    [[nodiscard]] bool over() const { return count(doing::ended) == threads_.size(); }

    /// Some threads of a warp that runs exit, or come to the barrier.
    void step() {
        const auto warp = static_cast<unsigned>(random_.below(live_.size()));
        const isa::lane_mask running = those(warp, false);
        if (running == 0) return;
        isa::lane_mask some = random_.chance(0.5) ? running : running & random_.next();
        if (some == 0) some = running;
        if (random_.chance(0.2)) {
            block_.end(some, live_[warp]);
            set(warp, some, doing::ended);
            return;
        }
        const std::uint64_t before = counts_.barriers;
        const bool arrived = block_.arrive(some, live_[warp], counts_);
        ASSERT_EQ(arrived, some == running) << "some threads of the warp are elsewhere";
        ASSERT_EQ(counts_.barriers, before + (arrived ? 1 : 0));
        if (arrived) set(warp, some, doing::waits);
    }

    void compare() {
        ASSERT_EQ(block_.live(), threads_.size() - count(doing::ended));
        ASSERT_EQ(block_.waiting(), count(doing::waits));
        for (unsigned warp = 0; warp < live_.size(); ++warp) {
            ASSERT_EQ(live_[warp], those(warp, true));
        }
        const bool complete = count(doing::runs) == 0 && count(doing::waits) != 0;
        ASSERT_EQ(block_.barrier_complete(), complete);
        if (!complete) return;
        block_.release();
        std::replace(threads_.begin(), threads_.end(), doing::waits, doing::runs);
    }

private:
    [[nodiscard]] std::size_t count(doing what) const {
        return static_cast<std::size_t>(std::count(threads_.begin(), threads_.end(), what));
    }
    /// Lanes of a warp whose threads run, or also (`waiting`) wait.
    [[nodiscard]] isa::lane_mask those(unsigned warp, bool waiting) const {
        isa::lane_mask mask = 0;
        for (unsigned lane = 0; lane < lanes && warp * lanes + lane < threads_.size(); ++lane) {
            const doing what = threads_[warp * lanes + lane];
            if (what == doing::runs || (waiting && what == doing::waits)) {
                mask |= isa::lane_mask{1} << lane;
            }
        }
        return mask;
    }
    void set(unsigned warp, isa::lane_mask some, doing what) {
        for (unsigned lane = 0; lane < lanes; ++lane) {
            if ((some >> lane & 1) != 0) threads_[warp * lanes + lane] = what;
        }
    }

    random_stream& random_;
    std::vector<doing> threads_;
    std::vector<isa::lane_mask> live_;  ///< as an engine keeps them
    block_threads block_;
    execution_counts counts_;
};

TEST(block_threads, random_barriers_and_exits_thread_by_thread) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        random_stream random(seed, "block_threads_test");
        naive_block block(static_cast<std::uint32_t>(1 + random.below(70)), random);
        while (!block.over()) {
            ASSERT_NO_FATAL_FAILURE(block.step());
            ASSERT_NO_FATAL_FAILURE(block.compare());
        }
    }
}

}  // namespace
}  // namespace heddle::simt
