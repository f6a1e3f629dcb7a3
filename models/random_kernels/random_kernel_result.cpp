// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <functional>

#include "models/random_kernels/random_kernel.h"

namespace heddle::iss {

namespace {

using kind = statement_kind;
using thread_mask = std::uint64_t;

class kernel_reader {
public:
    kernel_reader(const kernel_tree& kernel, const kernel_arguments& arguments, unsigned threads,
                  unsigned warp_size, unsigned block)
        : kernel_(kernel),
          given_(arguments),
          threads_(threads),
          warp_size_(warp_size),
          own_(threads),
          out_(threads) {
        for (unsigned t = 0; t < threads; ++t) sum_.push_back(t + block * 64);
        own_.assign(threads, arguments.n);
    }

    kernel_result run() {
        const thread_mask all = threads_ == 64 ? ~thread_mask{0} : (thread_mask{1} << threads_) - 1;
        each(run_all(kernel_.body, all), [&](unsigned t) { out_[t] = sum_[t] + own_[t]; });
        return {out_, sums_};
    }

private:
    template <class Action>
    void each(thread_mask threads, Action&& action) {
        for (unsigned t = 0; t < threads_; ++t) {
            if ((threads >> t & 1) != 0) action(t);
        }
    }
    thread_mask those(thread_mask threads, const std::function<bool(unsigned)>& holds) {
        thread_mask found = 0;
        each(threads, [&](unsigned t) { found |= thread_mask{holds(t)} << t; });
        return found;
    }
    std::uint32_t turn(unsigned loops, unsigned t) const {
        return loops == 0 ? 0 : turns_[loops - 1][t];
    }

    bool holds(const condition& c, unsigned loops, unsigned t) const {
        const std::uint32_t bit = 1u << c.other;
        switch (c.what) {
            case test_of::n_above:
                return given_.n > c.value;
            case test_of::m_bit:
                return (given_.m & bit) != 0;
            case test_of::flag_above:
                return given_.flags[c.value] > c.other;
            case test_of::turn_bit:
                return ((turn(loops, t) + given_.m) & bit) == 0;
            case test_of::own_bit:
                return (own_[t] & bit) != 0;
            case test_of::both:
                return given_.n > c.value && (given_.m & bit) != 0;
            case test_of::either:
                return given_.n > c.value || given_.flags[c.other] > 1;
            case test_of::thread_bits:
                return (t & 3) == c.value;
            case test_of::thread_is_turn:
                return t == turn(loops, t) + c.value;
            case test_of::thread_and_n:
                return t > c.value && given_.n > c.other;
            case test_of::sum_bit:
                return (sum_[t] & bit) != 0;
        }
        return false;
    }

    /// Gives the threads that come to the end.
    thread_mask run_all(const statements& all, thread_mask threads) {
        for (const auto& statement : all) {
            if (threads == 0) break;
            threads = run(statement, threads);
        }
        return threads;
    }

    thread_mask run(const statement& s, thread_mask threads) {
        const auto agrees = [&](unsigned t) { return holds(s.when, s.depth, t); };
        switch (s.what) {
            case kind::compute:
                each(threads,
                     [&](unsigned t) { sum_[t] = sum_[t] * 5 + t * s.value + turn(s.depth, t); });
                return threads;
            case kind::own:
                each(threads,
                     [&](unsigned t) { own_[t] = own_[t] * 3 + s.value + turn(s.depth, t); });
                return threads;
            case kind::transact:
                each(threads, [&](unsigned t) {
                    const std::uint32_t twice = (sum_[t] >> s.value & 1) + 1;
                    total_ += (sum_[t] & 7) * twice;
                });
                return threads;
            case kind::gather:
                each(threads, [&](unsigned t) { sum_[t] += total_; });
                return threads;
            case kind::add:
                each(threads, [&](unsigned t) { sums_[s.value % 4] += sum_[t] & 15; });
                return threads;
            case kind::launch:
                each(threads, [&](unsigned t) { launch(s, t); });
                return threads;
            case kind::children:
                each(threads, [&](unsigned t) { sum_[t] += sums_[4]; });
                return threads;
            case kind::offer:
            case kind::fork:
                return threads;
            case kind::everywhere:
            case kind::resize:
            case kind::exchange:
            case kind::vote:
            case kind::shuffle:
                run_together(s, threads);
                return threads;
            case kind::call:
                run_function(kernel_.functions[s.value].body, threads);
                return threads;
            case kind::leave:
                each(threads, [&](unsigned t) { out_[t] = sum_[t] + s.value; });
                returned_ |= threads;
                return 0;
            case kind::end_loop:
            case kind::next_turn: {
                const thread_mask away = those(threads, agrees);
                if (s.what == kind::next_turn) turn_over_.back() |= away;
                return threads & ~away;
            }
            case kind::branch: {
                const thread_mask taken = those(threads, agrees);
                return run_all(s.first, taken) | run_all(s.second, threads & ~taken);
            }
            case kind::choose:
                return choose(s, threads);
            default:
                return loop(s, threads);
        }
    }

    void run_together(const statement& s, thread_mask threads) {
        const auto before = sum_;
        const bool exchanges = s.what != kind::vote && s.what != kind::shuffle;
        if (exchanges) each(threads, [&](unsigned t) { word_[t] = sum_[t]; });
        each(threads, [&](unsigned t) {
            if (exchanges) {
                sum_[t] += word_[(t + s.value + 1) % threads_];
            } else if (s.what == kind::shuffle) {
                // The neighbour of a block's last thread may be none: then the thread's own value.
                const unsigned other = t ^ 1u;
                sum_[t] += before[other < threads_ ? other : t];
            } else {
                each(threads, [&](unsigned other) {
                    // A ballot has 32 bits: the first lanes of a wider warp.
                    const bool counted =
                        other / warp_size_ == t / warp_size_ && other % warp_size_ < 32;
                    if (counted && (before[other] & (1u << s.value)) != 0) ++sum_[t];
                });
            }
        });
    }

    /// The children's kernel, as kernel_printer prints it.
    void launch(const statement& s, unsigned t) {
        if ((t & 15) != s.value) return;
        const std::uint32_t blocks = 1 + (s.value & 1);
        for (unsigned child = 0; child < child_threads; ++child) {
            sums_[4] += blocks * (sum_[t] & 7);
            sums_[5] += blocks * (child & 3);
        }
    }

    void run_function(const statements& body, thread_mask threads) {
        const auto own = own_;
        const auto turns = turns_;
        run_all(body, threads);
        each(threads, [&](unsigned t) { sum_[t] += own_[t]; });
        own_ = own;
        turns_ = turns;
    }

    thread_mask choose(const statement& s, thread_mask threads) {
        const auto value = [&](unsigned t) { return (s.divergent ? sum_[t] : own_[t]) % 3; };
        const thread_mask zero = those(threads, [&](unsigned t) { return value(t) == 0; });
        const thread_mask one = those(threads, [&](unsigned t) { return value(t) == 1; });
        const thread_mask ended = run_all(s.first, zero);
        const thread_mask through = run_all(s.second, one);
        return ended | run_all(s.third, through | (threads & ~zero & ~one));
    }

    thread_mask loop(const statement& s, thread_mask threads) {
        const unsigned own = s.depth;
        turns_.resize(own + 1);
        turns_[own].assign(threads_, 0);
        const auto goes_on = [&](unsigned t) {
            return turns_[own][t] < (s.divergent ? t & 3 : (given_.n & 3) + s.value);
        };
        thread_mask inside = threads;
        while (inside != 0) {
            if (s.what != kind::do_loop) inside = those(inside, goes_on);
            if (s.what == kind::while_loop) each(inside, [&](unsigned t) { ++turns_[own][t]; });
            turn_over_.push_back(0);
            const thread_mask end = run_all(s.first, inside);
            const thread_mask next = end | turn_over_.back();
            turn_over_.pop_back();
            inside = next;
            if (s.what != kind::while_loop) each(inside, [&](unsigned t) { ++turns_[own][t]; });
            if (s.what == kind::do_loop) inside = those(inside, goes_on);
        }
        return threads & ~returned_;
    }

    const kernel_tree& kernel_;
    const kernel_arguments& given_;
    unsigned threads_, warp_size_;
    std::vector<std::uint32_t> sum_, own_, out_;
    std::array<std::uint32_t, 64> word_{};
    std::uint32_t total_ = 0;
    std::array<std::uint32_t, sums_of_block> sums_{};
    std::vector<std::vector<std::uint32_t>> turns_;  ///< each loop's variable, by thread
    thread_mask returned_ = 0;
    std::vector<thread_mask> turn_over_;  ///< threads at a continue, by loop
};

}  // namespace

kernel_result result_of(const kernel_tree& kernel, const kernel_arguments& arguments,
                        unsigned threads, unsigned warp_size, unsigned block) {
    return kernel_reader(kernel, arguments, threads, warp_size, block).run();
}

}  // namespace heddle::iss
