// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/protocol/link.h"
#include "hw/protocol/thread_turn.h"
#include "hw/smx/thread_pool/thread_pool.h"
#include "models/base/random.h"
#include "tb/kit/testbench.h"
#include "tb/thread_pool/thread_ledger.h"

namespace heddle::thread_pool_tb {

/// The threads that a thread_stream sends around.
struct stream_options {
    unsigned warps = 24;           ///< of the SMX
    unsigned warps_per_block = 6;  ///< divides warps
    unsigned blocks = 12;          ///< one after another in the places of the SMX
    unsigned length = 30;          ///< instructions of a thread, at least 1
    unsigned codes = 60;           ///< PCs, from 0 on
    unsigned memory = 300;         ///< most cycles that memory takes
};

/// Random instructions at PCs 0, 4, ...: what each needs, and whether a branch reconverges there.
struct random_codes {
    issue_needs needs;
    std::vector<std::uint8_t> flags;

    random_codes(random_stream random, unsigned count);
    [[nodiscard]] protocol::thread_program program() const { return {needs.base, needs.of, flags}; }
};

/// An SMX whose threads execute nothing. They issue from a thread pool, branch at random to one or
/// several PCs, wait for memory together or one by one, meet at barriers, and end. When a block has
/// ended, the next one starts in its place.
///
/// It has two pools of one description. The first is called in every turn. The second is called
/// only when it has to be (thread_turn.h): both must answer the same.
class thread_stream final : public sc_core::sc_module, public clocked {
public:
    protocol::initiator_socket_of<thread_stream, protocol::thread_link> every_turn_socket;
    protocol::initiator_socket_of<thread_stream, protocol::thread_link> when_needed_socket;

    /// Pools behind the sockets; all arguments outlive the stream.
    struct environment {
        const pool_description& pool;
        const protocol::thread_program program;
        const thread_pool& every_turn;
        const thread_pool& when_needed;
    };
    thread_stream(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
                  const stream_options& options, const environment& around);

    void evaluate() override;
    [[nodiscard]] activity update() override { return activity::busy; }
    [[nodiscard]] std::string waiting_for() const override;

    [[nodiscard]] const thread_ledger& ledger() const noexcept { return ledger_; }
    /// Turns in which the second pool was not called.
    [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

private:
    /// Threads that issued together and come back together, at one or several PCs.
    struct flight {
        std::uint64_t due = 0;  ///< cycle
        std::vector<protocol::thread_arrival> parts;
    };
    struct resident_block {
        unsigned live = 0;        ///< threads that have not ended
        unsigned at_barrier = 0;  ///< threads
        flight barrier;           ///< these threads
    };

    void start_blocks();
    void land(const flight& f);
    void turn();
    void call(protocol::thread_turn& turn, std::uint32_t accepting, bool first);
    void compare() const;
    void fly(const protocol::thread_issue& issue, const protocol::thread_part& part);
    void branch(const protocol::thread_arrival& going);
    void wait_at_barrier(const protocol::thread_arrival& going);
    void complete_barrier(resident_block& block);
    [[nodiscard]] std::uint32_t accepting() const;
    [[nodiscard]] std::uint32_t random_pc() {
        return static_cast<std::uint32_t>(4 * random_.below(options_.codes));
    }

    testbench& bench_;
    const stream_options options_;
    const environment around_;
    thread_ledger ledger_;
    random_stream random_;
    std::vector<stall_source> unit_stalls_;  ///< by issue_need
    std::vector<resident_block> blocks_;     ///< by slot
    std::vector<unsigned> issued_;           ///< by thread: instructions
    std::deque<flight> flights_;
    std::vector<protocol::thread_arrival> arrivals_;  ///< since the last turn
    protocol::thread_turn every_;                     ///< payload of the first pool's calls
    protocol::thread_turn needed_;                    ///< of the second one's
    std::uint64_t next_turn_ = 0;
    unsigned started_ = 0;  ///< blocks
    unsigned ended_ = 0;
    std::uint64_t left_out_ = 0;
};

}  // namespace heddle::thread_pool_tb
