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

// ---- attributes -------------------------------------------------------------------------------

template <typename Payload>
struct bad {
    const char* name;
    void (*spoil)(Payload&);
    const char* text;
    friend std::ostream& operator<<(std::ostream& out, const bad& b) { return out << b.name; }
};
using bad_attribute = bad<memory_transaction>;
using bad_launch = bad<kernel_launch>;
using bad_block = bad<block_dispatch>;
using bad_local = bad<local_access>;

class memory_attributes : public ::testing::TestWithParam<bad_attribute> {};

TEST_P(memory_attributes, are_reported) {
    memory_fixture f;
    GetParam().spoil(*f.p);
    f.request(*f.p);
    f.expect(rule::attributes);
    EXPECT_THAT(report_catcher::text(), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    each, memory_attributes,
    ::testing::Values(
        bad_attribute{"address", [](auto& t) { t.set_address(0x40000002); }, "multiple of 4"},
        bad_attribute{"length", [](auto& t) { t.set_data_length(6); }, "multiple of 4 up to 128"},
        bad_attribute{"zero_length", [](auto& t) { t.set_data_length(0); }, "data length is 0"},
        bad_attribute{"line", [](auto& t) { t.set_address(0x40000084); }, "crosses a line"},
        bad_attribute{"width", [](auto& t) { t.set_streaming_width(64); }, "streaming width is 64"},
        bad_attribute{"no_width", [](auto& t) { t.set_streaming_width(0); },
                      "streaming width is 0"},
        bad_attribute{"data", [](auto& t) { t.set_data_ptr(nullptr); }, "data pointer is null"},
        bad_attribute{"status", [](auto& t) { t.set_response_status(tlm::TLM_OK_RESPONSE); },
                      "before the request"},
        bad_attribute{"enables", [](auto& t) { t.set_byte_enable_ptr(t.data()); },
                      "byte enable length is 0"},
        bad_attribute{"enables_at_all",
                      [](auto& t) {
                          t.set_byte_enable_ptr(t.data());
                          t.set_byte_enable_length(4);
                      },
                      "byte enables are set"},
        bad_attribute{"command", [](auto& t) { t.set_write(); }, "does not fit the kind 'load'"},
        bad_attribute{"empty_mask", [](auto& t) { t.access().byte_mask = {}; }, "mask is empty"},
        bad_attribute{"long_mask", [](auto& t) { t.set_data_length(64); }, "beyond the length 64"},
        bad_attribute{"no_extension", [](auto& t) { t.clear_extension(&t.access()); },
                      "extension is missing"},
        bad_attribute{"no_atomics", [](auto& t) { t.prepare(memory_kind::atomic, 0, 32); },
                      "atomic_count is 0"},
        bad_attribute{"atomic_offset",
                      [](auto& t) {
                          t.prepare(memory_kind::atomic, 0, 32);
                          t.access().atomic_count = 1;
                          t.access().atomics[0].offset = 32;
                      },
                      "offset is 32"},
        bad_attribute{"atomic_order",
                      [](auto& t) {
                          t.prepare(memory_kind::atomic, 0, 32);
                          t.access().atomic_count = 2;
                      },
                      "ascending order"}),
    [](const auto& info) { return std::string(info.param.name); });

class launch_attributes : public ::testing::TestWithParam<bad_launch> {};

TEST_P(launch_attributes, are_reported) {
    checked_link<launch_link> f;
    pool<kernel_launch> launches("launches");
    auto p = launches.make();
    p->launch = launch_id(1);
    GetParam().spoil(*p);
    f.forward(*p, launch_phase::request);
    f.expect(rule::attributes);
    EXPECT_THAT(report_catcher::text(), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    each, launch_attributes,
    ::testing::Values(
        bad_launch{"id", [](auto& p) { p.launch = {}; }, "launch id is 0"},
        bad_launch{"grid", [](auto& p) { p.grid.y = 0; }, "the grid has no blocks"},
        bad_launch{"block", [](auto& p) { p.block.z = 0; }, "the block has no threads"},
        bad_launch{"entry", [](auto& p) { p.entry_pc = 2; }, "entry_pc is 2"},
        bad_launch{"outcome", [](auto& p) { p.outcome = launch_outcome::completed; },
                   "before the launch began"},
        bad_launch{"parameters",
                   [](auto& p) {
                       p.parameter_address = 1;
                       p.parameter_bytes = 4;
                   },
                   "parameter_address is 1"},
        bad_launch{"shared", [](auto& p) { p.dynamic_shared_bytes = 4; }, "at most shared_bytes"}),
    [](const auto& info) { return std::string(info.param.name); });

class block_attributes : public ::testing::TestWithParam<bad_block> {};

TEST_P(block_attributes, are_reported) {
    checked_link<block_link> f;
    pool<kernel_launch> launches("launches");
    pool<block_dispatch> blocks("blocks");
    auto p = blocks.make();
    p->launch = launch_id(1);
    p->kernel = launches.make();
    p->kernel->grid = {4, 2, 1};
    GetParam().spoil(*p);
    f.forward(*p, block_phase::dispatch);
    f.expect(rule::attributes);
    EXPECT_THAT(report_catcher::text(), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    each, block_attributes,
    ::testing::Values(bad_block{"id", [](auto& p) { p.launch = {}; }, "launch id is 0"},
                      bad_block{"kernel", [](auto& p) { p.kernel.reset(); }, "no kernel"},
                      bad_block{"outcome", [](auto& p) { p.outcome = block_outcome::completed; },
                                "before"},
                      bad_block{"position", [](auto& p) { p.position.x = 4; }, "outside its grid"},
                      bad_block{"linear",
                                [](auto& p) {
                                    p.position = {1, 1, 0};
                                },
                                "block is 0; legal: 5"}),
    [](const auto& info) { return std::string(info.param.name); });

class local_attributes : public ::testing::TestWithParam<bad_local> {};

TEST_P(local_attributes, are_reported) {
    checked_link<local_link> f;
    pool<local_access> accesses("accesses");
    auto p = accesses.make();
    p->lanes = 0b10;
    f.target.on_blocking = [](local_access& a, sc_time&) { a.response = local_response::ok; };
    GetParam().spoil(*p);
    f.blocking(*p);
    f.expect(rule::attributes);
    EXPECT_THAT(report_catcher::text(), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    each, local_attributes,
    ::testing::Values(
        bad_local{"lanes", [](auto& p) { p.lanes = 0; }, "no lane"},
        bad_local{"bytes", [](auto& p) { p.bytes = 3; }, "bytes is 3"},
        bad_local{"address", [](auto& p) { p.address[1] = 6; }, "address of lane 1 is 6"},
        bad_local{"response", [](auto& p) { p.response = local_response::ok; }, "before"},
        bad_local{"atomic_size",
                  [](auto& p) {
                      p.command = local_command::atomic;
                      p.bytes = 2;
                  },
                  "bytes of an atomic is 2"},
        bad_local{"no_operation", [](auto& p) { p.command = local_command::atomic; },
                  "names its operation"},
        bad_local{"operation", [](auto& p) { p.operation = isa::opcode::amoadd_w; }, "name none"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(kde_attributes, are_reported) {
    checked_link<kde_link> f;
    pool<kde_update> updates("updates");
    auto p = updates.make();
    f.target_answers(TLM_COMPLETED, {});
    p->event = kde_event::block_started;
    f.forward(*p, kde_phase::update);  // no launch
    p->launch = launch_id(1);
    p->event = kde_event::kernel_ready;
    f.forward(*p, kde_phase::update);  // no kernel
    EXPECT_EQ(report_catcher::ids(), (std::vector<std::string>(2, rule::attributes)));
}

TEST(warp_attributes, are_reported) {
    checked_link<warp_link> f;
    f.target_answers(TLM_COMPLETED, {});
    const std::vector<void (*)(warp_status&)> mistakes{
        [](warp_status& s) { s.ready = 1; },
        [](warp_status& s) { s.issuable = 1; },
        [](warp_status& s) { s.started_count = 1; },
        [](warp_status& s) { s.retired_count = 1; },
    };
    for (const auto& mistake : mistakes) {
        warp_cycle cycle;
        mistake(cycle.status);
        f.forward(cycle, warp_phase::select);
        f.wait(1);
    }
    EXPECT_EQ(report_catcher::ids(), (std::vector<std::string>(4, rule::attributes)));
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
