// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/machine_configuration.h"
#include "models/device/device_launch.h"
#include "models/device/launch_pool.h"
#include "models/device/launch_table.h"
#include "models/device/save_areas.h"

namespace heddle {

/// The thread block that launches.
struct launcher {
    sm_id sm;
    launch_id launch;         ///< what it belongs to
    std::uint32_t block = 0;  ///< linear, in its grid
};

/// How the machine treats a launch by a kernel.
enum class launch_kind : std::uint8_t { kernel, group };

/// What a launch by a kernel gives; `launch` is null with an error.
struct launch_answer {
    launch_error error = launch_error::none;
    const prepared_launch* launch = nullptr;
};

/// The runtime of launches by kernels, as far as it has no time: streams, parameter buffers, the
/// judgement of launch records, ids, and how much waits. The functional simulator and the SMXs call
/// it for their launch instructions; what a call costs, and when its launch runs, is theirs.
///
/// A launch that is refused gives its buffer back. Each call is O(1), however many launches there
/// are, but for the kernels of the program.
class device_runtime {
public:
    /// New launches are announced in `launches`, which outlives the runtime.
    device_runtime(const machine_configuration& machine, launch_table& launches);

    [[nodiscard]] const launch_pool& pool() const noexcept { return pool_; }

    /// Whether the observers of the table hear of new launches. They do at first.
    void announce(bool on) noexcept { announce_ = on; }

    /// A new stream; 0 when the SMX has made its last (launch_id::most).
    [[nodiscard]] std::uint32_t create_stream(sm_id sm);
    /// A parameter buffer in the SMX's slice; 0: none is left, or it is too large.
    [[nodiscard]] std::uint32_t allocate_buffer(sm_id sm, std::uint32_t bytes);
    /// Makes a launch of the record of an open buffer, of a kernel of the launcher's own program,
    /// and announces it. `stream` is ignored for
    /// groups, which have none. Precondition: pool().is_open(buffer), and the launcher's launch is
    /// in the table. Throws run_error after the SMX's last launch id.
    [[nodiscard]] launch_answer launch(const launcher& by, launch_kind kind, std::uint32_t buffer,
                                       const launch_request& request, std::uint32_t stream);
    /// A launch that has not ended; null: there is none of that id.
    [[nodiscard]] const prepared_launch* find(launch_id launch) const {
        return launches_.find(launch);
    }
    // What becomes of a launch of the table; calls for launches by the host do nothing.
    /// The first block begins: the launch does not wait any more.
    void first_block_begins(launch_id launch);
    /// The last block has ended: the buffer goes back.
    void blocks_ended(launch_id launch);
    /// The launch and all that it has caused have ended: it leaves the table.
    void ended(launch_id launch);

    /// Memory for the state of blocks that leave their SMX before their end.
    [[nodiscard]] save_areas& saved_states() noexcept { return save_areas_; }

    /// No launch is left: buffers that were never launched go back.
    void all_ended() noexcept;

    /// Launches by kernels that wait for their first block.
    [[nodiscard]] std::uint32_t pending() const noexcept { return pending_; }
    /// Bytes that these, or with launch.footprint.until=end all, hold: their buffers, from the
    /// allocation on, and launch.record_bytes.
    [[nodiscard]] std::uint64_t footprint() const noexcept { return footprint_; }
    [[nodiscard]] std::uint64_t footprint_peak() const noexcept { return footprint_peak_; }

private:
    [[nodiscard]] bool stream_exists(std::uint32_t stream) const;
    [[nodiscard]] std::uint32_t record_bytes(launch_kind kind) const noexcept;
    [[nodiscard]] std::uint32_t footprint_of(std::uint32_t buffer) const noexcept;
    void leave_footprint(const prepared_launch& launch) noexcept;
    launch_answer refuse(std::uint32_t buffer, launch_error why);
    void grow_footprint(std::uint64_t bytes) noexcept;

    const machine_configuration machine_;
    launch_table& launches_;
    launch_pool pool_;
    save_areas save_areas_;
    bool announce_ = true;
    strong_vector<sm_id, launch_id> last_launch_;
    strong_vector<sm_id, launch_id> last_stream_;  ///< streams are numbered as launches are
    std::uint32_t pending_ = 0;
    std::uint64_t footprint_ = 0;
    std::uint64_t footprint_peak_ = 0;
};

/// "launch of the record at 0x...: ...", for an address that pool().is_open() refuses.
[[nodiscard]] std::string no_buffer_text(const launch_pool& pool, std::uint32_t address);

}  // namespace heddle
