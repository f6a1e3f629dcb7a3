// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hw/protocol/block_dispatch.h"
#include "models/base/output_file.h"
#include "models/base/statistics.h"
#include "models/device/launch_table.h"

namespace heddle {

/// Of each launch by the host, scope "launch.N", N its launch id.
inline constexpr statistic_declaration launch_record_statistics[] = {
    {"launched", "cycle", "Core cycle of the launch, counted from the start of the run"},
    {"first_dispatch", "cycle",
     "Core cycle in which the first block of the launch was dispatched to an SMX"},
    {"first_start", "cycle", "First core cycle in which a warp of the launch could issue"},
    {"last_end", "cycle",
     "Core cycle in which the last block of the launch ended; none if a block has not ended"},
    {"cycles", "cycle",
     "Core cycles from the first dispatch of the launch to the end of its last block; none if a "
     "block has not ended"},
    {"blocks", "block", "Thread blocks of the launch that ended"},
    {"warp_instructions", "instruction",
     "Instructions executed by warps of the launch's blocks that ended"},
};

/// One launch; cycles are core cycles, counted from the start.
struct launch_record {
    launch_id launch;
    std::string kernel;
    dim3 grid;
    dim3 block;
    std::uint64_t launched = 0;
    std::optional<std::uint64_t> first_dispatch;
    std::optional<std::uint64_t> first_start;
    std::optional<std::uint64_t> last_end;  ///< of the blocks that have ended
    std::uint64_t blocks = 0;               ///< ended
    bool cooperative = false;               ///< it has any number of blocks, and some start anew
    std::uint64_t running = 0;              ///< blocks on SMXs
    std::uint64_t warp_instructions = 0;    ///< of these
    // Of a launch by a kernel:
    launch_id parent;
    std::uint32_t parent_block = 0;
    std::uint32_t depth = 0;
    std::optional<std::uint32_t> entry;  ///< of the kernel distributor
    group_index group = null_group;      ///< AGEI of a group that has joined the entry

    /// All its blocks have ended. Of a cooperative one: those that have started.
    [[nodiscard]] bool complete() const noexcept {
        return cooperative ? blocks != 0 && running == 0 : blocks == grid.count();
    }
    /// Up to the block that ended last; 0 if none has ended.
    [[nodiscard]] std::uint64_t cycles() const noexcept {
        return last_end ? *last_end - *first_dispatch : 0;
    }
};

/// Message ids of the log's reports.
namespace work_log_report {
inline constexpr const char* unknown_launch = "heddle/work_log/unknown_launch";
}  // namespace work_log_report

/// Who ran when: a record for each launch, and a row of a file for each thread block. The recorders
/// of work_recorder.h tell it.
class work_log {
public:
    /// `blocks_file` may be empty: no rows of blocks. Throws configuration_error if it can't be
    /// written.
    explicit work_log(const std::string& blocks_file);

    /// `cycle` is the core cycle in which it happens.
    void launched(const prepared_launch& launch, std::uint64_t cycle);
    /// Of a block, whose launch was told before: that of one that was not is an error of the run.
    void dispatched(const protocol::block_dispatch& block, std::uint64_t cycle);
    void started(const protocol::block_dispatch& block, std::uint64_t cycle);
    void ended(const protocol::block_dispatch& block, std::uint64_t cycle);

    /// In the order of the launches.
    [[nodiscard]] const std::vector<launch_record>& launches() const noexcept { return launches_; }
    /// Declares launch_record_statistics for each launch by the host and sets them.
    void collect(statistics& into) const;
    /// A CSV line for each launch, whoever made it.
    [[nodiscard]] std::string launches_csv() const;
    /// Completes the file of blocks; those that have not ended have no end in it.
    void finish();

private:
    struct block_record {
        std::size_t launch = 0;  ///< position in launches_
        std::uint32_t index = 0;
        dim3 position{0, 0, 0};
        std::uint32_t smx = 0;
        std::uint32_t slot = 0;
        std::uint64_t dispatch = 0;
        std::optional<std::uint64_t> start;
        std::optional<std::uint64_t> end;
        std::uint64_t warp_instructions = 0;
    };

    /// The record of a block that is on an SMX, by SMX and slot.
    [[nodiscard]] std::uint64_t& place(const protocol::block_dispatch& block);
    [[nodiscard]] block_record& record_of(const protocol::block_dispatch& block) {
        return blocks_[place(block) - written_];
    }
    /// Position of the block's launch in launches_; none if nobody has told of it.
    [[nodiscard]] std::optional<std::size_t> position(const protocol::block_dispatch& block) const;
    void write_ended();
    void write(const block_record& block);

    std::vector<launch_record> launches_;
    bool any_by_kernels_ = false;
    std::unordered_map<launch_id, std::size_t> positions_;  ///< in launches_
    std::unique_ptr<output_file> file_;                     ///< null: no rows of blocks
    std::deque<block_record> blocks_;  ///< in the order of their dispatch, from number written_
    std::uint64_t written_ = 0;
    std::vector<std::vector<std::uint64_t>> places_;  ///< number of the block, by SMX and slot
};

}  // namespace heddle
