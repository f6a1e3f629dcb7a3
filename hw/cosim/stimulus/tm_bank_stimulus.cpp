// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstring>
#include <vector>

#include "hw/cosim/stimulus/module_bench.h"
#include "hw/cosim/stimulus/stimulus.h"
#include "hw/cosim/tm_bank_ports.h"
#include "hw/smx/tm/bank_state.h"
#include "hw/smx/tm/conflict_detectors.h"
#include "hw/smx/tm/prw_sig.h"

namespace heddle::cosim {

namespace {

using protocol::bank_check;
using protocol::bank_command;

constexpr unsigned items = transaction_configuration::maximum_items;

/// Words that come back are compared as sets (replay.sv).
void counts(const tm_bank_call& said, tm_bank_call& counts) {
    const bool accesses =
        said.operation == bank_operation::load || said.operation == bank_operation::store;
    counts.busy = counts.restore = false;
    counts.restored_row = 0;
    counts.restored_word = 0;
    if (!accesses) counts.lost = false;
    if (!accesses || !said.lost) counts.conflicts = {};
    if (!accesses && said.operation != bank_operation::none) counts.owned = false;
}

/// Random items of a block.
protocol::item_set some_items(random_stream& random) {
    protocol::item_set some;
    const std::uint64_t density = 1 + random.below(200);
    for (unsigned item = 0; item < items; ++item) {
        if (random.below(256) < density) some.insert(item);
    }
    return some;
}

}  // namespace

void drive_tm_bank(const stimulus_target& to) {
    const std::size_t states =
        to.coverage.declare({"operation x word",
                             {"none", "load", "store", "undo", "forget"},
                             {"nobody's", "an item's", "an item's, conflict", "nobody's, conflict"},
                             {{0, 2}, {0, 3}, {3, 2}, {3, 3}, {4, 2}, {4, 3}}});
    const auto seen = [&, states](slot_trace::step, const tm_bank_call& call) {
        if (call.busy) return;
        const bool accesses =
            call.operation == bank_operation::load || call.operation == bank_operation::store;
        const bool lost = accesses && call.lost;
        to.coverage.add(states, static_cast<unsigned>(call.operation),
                        lost ? (call.owned ? 2 : 3) : (call.owned ? 1 : 0));
    };
    module_bench<bank_state_traits, tm_bank_call> bench(tm_bank_ports, counts, to, seen);
    bank_setting setting;
    setting.configuration.detection = conflict_detectors::of<prw_sig>;
    setting.configuration.hashes = 1 + static_cast<unsigned>(to.seed % 2);
    setting.block_slots = tm_bank_call::most_slots;
    setting.rows = tm_bank_call::most_rows;
    to.coverage.expect("two_hashes", 0);  // of a trace; seeds have them by turns
    const auto part = bench.make(setting);
    std::vector<restored_word> restored;
    bank_check last;
    for (unsigned n = 0; n < to.steps; ++n) {
        // Often the item that was there last, at one of its words.
        bank_check check = last;
        if (to.random.below(2) == 0) {
            check.block = block_slot(to.random.below(n % 3 == 0 ? setting.block_slots : 2));
            check.item = static_cast<std::uint32_t>(to.random.below(items));
        }
        // Few rows often, so that items meet; all of them now and then.
        if (to.random.below(3) != 0) {
            check.row = static_cast<std::uint32_t>(
                to.random.below(to.random.below(2) == 0 ? setting.rows : 40));
        }
        last = check;
        const auto word = static_cast<std::uint32_t>(to.random.next());
        std::uint8_t memory[sizeof(word)];
        std::memcpy(memory, &word, sizeof(word));
        const std::uint64_t kind = to.random.below(100);
        if (kind < 80) {
            check.command = kind < 40 ? bank_command::load : bank_command::store;
            part->access(check, memory);
        } else {
            check.command = kind < 86   ? bank_command::plain
                            : kind < 93 ? bank_command::undo
                                        : bank_command::forget;
            check.items = some_items(to.random);
            restored.clear();
            part->tell(check, restored);
        }
        bench.next_step();
        bench.expect_no_difference();
    }
    // A look at the ports behind the last operation: what it gives back is compared then. A look is
    // recorded when the next one begins.
    last.command = bank_command::plain;
    for (unsigned looks = 0; looks < 2; ++looks) part->tell(last, restored);
}

}  // namespace heddle::cosim
