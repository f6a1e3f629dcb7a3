// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/thread_progress.h"

#include <algorithm>

#include "models/base/bits.h"

namespace heddle {

thread_progress::thread_progress(const std::string& file, std::uint64_t interval, unsigned threads,
                                 unsigned warp_size)
    : file_(file), interval_(interval), warp_size_(warp_size), counted_(threads) {
    names_.reserve(threads);
    for (unsigned thread = 0; thread < threads; ++thread) {
        const std::string scope = "thread." + std::to_string(thread);
        values_.declare(scope, thread_progress_statistics);
        names_.push_back(scope + "." + thread_progress_statistics[0].name);
    }
}

void thread_progress::count(const issued_instruction& issued) {
    while (issued.edge >= start_ + interval_) add_row(start_ + interval_);
    std::uint64_t* const threads = counted_.data() + std::size_t{issued.warp} * warp_size_;
    bits::for_each(issued.lanes, [&](unsigned lane) { ++threads[lane]; });
}

void thread_progress::add_row(std::uint64_t end) {
    for (std::size_t thread = 0; thread < names_.size(); ++thread) {
        values_.set(names_[thread], counted_[thread]);
    }
    file_.add(start_, end, values_);
    std::fill(counted_.begin(), counted_.end(), 0);
    start_ = end;
}

void thread_progress::finish(std::uint64_t cycle) {
    while (start_ + interval_ < cycle) add_row(start_ + interval_);
    if (start_ < cycle) add_row(cycle);
    file_.commit();
}

}  // namespace heddle
