// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <ostream>
#include <utility>

#include "hw/smx/tm/bank_state.h"

namespace heddle {
namespace {

using protocol::bank_check;
using protocol::bank_command;

/// What a check answers.
struct bank_answer {
    bool lost;
    protocol::item_set items;  ///< if it is lost
    bool owned;
    const std::vector<restored_word>* restored;
};

using field = slot_field<bank_answer>;

std::uint32_t restored_words(const bank_answer& a) {
    return static_cast<std::uint32_t>(a.restored->size());
}

constexpr field fields[] = {
    {"lost", [](const bank_answer& a, std::uint32_t) { return std::uint64_t{a.lost}; }},
    {"conflicts",
     [](const bank_answer& a, std::uint32_t word) {
         return a.lost ? a.items.lanes_of(64 * word, 64) : 0;
     },
     [](const bank_answer&) { return std::uint32_t{protocol::item_set::words}; },
     field::notation::hexadecimal},
    {"owned", [](const bank_answer& a, std::uint32_t) { return std::uint64_t{a.owned}; }},
    {"restored_row",
     [](const bank_answer& a, std::uint32_t n) {
         return n < a.restored->size() ? std::uint64_t{(*a.restored)[n].row} : field::none;
     },
     restored_words},
    {"restored_word",
     [](const bank_answer& a, std::uint32_t n) {
         return n < a.restored->size() ? std::uint64_t{(*a.restored)[n].value} : field::none;
     },
     restored_words, field::notation::hexadecimal}};

constexpr const char* command_names[] = {"load", "store", "plain", "undo", "forget", "settled"};

struct bank_call {
    bank_command what;
    unsigned block;
    std::uint32_t row, item;
    protocol::item_set items;
};
std::ostream& operator<<(std::ostream& to, const bank_call& call) {
    to << '{' << command_names[static_cast<unsigned>(call.what)] << ", block " << call.block;
    if (call.what <= bank_command::plain) to << ", row " << call.row << ", item " << call.item;
    if (call.what == bank_command::undo || call.what == bank_command::forget) {
        to << ", items" << std::hex;
        for (unsigned first = 0; first < 64 * protocol::item_set::words; first += 64) {
            to << " 0x" << call.items.lanes_of(first, 64);
        }
        to << std::dec;
    }
    return to << '}';
}

/// Runs two states in lock step.
class shadow_bank_state final : public bank_state {
public:
    shadow_bank_state(std::unique_ptr<bank_state> tlm, std::unique_ptr<bank_state> rtl,
                      lock_step comparison)
        : tlm_(std::move(tlm)), rtl_(std::move(rtl)), comparison_(std::move(comparison)) {
        comparison_.show(fields);
    }

    void access(bank_check& check, const std::uint8_t* word) override {
        const bank_check asked = check;
        bank_check same = asked;
        tlm_->access(check, word);
        rtl_->access(same, word);
        compare(asked, check, same, {}, {});
    }
    void tell(bank_check& check, std::vector<restored_word>& restored) override {
        const bank_check asked = check;
        bank_check same = asked;
        std::vector<restored_word> tlm, rtl;
        tlm_->tell(check, tlm);
        rtl_->tell(same, rtl);
        compare(asked, check, same, tlm, rtl);
        restored.insert(restored.end(), tlm.begin(), tlm.end());
    }

private:
    void compare(const bank_check& asked, const bank_check& tlm, const bank_check& rtl,
                 const std::vector<restored_word>& tlm_words,
                 const std::vector<restored_word>& rtl_words) {
        const bank_call call{asked.command, asked.block.value(), asked.row, asked.item,
                             asked.items};
        comparison_.compare(fields, {tlm.lost, tlm.items, tlm.owned, &tlm_words},
                            {rtl.lost, rtl.items, rtl.owned, &rtl_words}, [&](std::ostream& to) {
                                to << call;
                                history_.write(to);
                            });
        history_.add(comparison_.cycle(), call);
    }

    std::unique_ptr<bank_state> tlm_;
    std::unique_ptr<bank_state> rtl_;
    lock_step comparison_;
    call_history<bank_call> history_;
};

}  // namespace

std::unique_ptr<bank_state> bank_state_traits::shadow(std::unique_ptr<bank_state> tlm,
                                                      std::unique_ptr<bank_state> rtl,
                                                      lock_step comparison) {
    return std::make_unique<shadow_bank_state>(std::move(tlm), std::move(rtl),
                                               std::move(comparison));
}

}  // namespace heddle
