// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/block_choice.h"

#include <fnmatch.h>

#include <utility>
#include <vector>

#include "hw/cosim/pins/block_rtl.h"

namespace heddle::pins {
namespace {

choices<block_implementation> legal(bool with_shadow) {
    std::vector<std::pair<const char*, block_implementation>> all{
        {"tlm", block_implementation::tlm}, {"pins", block_implementation::pins}};
    if (has_block_rtl()) all.emplace_back("rtl", block_implementation::rtl);
    if (has_block_rtl() && with_shadow) all.emplace_back("shadow", block_implementation::shadow);
    return choices<block_implementation>(std::move(all));
}

void add_where(parameter_list& p, block_choice& choice, const std::string& name) {
    p.add(name + ".where", choice.where,
          "Instances to replace (glob of hierarchical names); all others stay tlm");
}

}  // namespace

block_implementation block_choice::of(const std::string& path) const {
    return fnmatch(where.c_str(), path.c_str(), 0) == 0 ? implementation
                                                        : block_implementation::tlm;
}

void block_choice::declare(parameter_list& p, const std::string& name, const std::string& block) {
    p.add(name, implementation, legal(false),
          "What stands in the place of " + block +
              ": tlm = Heddle's block, pins = the same behind pins, rtl = RTL behind pins");
    add_where(p, *this, name);
}

void block_choice::declare_with_shadow(parameter_list& p, const std::string& name,
                                       const std::string& block) {
    p.add(
        name, implementation, legal(true),
        "What stands in the place of " + block +
            ": tlm = Heddle's block, pins = the same behind pins, rtl = RTL behind pins, shadow = "
            "the same with --check");
    add_where(p, *this, name);
}

}  // namespace heddle::pins
