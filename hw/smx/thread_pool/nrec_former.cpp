// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/thread_pool/nrec_former.h"

namespace heddle {

void nrec_former::pick(const issue_filter& filter, protocol::thread_issue& issue) {
    issue.count = 0;
    issue.outcome = protocol::turn_outcome::nothing;
    if (warps_.size() == 0) return;
    const std::uint32_t accepted = warps_.present() & filter.accepting();
    if (accepted == 0) {
        issue.outcome = protocol::turn_outcome::unit_busy;
        issue.parts[0].pc = warps_.first(warps_.oldest(warps_.present())).pc;
        return;
    }
    const unsigned need = warps_.oldest(accepted);
    const protocol::thread_arrival& taken = warps_.first(need);
    issue.outcome = protocol::turn_outcome::issued;
    issue.count = 1;
    issue.parts[0] = {taken.block, taken.pc, taken.lanes};
    issue.threads = taken.threads;
    warps_.remove_first(need);
}

}  // namespace heddle
