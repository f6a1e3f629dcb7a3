// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/tm/transactional_bank.h"

namespace heddle {

using protocol::bank_command;

void transactional_bank::perform(protocol::bank_check& check) {
    check.answered = true;
    if (check.command > bank_command::store) return tell(check);
    state_->access(check, memory_.bytes(check.address & ~3U));
    if (check.lost) return;
    if (check.command == bank_command::load) {
        check.data = memory_.read(check.address, check.bytes);
        return;
    }
    memory_.write(check.address, check.data, check.bytes);
}

void transactional_bank::tell(protocol::bank_check& check) {
    state_->tell(check, restored_);
    if (restored_.empty()) return;
    for (const restored_word& word : restored_) {
        memory_.write(address(check.block.value(), word.row), word.value, 4);
    }
    check.words += static_cast<std::uint32_t>(restored_.size());
    restored_.clear();
}

}  // namespace heddle
