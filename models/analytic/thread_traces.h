// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::analytic {

/// What the last instruction of a basic block does.
enum class block_end : std::uint8_t {
    other,    ///< goes on, branches or jumps
    call,     ///< of a function; comes back behind it
    ret,      ///< from a function
    exit,     ///< of the thread
    barrier,  ///< of the thread block
};

/// A straight run of instructions. Threads enter it at its first and leave it behind its last one.
struct traced_block {
    std::uint32_t first = 0;  ///< PC
    std::uint32_t instructions = 0;
    block_end end = block_end::other;

    [[nodiscard]] std::uint32_t behind() const noexcept { return first + 4 * instructions; }
};

/// What each thread of a run executed, from the file of `heddle run --retire`.
///
///     thread_traces traces;
///     while (std::getline(file, line)) traces.add(line);
///     traces.find_blocks();
///
/// Cost: 4 bytes for each instruction of each thread.
class thread_traces {
public:
    /// The basic blocks that one thread executed, as indices of blocks().
    using trace = std::vector<std::uint32_t>;
    /// Threads of one launch and block that follow each other.
    using warp = std::vector<trace>;

    /// A line of the file; the header is skipped. Throws configuration_error for what is no line of
    /// such a file; the message says what is missing.
    void add(std::string_view line);
    /// Cuts the traces into basic blocks: they begin where some thread came from elsewhere, or
    /// where some thread may have left, and behind calls and barriers.
    void find_blocks();

    /// By ascending PC.
    [[nodiscard]] const std::vector<traced_block>& blocks() const noexcept { return blocks_; }
    /// The first `threads` threads of each launch, in groups of `size`; a block's last group may be
    /// smaller.
    [[nodiscard]] std::vector<warp> warps(std::size_t threads, std::size_t size) const;

private:
    /// Launch, block, warp, lane.
    using thread_key = std::array<std::uint64_t, 4>;

    std::map<thread_key, std::vector<std::uint32_t>> threads_;  ///< PCs, then blocks
    std::map<std::uint32_t, block_end> ends_;  ///< by PC, of the instructions that are not `other`
    std::vector<traced_block> blocks_;
};

}  // namespace heddle::analytic
