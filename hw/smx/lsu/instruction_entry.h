// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>

#include "hw/base/clock_domain.h"
#include "hw/smx/lsu/lines/load_store_counters.h"
#include "hw/smx/lsu/loads/load_path.h"
#include "hw/smx/lsu/queue/access_checker.h"
#include "hw/smx/lsu/queue/flight_table.h"
#include "hw/smx/lsu/queue/instruction_queue.h"
#include "models/simt/private_layout.h"

namespace heddle {

/// Which instructions a load-store unit takes in a cycle.
struct load_store_room {
    bool in_queue = true;    ///< instructions that enter the queue
    bool constants = false;  ///< a load of constants, which does not

    friend bool operator==(const load_store_room& a, const load_store_room& b) noexcept {
        return a.in_queue == b.in_queue && a.constants == b.constants;
    }
    friend bool operator!=(const load_store_room& a, const load_store_room& b) noexcept {
        return !(a == b);
    }
};

/// What an instruction_entry works with; all of it outlives the entry.
struct instruction_entry_parts {
    const clock_domain& domain;
    simt::private_layout layout;
    instruction_queue& queue;
    flight_table& flights;
    outstanding_accesses& outstanding;
    load_store_counters& counters;
    load_path& constants;
    const load_path& read_only;
    private_log* log;  ///< null without transactions
};

/// How memory instructions come into a load-store unit: checked, sorted into windows, private
/// addresses turned into those of device memory, counted, and put into the queue.
///
/// A load of one word of constants makes its access at once: it waits neither for the queue nor for
/// what is in it. If it can't, or has more words, it enters the queue.
///
/// A transaction's store to private memory is two instructions in the queue: a load of the old
/// words for the private_log, which fetches the line, and the store.
class instruction_entry {
public:
    instruction_entry(const allocation_table& ranges, const instruction_entry_parts& parts)
        : checker_(ranges, parts.layout.bytes_per_thread, parts.layout.lanes,
                   parts.constants.exists()),
          parts_(parts) {}

    /// Which instructions come in, as far as the number of accesses in a cycle allows. A load of
    /// constants whose address lies elsewhere waits in the queue. So do loads of constants behind
    /// others that wait there.
    [[nodiscard]] load_store_room room() const noexcept {
        const instruction_queue& queue = parts_.queue;
        return {!queue.full(),
                parts_.constants.exists() && !queue.overfull() && !queue.head_has_constants()};
    }
    /// What is in the queue's next slot comes in; none: its access is illegal, and it does not.
    std::optional<access_checker::fault> accept();
    /// A store of the warp's private_log comes in: its lanes get their old words. The queue must
    /// have room.
    void restore(const memory_source& source, access_owner owner, warp_slot warp,
                 const old_words& words);

private:
    [[nodiscard]] std::optional<access_checker::fault> check(queued_instruction& m);
    void enter(queued_instruction& m);
    /// A load of constants makes its access without the queue. False: it has to wait there.
    bool load_constants(queued_instruction& m);

    access_checker checker_;
    const instruction_entry_parts parts_;
};

}  // namespace heddle
