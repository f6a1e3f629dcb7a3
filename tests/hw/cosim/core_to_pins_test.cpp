// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the transactor makes of the beats of an SMX that a test drives.
#include "hw/cosim/pins/core_to_pins.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tests/hw/cosim/core_bench.h"

namespace heddle::pins {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

/// docs/pins.md has these numbers.
TEST(core_to_pins, a_block_from_its_dispatch_to_its_end) {
    driven_core b;
    b.script.at(5, [&] { EXPECT_FALSE(b.pins.dispatch.valid.read()); });
    b.script.at(6, [&] {
        EXPECT_TRUE(b.pins.dispatch.valid.read());
        const block_pins& p = b.pins.dispatch.payload;
        EXPECT_EQ(p.launch.read(), 3U);
        EXPECT_EQ(p.grid_id.read(), 2U);
        EXPECT_EQ(p.block.read(), 1U);
        EXPECT_EQ(p.index_x.read(), 1U);
        EXPECT_EQ(p.entry_pc.read(), b.kernel().entry);
        EXPECT_EQ(p.block_x.read(), 40U);
        EXPECT_EQ(p.grid_x.read(), 2U);
        EXPECT_EQ(p.shared_bytes.read(), 40U);
        EXPECT_EQ(p.dynamic_bytes.read(), 8U);
        EXPECT_EQ(p.region.read(), 6U);
        EXPECT_EQ(p.dimensions.read(), 1U);
        EXPECT_TRUE(p.first.read());
        b.pins.dispatch.ready.write(true);
    });
    b.dispatch(1, 40);  // seen at edge 5
    b.script.at(8, [&] {
        b.pins.done.payload.launch.write(3);
        b.pins.done.payload.block.write(1);
        b.pins.done.valid.write(true);
    });
    b.script.at(9, [&] { b.pins.done.valid.write(false); });
    b.run_to(12);
    EXPECT_THAT(b.started, ElementsAre(Pair(7, 1)));
    EXPECT_THAT(b.done, ElementsAre(Pair(9, 1)));
    EXPECT_EQ(b.blocks[0]->outcome, protocol::block_outcome::completed);
    EXPECT_EQ(b.front.waiting_for(), "");
    EXPECT_THAT(report_catcher::reports(), IsEmpty()) << report_catcher::text();
}

TEST(core_to_pins, a_line_of_instructions_with_its_reconvergence) {
    driven_core b;
    b.begin();
    // That of a branch.
    const program::kernel_code& code = b.kernel().code;
    const auto branch = std::find_if(code.reconvergence.begin(), code.reconvergence.end(),
                                     [](auto pc) { return pc != program::no_branch; });
    ASSERT_NE(branch, code.reconvergence.end());
    const auto line =
        (code.base + 4 * static_cast<std::uint32_t>(branch - code.reconvergence.begin())) / 32 * 32;
    auto asked = protocol::memory_kind::load;
    b.on_request = [&](auto& p, protocol::memory_access& access) {
        asked = access.kind;
        EXPECT_EQ(p.get_address(), line);
        EXPECT_EQ(p.get_data_length(), 32U);
    };
    b.beat<fetch_pins>(14, b.pins.fetch, [&](fetch_pins& p) {
        p.launch.write(3);
        p.address.write(line);
    });
    std::vector<std::uint32_t> words, joins;
    b.script.at(16, [&] {
        EXPECT_TRUE(b.pins.line.valid.read());
        EXPECT_FALSE(b.pins.line.payload.error.read());
        for (int n = 0; n < 8; ++n) {
            words.push_back(b.pins.line.payload.words.read().get_word(n));
            joins.push_back(b.pins.line.payload.reconvergence.read().get_word(n));
        }
        b.pins.line.ready.write(true);
    });
    b.beat<fetch_pins>(24, b.pins.fetch, [](fetch_pins& p) { p.address.write(0x4000); });
    bool error = false;
    b.script.at(25, [&] { error = b.pins.line.valid.read() && b.pins.line.payload.error.read(); });
    b.run_to(30);
    for (unsigned n = 0; n < 8; ++n) {
        const std::uint32_t pc = line + 4 * n;
        EXPECT_EQ(words[n], code.contains(pc) ? code.at(pc).raw : 0U);
        EXPECT_EQ(joins[n], code.contains(pc) ? code.reconvergence[code.index(pc)] : 0U);
    }
    EXPECT_TRUE(error);
    ASSERT_EQ(b.requests.size(), 1U);  // where there is no code, nothing is asked
    EXPECT_EQ(b.sent[0], 14U);
    EXPECT_EQ(asked, protocol::memory_kind::instruction_fetch);
    EXPECT_THAT(report_catcher::reports(), IsEmpty()) << report_catcher::text();
}

struct seen_request {
    protocol::memory_kind kind;
    std::uint64_t address;
    unsigned length;
    std::uint64_t mask;
};

/// What a request becomes, and the response's id, error and first two words.
struct request_result {
    std::vector<seen_request> seen;
    std::vector<protocol::lane_atomic> atomics;
    std::uint32_t id = 99;
    bool error = false;
    std::array<std::uint32_t, 32> data{};
};

request_result answer_to(driven_core& b, const std::function<void(core_request_pins&)>& fill) {
    request_result result;
    b.begin();
    b.on_request = [&](tlm::tlm_generic_payload& p, protocol::memory_access& access) {
        result.seen.push_back(
            {access.kind, p.get_address(), p.get_data_length(), access.byte_mask[0]});
        EXPECT_EQ(access.launch, launch_id(3));
        EXPECT_EQ(access.warp, warp_slot(7));
        EXPECT_EQ(access.sm, sm_id(5));
        for (unsigned n = 0; n < p.get_data_length() && p.is_read(); ++n) {
            p.get_data_ptr()[n] = static_cast<unsigned char>(n + 1);
        }
        for (unsigned n = 0; n < access.atomic_count; ++n) {
            result.atomics.push_back(access.atomics[n]);
            access.atomics[n].result = 100 + access.atomics[n].operand;
        }
    };
    b.request(16, [fill](core_request_pins& p) {
        p.id.write(33);
        p.launch.write(3);
        p.warp.write(7);
        fill(p);
    });
    b.script.at(13, [&] { b.pins.response.ready.write(true); });
    for (std::uint64_t edge = 16; edge < 26; ++edge) {
        b.script.at(edge, [&] {
            if (!b.pins.response.valid.read()) return;
            const core_response_pins& p = b.pins.response.payload;
            result.id = p.id.read();
            result.error = p.error.read();
            for (int n = 0; n < 32; ++n) {
                result.data.at(static_cast<std::size_t>(n)) = p.data.read().get_word(n);
            }
        });
    }
    b.run_to(28);
    EXPECT_EQ(result.id, 33U);
    return result;
}

line_beat::mask_bits bytes(unsigned first, unsigned end) {
    line_beat::mask_bits mask;
    for (unsigned n = first; n < end; ++n) mask[static_cast<int>(n)] = true;
    return mask;
}

TEST(core_to_pins, a_read_of_some_bytes) {
    driven_core b;
    const request_result r = answer_to(b, [&](core_request_pins& p) {
        p.kind.write(0);
        p.address.write(driven_core::data + 128);
        p.mask.write(bytes(6, 11));
    });
    ASSERT_EQ(r.seen.size(), 1U);
    EXPECT_EQ(r.seen[0].kind, protocol::memory_kind::load);
    EXPECT_EQ(r.seen[0].address, driven_core::data + 132U);
    EXPECT_EQ(r.seen[0].length, 8U);
    EXPECT_EQ(r.seen[0].mask, 0b1111100U);
    EXPECT_FALSE(r.error);
    EXPECT_EQ(r.data[1], 0x04030201U);
    EXPECT_EQ(r.data[2], 0x08070605U);
}

TEST(core_to_pins, a_write_of_some_bytes) {
    driven_core b;
    std::string written;
    const request_result r = answer_to(b, [&](core_request_pins& p) {
        p.kind.write(1);
        p.address.write(driven_core::data);
        line_beat::mask_bits mask = bytes(3, 4);
        mask[9] = true;
        p.mask.write(mask);
        core_row row;
        row.set_word(0, 0xaa000000);
        row.set_word(2, 0xbb00);
        p.data.write(row);
    });
    ASSERT_EQ(r.seen.size(), 1U);
    EXPECT_EQ(r.seen[0].kind, protocol::memory_kind::store);
    EXPECT_EQ(r.seen[0].address, std::uint64_t{driven_core::data});
    EXPECT_EQ(r.seen[0].length, 12U);
    EXPECT_EQ(r.seen[0].mask, 0b1000001000U);
    EXPECT_EQ(b.requests[0]->get_data_ptr()[3], 0xaa);
    EXPECT_EQ(b.requests[0]->get_data_ptr()[9], 0xbb);
    EXPECT_FALSE(r.error);
}

TEST(core_to_pins, an_atomic_of_some_lanes) {
    driven_core b;
    const request_result r = answer_to(b, [&](core_request_pins& p) {
        p.kind.write(2);
        p.op.write(0x05);
        p.address.write(driven_core::data);
        p.lanes.write(0x80000002);
        sc_dt::sc_bv<160> words;
        words.range(9, 5) = 4;      // lane 1
        words.range(159, 155) = 9;  // lane 31
        p.words.write(words);
        core_row row;
        row.set_word(1, 11);
        row.set_word(31, 12);
        p.data.write(row);
        row.set_word(31, 13);
        p.compare.write(row);
    });
    ASSERT_EQ(r.seen.size(), 1U);
    EXPECT_EQ(r.seen[0].kind, protocol::memory_kind::atomic);
    EXPECT_EQ(r.seen[0].address, driven_core::data + 16U);
    EXPECT_EQ(r.seen[0].length, 24U);
    ASSERT_EQ(r.atomics.size(), 2U);
    EXPECT_EQ(r.atomics[0].lane, 1U);
    EXPECT_EQ(r.atomics[0].offset, 0U);
    EXPECT_EQ(r.atomics[1].lane, 31U);
    EXPECT_EQ(r.atomics[1].offset, 20U);
    EXPECT_EQ(r.atomics[1].thread, 7U * 32 + 31);
    EXPECT_EQ(r.atomics[1].operand, 12U);
    EXPECT_EQ(r.atomics[1].compare, 13U);
    EXPECT_EQ(r.data[1], 111U);
    EXPECT_EQ(r.data[31], 112U);
}

struct limit_case {
    const char* name;
    std::uint32_t kind, address;
    unsigned first, end;
    bool refused;
};
class core_limits_of : public testing::TestWithParam<limit_case> {};

TEST_P(core_limits_of, memory_that_kernels_may_not_touch_is_refused) {
    driven_core b;
    const limit_case& one = GetParam();
    const request_result r = answer_to(b, [&](core_request_pins& p) {
        p.kind.write(one.kind);
        p.address.write(one.address);
        p.mask.write(bytes(one.first, one.end));
    });
    EXPECT_EQ(r.error, one.refused);
    EXPECT_EQ(r.seen.empty(), one.refused);
}
INSTANTIATE_TEST_SUITE_P(
    all, core_limits_of,
    testing::Values(limit_case{"behind", 0, driven_core::data + 256, 0, 4, true},
                    limit_case{"last_word", 0, driven_core::data + 128, 124, 128, false},
                    limit_case{"read_only_write", 1, driven_core::constants, 0, 4, true},
                    limit_case{"read_only_read", 0, driven_core::constants, 0, 4, false},
                    limit_case{"half_a_piece", 0, driven_core::constants, 32, 128, false},
                    limit_case{"no_piece", 0, driven_core::constants, 60, 68, true},
                    limit_case{"write_of_a_piece", 1, driven_core::data + 256, 0, 128, true},
                    limit_case{"private_memory", 1, 0xff000000, 0, 128, false},
                    limit_case{"below_private", 0, 0xfeffff80, 0, 128, true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(core_to_pins, what_is_not_there_is_reported) {
    driven_core b;
    b.beat<block_end_pins>(8, b.pins.done, [](block_end_pins& p) { p.block.write(4); });
    b.beat<fetch_pins>(10, b.pins.fetch, [](fetch_pins& p) { p.launch.write(9); });
    b.beat<core_request_pins>(12, b.pins.request, [](core_request_pins& p) {
        p.launch.write(9);
        p.mask.write(bytes(0, 4));
    });
    b.run_to(16);
    const auto mine = report_catcher::ids();
    EXPECT_EQ(std::count(mine.begin(), mine.end(), core_to_pins_report::protocol), 3)
        << report_catcher::text();
    EXPECT_THAT(report_catcher::text(), HasSubstr("block 4 of launch 0 ends, which is not there"));
}

}  // namespace
}  // namespace heddle::pins
