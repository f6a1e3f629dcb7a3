// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/protocol/bank_check.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/memory_access.h"
#include "hw/protocol/shared_access.h"
#include "hw/protocol/warp_issue.h"
#include "tests/hw/protocol/scripted_link.h"

/// Unusable attributes of a payload are reported, on every link.
namespace heddle::protocol::testing {
namespace {

using ::testing::HasSubstr;
using tlm::TLM_COMPLETED;

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
using bad_local = bad<shared_access>;
using bad_check = bad<bank_check>;
using bad_update = bad<kde_update>;
using bad_status = bad<warp_status>;

class memory_attributes : public ::testing::TestWithParam<bad_attribute> {};

TEST_P(memory_attributes, are_reported) {
    checked_link<memory_link> f;
    memory_pool pool{"memory"};
    memory_transaction* const p = pool.make();
    p->prepare(memory_kind::load, 0x40000080, 128);
    GetParam().spoil(*p);
    f.forward(*p, memory_phase::begin_request);
    f.expect(rule::attributes);
    EXPECT_THAT(report_catcher::text(), HasSubstr(GetParam().text));
    p->release();
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
    ::testing::Values(bad_launch{"id", [](auto& p) { p.launch = {}; }, "launch id is 0"},
                      bad_launch{"grid", [](auto& p) { p.grid.y = 0; }, "the grid has no blocks"},
                      bad_launch{"block", [](auto& p) { p.block.z = 0; },
                                 "the block has no threads"},
                      bad_launch{"entry", [](auto& p) { p.entry_pc = 2; }, "entry_pc is 2"},
                      bad_launch{"outcome", [](auto& p) { p.outcome = launch_outcome::completed; },
                                 "before the launch began"},
                      bad_launch{"parameters",
                                 [](auto& p) {
                                     p.parameter_address = 1;
                                     p.parameter_bytes = 4;
                                 },
                                 "parameter_address is 1"},
                      bad_launch{"shared", [](auto& p) { p.dynamic_shared_bytes = 4; },
                                 "at most per_block.shared_bytes"}),
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

class check_attributes : public ::testing::TestWithParam<bad_check> {};

TEST_P(check_attributes, are_reported) {
    checked_link<tm_link> f;
    pool<bank_check> checks("checks");
    pool_ptr<bank_check> p = checks.make();
    GetParam().spoil(*p);
    f.target.on_blocking = [](bank_check& c, sc_time&) { c.answered = true; };
    f.blocking(*p);
    f.expect(rule::attributes);
    EXPECT_THAT(report_catcher::text(), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    each, check_attributes,
    ::testing::Values(
        bad_check{"bytes", [](auto& p) { p.bytes = 8; }, "bytes is 8"},
        bad_check{"address", [](auto& p) { p.address = 2; }, "address is 2"},
        bad_check{"item", [](auto& p) { p.item = 256; }, "item is 256"},
        bad_check{"nobody", [](auto& p) { p.command = bank_command::undo; }, "no item loses"},
        bad_check{"answered", [](auto& p) { p.answered = true; }, "before the bank has seen it"}),
    [](const auto& info) { return std::string(info.param.name); });

class shared_attributes : public ::testing::TestWithParam<bad_local> {};

TEST_P(shared_attributes, are_reported) {
    checked_link<shared_link> f;
    pool<shared_access> accesses("accesses");
    auto p = accesses.make();
    p->lanes = 0b10;
    f.target.on_blocking = [](shared_access& a, sc_time&) { a.response = shared_response::ok; };
    GetParam().spoil(*p);
    f.blocking(*p);
    f.expect(rule::attributes);
    EXPECT_THAT(report_catcher::text(), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    each, shared_attributes,
    ::testing::Values(
        bad_local{"lanes", [](auto& p) { p.lanes = 0; }, "no lane"},
        bad_local{"bytes", [](auto& p) { p.bytes = 3; }, "bytes is 3"},
        bad_local{"address", [](auto& p) { p.address[1] = 6; }, "address of lane 1 is 6"},
        bad_local{"response", [](auto& p) { p.response = shared_response::ok; }, "before"},
        bad_local{"atomic_size",
                  [](auto& p) {
                      p.command = local_command::atomic;
                      p.bytes = 2;
                  },
                  "bytes of an atomic is 2"},
        bad_local{"transactional_atomic",
                  [](auto& p) {
                      p.command = local_command::atomic;
                      p.operation = isa::opcode::amoadd_w;
                      p.transactional = true;
                  },
                  "an atomic is not transactional"},
        bad_local{"lost_before",
                  [](auto& p) {
                      p.transactional = true;
                      p.lost = 0b10;
                  },
                  "have lost before"},
        bad_local{"no_operation", [](auto& p) { p.command = local_command::atomic; },
                  "names its operation"},
        bad_local{"operation", [](auto& p) { p.operation = isa::opcode::amoadd_w; }, "name none"}),
    [](const auto& info) { return std::string(info.param.name); });

class kde_attributes : public ::testing::TestWithParam<bad_update> {};

TEST_P(kde_attributes, are_reported) {
    checked_link<kde_link> f;
    pool<kde_update> updates("updates");
    auto p = updates.make();
    p->launch = launch_id(1);
    p->event = kde_event::block_started;
    f.target_answers(TLM_COMPLETED, {});
    GetParam().spoil(*p);
    f.forward(*p, kde_phase::update);
    f.expect(rule::attributes);
    EXPECT_THAT(report_catcher::text(), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    each, kde_attributes,
    ::testing::Values(bad_update{"id", [](auto& p) { p.launch = {}; }, "launch id is 0"},
                      bad_update{"kernel", [](auto& p) { p.event = kde_event::kernel_ready; },
                                 "block_suspended and block_returns carry their launch"}),
    [](const auto& info) { return std::string(info.param.name); });

class warp_attributes : public ::testing::TestWithParam<bad_status> {};

TEST_P(warp_attributes, are_reported) {
    checked_link<warp_link> f;
    warp_cycle cycle;
    f.target_answers(TLM_COMPLETED, {});
    GetParam().spoil(cycle.status);
    f.forward(cycle, warp_phase::select);
    f.expect(rule::attributes);
    EXPECT_THAT(report_catcher::text(), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    each, warp_attributes,
    ::testing::Values(
        bad_status{"ready", [](auto& s) { s.ready = 1; }, "ready but not resident"},
        bad_status{"issuable", [](auto& s) { s.issuable = 1; }, "issuable but not ready"},
        bad_status{"started", [](auto& s) { s.started = 1; }, "started but is not resident"},
        bad_status{"started_and_ready", [](auto& s) { s.resident = s.ready = s.started = 1; },
                   "ready in the cycle in which it starts"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle::protocol::testing
