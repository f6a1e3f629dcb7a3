// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/link.h"

namespace heddle {

/// The SMX scheduler's links to the SMXs, all in the order of sm_id:
///  - block_socket (block_link): blocks, their starts and their ends;
///  - preempt_socket (kde_link): whose blocks have to leave; bound with coop.preempt only.
class smx_ports {
public:
    smx_ports(clocked& owner, unsigned smx_count, unsigned blocks_per_smx);

    protocol::multi_initiator_socket_of<smx_ports, protocol::block_link> block_socket;
    tlm_utils::multi_passthrough_initiator_socket<
        smx_ports, protocol::socket_width, protocol::kde_link, 0, sc_core::SC_ZERO_OR_MORE_BOUND>
        preempt_socket;

    /// Reports an SMX that is not bound.
    void check_bindings();
    void dispatch(protocol::block_dispatch& block);
    /// All blocks of a launch on this SMX have to leave.
    void preempt(sm_id sm, launch_id launch, kde_index entry);

    /// Takes what may be taken in this cycle, of each SMX one start, as started(sm, block, edge at
    /// which it was sent), then one end, as done(sm, block).
    template <class Started, class Done>
    void take_answers(Started&& started, Done&& done) {
        for (std::size_t word = 0; word < answered_.size(); ++word) {
            for (std::uint64_t rest = answered_[word]; rest != 0; rest &= rest - 1) {
                const auto bit = static_cast<unsigned>(__builtin_ctzll(rest));
                const sm_id sm(word * 64 + bit);
                smx& link = smxs_[sm];
                if (link.starts.ready() != nullptr) {
                    const start first = link.starts.pop();
                    started(sm, *first.block, first.edge);
                }
                if (link.dones.ready() != nullptr) done(sm, link.dones.pop());
                if (link.starts.empty() && link.dones.empty()) {
                    answered_[word] &= ~(std::uint64_t{1} << bit);
                }
            }
        }
    }
    /// Nothing is left to take.
    [[nodiscard]] bool idle() const noexcept {
        std::uint64_t any = 0;
        for (const std::uint64_t word : answered_) any |= word;
        return any == 0;
    }

private:
    using block_ptr = pool_ptr<protocol::block_dispatch>;
    /// `started`, with the edge at which the SMX sent it.
    struct start {
        block_ptr block;
        std::uint64_t edge = 0;
    };
    struct smx {
        inbox<start> starts;
        inbox<block_ptr> dones;
    };

    tlm::tlm_sync_enum take(int sm, protocol::block_dispatch& block, protocol::block_phase& phase,
                            sc_core::sc_time& time);

    clocked& owner_;
    strong_vector<sm_id, smx> smxs_;
    std::vector<std::uint64_t> answered_;  ///< one bit per SMX whose inboxes may hold something
    pool<protocol::kde_update> updates_;
};

}  // namespace heddle
