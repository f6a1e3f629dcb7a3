// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <tuple>

#include "hw/cosim/pins/line_beat.h"
#include "hw/cosim/pins/pin_channel.h"

/// The pins of an SMX: blocks, lines of instructions, lines of data, and what it has done.
namespace heddle::pins {

/// Lanes of a warp that the pins have.
inline constexpr std::uint32_t core_lanes = 32;
/// Instructions of a line.
inline constexpr std::uint32_t code_line_words = 8;
inline constexpr std::uint32_t code_line_bytes = 4 * code_line_words;
/// Requests for data under way: as many as `id` can name.
inline constexpr std::uint32_t core_request_ids = 64;

/// A value for each lane; lane 0 in the lowest bits.
using core_row = sc_dt::sc_bv<32 * core_lanes>;

/// A block: all that an SMX has to know of it.
struct block_pins {
    explicit block_pins(const std::string& channel)
        : launch(channel, "launch"),
          grid_id(channel, "grid_id"),
          block(channel, "block"),
          entry_pc(channel, "entry_pc"),
          parameters(channel, "parameters"),
          index_x(channel, "index_x"),
          index_y(channel, "index_y"),
          index_z(channel, "index_z"),
          block_x(channel, "block_x"),
          block_y(channel, "block_y"),
          block_z(channel, "block_z"),
          grid_x(channel, "grid_x"),
          grid_y(channel, "grid_y"),
          grid_z(channel, "grid_z"),
          offset_x(channel, "offset_x"),
          offset_y(channel, "offset_y"),
          offset_z(channel, "offset_z"),
          dimensions(channel, "dimensions"),
          shared_bytes(channel, "shared_bytes"),
          dynamic_bytes(channel, "dynamic_bytes"),
          region(channel, "region"),
          first(channel, "first") {}
    auto all() {
        return std::tie(launch, grid_id, block, entry_pc, parameters, index_x, index_y, index_z,
                        block_x, block_y, block_z, grid_x, grid_y, grid_z, offset_x, offset_y,
                        offset_z, dimensions, shared_bytes, dynamic_bytes, region, first);
    }

    pin<32> launch;                        ///< launch_id
    pin<32> grid_id;                       ///< what the gridid CSR reads
    pin<32> block;                         ///< linear index in the grid
    pin<32> entry_pc;                      ///< first instruction
    pin<32> parameters;                    ///< address of the parameter buffer
    pin<32> index_x, index_y, index_z;     ///< of the block
    pin<32> block_x, block_y, block_z;     ///< threads
    pin<32> grid_x, grid_y, grid_z;        ///< blocks
    pin<32> offset_x, offset_y, offset_z;  ///< index of the grid's first thread
    pin<2> dimensions;                     ///< of the launch
    pin<32> shared_bytes;                  ///< of shared memory
    pin<32> dynamic_bytes;                 ///< of it, the dynamic part at its end
    pin<32> region;                        ///< of private memory, of its first warp
    pin<1> first;                          ///< of its launch on this SMX: lines of an L1 are old
};

struct block_end_pins {
    explicit block_end_pins(const std::string& channel)
        : launch(channel, "launch"), block(channel, "block") {}
    auto all() { return std::tie(launch, block); }

    pin<32> launch;
    pin<32> block;
};

struct fetch_pins {
    explicit fetch_pins(const std::string& channel)
        : launch(channel, "launch"), address(channel, "address") {}
    auto all() { return std::tie(launch, address); }

    pin<32> launch;
    pin<32> address;  ///< a multiple of code_line_bytes
};

struct code_line_pins {
    explicit code_line_pins(const std::string& channel)
        : error(channel, "error"),
          words(channel, "words"),
          reconvergence(channel, "reconvergence") {}
    auto all() { return std::tie(error, words, reconvergence); }

    pin<1> error;  ///< there is no code
    pin<8 * code_line_bytes> words;
    pin<8 * code_line_bytes> reconvergence;  ///< program::kernel_code::reconvergence of each
};

enum class core_request_kind : std::uint8_t { read, write, atomic };

struct core_request_pins {
    explicit core_request_pins(const std::string& channel)
        : id(channel, "id"),
          kind(channel, "kind"),
          launch(channel, "launch"),
          address(channel, "address"),
          mask(channel, "mask"),
          data(channel, "data"),
          op(channel, "op"),
          warp(channel, "warp"),
          lanes(channel, "lanes"),
          words(channel, "words"),
          compare(channel, "compare") {}
    auto all() {
        return std::tie(id, kind, launch, address, mask, data, op, warp, lanes, words, compare);
    }

    pin<6> id;                     ///< not that of another request under way
    pin<2> kind;                   ///< core_request_kind
    pin<32> launch;                ///< of the block that asks; 0: a line that an L1 writes back
    pin<32> address;               ///< of the line: a multiple of line_bytes
    pin<line_bytes> mask;          ///< bytes that are read or written
    pin<8 * line_bytes> data;      ///< of a write; of an atomic the operands, by lane
    pin<6> op;                     ///< which atomic (core_atomics.h)
    pin<8> warp;                   ///< warp slot: with the lane, the thread of a reservation
    pin<core_lanes> lanes;         ///< of an atomic
    pin<5 * core_lanes> words;     ///< of an atomic: which word of the line, by lane
    pin<32 * core_lanes> compare;  ///< of an atomic: what amocas compares with, by lane
};

struct core_response_pins {
    explicit core_response_pins(const std::string& channel)
        : id(channel, "id"), error(channel, "error"), data(channel, "data") {}
    auto all() { return std::tie(id, error, data); }

    pin<6> id;
    pin<1> error;              ///< refused: nothing was read or written
    pin<8 * line_bytes> data;  ///< of a read the line, of an atomic what each lane has found
};

/// What has been done: a record in each clock with `valid` high (docs/rtl_smx.md).
struct retire_pins {
    auto all() {
        return std::tie(valid, kind, time, core, slot, launch, block, warp, n, pc, word, lanes,
                        live, next_lanes, next_pc, depth, taken, rd, known, value, address, data,
                        compare, event, event_lanes, fault);
    }

    pin<1> valid{"retire", "valid"};
    pin<4> kind{"retire", "kind"};
    pin<64> time{"retire", "time"};
    pin<8> core{"retire", "core"};
    pin<8> slot{"retire", "slot"};
    pin<64> launch{"retire", "launch"};
    pin<32> block{"retire", "block"};
    pin<8> warp{"retire", "warp"};
    pin<64> n{"retire", "n"};
    pin<32> pc{"retire", "pc"};
    pin<32> word{"retire", "word"};
    pin<core_lanes> lanes{"retire", "lanes"};
    pin<core_lanes> live{"retire", "live"};
    pin<core_lanes> next_lanes{"retire", "next_lanes"};
    pin<32> next_pc{"retire", "next_pc"};
    pin<8> depth{"retire", "depth"};
    pin<core_lanes> taken{"retire", "taken"};
    pin<5> rd{"retire", "rd"};
    pin<core_lanes> known{"retire", "known"};
    pin<32 * core_lanes> value{"retire", "value"};
    pin<32 * core_lanes> address{"retire", "address"};
    pin<32 * core_lanes> data{"retire", "data"};
    pin<32 * core_lanes> compare{"retire", "compare"};
    pin<4> event{"retire", "event"};
    pin<core_lanes> event_lanes{"retire", "event_lanes"};
    pin<8> fault{"retire", "fault"};
};

/// The constant port of an SMX.
struct core_constants {
    auto all() { return std::tie(smx_id); }

    pin<8> smx_id{"smx_id"};
};

struct core_pins {
    pin_channel<block_pins> dispatch{"dispatch"};          ///< from the SMX scheduler
    pin_channel<block_end_pins> done{"done"};              ///< to it; its writes are in memory
    pin_channel<fetch_pins> fetch{"fetch"};                ///< one at a time
    pin_channel<code_line_pins> line{"line"};              ///< the line that was asked for
    pin_channel<core_request_pins> request{"request"};     ///< those to one line stay in order
    pin_channel<core_response_pins> response{"response"};  ///< in any order
    retire_pins retire;
};

}  // namespace heddle::pins
