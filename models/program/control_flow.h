// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/instruction.h"
#include "models/program/post_dominators.h"

namespace heddle::program {

/// All code of a program, decoded; element 0 is at `base`.
struct code_text {
    std::uint32_t base = 0;
    std::vector<isa::instruction> instructions;

    [[nodiscard]] std::uint32_t end() const {
        return base + static_cast<std::uint32_t>(instructions.size()) * 4;
    }
    [[nodiscard]] const isa::instruction& at(std::uint32_t pc) const {
        return instructions[(pc - base) / 4];
    }
};

/// [start, end) of a function. Functions don't overlap.
struct function_range {
    std::string name;
    std::uint32_t start = 0, end = 0;
};

/// A straight run of instructions, [first, last].
struct basic_block {
    std::uint32_t first = 0, last = 0;
    std::vector<std::size_t> successors;  ///< indices of blocks of the same function
    bool returns = false;                 ///< return, tail call, or a jump out of the function
    bool ends = false;                    ///< the thread never gets past the block
};

/// A call or tail call.
struct call_site {
    std::uint32_t pc = 0;
    std::optional<std::uint32_t> target;  ///< none: known at run time only
    bool tail = false;
};

/// Control flow graph of one function. Block 0 is its entry.
struct function_graph {
    function_range range;
    std::vector<basic_block> blocks;  ///< by ascending address
    std::vector<call_site> calls;
    bool may_return = true;  ///< false: exits, traps or loops on every path
};

/// Targets of jumps through tables: code addresses in data that are no function's start, by the
/// function that contains them.
using jump_tables = std::map<std::uint32_t, std::vector<std::uint32_t>>;

/// Builds the graphs of all functions. Direct calls are `jal` and `auipc`+`jalr` or `lui`+`jalr`
/// pairs; a jump to another function is a tail call; the block after a call to a function that
/// never returns is not its successor. An indirect jump that is neither call nor return goes to
/// the function's jump table targets, or is a tail call when there are none.
std::vector<function_graph> build_graphs(const code_text& text,
                                         const std::vector<function_range>& functions,
                                         const jump_tables& tables);

/// The same as post_dominators() takes it: a node is a block.
flow_graph flow_of(const function_graph& function);

}  // namespace heddle::program
