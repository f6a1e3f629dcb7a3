// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hw/protocol/scripted_link.h"

/// The rules of the memory side: memory_link and the base protocol.
namespace heddle::protocol::testing {
namespace {

using ::testing::HasSubstr;
using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;

/// A pooled memory transaction that is released at the end of the scope.
class scoped_transaction {
public:
    scoped_transaction(memory_pool& pool, memory_kind kind, std::uint64_t address, unsigned bytes)
        : transaction_(pool.make()) {
        transaction_->prepare(kind, address, bytes);
    }
    ~scoped_transaction() { transaction_->release(); }
    scoped_transaction(const scoped_transaction&) = delete;
    scoped_transaction& operator=(const scoped_transaction&) = delete;
    memory_transaction& operator*() { return *transaction_; }
    memory_transaction* operator->() { return transaction_; }

private:
    memory_transaction* transaction_;
};

struct memory_fixture : checked_link<memory_link> {
    memory_pool pool{"memory"};
    scoped_transaction p{pool, memory_kind::load, 0x40000080, 128};
    scoped_transaction q{pool, memory_kind::store, 0x40000100, 32};

    static void ok(tlm::tlm_generic_payload& t) { t.set_response_status(tlm::TLM_OK_RESPONSE); }
    void request(tlm::tlm_generic_payload& t) { forward(t, memory_phase::begin_request); }
    void accept(tlm::tlm_generic_payload& t) { backward(t, memory_phase::end_request); }
    void respond(tlm::tlm_generic_payload& t) { backward(t, memory_phase::begin_response); }
    void end(tlm::tlm_generic_payload& t) { forward(t, memory_phase::end_response); }
};

TEST(memory_rules, four_phases_are_clean) {
    memory_fixture f;
    f.request(*f.p);
    f.accept(*f.p);
    f.request(*f.q);
    f.accept(*f.q);
    f.ok(*f.q);
    f.respond(*f.q);
    f.end(*f.q);
    f.ok(*f.p);
    f.respond(*f.p);
    f.target_answers(TLM_COMPLETED, {});
    f.end(*f.p);
    f.checker.report_lost();
    f.expect_clean();
    EXPECT_EQ(f.checker.completed(), 2U);
}

TEST(memory_rules, early_completions_are_clean) {
    memory_fixture f;
    f.target.on_forward = [&](auto& t, memory_phase&, sc_time&) {
        f.ok(t);
        return TLM_COMPLETED;
    };
    f.request(*f.p);
    f.target.on_forward = [&](auto& t, memory_phase& ph, sc_time& time) {
        if (ph == memory_phase::end_response) {
            return TLM_COMPLETED;
        }
        f.ok(t);
        ph = memory_phase::begin_response;
        time += sc_time(7, SC_NS);
        return TLM_UPDATED;
    };
    f.request(*f.q);
    f.forward(*f.q, memory_phase::end_response, sc_time(7, SC_NS));
    f.checker.report_lost();
    f.expect_clean();
}

TEST(memory_rules, response_implies_the_end_of_the_request) {
    memory_fixture f;
    f.request(*f.p);
    f.ok(*f.p);
    f.initiator_answers(TLM_UPDATED, memory_phase::end_response);
    f.respond(*f.p);
    f.request(*f.q);
    f.ok(*f.q);
    f.initiator_answers(TLM_COMPLETED, {});
    f.respond(*f.q);
    f.checker.report_lost();
    f.expect_clean();
}

TEST(memory_rules, responses_nested_in_the_request_are_clean) {
    memory_fixture f;
    f.target.on_forward = [&](auto& t, memory_phase& ph, sc_time&) {
        if (ph != memory_phase::begin_request) {
            return TLM_COMPLETED;
        }
        f.accept(t);
        f.ok(t);
        f.respond(t);
        return TLM_ACCEPTED;
    };
    f.initiator.on_backward = [&](auto& t, memory_phase& ph, sc_time&) {
        if (ph == memory_phase::begin_response) {
            f.end(t);
        }
        return TLM_ACCEPTED;
    };
    f.request(*f.p);
    f.checker.report_lost();
    f.expect_clean();
    EXPECT_EQ(f.checker.completed(), 1U);
}

TEST(memory_rules, two_requests_at_once_are_exclusion) {
    memory_fixture f;
    f.request(*f.p);
    f.request(*f.q);
    f.expect(rule::exclusion);
}

TEST(memory_rules, two_responses_at_once_are_exclusion) {
    memory_fixture f;
    f.request(*f.p);
    f.accept(*f.p);
    f.request(*f.q);
    f.accept(*f.q);
    f.ok(*f.p);
    f.ok(*f.q);
    f.respond(*f.p);
    f.expect_clean();
    f.respond(*f.q);
    f.expect(rule::exclusion);
}

TEST(memory_rules, end_request_must_not_be_answered_with_completed) {
    memory_fixture f;
    f.request(*f.p);
    f.ok(*f.p);
    f.initiator_answers(TLM_COMPLETED, {});
    f.accept(*f.p);
    f.expect(rule::return_status);
}

TEST(memory_rules, response_without_status) {
    memory_fixture f;
    f.request(*f.p);
    f.accept(*f.p);
    f.respond(*f.p);
    f.expect(rule::response_missing);
}

TEST(memory_rules, address_that_is_not_restored) {
    memory_fixture f;
    f.request(*f.p);
    f.accept(*f.p);
    f.p->set_address(0x80);  // as a bank-local address
    f.ok(*f.p);
    f.respond(*f.p);
    f.expect(rule::attribute_changed);
    EXPECT_THAT(report_catcher::text(), HasSubstr("address changed"));
}

TEST(memory_rules, blocking_call) {
    memory_fixture f;
    f.blocking(*f.p);
    f.expect(rule::transport_style);
}

TEST(memory_rules, released_early) {
    memory_fixture f;
    memory_transaction* t = f.pool.make();
    t->prepare(memory_kind::load, 0, 4);
    f.request(*t);
    t->release();
    f.accept(*t);
    f.expect(rule::released_early);
}

// ---- base protocol ----------------------------------------------------------------------------

TLM_DECLARE_EXTENDED_PHASE(refresh_hint);

struct base_fixture : checked_link<base_link> {
    memory_pool pool{"memory"};
    scoped_transaction p{pool, memory_kind::load, 0x40000081, 3};  // alignment is not its business
};

TEST(base_rules, ignorable_phases_pass) {
    base_fixture f;
    f.forward(*f.p, tlm::BEGIN_REQ);
    f.forward(*f.p, refresh_hint);
    f.backward(*f.p, refresh_hint);
    f.backward(*f.p, tlm::END_REQ);
    f.expect_clean();
}

TEST(base_rules, uninitialized_phase_is_unknown) {
    base_fixture f;
    f.forward(*f.p, tlm::tlm_phase());
    f.expect(rule::unknown_phase);
}

TEST(base_rules, payload_without_memory_manager) {
    base_fixture f;
    tlm::tlm_generic_payload p;
    std::array<unsigned char, 4> data{};
    p.set_read();
    p.set_data_ptr(data.data());
    p.set_data_length(4);
    p.set_streaming_width(4);
    f.forward(p, tlm::BEGIN_REQ);
    f.expect(rule::not_acquired);
}

TEST(base_rules, payload_without_memory_manager_may_block) {
    base_fixture f;
    tlm::tlm_generic_payload p;
    std::array<unsigned char, 4> data{};
    p.set_write();
    p.set_data_ptr(data.data());
    p.set_data_length(4);
    p.set_streaming_width(4);
    f.target.on_blocking = [](auto& t, sc_time&) { t.set_response_status(tlm::TLM_OK_RESPONSE); };
    f.blocking(p);
    f.expect_clean();
}

TEST(base_rules, address_may_change_but_data_may_not) {
    base_fixture f;
    f.forward(*f.p, tlm::BEGIN_REQ);
    f.p->set_address(0);
    f.p->set_response_status(tlm::TLM_OK_RESPONSE);
    f.initiator_answers(TLM_COMPLETED, {});
    f.backward(*f.p, tlm::BEGIN_RESP);
    f.expect_clean();
    f.p->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    f.forward(*f.p, tlm::BEGIN_REQ);
    f.p->set_data_ptr(f.p->data() + 1);
    f.p->set_response_status(tlm::TLM_OK_RESPONSE);
    f.backward(*f.p, tlm::BEGIN_RESP);
    f.expect(rule::attribute_changed);
}

TEST(base_rules, end_resp_before_begin_resp) {
    base_fixture f;
    f.forward(*f.p, tlm::BEGIN_REQ);
    f.forward(*f.p, tlm::END_RESP);
    f.expect(rule::phase_order);
}

}  // namespace
}  // namespace heddle::protocol::testing
