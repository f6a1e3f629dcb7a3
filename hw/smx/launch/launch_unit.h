// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "hw/smx/blocks/life_mechanism.h"
#include "hw/smx/execute/execution_parts.h"
#include "hw/smx/launch/first_calls.h"
#include "hw/smx/launch/launch_commands.h"
#include "hw/smx/memory_port/memory_port.h"
#include "hw/smx/pipeline/warp_waits.h"
#include "models/base/launch_configuration.h"
#include "models/device/device_runtime.h"

namespace heddle {

/// What a launch unit works with; all of it outlives the unit.
struct launch_environment {
    clocked& owner;  ///< the SMX's core, which is woken for answers
    sm_id sm;
    unsigned warps;
    launch_configuration configuration;
    execution_parts parts;
    memory_port& port;
    device_runtime& runtime;
    warp_waits& waits;
    launch_commands::links links;
    bool front_drains;  ///< a launch comes when the accesses of its block have been performed
};

/// Whose record a load of the launch_unit reads.
struct record_reader {
    std::uint16_t warp, lane;
};

/// The launch instructions of an SMX: streams, parameter buffers, kernels, aggregated groups, waits
/// for children. Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 4.2 and Table 3.
///
/// A launch instruction holds its own warp only. It takes b + A x cycles, x = threads of the warp
/// that call (launch_configuration); with launch.ideal none. Beside that, a launch
///  1. waits until the stores of its warp are acknowledged, unless the front has done so,
///  2. reads the records of its threads through memory; L1 is not asked,
///  3. when these and the latency are over, makes the launches in the order of the lanes and sends
///     them: each kernel to the KMU, the groups of the warp as one aggregation to the SMX
///     scheduler,
///  4. ends when all have been accepted.
/// Errors are known at 3: the result of a lane is 0 or the number of its error.
///
/// Order of calls at every edge at which the owner is awake: port.receive(), then run(edge).
class launch_unit final : public opcode_unit,
                          public life_mechanism,
                          private protocol::naming_requester<record_reader> {
public:
    explicit launch_unit(const launch_environment& environment);

    execution_outcome execute(const issued_group& issued) override;
    /// True: something has changed.
    bool run(std::uint64_t edge) { return has_work() && advance(edge); }
    /// Next edge at which run() has something to do without an answer; ~0 if there is none.
    [[nodiscard]] std::uint64_t next_due() const noexcept {
        return timed_ == 0 ? ~std::uint64_t{0} : end_of_latencies();
    }

    // life_mechanism: a block whose warps all wait for its children leaves until these have ended.
    [[nodiscard]] bool busy() const override { return syncing_ != 0; }
    std::uint64_t to_leave(bool& changed) override;
    [[nodiscard]] protocol::warp_mask waiting() const override { return syncing_; }
    [[nodiscard]] std::optional<protocol::block_outcome> reason(unsigned slot) const override;
    /// The wait of its warps counts as executed.
    void leaves(unsigned slot, std::uint64_t edge) override;

    [[nodiscard]] launch_commands& commands() noexcept { return commands_; }
    /// For the wait-for report; empty if nothing waits.
    [[nodiscard]] std::string waiting_for() const { return commands_.waiting_for(); }

private:
    using record_words = std::array<std::uint32_t, launch_request::words>;
    /// The launch instruction of a warp.
    struct call {
        thread_group threads;
        const isa::instruction* instruction = nullptr;
        issue_number number;
        std::uint64_t due = 0;                     ///< edge at which its latency is over
        sc_core::sc_time issued;                   ///< when
        launcher by;                               ///< the block
        protocol::warp_mask unwritten = 0;         ///< whose writes a launch has to wait for
        isa::lane_mask unread = 0;                 ///< lanes whose record has to be asked for
        std::uint32_t reading = 0;                 ///< records that have been asked for
        std::uint32_t unaccepted = 0;              ///< commands
        std::vector<std::uint32_t> first, second;  ///< operands, by lane
        std::vector<std::uint32_t> result;         ///< by lane
        std::vector<record_words> records;         ///< by lane
    };

    /// Whether a cycle may do anything: most cycles of most programs may not.
    [[nodiscard]] bool has_work() const noexcept {
        return (draining_ | reading_ | timed_ | sending_ | syncing_) != 0 || commands_.busy();
    }
    bool advance(std::uint64_t edge);
    [[nodiscard]] std::uint64_t end_of_latencies() const noexcept;
    [[nodiscard]] std::uint64_t latency_of(const isa::instruction& i, unsigned threads) const;
    void begin(call& c, const issued_group& issued);
    void allocate(call& c);
    void finish_drains();
    void send_reads();
    bool make_due(std::uint64_t edge);
    void make_launches(unsigned warp, call& c);
    void make_one(unsigned warp, call& c, unsigned lane, protocol::aggregation* groups);
    bool finish(std::uint64_t edge);
    void retire(unsigned warp, std::uint64_t edge) const;
    void responded(memory_request& answer) override;

    const launch_environment environment_;
    launch_commands commands_;
    first_calls first_calls_;
    std::vector<call> calls_;       ///< by warp slot
    std::deque<unsigned> to_read_;  ///< warps with records to ask for
    // Warps by what they wait for, a bit each:
    protocol::warp_mask draining_ = 0;  ///< the acknowledgement of their stores
    protocol::warp_mask reading_ = 0;   ///< records
    protocol::warp_mask timed_ = 0;     ///< the end of the latency, and nothing else before
    protocol::warp_mask sending_ = 0;   ///< acceptance
    protocol::warp_mask syncing_ = 0;   ///< children
};

}  // namespace heddle
