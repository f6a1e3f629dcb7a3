// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gtest/gtest.h>

#include <array>

#include "hw/protocol/base_access.h"
#include "hw/protocol/memory_access.h"
#include "tests/hw/protocol/violation_table.h"

/// The rules of the memory side: memory_link and the base protocol.
namespace heddle::protocol::testing {
namespace {

using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;
using generic_payload = tlm::tlm_generic_payload;

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

/// Words for generic payloads.
template <typename Fixture>
struct payload_table : violation_table<Fixture> {
    using typename violation_table<Fixture>::step;

    static void ok(generic_payload& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); }
    static step responds(unsigned id) {
        return [=](Fixture& f) { ok(f.at(id)); };
    }
    static step change_address(unsigned id) {
        return [=](Fixture& f) { f.at(id).set_address(0x80); };  // as a bank-local address
    }
};

// ---- memory_link ------------------------------------------------------------------------------

struct memory_fixture : checked_link<memory_link> {
    memory_pool pool{"memory"};
    scoped_transaction load{pool, memory_kind::load, 0x40000080, 128};
    scoped_transaction store{pool, memory_kind::store, 0x40000100, 32};

    memory_transaction& at(unsigned id) { return id == 1 ? *load : *store; }
};

struct memory_table : payload_table<memory_fixture> {
    static step request(unsigned id) { return forward(id, memory_phase::begin_request); }
    static step accept(unsigned id) { return backward(id, memory_phase::end_request); }
    static step respond(unsigned id) { return backward(id, memory_phase::begin_response); }
    static step end(unsigned id, double ns = 0) {
        return forward(id, memory_phase::end_response, ns);
    }

    static step target_completes_requests() {
        return [](memory_fixture& f) {
            f.target.on_forward = [](auto& p, memory_phase&, sc_time&) {
                ok(p);
                return TLM_COMPLETED;
            };
        };
    }
    static step target_responds_after(double ns) {
        return [=](memory_fixture& f) {
            f.target.on_forward = [=](auto& p, memory_phase& ph, sc_time& time) {
                if (ph == memory_phase::end_response) return TLM_COMPLETED;
                ok(p);
                ph = memory_phase::begin_response;
                time += sc_time(ns, SC_NS);
                return TLM_UPDATED;
            };
        };
    }
    /// Acceptance, response and end in calls inside the request.
    static step both_nest() {
        return [](memory_fixture& f) {
            f.target.on_forward = [&f](auto& p, memory_phase& ph, sc_time&) {
                if (ph != memory_phase::begin_request) return TLM_COMPLETED;
                f.backward(p, memory_phase::end_request);
                ok(p);
                f.backward(p, memory_phase::begin_response);
                return TLM_ACCEPTED;
            };
            f.initiator.on_backward = [&f](auto& p, memory_phase& ph, sc_time&) {
                if (ph == memory_phase::begin_response) f.forward(p, memory_phase::end_response);
                return TLM_ACCEPTED;
            };
        };
    }
    static step a_transaction_released_early() {
        return [](memory_fixture& f) {
            memory_transaction* const p = f.pool.make();
            p->prepare(memory_kind::load, 0, 4);
            f.forward(*p, memory_phase::begin_request);
            p->release();
            f.backward(*p, memory_phase::end_request);
        };
    }

    static std::vector<row> legal() {
        return {
            {"four_phases",
             {request(1), accept(1), request(2), accept(2), responds(2), respond(2), end(2),
              responds(1), respond(1), target_answers(TLM_COMPLETED), end(1), end_of_run(),
              ended(2)}},
            {"early_completions",
             {target_completes_requests(), request(1), target_responds_after(7), request(2),
              end(2, 7), end_of_run()}},
            {"response_implies_the_end_of_the_request",
             {request(1), responds(1), initiator_answers(TLM_UPDATED, memory_phase::end_response),
              respond(1), request(2), responds(2), initiator_answers(TLM_COMPLETED), respond(2),
              end_of_run()}},
            {"responses_nested_in_the_request", {both_nest(), request(1), end_of_run(), ended(1)}},
        };
    }
    static std::vector<row> violations() {
        return {
            {"two_requests_at_once", {request(1), request(2)}, {rule::exclusion}},
            {"two_responses_at_once",
             {request(1), accept(1), request(2), accept(2), responds(1), responds(2), respond(1),
              clean_so_far(), respond(2)},
             {rule::exclusion}},
            {"end_request_answered_with_completed",
             {request(1), responds(1), initiator_answers(TLM_COMPLETED), accept(1)},
             {rule::return_status}},
            {"response_without_status",
             {request(1), accept(1), respond(1)},
             {rule::response_missing}},
            {"address_that_is_not_restored",
             {request(1), accept(1), change_address(1), responds(1), respond(1)},
             {rule::attribute_changed},
             {"address changed"}},
            {"blocking_call", {blocking(1)}, {rule::transport_style}},
            {"released_early", {a_transaction_released_early()}, {rule::released_early}},
        };
    }
};

class memory_rules : public ::testing::TestWithParam<memory_table::row> {};
TEST_P(memory_rules, hold) {
    GetParam().play();
}
INSTANTIATE_TEST_SUITE_P(legal, memory_rules, ::testing::ValuesIn(memory_table::legal()),
                         memory_table::name);
INSTANTIATE_TEST_SUITE_P(violations, memory_rules, ::testing::ValuesIn(memory_table::violations()),
                         memory_table::name);

// ---- base protocol ----------------------------------------------------------------------------

TLM_DECLARE_EXTENDED_PHASE(refresh_hint);

struct base_fixture : checked_link<base_link> {
    memory_pool pool{"memory"};
    scoped_transaction load{pool, memory_kind::load, 0x40000081, 3};  // alignment is not a rule
    generic_payload unmanaged;
    std::array<unsigned char, 4> data{};

    base_fixture() {
        unmanaged.set_read();
        unmanaged.set_data_ptr(data.data());
        unmanaged.set_data_length(4);
        unmanaged.set_streaming_width(4);
    }
    /// 0 is a payload without a memory manager.
    generic_payload& at(unsigned id) {
        return id == 0 ? unmanaged : static_cast<generic_payload&>(*load);
    }
};

struct base_table : payload_table<base_fixture> {
    static step begin(unsigned id) { return forward(id, tlm::BEGIN_REQ); }
    static step respond(unsigned id) { return backward(id, tlm::BEGIN_RESP); }
    static step blocking_calls_succeed() {
        return [](base_fixture& f) { f.target.on_blocking = [](auto& p, sc_time&) { ok(p); }; };
    }
    static step change_data() {
        return [](base_fixture& f) { f.load->set_data_ptr(f.load->data() + 1); };
    }
    static std::vector<row> legal() {
        return {
            {"ignorable_phases",
             {begin(1), forward(1, refresh_hint), backward(1, refresh_hint),
              backward(1, tlm::END_REQ)}},
            {"payload_without_memory_manager_that_blocks", {blocking_calls_succeed(), blocking(0)}},
            {"changed_address",
             {begin(1), change_address(1), responds(1), initiator_answers(TLM_COMPLETED),
              respond(1)}},
        };
    }
    static std::vector<row> violations() {
        return {
            {"uninitialized_phase", {forward(1, tlm::tlm_phase())}, {rule::unknown_phase}},
            {"payload_without_memory_manager", {begin(0)}, {rule::not_acquired}},
            {"changed_data",
             {begin(1), change_data(), responds(1), initiator_answers(TLM_COMPLETED), respond(1)},
             {rule::attribute_changed},
             {"data pointer changed"}},
            {"end_resp_before_begin_resp",
             {begin(1), forward(1, tlm::END_RESP)},
             {rule::phase_order}},
        };
    }
};

class base_rules : public ::testing::TestWithParam<base_table::row> {};
TEST_P(base_rules, hold) {
    GetParam().play();
}
INSTANTIATE_TEST_SUITE_P(legal, base_rules, ::testing::ValuesIn(base_table::legal()),
                         base_table::name);
INSTANTIATE_TEST_SUITE_P(violations, base_rules, ::testing::ValuesIn(base_table::violations()),
                         base_table::name);

}  // namespace
}  // namespace heddle::protocol::testing
