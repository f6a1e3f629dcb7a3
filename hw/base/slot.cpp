// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/slot.h"

#include <fnmatch.h>

#include "hw/base/slot_registry.h"

namespace heddle {

std::string lock_step::text(std::uint64_t value, bool hexadecimal) {
    if (value == slot_field<int>::none) return "none";
    std::ostringstream out;
    if (hexadecimal) out << "0x" << std::hex;
    out << value;
    return out.str();
}

void lock_step::declare(const std::string& field, std::uint32_t elements) {
    slot_view& view = *context_.listeners().view;
    const auto add = [&](const std::string& name) {
        shown_.push_back({view.declare_number(context_.path() + ".tlm." + name),
                          view.declare_number(context_.path() + ".rtl." + name)});
    };
    if (elements == 0) add(field);
    for (std::uint32_t n = 0; n < elements; ++n) add(field + "_" + std::to_string(n));
}

void lock_step::report(const std::string& field, const std::string& tlm, const std::string& rtl,
                       const std::string& call) {
    differs_ = true;
    context_.status().report(error_kind::wrong_result,
                             context_.path() + ": the implementations of slot." + slot_ +
                                 " differ in cycle " + std::to_string(context_.clock().cycle()) +
                                 " of " + context_.clock().clock_name() + ": " + field + ": tlm " +
                                 tlm + ", rtl " + rtl + "; asked with " + call);
}

bool slot_choice::covers(const std::string& path) const {
    return fnmatch(where.c_str(), path.c_str(), 0) == 0;
}

}  // namespace heddle
