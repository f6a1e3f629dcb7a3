// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/tm/transactional_bank.h"

namespace heddle {

using protocol::bank_command;

transactional_bank::transactional_bank(const transaction_configuration& configuration,
                                       unsigned number, unsigned banks, std::uint32_t window,
                                       unsigned block_slots, shared_banks& memory)
    : configuration_(configuration),
      number_(number),
      banks_(banks),
      window_(window),
      memory_(memory),
      blocks_(block_slots) {}

void transactional_bank::perform(protocol::bank_check& check) {
    check.answered = true;
    block& of = blocks_[check.block.value()];
    const bool access = check.command <= bank_command::store;
    if (!access || !of.detector) {
        if (!access) return tell(of, check);
        of.detector = make_conflict_detector(configuration_);
    }
    of.detector->access(check, of.shadow);
    if (check.lost) return;
    if (check.command == bank_command::load) {
        check.data = memory_.read(check.address, check.bytes);
        return;
    }
    if (!of.shadow.at(check.row).modified) {
        of.shadow.back_up(check.row, memory_.read(check.address & ~3U, 4));
    }
    memory_.write(check.address, check.data, check.bytes);
}

void transactional_bank::tell(block& of, protocol::bank_check& check) {
    if (!of.detector) return;
    switch (check.command) {
        case bank_command::plain:
            check.owned = of.shadow.at(check.row).owned;
            return;
        case bank_command::undo:
            undo(of, check);
            [[fallthrough]];
        case bank_command::forget:
            of.shadow.release(check.items);
            of.detector->clear(check.items);
            return;
        case bank_command::settled:
            of.detector->settle(of.shadow);
            return;
        case bank_command::load:
        case bank_command::store:
            return;
    }
}

void transactional_bank::undo(block& of, protocol::bank_check& check) {
    of.shadow.for_each_modified(check.items, [&](std::uint32_t row, std::uint32_t value) {
        memory_.write(address(check.block.value(), row), value, 4);
        ++check.words;
    });
}

}  // namespace heddle
