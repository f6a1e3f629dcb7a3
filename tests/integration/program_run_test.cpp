// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tb/kit/paths.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using words = std::vector<std::string>;

const std::string fault_program = built_program("iss_fault");
const std::string memory_program = built_program("iss_memory");
const std::string control_program = built_program("iss_control");
const std::string cooperation_program = built_program("iss_cooperation");

/// `heddle run PROGRAM --kernel KERNEL` with an --arg each and further options.
words run_of(const std::string& program, const std::string& kernel, const words& arguments,
             const words& more = {}) {
    words all{"run", program, "--kernel", kernel};
    for (const std::string& argument : arguments) all.insert(all.end(), {"--arg", argument});
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

TEST(run_program, shows_the_kernel_and_its_buffers) {
    const command_result result = heddle_command(run_of(
        memory_program, "atomic_order", {"counter:u32[1]=300", "seen:i32[32]", "sum:f32[1]=0.25"}));
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("kernel: atomic_order\ngrid: 1\nblock: 32\n"));
    EXPECT_THAT(result.output, HasSubstr("counter u32[1]: 364\n"));
    EXPECT_THAT(result.output, HasSubstr("seen i32[32]: 300 302 304 306 308 310 312 314 ...\n"));
    EXPECT_THAT(result.output, HasSubstr("sum f32[1]: 16.25\n"));
}

TEST(run_program, takes_numbers_in_decimal_and_hexadecimal) {
    for (const char* rounds : {"16", "0x10"}) {
        const command_result result =
            heddle_command(run_of(control_program, "busy", {"counter:u32[1]=7", rounds}));
        EXPECT_THAT(result.output, HasSubstr("counter u32[1]: 15\n"));
    }
}

TEST(run_program, fills_buffers_as_asked) {
    const auto contents = [&](const std::string& buffer, const char* seed) {
        const words shape{"--grid", "1", "--block", "1", "--seed", seed};
        const std::string text =
            heddle_command(run_of(control_program, "busy", {buffer, "0"}, shape)).output;
        const std::size_t at = text.find("]: ");
        return text.substr(at + 3, text.find('\n', at) - at - 3);
    };
    EXPECT_EQ(contents("b:i8[3]=-1", "1"), "-1 -1 -1");
    EXPECT_EQ(contents("b:u8[3]=-1", "1"), "255 255 255");
    EXPECT_EQ(contents("b:i16[3]=iota", "1"), "0 1 2");
    EXPECT_EQ(contents("b:u8[256]=iota", "1"), "0 1 2 3 4 5 6 7 ...");
    EXPECT_EQ(contents("b:f32[2]=-2.5e3", "1"), "-2500 -2500");
    EXPECT_EQ(contents("b:u32[2]=4294967295", "1"), "4294967295 4294967295");
    EXPECT_EQ(contents("b:f32[4]=random", "1"), contents("b:f32[4]=random", "1"));
    EXPECT_NE(contents("b:f32[4]=random", "1"), contents("b:f32[4]=random", "2"));
}

TEST(run_program, refuses_wrong_arguments) {
    for (const char* text : {"5",
                             "b",
                             "b:u32",
                             "b:u32[]",
                             "b:u32[0]",
                             "b:u32[x]",
                             "b:u65[4]",
                             ":u32[4]",
                             "b:u32[4]=",
                             "b:u32[4]=1.5",
                             "b:u32[4]=nan",
                             "b:u32[4]=1e300",
                             "b:u8[4]=256",
                             "b:i8[4]=-129",
                             "b:i8[4]=128",
                             "b:i16[4]=65535",
                             "b:u8[257]=iota",
                             "b:i8[129]=iota",
                             "b:u32[4]5",
                             "b:u32[-1]",
                             "b:f32[4]=one",
                             "b]:u32["}) {
        expect_refused(run_of(control_program, "busy", {text, "1"}), "parameter 'counter'");
    }
    expect_refused(run_of(control_program, "busy", {"b:u32[4000000000]", "1"}), "16000000000");
    for (const char* text : {"", "x", "1.5", "4294967296", "-2147483649", "0x", "0x100000000"}) {
        expect_refused(run_of(control_program, "busy", {"b:u32[1]", text}), "parameter 'rounds'");
    }
    expect_refused(run_of(control_program, "busy", {"b:u32[1]"}), "takes 2 arguments, 1 given");
    expect_refused(run_of(control_program, "busy", {}), "unsigned int rounds");
    expect_refused(run_of(fault_program, "environment_call", {"1"}), "takes 0 arguments, 1 given");
}

TEST(run_program, integers_fit_their_type) {
    const temporary_directory files;
    const std::string program = files / "scalars.elf";
    const std::string source = files.write(
        "scalars.cpp",
        "#include <heddle.h>\n"
        "__global__ void narrow(signed char a, unsigned char b, long long c, int* out) {\n"
        "    out[0] = a; out[1] = b; out[2] = static_cast<int>(c >> 32);\n}\n"
        "__global__ void whole(int a, unsigned* out) { out[0] = a; }\n");
    ASSERT_EQ(heddle_command({"compile", source, "-o", program}).code, 0);
    const auto narrow = [&](const char* a, const char* b, const char* c) {
        return run_of(program, "narrow", {a, b, c, "out:i32[3]"}, {"--block", "1"});
    };
    EXPECT_THAT(heddle_command(narrow("-128", "255", "-9223372036854775808")).output,
                HasSubstr("out i32[3]: -128 255 -2147483648\n"));
    EXPECT_THAT(heddle_command(narrow("0x7f", "-1", "9223372036854775807")).output,
                HasSubstr("out i32[3]: 127 255 2147483647\n"));
    expect_refused(narrow("128", "0", "0"), "takes a whole number from -128 to 127");
    expect_refused(narrow("-129", "0", "0"), "takes a whole number from -128 to 127");
    expect_refused(narrow("0", "256", "0"), "takes a whole number from -128 to 255");
    expect_refused(narrow("0", "0", "9223372036854775808"), "parameter 'c' (long long)");
    expect_refused(run_of(program, "whole", {"3000000000", "out:u32[1]"}),
                   "takes a whole number from -2147483648 to 2147483647");
}

TEST(run_program, a_required_work_group_size_is_kept) {
    const temporary_directory files;
    const std::string program = files / "fixed.elf";
    const std::string source = files.write(
        "fixed.cl",
        "__kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed(__global int* out) {\n"
        "    out[get_global_id(0)] = 7;\n}\n");
    ASSERT_EQ(heddle_command({"compile", source, "-o", program}).code, 0);
    for (const words& device : {words{}, words{"--functional"}}) {
        words good{"run", program, "--arg", "out:i32[8]", "--block", "8,2"};
        good.insert(good.end(), device.begin(), device.end());
        EXPECT_EQ(heddle_command(good).code, 0);
        words bad = good;
        bad[5] = "16";
        const command_result refused = heddle_command(bad);
        EXPECT_EQ(refused.code, 3);
        EXPECT_THAT(
            refused.errors,
            HasSubstr("launch of kernel 'fixed': block (16,1,1); its source allows (8,2,1) only "
                      "(reqd_work_group_size)"));
    }
}

TEST(run_program, a_cooperative_kernel_is_launched_when_asked) {
    const words arguments{"20", "3", "total:u32[3]", "groups:u32[3]"};
    for (const words& device : {words{}, words{"--functional"}}) {
        words plain = run_of(cooperation_program, "coop_rounds", arguments, {"--grid", "4"});
        plain.insert(plain.end(), device.begin(), device.end());
        const command_result refused = heddle_command(plain);
        EXPECT_EQ(refused.code, 3);
        EXPECT_THAT(refused.errors, HasSubstr("the launch is not a cooperative one; legal: heddle "
                                              "run with --cooperative"));
        words asked = plain;
        asked.emplace_back("--cooperative");
        const command_result good = heddle_command(asked);
        EXPECT_EQ(good.code, 0) << good.errors;
        EXPECT_THAT(good.output, HasSubstr("launch: cooperative\n"));
        EXPECT_THAT(good.output, HasSubstr("total u32[3]: 210 270 330\n"));
    }
    expect_refused({"run", "saxpy", "--cooperative"}, "--cooperative is for kernels of ELF files");
}

TEST(run_program, refuses_wrong_shapes) {
    const words arguments{"b:u32[1]", "1"};
    for (const char* extent : {"0", "1,0", "x", "1,2,3,4", "1,", ",1", "-1", "4294967296", "1;2"}) {
        expect_refused(run_of(control_program, "busy", arguments, {"--grid", extent}),
                       std::string("--grid ") + extent);
    }
    for (const words& large : {words{"--block", "2048"}, words{"--shared", "999999999"}}) {
        const command_result result =
            heddle_command(run_of(control_program, "busy", arguments, large));
        EXPECT_EQ(result.code, 3);
        EXPECT_THAT(result.errors, HasSubstr(large[1]));
    }
    expect_refused(run_of(control_program, "busy", arguments, {"--shared", "-4"}), "found '-4'");
    expect_refused(run_of(control_program, "busy", arguments, {"--shared", "4294967296"}),
                   "from 0 to 4294967295");
    expect_refused(run_of(control_program, "busy", arguments, {"--input", "road:width=4"}),
                   "--input is for workloads");
    const command_result good = heddle_command(
        run_of(control_program, "ids", {"out:u32[48]"}, {"--grid", "2,2", "--block", "2,3,2"}));
    EXPECT_THAT(good.output, HasSubstr("grid: 2,2\nblock: 2,3,2\n"));
}

TEST(run_program, refuses_what_is_no_program) {
    const temporary_directory files;
    expect_refused({"run", files / "none.elf"}, "no such file");
    expect_refused({"run", files.write("text.elf", "hello")}, "ELF");
    expect_refused({"run", files.write("empty.elf", "")}, "ELF");
    const std::string program = contents_of(fault_program);
    expect_refused({"run", files.write("cut.elf", program.substr(0, program.size() / 2))},
                   "cut.elf");
    expect_refused({"run", files.path().string()}, files.path().string() + ": is no file");
    expect_refused({"run", "/dev/zero"}, "/dev/zero: is no file");
    expect_refused({"run", build_path("heddle")}, "riscv32");
    expect_refused({"run", fault_program}, "choose one of its kernels with --kernel: atomic_past");
    expect_refused({"run", fault_program, "--kernel", "trip"}, "trap");
}

TEST(run_program, a_bad_access_ends_with_3_and_partial_results) {
    const temporary_directory files;
    const std::string file = files / "x.json";
    const command_result result =
        heddle_command(run_of(fault_program, "read_past_the_end", {"in:u32[32]", "out:u32[64]"},
                              {"--grid", "2", "--stats", file}));
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.output, HasSubstr("PARTIAL"));
    for (const char* text : {"illegal read of 4 bytes", "0 bytes past 'in'", "read_past_the_end",
                             "block (1,0,0), thread (0,0,0)", "fault_kernel.cpp:12"}) {
        EXPECT_THAT(result.errors, HasSubstr(text));
    }
    const auto statistics = nlohmann::json::parse(contents_of(file)).at("statistics");
    EXPECT_EQ(statistics.at("run.completed").at("value"), 0);
    EXPECT_GT(statistics.at("gpu.warp_instructions").at("value"), 0);
    EXPECT_EQ(files.file_count(), 1U);
}

TEST(run_program, null_is_a_pointer_that_faults) {
    const command_result result = heddle_command(run_of(fault_program, "null_pointer", {"null"}));
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.errors, HasSubstr("0x00000000"));
    EXPECT_THAT(result.errors, testing::Not(HasSubstr("\n\n")));
}

TEST(run_program, a_spinning_kernel_ends_with_4) {
    for (const words& options : {words{"--functional", "--set", "iss.watchdog=5000"},
                                 words{"--config", "tiny", "--max-cycles", "20000"}}) {
        const command_result result =
            heddle_command(run_of(control_program, "wait_for_flag", {"flag:u32[2]"}, options));
        EXPECT_EQ(result.code, 4);
        EXPECT_THAT(result.output, HasSubstr("PARTIAL"));
        EXPECT_THAT(result.output, testing::ContainsRegex("warp instructions +[1-9]"));
        EXPECT_THAT(result.errors, HasSubstr("control_kernel.cpp:"));
    }
}

TEST(run_program, counts_what_ran_before_a_fault) {
    const auto counts = [](const char* kernel, const char* device) {
        const command_result result =
            heddle_command({"run", built_program("iss_fault"), "--config", "tiny", "--kernel",
                            kernel, "--arg", "out:u32[20]", device});
        EXPECT_EQ(result.code, 3) << result.errors;
        const std::size_t begin = result.output.find("warp instructions");
        return result.output.substr(begin, result.output.find("SIMD efficiency") - begin);
    };
    for (const char* kernel : {"builtin_trap", "write_past_the_end", "stack_overflow"}) {
        const std::string found = counts(kernel, "--functional");
        EXPECT_EQ(found, counts(kernel, "--no-progress")) << kernel;
        EXPECT_THAT(found, testing::ContainsRegex("^warp instructions +[1-9]"));
    }
}

/// Cycles of a kernel of one warp with transactions.
long cycles_with_checkpoint(const std::string& kernel, const std::string& cycles) {
    const auto result = heddle_command({"run", built_program("iss_transaction"), "--kernel", kernel,
                                        "--config", "tiny", "--set", "tm.enabled=true", "--set",
                                        "tm.checkpoint_cycles=" + cycles, "--grid", "1", "--block",
                                        "32", "--arg", "values:u32[32]"});
    EXPECT_EQ(result.code, 0) << result.errors;
    const auto at = result.output.find("\ncycles ");
    EXPECT_NE(at, std::string::npos) << result.output;
    return at == std::string::npos ? 0 : std::stol(result.output.substr(at + 8));
}

/// Lanes lose and start again, up to 31 times: that pays no second checkpoint.
TEST(run_program, a_transaction_pays_one_checkpoint) {
    for (const std::string kernel : {"neighbours", "take_numbers"}) {
        EXPECT_EQ(cycles_with_checkpoint(kernel, "1000") - cycles_with_checkpoint(kernel, "500"),
                  500)
            << kernel;
    }
}

}  // namespace
}  // namespace heddle
