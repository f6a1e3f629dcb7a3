// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/protocol/bank_check.h"

namespace heddle::protocol {
namespace {

bool is_access(const bank_check& p) {
    return p.command <= bank_command::plain;
}

}  // namespace

const rule_table& link_rules<tm_link>::table() {
    static constexpr rule_table table = blocking_call("bank_check");
    return table;
}

std::string link_rules<tm_link>::request_error(const bank_check& p) {
    if (p.answered) return "the check is answered before the bank has seen it";
    if (is_access(p) && p.bytes != 1 && p.bytes != 2 && p.bytes != 4) {
        return illegal_value("bytes", p.bytes, "1, 2 or 4");
    }
    if (is_access(p) && p.address % p.bytes != 0) {
        return illegal_value("address", p.address, "a multiple of " + std::to_string(p.bytes));
    }
    if (is_access(p) && p.item >= transaction_configuration::maximum_items) {
        return illegal_value("item", p.item, "0..255");
    }
    if ((p.command == bank_command::undo || p.command == bank_command::forget) && p.items.none()) {
        return "no item loses or commits";
    }
    return {};
}

std::string link_rules<tm_link>::response_error(const bank_check& p) {
    if (!p.answered) return "the bank has not answered";
    if (is_access(p) && p.items.test(p.item)) return "an item conflicts with itself";
    return {};
}

fixed_attributes link_rules<tm_link>::fixed(const bank_check& p) {
    static constexpr name_list<3> names{"block", "command", "item"};
    return fix(names, {p.block.value(), static_cast<std::uint64_t>(p.command), p.item});
}

void link_rules<tm_link>::describe(const bank_check& p, attribute_list& out) {
    static constexpr name_list<6> commands{"load", "store", "plain", "undo", "forget", "settled"};
    out.add("slot", p.block.value());
    out.add("command", commands[static_cast<unsigned>(p.command) % commands.size()]);
    out.add("item", p.item);
    out.add("row", p.row);
}

}  // namespace heddle::protocol
