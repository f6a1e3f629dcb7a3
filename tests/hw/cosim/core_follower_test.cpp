// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the follower makes of the retire port of an SMX that a test drives.
#include "hw/cosim/pins/core_follower.h"

#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

#include "models/program/address_map.h"
#include "tests/hw/cosim/core_bench.h"

namespace heddle::pins {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using kind = core_record::kind;

TEST(core_follower, a_right_step_is_counted) {
    driven_core b;
    ASSERT_TRUE(b.first().is_memory());  // the stub loads the parameter
    EXPECT_EQ(b.report_after(kind::step, {}), "");
    EXPECT_EQ(b.follower.executed(*b.blocks[0]), 1U);
    const smx_counts counts = b.follower.counts().counts(20, 0);
    EXPECT_EQ(counts.executed.thread_instructions, 32U);
    EXPECT_EQ(counts.executed.memory_instructions, 1U);
    EXPECT_EQ(counts.resident_warp_cycles, 2U * 8);
    EXPECT_EQ(counts.active_cycles, 8U);
    EXPECT_EQ(counts.issue_slots[static_cast<std::size_t>(cycle_cause::no_warp)], 2U * 12);
    EXPECT_THAT(
        b.follower.waiting_threads(),
        ElementsAre(HasSubstr("kernel 'k', block (0,0,0), warp 0: behind pins (last step in "
                              "cycle 16), waits for memory at 0x0001"),
                    HasSubstr("warp 1: behind pins (last step in cycle 12) at 0x0001")));
}

struct wrong_record {
    const char* name;
    kind what;
    std::function<void(retire_pins&)> fill;
    const char* text;
};
class core_mismatch : public testing::TestWithParam<wrong_record> {};

TEST_P(core_mismatch, ends_the_run_with_its_place) {
    driven_core b;
    const wrong_record& one = GetParam();
    const std::string report = b.report_after(one.what, one.fill);
    EXPECT_THAT(report, HasSubstr(one.text));
    EXPECT_THAT(report, HasSubstr("front: retire port in cycle 16: launch "));
    EXPECT_EQ(b.status.kind(), error_kind::wrong_result);
    EXPECT_EQ(b.status.report_count(), 1U);
}
INSTANTIATE_TEST_SUITE_P(
    all, core_mismatch,
    testing::Values(
        wrong_record{"number", kind::step, [](retire_pins& r) { r.n.write(2); },
                     "its step before was number 0"},
        wrong_record{"pc", kind::step, [](retire_pins& r) { r.pc.write(0x10004); },
                     "its step before says PC 0x"},
        wrong_record{"lanes", kind::step, [](retire_pins& r) { r.lanes.write(0xfffffffe); },
                     "lanes 0xffffffff"},
        wrong_record{"word", kind::step, [](retire_pins& r) { r.word.write(0x13); },
                     "executes the word 0x00000013; expected: 0x"},
        wrong_record{"live", kind::step, [](retire_pins& r) { r.live.write(1); },
                     "threads 0x00000001 are alive; expected: 0xffffffff"},
        wrong_record{"fault", kind::step, [](retire_pins& r) { r.fault.write(3); },
                     "fault 3 at 'lw a0, 0x0(a0)', which has none"},
        wrong_record{"refused", kind::step, [](retire_pins& r) { r.fault.write(1); },
                     "fault 1 at 'lw a0, 0x0(a0)', which has none"},
        wrong_record{"launch", kind::step, [](retire_pins& r) { r.launch.write(4); },
                     "a record of a block that has not begun"},
        wrong_record{"slot", kind::step, [](retire_pins& r) { r.slot.write(4); },
                     "a record of a block that has not begun"},
        wrong_record{"no_slot", kind::step, [](retire_pins& r) { r.slot.write(64); },
                     "warp slot 64; legal: up to 15"},
        wrong_record{"no_warp_slot", kind::step, [](retire_pins& r) { r.slot.write(16); },
                     "warp slot 16; legal: up to 15"},
        wrong_record{"no_block_slot", kind::block_begin, [](retire_pins& r) { r.slot.write(16); },
                     "block slot 16; legal: up to 15"},
        wrong_record{"no_slots_of_warps", kind::block_begin,
                     [](retire_pins& r) {
                         r.lanes.write(0x18000);
                         r.slot.write(3);
                     },
                     "begins in warp slots 0x18000; the machine has 16"},
        wrong_record{"warp", kind::step, [](retire_pins& r) { r.warp.write(1); },
                     "slot 2 has warp 0 of the block"},
        wrong_record{"kind", kind::step, [](retire_pins& r) { r.kind.write(8); },
                     "a record of kind 8"},
        wrong_record{"no_access", kind::data, {}, "values of a step that waits for none"},
        wrong_record{"drained", kind::drained, {}, "writes drain up to step 1; the last step is 0"},
        wrong_record{"twice", kind::block_begin, {}, "begins in warp slots 0xc; 0xc are taken"},
        wrong_record{"not_dispatched", kind::block_begin, [](retire_pins& r) { r.block.write(1); },
                     "that was not dispatched"},
        wrong_record{"too_few_warps", kind::block_begin,
                     [](retire_pins& r) {
                         r.lanes.write(0x10);
                         r.slot.write(3);
                     },
                     "a block of 64 threads begins in warp slots 0x10"},
        wrong_record{"ends_early", kind::block_end, {}, "ends before its threads and accesses"}),
    [](const auto& info) { return std::string(info.param.name); });

/// Behind a first step, an indirect jump to 0. The port tells `target`.
void jump(driven_core& b, std::uint32_t target, std::uint32_t fault) {
    const auto& code = b.kernel().code;
    std::uint32_t pc = b.kernel().entry;
    while (code.at(pc).cls != isa::instruction_class::jump_register) pc += 4;
    b.begin();
    b.retire(16, kind::step, [pc](retire_pins& r) { r.next_pc.write(pc); });
    b.retire(18, kind::step, [&b, pc, target, fault](retire_pins& r) {
        r.n.write(2);
        r.pc.write(pc);
        r.word.write(b.word(pc));
        r.fault.write(fault);
        core_row row;
        for (int lane = 0; lane < 32; ++lane) row.set_word(lane, target);
        r.address.write(row);
    });
    b.run_to(24);
}

TEST(core_follower, a_jump_to_where_the_registers_do_not_say) {
    driven_core b;
    jump(b, 0x10002, 4);
    EXPECT_EQ(b.status.kind(), error_kind::wrong_result);
    EXPECT_THAT(b.status.text(), HasSubstr("lane 0 jumps to 0x00010002; expected: 0x00000000"));
}
TEST(core_follower, a_jump_out_of_the_code) {
    driven_core b;
    jump(b, 0, 0);
    EXPECT_EQ(b.status.kind(), error_kind::kernel_fault);
    EXPECT_THAT(b.status.text(), HasSubstr("jump to 0x00000000"));
}
TEST(core_follower, bit_0_of_a_jump_has_no_meaning) {
    driven_core b;
    jump(b, 1, 4);
    EXPECT_EQ(b.status.kind(), error_kind::kernel_fault);
    EXPECT_THAT(b.status.text(), HasSubstr("jump to 0x00000000"));
}

TEST(core_follower, a_legal_control_register_has_no_fault) {
    driven_core b;
    const auto& code = b.kernel().code;
    std::uint32_t pc = b.kernel().entry;
    while (code.at(pc).cls != isa::instruction_class::csr) pc += 4;
    b.begin();
    b.retire(16, kind::step, [pc](retire_pins& r) { r.next_pc.write(pc); });
    b.retire(18, kind::step, [&b, pc](retire_pins& r) {
        r.n.write(2);
        r.pc.write(pc);
        r.word.write(b.word(pc));
        r.fault.write(1);
    });
    b.run_to(24);
    EXPECT_EQ(b.status.kind(), error_kind::wrong_result);
    EXPECT_THAT(b.status.text(), HasSubstr("fault 1 at 'csrr"));
}

/// Hears what the follower tells, and whether the run had ended by then.
class listener final : public execution_observer {
public:
    explicit listener(const run_status& status) : status_(status) {}
    void block_started(std::uint64_t, const block_dispatch&, std::uint64_t) override {}
    void block_ended(std::uint64_t, const block_dispatch&) override {}
    void executed(const issued_instruction&, const register_file&) override {}
    void accessed(const issued_instruction&, const memory_instruction& access) override {
        addresses.push_back(access.address[0]);
        early &= status_.kind() == error_kind::none;
    }
    void loaded(std::uint64_t, unsigned, issue_number, isa::lane_mask,
                const std::uint32_t*) override {}
    void completed(std::uint64_t, unsigned, issue_number, const register_file&) override {}
    void writes_drained(std::uint64_t, unsigned) override {}
    void fenced(std::uint64_t, unsigned) override {}

    std::vector<std::uint32_t> addresses;
    bool early = true;

private:
    const run_status& status_;
};

/// A wrong address is often an illegal one.
TEST(core_follower, an_address_is_told_before_it_is_judged) {
    driven_core b;
    listener hears(b.status);
    b.follower.observe(&hears);
    (void)b.report_after(kind::step, [](retire_pins& r) {
        r.fault.write(3);
        core_row row;
        row.set_word(0, 4);
        r.address.write(row);
    });
    EXPECT_THAT(hears.addresses, ElementsAre(4U));
    EXPECT_TRUE(hears.early);
    EXPECT_EQ(b.status.kind(), error_kind::kernel_fault);
}

/// Both warps of the block load and exit, the port tells its end at edge 28, and `done` moves at
/// `done`.
void end(driven_core& b, std::uint64_t done) {
    const auto& code = b.kernel().code;
    std::uint32_t pc = b.kernel().entry;
    while (code.at(pc).op != isa::opcode::exit) pc += 4;
    b.begin();
    for (unsigned warp = 0; warp < 2; ++warp) {
        const std::uint64_t at = 16 + 6 * warp;
        const auto of = [warp](retire_pins& r) {
            r.slot.write(2 + warp);
            r.warp.write(warp);
        };
        b.retire(at, kind::step, [of, pc](retire_pins& r) {
            of(r);
            r.next_pc.write(pc);
        });
        b.retire(at + 2, kind::data, of);
        b.retire(at + 4, kind::step, [&b, of, pc](retire_pins& r) {
            of(r);
            r.n.write(2);
            r.pc.write(pc);
            r.word.write(b.word(pc));
            r.live.write(0);
            r.next_lanes.write(0);
            r.known.write(0);
        });
    }
    b.retire(28, kind::block_end);
    b.beat<block_end_pins>(done, b.pins.done, [](block_end_pins& p) { p.launch.write(3); });
    b.run_to(32);
}

TEST(core_follower, done_in_the_clock_of_the_end) {
    driven_core b;
    end(b, 28);
    EXPECT_EQ(b.status.text(), "");
    EXPECT_EQ(b.blocks[0]->warp_instructions, 4U);
}
TEST(core_follower, done_after_the_end) {
    driven_core b;
    end(b, 30);
    EXPECT_EQ(b.status.text(), "");
    EXPECT_EQ(b.blocks[0]->warp_instructions, 4U);
}
TEST(core_follower, done_before_the_end) {
    driven_core b;
    end(b, 27);
    EXPECT_EQ(b.status.kind(), error_kind::wrong_result);
    EXPECT_THAT(b.status.text(),
                HasSubstr("retire port in cycle 27: block 0 of launch 3 is done; its end must have "
                          "been told by then"));
}

TEST(core_follower, progress_is_what_may_change_something) {
    // Stores to global memory are L2's to count, by what they change.
    driven_core b;
    b.begin();
    b.run_to(14);
    const std::uint64_t before = b.follower.counts().progress();
    const auto& code = b.kernel().code;
    std::uint32_t pc = b.kernel().entry;
    while (code.at(pc).cls != isa::instruction_class::store) pc += 4;
    b.retire(16, kind::step, [pc](retire_pins& r) { r.next_pc.write(pc); });
    const auto store = [&b, pc](std::uint64_t edge, std::uint64_t n, std::uint32_t address) {
        b.retire(edge, kind::step, [&b, pc, n, address](retire_pins& r) {
            r.n.write(n);
            r.pc.write(pc);
            r.word.write(b.word(pc));
            r.next_pc.write(pc);
            core_row row;
            for (int lane = 0; lane < 32; ++lane) row.set_word(lane, address);
            r.address.write(row);
        });
    };
    store(18, 2, driven_core::data);
    b.run_to(20);
    EXPECT_EQ(b.follower.counts().progress(), before);
    store(22, 3, program::shared_window.base);
    b.run_to(24);
    EXPECT_EQ(b.status.text(), "");
    EXPECT_EQ(b.follower.counts().progress(), before + 1);
}

/// Behind the right first step, a load.
std::string report_after_data(const std::function<void(retire_pins&)>& fill) {
    driven_core b;
    b.begin();
    b.retire(16, kind::step);
    b.retire(18, kind::data, fill);
    b.run_to(24);
    return b.status.text();
}

TEST(core_follower, data_for_lanes_and_register_that_are_missing) {
    EXPECT_EQ(report_after_data({}), "");
}
TEST(core_follower, data_in_parts) {
    driven_core b;
    b.begin();
    b.retire(16, kind::step);
    b.retire(18, kind::data, [](retire_pins& r) { r.known.write(0xff); });
    b.retire(20, kind::data, [](retire_pins& r) { r.known.write(0xffffff00); });
    b.run_to(24);
    EXPECT_EQ(b.status.text(), "");
    b.retire(28, kind::data, [](retire_pins& r) { r.known.write(1); });
    b.run_to(30);
    EXPECT_THAT(b.status.text(), HasSubstr("values of a step that waits for none"));
}
TEST(core_follower, data_for_another_register) {
    EXPECT_THAT(report_after_data([](retire_pins& r) { r.rd.write(9); }),
                HasSubstr("values for x9 in lanes 0xffffffff; missing are those for x10"));
}
TEST(core_follower, a_refused_access_that_is_legal) {
    EXPECT_THAT(report_after_data([](retire_pins& r) { r.fault.write(3); }),
                HasSubstr("memory refuses a legal access"));
}
TEST(core_follower, an_access_that_memory_refuses) {
    driven_core b;
    b.begin();
    b.retire(16, kind::step, [](retire_pins& r) {
        core_row row;
        for (int lane = 0; lane < 32; ++lane) row.set_word(lane, driven_core::constants);
        row.set_word(30, driven_core::data + 0x100);
        r.address.write(row);
    });
    b.retire(18, kind::data, [](retire_pins& r) { r.known.write(0x0fffffff); });
    b.retire(20, kind::data, [](retire_pins& r) {
        r.known.write(0xf0000000);
        r.fault.write(3);
    });
    b.run_to(24);
    EXPECT_EQ(b.status.kind(), error_kind::kernel_fault);
    EXPECT_THAT(b.status.text(), HasSubstr("illegal read of 4 bytes at 0x40000100: out of bounds"));
    EXPECT_THAT(b.status.text(),
                HasSubstr("kernel 'k', block (0,0,0), thread (30,0,0), PC 0x0001"));
    EXPECT_THAT(b.status.text(), HasSubstr("in cycle 20, SMX 5, warp slot 2"));
}

}  // namespace
}  // namespace heddle::pins
