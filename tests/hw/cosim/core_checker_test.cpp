// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The pins of an SMX: the rules of the checker.
#include "hw/cosim/pins/core_checker.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/hw/cosim/core_bench.h"

namespace heddle::pins {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct checked_pins : pin_bench {
    core_checker checker{"gpu.smx_0_pins", clock, pins, 100, {4, 1024}};

    void block(std::uint64_t edge, std::uint32_t launch, std::uint32_t index,
               std::uint32_t threads = 64, std::uint32_t shared = 16, std::uint32_t dynamic = 0) {
        beat<block_pins>(edge, pins.dispatch, [=](block_pins& p) {
            p.launch.write(launch);
            p.block.write(index);
            p.block_x.write(threads);
            p.block_y.write(1);
            p.block_z.write(1);
            p.shared_bytes.write(shared);
            p.dynamic_bytes.write(dynamic);
        });
    }
    void end(std::uint64_t edge, std::uint32_t launch, std::uint32_t index) {
        beat<block_end_pins>(edge, pins.done, [=](block_end_pins& p) {
            p.launch.write(launch);
            p.block.write(index);
        });
    }
    void fetch(std::uint64_t edge, std::uint32_t launch, std::uint32_t address) {
        beat<fetch_pins>(edge, pins.fetch, [=](fetch_pins& p) {
            p.launch.write(launch);
            p.address.write(address);
        });
    }
    void line(std::uint64_t edge) {
        beat<code_line_pins>(edge, pins.line, [](code_line_pins&) {});
    }
    void request(std::uint64_t edge, std::uint32_t id, std::uint32_t kind, std::uint32_t launch,
                 std::uint32_t address, bool wants = true, std::uint32_t op = 0) {
        beat<core_request_pins>(edge, pins.request, [=](core_request_pins& p) {
            line_beat::mask_bits mask;
            mask[77] = wants;
            p.id.write(id);
            p.kind.write(kind);
            p.launch.write(launch);
            p.address.write(address);
            p.mask.write(mask);
            p.lanes.write(wants ? 4 : 0);
            p.op.write(op);
        });
    }
    void response(std::uint64_t edge, std::uint32_t id) {
        beat<core_response_pins>(edge, pins.response,
                                 [=](core_response_pins& p) { p.id.write(id); });
    }
    /// Runs, and gives the rules that were broken.
    std::vector<std::string> broken() {
        run_to(60);
        return report_catcher::ids();
    }
};

TEST(core_checker, legal_traffic_has_no_report) {
    checked_pins b;
    b.block(5, 7, 0, 128, 1024, 1024);  // the most that fits
    b.block(7, 7, 1);
    b.fetch(9, 7, 0x10020);
    b.line(11);
    b.fetch(13, 7, 0x10000);
    b.request(10, 0, 0, 7, 0x1080);
    b.request(12, 63, 1, 7, 0x1080);
    b.request(14, 5, 2, 7, 0x1080, true, 0x34);
    b.response(16, 63);
    b.response(18, 0);
    b.end(19, 7, 0);  // with requests of the launch under way: those of block 1
    b.request(20, 63, 0, 7, 0x1000);
    b.response(21, 5);
    b.response(22, 63);
    b.line(23);
    b.request(24, 1, 1, 0, 0x2000);  // what an L1 writes back
    b.end(25, 7, 1);
    b.block(27, 7, 0);
    EXPECT_THAT(b.broken(), IsEmpty()) << report_catcher::text();
}

using ids = std::vector<std::string>;

TEST(core_checker, a_block_fits_and_is_not_there) {
    checked_pins b;
    b.block(5, 7, 0);
    b.block(7, 7, 0);
    b.block(9, 7, 1, 129);
    b.block(11, 7, 2, 64, 1025);
    b.block(13, 7, 3, 0);
    b.block(15, 7, 4, 64, 16, 17);
    EXPECT_EQ(b.broken(), ids(5, rule::dispatch_fits)) << report_catcher::text();
    EXPECT_THAT(report_catcher::text(),
                HasSubstr("gpu.smx_0_pins, clock edge 9: a block of 129 threads with 16 bytes of "
                          "shared memory, 0 of them dynamic; legal: 1 to 128 threads, up to 1024 "
                          "bytes"));
}

TEST(core_checker, only_blocks_that_run_end) {
    checked_pins b;
    b.end(5, 7, 0);
    b.block(7, 7, 0);
    b.end(9, 7, 1);
    b.end(11, 8, 0);
    b.end(13, 7, 0);
    b.end(15, 7, 0);
    EXPECT_EQ(b.broken(), ids(4, rule::done_of_block)) << report_catcher::text();
}

TEST(core_checker, the_last_block_ends_after_its_requests) {
    checked_pins b;
    b.block(5, 7, 0);
    b.request(7, 9, 1, 7, 0);
    b.end(9, 7, 0);
    EXPECT_EQ(b.broken(), ids(1, rule::done_of_block));
    EXPECT_THAT(report_catcher::text(), HasSubstr("ends while request 9 of its launch"));
}

TEST(core_checker, lines_of_code_come_one_at_a_time) {
    checked_pins b;
    b.fetch(5, 7, 0x10000);  // no block
    b.line(7);
    b.block(9, 7, 0);
    b.fetch(11, 7, 0x10010);  // half a line
    b.fetch(13, 7, 0x10020);  // while one is under way
    b.line(15);
    b.line(17);
    EXPECT_EQ(b.broken(), (ids{rule::fetch_of_line, rule::fetch_of_line, rule::fetch_of_line,
                               rule::line_without_fetch}))
        << report_catcher::text();
}

TEST(core_checker, requests_have_a_form) {
    checked_pins b;
    b.block(5, 7, 0);
    b.request(7, 0, 3, 7, 0);               // no kind
    b.request(9, 1, 0, 7, 0, false);        // nothing
    b.request(11, 2, 2, 7, 0, false);       // no lane
    b.request(13, 3, 2, 7, 0, true, 0x06);  // no atomic
    b.request(15, 4, 0, 0, 0);              // a read of no launch
    b.request(17, 5, 1, 8, 0);              // a launch without a block
    EXPECT_EQ(b.broken(), ids(6, rule::request_form)) << report_catcher::text();
}

TEST(core_checker, ids_and_lines) {
    checked_pins b;
    b.block(5, 7, 0);
    b.request(7, 1, 0, 7, 0x40);
    b.request(9, 1, 0, 7, 0x80);
    b.response(11, 1);
    b.response(13, 1);
    EXPECT_EQ(b.broken(), (ids{rule::line_address, rule::id_in_use, rule::unknown_id}));
}

TEST(core_checker, each_channel_keeps_its_payload) {
    checked_pins b;
    const auto change = [&](auto& channel, auto& pin) {
        b.script.at(4, [&channel] { channel.valid.write(true); });
        b.script.at(6, [&pin] { pin.write(1); });
        b.script.at(8, [&channel] { channel.valid.write(false); });
    };
    change(b.pins.dispatch, b.pins.dispatch.payload.first);
    change(b.pins.done, b.pins.done.payload.block);
    change(b.pins.fetch, b.pins.fetch.payload.address);
    change(b.pins.line, b.pins.line.payload.error);
    change(b.pins.request, b.pins.request.payload.warp);
    change(b.pins.response, b.pins.response.payload.id);
    std::vector<std::string> expected;
    for (unsigned n = 0; n < 6; ++n) expected.emplace_back(rule::payload_stable);
    for (unsigned n = 0; n < 6; ++n) expected.emplace_back(rule::valid_stable);
    EXPECT_EQ(b.broken(), expected) << report_catcher::text();
}

}  // namespace
}  // namespace heddle::pins
