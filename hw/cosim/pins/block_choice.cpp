// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/block_choice.h"

#include <fnmatch.h>

#include "hw/cosim/pins/block_rtl.h"

namespace heddle::pins {
namespace {

choices<block_implementation> legal() {
    if (!has_block_rtl()) {
        return {{"tlm", block_implementation::tlm}, {"pins", block_implementation::pins}};
    }
    return {{"tlm", block_implementation::tlm},
            {"pins", block_implementation::pins},
            {"rtl", block_implementation::rtl}};
}

}  // namespace

block_implementation block_choice::of(const std::string& path) const {
    return fnmatch(where.c_str(), path.c_str(), 0) == 0 ? implementation
                                                        : block_implementation::tlm;
}

void block_choice::declare(parameter_list& p, const std::string& name, const std::string& block) {
    p.add(name, implementation, legal(),
          "What stands in the place of " + block +
              ": tlm = Heddle's block, pins = the same behind pins, rtl = RTL behind pins");
    p.add(name + ".where", where,
          "Instances to replace (glob of hierarchical names); all others stay tlm");
}

}  // namespace heddle::pins
