// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/cosim/port_table.h"

namespace heddle::cosim {

/// What a warp's stack does at a clock edge.
enum class stack_operation : std::uint8_t {
    none,
    read,        ///< nothing; the outputs show the entry `index` in place of the top
    start,       ///< `lanes` begin at `pc`; none: the stack becomes empty
    advance,     ///< the top's lanes go to `pc`
    part,        ///< they part and meet at `reconvergence_pc`; `lanes` go to `pc` first of all
    call,        ///< `lanes` call `pc`; all come back to `reconvergence_pc`
    back,        ///< all return, to `pc`
    back_apart,  ///< they return to several places, `lanes` to `pc`
    group,       ///< `lanes` go to `pc`: the next group of the last three
    exit,        ///< `lanes` end
    load,        ///< an entry comes on top as it was read elsewhere
    mark,        ///< a transaction begins, which may start again at `pc`
    leave,       ///< `lanes` leave the transaction's entries
    rewind,      ///< the transaction starts again with `lanes`
    release,     ///< the transaction ends; its lanes go on at `pc`
};

/// Ports of slot.formation: the reconvergence stacks of an SMX (models/simt/reconvergence_stack.h
/// has the rules), each of up to `entries`. An operation works on the stack of `warp`. It takes one
/// clock, and another one, with the same inputs, as long as `busy` is high. Then `overflow` says
/// that the stack was full, and the others show the stack: entries, whether the transaction may end
/// here, and the top. `limit` is where it may reconverge, all ones: nowhere. Without entries the
/// top has no lanes.
struct formation_call {
    static constexpr unsigned most_entries = 128;
    static constexpr unsigned most_warps = 64;

    std::uint8_t entries = 0;
    stack_operation operation = stack_operation::none;
    std::uint8_t warp = 0;
    std::uint8_t index = 0;  ///< 0: the bottom
    std::uint32_t pc = 0, reconvergence_pc = 0;
    std::uint16_t depth = 0, reconvergence_depth = 0;  ///< calls that enclose the PCs, of load
    std::uint64_t lanes = 0;

    bool busy = false;
    bool overflow = false;
    bool at_mark = false;
    std::uint8_t size = 0;
    std::uint32_t limit = 0;
    std::uint32_t entry_pc = 0, entry_reconvergence_pc = 0;
    std::uint16_t entry_depth = 0, entry_reconvergence_depth = 0;
    std::uint64_t entry_lanes = 0;
};

inline constexpr port_field<formation_call> formation_ports[] = {
    port_of<&formation_call::entries>(port_direction::input, "entries", 8),
    port_of<&formation_call::operation>(port_direction::input, "op", 4),
    port_of<&formation_call::warp>(port_direction::input, "warp", 6),
    port_of<&formation_call::index>(port_direction::input, "index", 7),
    port_of<&formation_call::pc>(port_direction::input, "pc", 32),
    port_of<&formation_call::reconvergence_pc>(port_direction::input, "reconvergence_pc", 32),
    port_of<&formation_call::depth>(port_direction::input, "depth", 16),
    port_of<&formation_call::reconvergence_depth>(port_direction::input, "reconvergence_depth", 16),
    port_of<&formation_call::lanes>(port_direction::input, "lanes", 64),
    port_of<&formation_call::busy>(port_direction::output, "busy", 1),
    port_of<&formation_call::overflow>(port_direction::output, "overflow", 1),
    port_of<&formation_call::at_mark>(port_direction::output, "at_mark", 1),
    port_of<&formation_call::size>(port_direction::output, "size", 8),
    port_of<&formation_call::limit>(port_direction::output, "limit", 32),
    port_of<&formation_call::entry_pc>(port_direction::output, "entry_pc", 32),
    port_of<&formation_call::entry_reconvergence_pc>(port_direction::output,
                                                     "entry_reconvergence_pc", 32),
    port_of<&formation_call::entry_depth>(port_direction::output, "entry_depth", 16),
    port_of<&formation_call::entry_reconvergence_depth>(port_direction::output,
                                                        "entry_reconvergence_depth", 16),
    port_of<&formation_call::entry_lanes>(port_direction::output, "entry_lanes", 64),
};

}  // namespace heddle::cosim
