// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/protocol/base_target.h"

#include <gmock/gmock.h>

#include "tests/hw/protocol/base_rig.h"

namespace heddle::protocol {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::report_catcher;

/// Room for two requests; answers each `work` edges after it has seen it, in order.
class slow_target final : public sc_core::sc_module,
                          public clocked,
                          private tlm::tlm_fw_transport_if<> {
public:
    using payload = tlm::tlm_generic_payload;
    static constexpr std::uint64_t work = 3;

    slow_target(const sc_core::sc_module_name& name, clock_domain& domain)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          target_(*this, socket, 2, "test/protocol") {
        socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    }
    void evaluate() override {
        target_.take_response_ends();
        while (target_.requests().ready() != nullptr) {
            payload* const request = target_.requests().pop();
            seen.emplace_back(domain().edge(), request->get_address());
            held.push_back({request, domain().edge() + work});
        }
        if (target_.withheld() != nullptr && held.size() <= 2) target_.accept();
        if (held.empty() || held.front().second > domain().edge() || target_.responding()) return;
        target_.respond(*held.front().first);
        held.erase(held.begin());
    }
    activity update() override {
        target_.latch(held.size() + target_.requests().size(), 2);
        return activity::busy;
    }

    tlm::tlm_target_socket<32> socket{"socket"};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;  ///< edge, address
    std::vector<std::pair<payload*, std::uint64_t>> held;

private:
    tlm::tlm_sync_enum nb_transport_fw(payload& request, tlm::tlm_phase& phase,
                                       sc_time& delay) override {
        if (phase != tlm::BEGIN_REQ) return target_.end_response(phase, delay);
        if (!target_.begin_request(request, delay)) return tlm::TLM_ACCEPTED;
        return target_.accept_or_withhold(request, phase);
    }
    void b_transport(payload&, sc_time&) override {}
    bool get_direct_mem_ptr(payload& request, tlm::tlm_dmi& dmi) override {
        return deny_direct_memory(request, dmi);
    }
    unsigned transport_dbg(payload&) override { return 0; }

    base_target target_;
};

struct rig : testing::base_rig {
    rig() {
        initiator.socket.bind(target.socket);
        start();
    }
    tlm::tlm_sync_enum send_after(std::uint64_t address, double ns) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_time delay(ns, SC_NS);
        return initiator.socket->nb_transport_fw(make(memory_kind::load, address, 4), phase, delay);
    }

    report_catcher catcher;
    slow_target target{"target", domain};
};

TEST(base_target, accepts_in_the_call_while_there_is_room) {
    rig r;
    EXPECT_EQ(r.send_after(0, 0), tlm::TLM_UPDATED);
    EXPECT_EQ(r.send_after(4, 0), tlm::TLM_UPDATED);
    EXPECT_EQ(r.send_after(8, 0), tlm::TLM_ACCEPTED);
    rig::run(10);
    EXPECT_THAT(r.target.seen, ElementsAre(Pair(1, 0), Pair(1, 4), Pair(1, 8)));
    EXPECT_THAT(r.accepted, ElementsAre(5)) << "after the first response";
    EXPECT_THAT(r.answered, ElementsAre(4, 5, 6)) << "one a clock";
    EXPECT_THAT(report_catcher::ids(), IsEmpty());
}

TEST(base_target, keeps_the_order_of_requests_whatever_their_delay) {
    rig r;
    r.send_after(0, 3);  // at 3.5 ns
    r.send_after(4, 0);
    rig::run(6);
    EXPECT_THAT(r.target.seen, ElementsAre(Pair(4, 0), Pair(4, 4)));
}

TEST(base_target, a_response_waits_for_the_end_of_the_one_before) {
    rig r;
    r.holds = true;
    auto& first = r.make(memory_kind::load, 0, 4);
    r.send(first);
    r.send_after(4, 0);
    rig::run(9);
    EXPECT_THAT(r.answered, ElementsAre(4));
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_time delay(2, SC_NS);  // at 11.5 ns
    EXPECT_EQ(r.initiator.socket->nb_transport_fw(first, phase, delay), tlm::TLM_COMPLETED);
    rig::run(6);
    EXPECT_THAT(r.answered, ElementsAre(4, 12));
}

TEST(base_target, an_end_with_a_delay_in_the_call_counts_from_then) {
    rig r;
    r.initiator.on_backward = [&](tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                  sc_time& delay) {
        r.answered.push_back(sc_core::sc_time_stamp().value() / 1000);
        phase = tlm::END_RESP;
        delay = sc_time(4, SC_NS);
        return tlm::TLM_UPDATED;
    };
    r.send_after(0, 0);
    r.send_after(4, 0);
    rig::run(12);
    EXPECT_THAT(r.answered, ElementsAre(4, 8));
}

TEST(base_target, reports_what_breaks_the_rules) {
    rig r;
    for (const std::uint64_t address : {0, 4, 8}) r.send_after(address, 0);
    rig::run(1);
    EXPECT_EQ(r.send_after(12, 0), tlm::TLM_ACCEPTED) << "before END_REQ";
    EXPECT_THAT(report_catcher::ids(), ElementsAre("test/protocol"));
    auto& other = r.make(memory_kind::load, 16, 4);
    for (int n = 0; n < 3; ++n) r.send(other, tlm::END_RESP);
    EXPECT_THAT(report_catcher::ids(), ElementsAre("test/protocol", "test/protocol"))
        << "END_RESP without a response, more than can wait";
    rig::run(3);
    EXPECT_EQ(r.target.seen.size(), 3U);
}

}  // namespace
}  // namespace heddle::protocol
