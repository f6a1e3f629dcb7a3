// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/protocol/base_initiator.h"

#include <gmock/gmock.h>

#include <vector>

#include "hw/protocol/base_access.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle::protocol {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::report_catcher;
using testing::scripted_target;

/// Sends its requests in order, as soon as the target takes them.
class eager_initiator final : public sc_core::sc_module,
                              public clocked,
                              private tlm::tlm_bw_transport_if<> {
public:
    using payload = tlm::tlm_generic_payload;

    eager_initiator(const sc_core::sc_module_name& name, clock_domain& domain)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          link(*this, socket, 2, "test/protocol") {
        socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    }
    void evaluate() override {
        link.receive(domain().edge(), [this](payload& done) {
            answered.emplace_back(domain().edge(), done.get_address());
        });
        while (link.unaccepted() == nullptr && !waiting.empty()) {
            payload* const next = waiting.front();
            waiting.erase(waiting.begin());
            sent.push_back(domain().edge());
            if (link.send(*next)) {
                at_once.push_back(next->get_address());
                if (later) link.answer_later(*next);
            }
        }
    }
    activity update() override { return activity::idle; }

    tlm::tlm_initiator_socket<32> socket{"socket"};
    base_initiator link;
    std::vector<payload*> waiting;
    std::vector<std::uint64_t> sent;                                ///< edges
    std::vector<std::pair<std::uint64_t, std::uint64_t>> answered;  ///< edge, address
    std::vector<std::uint64_t> at_once;                             ///< addresses
    bool later = false;

private:
    tlm::tlm_sync_enum nb_transport_bw(payload& request, tlm::tlm_phase& phase,
                                       sc_time& delay) override {
        return link.take(request, phase, delay);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/// Edge k lies at k ns; the test acts half an edge behind them.
class base_initiator_rig : public ::testing::Test {
protected:
    base_initiator_rig() {
        initiator.socket.bind(target.socket);
        target.on_forward = [this](tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                   sc_time& delay) {
            if (phase == tlm::END_RESP) {
                ends.push_back(sc_core::sc_time_stamp().value() / 1000);
                return tlm::TLM_COMPLETED;
            }
            phase = reply;
            delay = reply_delay;
            return status;
        };
        for (const std::uint64_t address : {0x100U, 0x200U}) {
            memory_transaction& t = *pool.make();
            t.prepare(memory_kind::load, address, 4);
            initiator.waiting.push_back(&t);
        }
        requests = initiator.waiting;
    }
    /// Half an edge behind edge 0.
    static void start() { sc_core::sc_start(500, sc_core::SC_PS); }
    static void run(double edges) { sc_core::sc_start(edges, SC_NS); }
    tlm::tlm_sync_enum back(std::size_t which, tlm::tlm_phase phase,
                            sc_time delay = sc_core::SC_ZERO_TIME) {
        return target.socket->nb_transport_bw(*requests[which], phase, delay);
    }

    memory_pool pool{"pool"};
    clock_domain domain{"clock", frequency::megahertz(1000)};
    eager_initiator initiator{"initiator", domain};
    scripted_target<base_link> target{"target"};
    std::vector<tlm::tlm_generic_payload*> requests;
    std::vector<std::uint64_t> ends;  ///< edges of END_RESP
    tlm::tlm_sync_enum status = tlm::TLM_ACCEPTED;
    tlm::tlm_phase reply = tlm::BEGIN_REQ;
    sc_time reply_delay = sc_core::SC_ZERO_TIME;
};

TEST_F(base_initiator_rig, the_next_request_waits_for_the_end_of_the_one_before) {
    start();
    run(3);
    EXPECT_THAT(initiator.sent, ElementsAre(0U));
    EXPECT_EQ(initiator.link.unaccepted(), requests[0]);
    back(0, tlm::END_REQ, sc_time(2, SC_NS));  // at 3.5 ns
    EXPECT_FALSE(initiator.link.idle());
    run(5);
    EXPECT_THAT(initiator.sent, ElementsAre(0U, 6U));
    EXPECT_EQ(initiator.link.unaccepted(), requests[1]);
    EXPECT_THAT(initiator.answered, IsEmpty());
}

TEST_F(base_initiator_rig, a_response_stands_for_the_acceptance) {
    start();
    EXPECT_EQ(back(0, tlm::BEGIN_RESP), tlm::TLM_COMPLETED);
    run(1);
    EXPECT_THAT(initiator.answered, ElementsAre(Pair(1U, 0x100U)));
    EXPECT_THAT(initiator.sent, ElementsAre(0U, 1U));
    EXPECT_THAT(ends, IsEmpty()) << "TLM_COMPLETED has ended it";
    EXPECT_TRUE(initiator.link.idle());
}

TEST_F(base_initiator_rig, the_response_of_another_request_accepts_nothing) {
    start();
    back(0, tlm::END_REQ);
    run(1);
    back(0, tlm::BEGIN_RESP);
    run(1);
    EXPECT_THAT(initiator.answered, ElementsAre(Pair(2U, 0x100U)));
    EXPECT_EQ(initiator.link.unaccepted(), requests[1]);
}

TEST_F(base_initiator_rig, ends_a_response_that_began_in_the_call) {
    status = tlm::TLM_UPDATED;
    reply = tlm::BEGIN_RESP;
    reply_delay = sc_time(3, SC_NS);
    start();
    run(3);
    EXPECT_THAT(initiator.answered, ElementsAre(Pair(3U, 0x100U)));
    EXPECT_THAT(ends, ElementsAre(3U));
    EXPECT_THAT(initiator.sent, ElementsAre(0U, 3U));
}

TEST_F(base_initiator_rig, an_acceptance_in_the_call_may_come_late) {
    status = tlm::TLM_UPDATED;
    reply = tlm::END_REQ;
    reply_delay = sc_time(2, SC_NS);
    start();
    run(3);
    EXPECT_THAT(initiator.sent, ElementsAre(0U, 2U));
    EXPECT_THAT(initiator.answered, IsEmpty());
}

TEST_F(base_initiator_rig, an_acceptance_in_the_call_lets_the_next_one_go) {
    status = tlm::TLM_UPDATED;
    reply = tlm::END_REQ;
    start();
    EXPECT_THAT(initiator.sent, ElementsAre(0U, 0U));
    EXPECT_EQ(initiator.link.unaccepted(), nullptr);
}

TEST_F(base_initiator_rig, a_request_may_be_answered_at_once) {
    status = tlm::TLM_COMPLETED;
    start();
    EXPECT_THAT(initiator.at_once, ElementsAre(0x100U, 0x200U));
    EXPECT_EQ(initiator.link.unaccepted(), nullptr);
    EXPECT_TRUE(initiator.link.idle());
}

TEST_F(base_initiator_rig, an_answer_at_once_may_be_taken_later) {
    status = tlm::TLM_COMPLETED;
    initiator.later = true;
    start();
    run(2);
    EXPECT_THAT(initiator.sent, ElementsAre(0U, 1U));
    EXPECT_THAT(initiator.answered, ElementsAre(Pair(1U, 0x100U), Pair(2U, 0x200U)));
}

TEST_F(base_initiator_rig, a_completed_request_may_be_answered_late) {
    status = tlm::TLM_COMPLETED;
    reply_delay = sc_time(2, SC_NS);
    start();
    run(4);
    EXPECT_THAT(initiator.at_once, IsEmpty());
    EXPECT_THAT(initiator.sent, ElementsAre(0U, 2U));
    EXPECT_THAT(initiator.answered, ElementsAre(Pair(2U, 0x100U), Pair(4U, 0x200U)));
    EXPECT_THAT(ends, IsEmpty());
}

TEST_F(base_initiator_rig, reports_more_answers_than_there_can_be) {
    start();
    const report_catcher reports;
    for (unsigned i = 0; i < 3; ++i) back(0, tlm::BEGIN_RESP);
    EXPECT_THAT(report_catcher::ids(), ElementsAre("test/protocol"));
}

TEST_F(base_initiator_rig, ignores_phases_of_other_protocols) {
    start();
    EXPECT_EQ(back(0, tlm::END_RESP), tlm::TLM_ACCEPTED);
    EXPECT_TRUE(initiator.link.idle());
}

}  // namespace
}  // namespace heddle::protocol
