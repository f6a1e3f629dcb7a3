// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The whole machine with SMXs behind pins: workloads that need no mechanism give the right results,
// with the functional simulator in step and all checkers on.
#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "hw/cosim/pins/block_rtl.h"
#include "hw/protocol/interposers.h"
#include "hw/protocol/link_observer.h"
#include "hw/protocol/memory_access.h"
#include "models/program/compile.h"
#include "models/program/image.h"
#include "models/workloads/registry.h"
#include "tests/base/temporary_directory.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using option_values = std::map<std::string, std::string>;

struct smx_case {
    const char* workload;
    option_values values;
    const char* input = "";
};

/// A statistic of a run that ends well, in a process of its own; "gpu.cycles" if no other.
std::uint64_t count_of(const smx_case& one, const settings& changes,
                       const std::string& statistic = "gpu.cycles") {
    const process_result result = run_in_child([&](std::string& output) {
        timed_machine machine(configuration_of("tiny", changes));
        workloads::workload_options options;
        options.values = one.values;
        options.input = one.input;
        machine.run_well([&](device& gpu) {
            workloads::run_workload(workloads::find_workload(one.workload), gpu, options)
                .require_correct(one.workload);
        });
        output = std::to_string(machine.count(statistic));
        std::fflush(stdout);
        return testing::Test::HasFailure() ? 1 : 0;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return result.exit_code == 0 ? std::stoull(result.output) : 0;
}

bool can(const std::string& what) {
    return what == "pins" || pins::has_block_rtl();
}

class smx_run : public testing::TestWithParam<std::tuple<const char*, smx_case>> {
protected:
    void SetUp() override {
        if (!can(std::get<0>(GetParam()))) GTEST_SKIP();
    }
};

TEST_P(smx_run, gives_right_results) {
    const auto& [what, one] = GetParam();
    const std::string choice = std::string("slot.smx=") + what;
    const std::uint64_t tlm = count_of(one, {});
    const std::uint64_t behind = count_of(one, {choice});
    EXPECT_EQ(count_of(one, {choice, "pins.check=false"}), behind);
    EXPECT_NE(count_of(one, {choice, "pins.stalls=40"}), behind);
    EXPECT_NE(behind, tlm);
    const bool is_pins = std::string(what) == "pins";
    // The RTL takes 5 to 20 clocks for an instruction.
    EXPECT_LT(behind, is_pins ? 2 * tlm : 40 * tlm);
    // One of four, on which a part of the blocks runs.
    EXPECT_NE(count_of(one, {choice, "gpu.smx_count=4", "slot.smx.where=gpu.smx_1"}), 0U);
}

// Barriers, shared memory of two blocks, private memory, atomics with reservations, divergence,
// special functions, launches that wait for each other.
const smx_case cases[] = {
    {"saxpy", {{"n", "1000"}, {"block", "48"}}},
    {"matrix", {{"variant", "tiled"}, {"rows", "17"}, {"columns", "18"}, {"inner", "9"}}},
    {"reduction", {{"n", "700"}, {"block", "64"}, {"blocks", "3"}}},
    {"latency", {{"variant", "private"}, {"rounds", "3"}}},
    {"histogram", {{"n", "399"}, {"variant", "global"}, {"skew", "100"}}},
    {"lock", {{"n", "64"}, {"case", "lists"}, {"locks", "10"}}},
    {"black", {{"options", "130"}}},
    {"bfs", {}, "kronecker:scale=5,degree=4"},
};
INSTANTIATE_TEST_SUITE_P(all, smx_run,
                         testing::Combine(testing::Values("pins", "rtl"), testing::ValuesIn(cases)),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param)) + "_" +
                                    std::get<1>(info.param).workload;
                         });

const smx_case saxpy{"saxpy", {{"n", "1000"}}};

/// Two blocks with pins and clocks of their own on one domain, and many SMXs.
TEST(smx_machine, with_other_pins_and_with_sixteen) {
    const smx_case reduction{"reduction", {{"n", "3000"}}};
    for (const char* what : {"pins", "rtl"}) {
        if (!can(what)) continue;
        const std::string choice = std::string("slot.smx=") + what;
        const std::uint64_t alone = count_of(reduction, {choice});
        EXPECT_EQ(count_of(reduction, {choice}), alone);
        EXPECT_NE(count_of(reduction, {choice, "slot.kernel_distributor=pins"}), alone);
        EXPECT_LT(count_of(reduction, {choice, "gpu.smx_count=16"}), alone);
    }
}

/// What does not depend on who executes the instructions is the same.
TEST(smx_statistics, of_rtl_are_those_of_its_retire_port) {
    if (!can("rtl")) GTEST_SKIP();
    for (const char* name :
         {"gpu.warp_instructions", "gpu.thread_instructions", "gpu.branches",
          "gpu.divergent_branches", "gpu.memory_instructions", "gpu.blocks", "kernel.saxpy.blocks",
          "kernel.saxpy.thread_instructions", "smx.1.warp_instructions"}) {
        const std::uint64_t expected = count_of(saxpy, {"gpu.smx_count=2"}, name);
        EXPECT_NE(expected + (std::string(name) == "gpu.divergent_branches" ? 1 : 0), 0U) << name;
        if (std::string(name) == "smx.1.warp_instructions") {
            EXPECT_NE(count_of(saxpy, {"slot.smx=rtl"}, name), 0U) << name;
        } else {
            EXPECT_EQ(count_of(saxpy, {"slot.smx=rtl"}, name), expected) << name;
        }
    }
    const std::uint64_t active = count_of(saxpy, {"slot.smx=rtl"}, "smx.0.active_cycles");
    EXPECT_GT(active, 0U);
    EXPECT_LE(active, count_of(saxpy, {"slot.smx=rtl"}));
}

TEST(smx_statistics, what_nobody_has_counted_is_left_out) {
    if (!can("rtl")) GTEST_SKIP();
    for (const char* what : {"slot.smx=tlm", "slot.smx=rtl", "slot.smx=pins"}) {
        const process_result result = run_in_child([&](std::string&) {
            timed_machine machine(configuration_of("tiny", {what}));
            machine.run_well([&](device& gpu) {
                workloads::workload_options options;
                options.values = saxpy.values;
                (void)workloads::run_workload(workloads::find_workload("saxpy"), gpu, options);
            });
            const statistics all = machine.collected();
            const statistic_value& value = all.find("gpu.executing_warps")->value;
            return std::holds_alternative<std::monostate>(value) ? 2 : 3;
        });
        EXPECT_EQ(result.exit_code, std::string(what) == "slot.smx=rtl" ? 2 : 3) << what;
    }
}

TEST(smx_statistics, where_nobody_is_behind_pins_nothing_changes) {
    EXPECT_NE(
        count_of(saxpy, {"slot.smx=pins", "slot.smx.where=gpu.smx_1"}, "smx.0.warp_instructions"),
        0U);
    EXPECT_EQ(count_of(saxpy, {"slot.smx=tlm", "slot.smx.where=gpu.smx_1"}), count_of(saxpy, {}));
}

// ---- a wrong SMX ------------------------------------------------------------------------------

/// What an SMX loads has a wrong bit once: what its registers then hold is as if it were broken.
class wrong_load final : public protocol::link_observer<protocol::memory_link> {
public:
    using base = protocol::link_observer<protocol::memory_link>;
    explicit wrong_load(const sc_core::sc_module_name& name) : base(name) {}

private:
    tlm::tlm_sync_enum pass(protocol::path via, tlm::tlm_generic_payload& payload,
                            protocol::memory_phase& phase, sc_core::sc_time& time) override {
        const protocol::memory_access* const access = protocol::access_of(payload);
        const bool data = access->kind == protocol::memory_kind::load &&
                          payload.get_address() >= 0x40000000 && payload.get_address() < 0xc0000000;
        if (via == protocol::path::backward && phase == protocol::memory_phase::begin_response &&
            data && !done_) {
            done_ = true;
            payload.get_data_ptr()[4] ^= 0x10;  // of lane 1
        }
        return base::pass(via, payload, phase, time);
    }
    bool done_ = false;
};

TEST(smx_mismatch, ends_the_run_with_warp_thread_and_line) {
    if (!can("rtl")) GTEST_SKIP();
    const process_result result = run_in_child([](std::string& output) {
        protocol::interposers between;
        between.add<protocol::memory_link, 32>([](const std::string& link) {
            using chain = protocol::interposers::chain<protocol::memory_link>;
            if (link != "smx_memory_1") return chain{};
            return chain{std::make_shared<wrong_load>((link + "_wrong").c_str())};
        });
        timed_machine machine(
            configuration_of("tiny", {"slot.smx=shadow", "slot.smx.where=gpu.smx_1"}), false, {},
            &between);
        (void)machine.run([](device& gpu) {
            workloads::workload_options options;
            options.values = saxpy.values;
            (void)workloads::run_workload(workloads::find_workload("saxpy"), gpu, options);
        });
        output = machine.status().text();
        return machine.status().kind() == error_kind::wrong_result ? 0 : 1;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(
        result.output,
        AllOf(HasSubstr("difference from the functional simulator at cycle "),
              HasSubstr("SMX 1, warp slot "), HasSubstr(" gets 0x"), HasSubstr("kernel 'saxpy'"),
              HasSubstr("thread ("), HasSubstr("saxpy_kernel.cpp:")));
}

// ---- illegal kernels --------------------------------------------------------------------------

/// A kernel `fault`, which 48 threads execute on a buffer of 64 words.
class small_kernel {
public:
    explicit small_kernel(const std::string& body) {
        program::compile(
            {files_.write("fault.cpp",
                          "#include <heddle.h>\n__shared__ unsigned part[64];\n"
                          "__global__ void fault(volatile unsigned* data) {\n"
                          "    const unsigned i = threadIdx.x;\n    part[i] = i;\n    " +
                              body + "\n    data[i] = part[i ^ 1];\n}\n")},
            file_);
    }
    /// What a run reports.
    [[nodiscard]] std::string report(const settings& changes, bool cooperative = false) const {
        const process_result result = run_in_child([&](std::string& output) {
            timed_machine machine(configuration_of("tiny", changes));
            std::string thrown;
            (void)machine.run([&](device& gpu) {
                gpu.load(std::make_shared<program::image>(program::image::load(file_)));
                const device_buffer<std::uint32_t> data(gpu, 64, "data");
                launch_shape shape{{1}, {48}};
                shape.cooperative = cooperative;
                try {
                    launch(gpu, "fault", shape, data.get());
                    gpu.synchronize();
                } catch (const configuration_error& error) {
                    thrown = error.what();
                }
            });
            output = machine.status().text() + thrown;
            return 0;
        });
        return result.output;
    }

private:
    temporary_directory files_;
    std::string file_ = files_ / "fault.elf";
};

/// Kind, kernel, block, thread, PC and line; not when.
std::string place_of(const std::string& report) {
    return report.substr(0, report.find("\n  in cycle"));
}

class illegal_kernel : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(illegal_kernel, is_reported_in_the_words_of_the_model) {
    if (!can("rtl")) GTEST_SKIP();
    const small_kernel kernel(GetParam().second);
    const std::string expected = place_of(kernel.report({}));
    EXPECT_THAT(expected, HasSubstr("kernel 'fault', block (0,0,0), thread ("));
    EXPECT_EQ(place_of(kernel.report({"slot.smx=rtl"})), expected);
    EXPECT_EQ(place_of(kernel.report({"slot.smx=rtl", "pins.stalls=40"})), expected);
    EXPECT_EQ(place_of(kernel.report({"slot.smx=pins"})), expected);
}
INSTANTIATE_TEST_SUITE_P(
    all, illegal_kernel,
    testing::Values(
        std::pair("illegal", "if (i % 4 == 1) __asm__ volatile(\".word 0\");"),
        std::pair("rounding_mode",
                  "if (i == 3) __asm__ volatile(\"csrwi frm, 5\"); float f = 0;"
                  " __asm__ volatile(\"fadd.s %0, %0, %0, dyn\" : \"+r\"(f)); part[i] = f;"),
        std::pair("misaligned", "if (i == 7) *(volatile unsigned*)((unsigned)data + 2) = 1;"),
        std::pair("shared", "if (i < 2) ((volatile unsigned*)part)[64 - i] = 1;"),
        std::pair("private", "if (i == 40) *(volatile unsigned*)0x20002000 = 1;"),
        std::pair("null", "if (i == 31) data = nullptr; part[i] = *data;"),
        std::pair("beside_data_store", "if (i == 1) data[4096] = 1;"),
        std::pair("beside_data_byte", "((volatile unsigned char*)data)[i == 5 ? 256 : i] = 1;"),
        std::pair("beside_data_load", "part[i] = data[i == 9 ? 64 : i];"),
        std::pair("beside_data_atomic",
                  "__atomic_fetch_add((unsigned*)data + (i == 3 ? 70 : 0), 1, 0);"),
        std::pair("jump", "if (i == 4) __asm__ volatile(\"li t0, 0x10002; jr t0\" ::: \"t0\");"),
        std::pair("jump_far",
                  "if (i == 4) __asm__ volatile(\"li t0, 0x40000000; jr t0\" ::: \"t0\");"),
        std::pair("jump_of_a_later_lane",
                  "__asm__ volatile(\"la t0, 1f; add t0, t0, %0; jr t0; 1:\" ::"
                  " \"r\"(i == 9 ? 2 : 0) : \"t0\");"),
        std::pair("jump_fixed", "if (i == 4) __asm__ volatile(\".word 0x0020006f\");"),
        std::pair("past_the_end",
                  "if (i == 6) __asm__ volatile(\".pushsection .text.zzz, \\\"ax\\\"; 7: nop; nop;"
                  " .popsection; j 7b\");"),
        std::pair("ecall", "if (i == 9) __asm__ volatile(\"ecall\");")),
    [](const auto& info) { return std::string(info.param.first); });

/// A kernel that stores what is there has no end that the watchdog would wait for.
TEST(smx_watchdog, stores_that_change_nothing_are_no_progress) {
    if (!can("rtl")) GTEST_SKIP();
    const small_kernel kernel("for (;;) data[i] = 1;");
    for (const char* what : {"slot.smx=tlm", "slot.smx=rtl"}) {
        EXPECT_THAT(kernel.report({what, "gpu.watchdog=20000"}),
                    AllOf(HasSubstr("no progress"), HasSubstr("kernel 'fault', block (0,0,0)")))
            << what;
    }
}

// ---- what is refused --------------------------------------------------------------------------

TEST(smx_refused, a_cooperative_launch) {
    EXPECT_THAT(small_kernel("").report({"slot.smx=pins"}, true),
                HasSubstr("launch of kernel 'fault': its launch is a cooperative one, and SMXs "
                          "behind pins don't; legal: slot.smx = tlm"));
}

TEST(smx_refused, a_kernel_that_launches) {
    EXPECT_THAT(small_kernel("heddle::create_stream();").report({"slot.smx=pins"}),
                AllOf(HasSubstr("launch of kernel 'fault': it launches kernels (at PC 0x000"),
                      HasSubstr("legal: slot.smx = tlm")));
}

TEST(smx_refused, transactions_on_rtl_only) {
    if (!can("rtl")) GTEST_SKIP();
    const small_kernel kernel("heddle::tx_begin(); part[0] += 1; heddle::tx_commit();");
    EXPECT_THAT(kernel.report({"slot.smx=rtl", "tm.enabled=true"}),
                AllOf(HasSubstr("it has transactions (at PC 0x000"),
                      HasSubstr("legal: slot.smx = tlm or pins")));
    EXPECT_EQ(kernel.report({"slot.smx=pins", "tm.enabled=true"}), "");
}

std::string error_of(const settings& changes) {
    try {
        timed_machine machine(configuration_of("tiny", changes));
    } catch (const configuration_error& error) {
        return error.what();
    }
    return "none";
}

TEST(smx_setting, what_the_pins_cannot_carry) {
    EXPECT_THAT(error_of({"slot.smx=pins", "gpu.warp_size=16"}),
                HasSubstr("need gpu.warp_size = 32 and l2.line = 128"));
    EXPECT_THAT(error_of({"slot.smx=pins", "smx.formation=dwf"}),
                HasSubstr("need smx.formation = pdom"));
    EXPECT_THAT(error_of({"slot.smx=pins", "coop.preempt=true"}),
                HasSubstr("coop.preempt = false"));
}

TEST(smx_setting, a_pattern_that_names_no_instance) {
    EXPECT_EQ(error_of({"slot.smx=pins", "slot.smx.where=gpu.l2_0"}),
              "slot.smx.where = 'gpu.l2_0' names no instance; there are: gpu.smx_0 to gpu.smx_1");
}

TEST(smx_setting, sizes_of_the_rtl_and_of_the_machine) {
    if (!can("rtl")) GTEST_SKIP();
    EXPECT_EQ(
        error_of({"slot.smx=rtl", "smx.private_bytes=4096"}),
        "slot.smx: smx.private_bytes = 4096, and the RTL has PRIVATE_BYTES = 8192; legal: the "
        "same, or heddle_rtl(smx ... PARAMETERS PRIVATE_BYTES=4096)");
    EXPECT_THAT(error_of({"slot.smx=rtl", "smx.max_threads=1024"}),
                AllOf(HasSubstr("smx.max_threads / gpu.warp_size = 32"),
                      HasSubstr("WARPS = 16; legal: at most that")));
    EXPECT_EQ(error_of({"slot.smx=rtl", "smx.max_threads=256"}), "none");
}

}  // namespace
}  // namespace heddle
