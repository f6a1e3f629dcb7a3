// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/chain/launch_order.h"

#include <utility>

#include "models/base/bits.h"

namespace heddle {

launch_order::launch_order(std::unique_ptr<kde_chain> chain, unsigned kde_entries,
                           unsigned smx_count, const launch_progress& progress, bool preempts)
    : chain_(std::move(chain)),
      kernels_(kde_entries, *chain_),
      sscr_(smx_count),
      progress_(progress),
      preempts_(preempts) {}

bool launch_order::start(kde_index kde, const launch_ptr& kernel) {
    const bool gives = gives_way();
    if (!chain_->start(kde, kernel->priority, sscr_.valid() && !gives)) return false;
    kernels_.start(kde, kernel);
    if (gives && chain_->head().kde == kde) interrupt();
    return true;
}

/// Whether a launch of higher priority may go before the one that is being distributed.
bool launch_order::gives_way() const {
    if (!sscr_.valid() || sscr_.group() != null_group) return false;
    return preempts_ || !progress_.knows(sscr_.launch()->launch);
}

/// The launch that is being distributed goes on when its turn comes again.
void launch_order::interrupt() {
    if (progress_.knows(sscr_.launch()->launch)) interrupted_.emplace(sscr_.kde(), sscr_);
    sscr_.unload();
}

void launch_order::load(kde_index kde) {
    const auto found = interrupted_.find(kde);
    if (found == interrupted_.end()) return sscr_.load(kernels_.kernel(kde), kde);
    sscr_ = std::move(found->second);
    interrupted_.erase(found);
}

std::uint32_t launch_order::next_priority() const {
    if (sscr_.valid()) return sscr_.launch()->priority;
    return chain_->empty() ? 0 : kernels_.kernel(chain_->head().kde)->priority;
}

bool launch_order::higher_stands_behind(std::uint32_t priority) const {
    if (chain_->empty() || next_priority() > priority) return false;
    for (std::size_t entry = 0; entry < kernels_.size(); ++entry) {
        if ((chain_->marks()[entry / 64] & bits::one(entry % 64)) == 0) continue;
        if (kernels_.kernel(kde_index(entry))->priority > priority) return true;
    }
    return false;
}

}  // namespace heddle
