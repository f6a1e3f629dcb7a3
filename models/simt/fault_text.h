// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/device/kernel_fault.h"
#include "models/isa/instruction.h"
#include "models/program/image.h"
#include "models/program/kernel.h"
#include "models/simt/special_registers.h"

/// What a kernel did wrong, in the same words whoever executes it.
namespace heddle::simt {

/// Thread that runs in a lane of warp `warp` of a block.
[[nodiscard]] device_location locate_lane(const std::string& kernel, const block_identity& block,
                                          unsigned warp, unsigned lanes, unsigned lane,
                                          std::uint32_t pc);

/// The next instruction's address lies outside the code.
[[nodiscard]] std::string past_end_text();

/// A jump to `target`, which code.contains() does not.
[[nodiscard]] std::string bad_target_text(const program::kernel_code& code, std::uint32_t target);

/// Whether the instruction may start blocks, with the state of thread 0.
[[nodiscard]] constexpr bool forks(isa::opcode op) noexcept {
    return op == isa::opcode::request_fork || op == isa::opcode::resizing_global_barrier;
}

/// `arriving` of the warp's `live` lanes are at an instruction to which all threads of a block come
/// (the barrier or a call of cooperation), some are not.
[[nodiscard]] std::string divergent_call_text(isa::opcode op, const block_identity& block,
                                              unsigned warp, unsigned lanes,
                                              isa::lane_mask arriving, isa::lane_mask live);

/// Threads of a block come to `one`, others to `other`.
[[nodiscard]] std::string split_call_text(isa::opcode one, isa::opcode other);

/// A call that forks, by a block whose thread 0 has ended.
[[nodiscard]] std::string no_origin_text(isa::opcode op);

/// Blocks of a kernel wait at its barrier, others at its resizing barrier.
[[nodiscard]] std::string mixed_barriers_text(const std::string& kernel);

/// All threads of a block wait at barriers, `waiting` of them in all, but not all at one PC.
[[nodiscard]] std::string split_barrier_text(unsigned waiting, std::uint32_t one,
                                             std::uint32_t other);

/// An instruction at `pc` that the device does not execute: illegal, a trap, or its operands or its
/// launch make it illegal.
[[nodiscard]] std::string refusal_text(const isa::instruction& instruction, std::uint32_t pc);

/// An instruction at `pc` that no transaction may contain: a store to global memory, an atomic, a
/// barrier, exit, a launch, a call of a cooperative block, or another tx.begin.
[[nodiscard]] std::string in_transaction_text(const isa::instruction& instruction,
                                              std::uint32_t pc);
/// A tx.commit where no transaction is, or at another depth of branches and calls than its
/// tx.begin.
[[nodiscard]] std::string no_commit_text(bool in_transaction);
/// A transaction in a block of more than 256 threads.
[[nodiscard]] std::string transaction_size_text(std::uint32_t threads);
/// A transaction has stored to more words of private memory than its log holds.
[[nodiscard]] std::string private_log_text(std::uint32_t words);

/// "0x00010010, saxpy.cpp:12 in saxpy".
[[nodiscard]] std::string place_text(const program::image& image, std::uint32_t pc);

}  // namespace heddle::simt
