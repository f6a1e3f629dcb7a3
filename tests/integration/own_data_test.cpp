// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels of a user's own with files of a user's own, from the shell (docs/own_data.md).
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tb/kit/paths.h"
#include "tests/base/npy_bytes.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using testing::Not;
using words = std::vector<std::string>;

const std::string program = built_program("own_data");

/// `heddle run PROGRAM --kernel KERNEL` with an --arg each and further options.
words run_of(const std::string& kernel, const words& arguments, const words& more = {}) {
    words all{"run", program, "--config", "tiny", "--kernel", kernel};
    for (const std::string& argument : arguments) all.insert(all.end(), {"--arg", argument});
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

void expect_good(const words& command) {
    const command_result result = heddle_command(command);
    EXPECT_EQ(result.code, 0) << result.errors;
}

constexpr unsigned rows = 5;
constexpr unsigned columns = 7;
const std::string plate_shape = "(5, 7)";

std::vector<double> plate() {
    std::vector<double> values(rows * columns);
    for (unsigned i = 0; i < values.size(); ++i) values[i] = 0.1 * i * i;
    return values;
}

/// What heat() of own_data.cpp does. The rates are powers of two, so that a host that rounds
/// rate * x + y once has the same result.
std::vector<double> heated(const std::vector<double>& from, double rate) {
    std::vector<double> to = from;
    for (unsigned row = 1; row + 1 < rows; ++row) {
        for (unsigned column = 1; column + 1 < columns; ++column) {
            const unsigned i = row * columns + column;
            const double around = from[i - columns] + from[i + columns] + from[i - 1] + from[i + 1];
            to[i] = from[i] + rate * (around - 4 * from[i]);
        }
    }
    return to;
}

TEST(own_data, a_stencil_of_doubles_keeps_dtype_and_shape) {
    const temporary_directory files;
    const std::string in =
        files.write("in.npy", npy_bytes("'<f8'", plate_shape, bytes_of(plate())));
    const std::string expected = npy_bytes("'<f8'", plate_shape, bytes_of(heated(plate(), 0.125)));
    const std::string golden = files.write("expected.npy", expected);
    const std::string out = files / "out.npy";
    for (const words& more : {words{"--check"}, words{"--functional"}}) {
        words command = run_of("heat", {"5", "7", "0.125", "from=@" + in, "to:f64[35]"},
                               {"--grid", "2", "--golden", "to=" + golden, "--save", "to=" + out,
                                "--save", "from=" + (files / "from.npy")});
        command.insert(command.end(), more.begin(), more.end());
        const command_result result = heddle_command(command);
        EXPECT_EQ(result.code, 0) << result.errors;
        EXPECT_THAT(result.output, testing::ContainsRegex("golden to +equal +35 values, exact"));
        EXPECT_THAT(result.output, HasSubstr("from f64[35]: 0 0.1 0.4"));
        EXPECT_EQ(contents_of(out), npy_bytes("'<f8'", "(35,)", bytes_of(heated(plate(), 0.125))));
        EXPECT_EQ(contents_of(files / "from.npy"), contents_of(in));
    }
}

struct particle {
    float position[3];
    std::uint32_t id;
    double mass;
    std::uint8_t moves;
};

const std::string particle_dtype =
    "[('position', '<f4', (3,)), ('id', '<u4'), ('mass', '<f8'), ('moves', '|u1'), ('', '|V7')]";

std::string particles(float shift) {
    std::vector<particle> all(40);
    std::memset(all.data(), 0, all.size() * sizeof(particle));
    for (unsigned i = 0; i < all.size(); ++i) {
        all[i].id = 100 + i;
        all[i].mass = 0.5 * i;
        all[i].moves = i % 2;
        for (unsigned d = 0; d < 3; ++d) {
            const float moved = static_cast<float>(d + 1) * shift;
            all[i].position[d] = static_cast<float>(i) + (i % 2 != 0 ? moved : 0);
        }
    }
    return bytes_of(all);
}

/// struct step: a velocity of (1, 2, 3) for a time.
std::string step_bytes(float time) {
    return bytes_of(std::vector<float>{1, 2, 3, time});
}

TEST(own_data, records_are_the_structs_of_the_kernel) {
    const temporary_directory files;
    const std::string in = files.write("in.npy", npy_bytes(particle_dtype, "(40,)", particles(0)));
    const std::string golden =
        files.write("expected.npy", npy_bytes(particle_dtype, "(40,)", particles(0.5)));
    const std::string step = files.write(
        "step.npy",
        npy_bytes("[('velocity', '<f4', (3,)), ('time', '<f4')]", "()", step_bytes(0.5)));
    const std::string out = files / "out.npy";
    for (const std::string buffer : {"all=@", "all:record[40]=@", "all:record[]=@"}) {
        expect_good(run_of("advance", {"40", "by=@" + step, buffer + in},
                           {"--grid", "2", "--golden", "all=" + golden, "--save", "all=" + out}));
        EXPECT_EQ(contents_of(out), contents_of(golden));
    }
    // The same bytes without a header, and as text.
    const std::string raw = files.write("in.bin", particles(0));
    const std::string raw_step = files.write("step.bin", step_bytes(0.5));
    const std::string table = files / "out.csv";
    expect_good(run_of("advance", {"40", "@" + raw_step, "all:record[]=@" + raw},
                       {"--grid", "2", "--save", "all=" + table}));
    EXPECT_THAT(contents_of(table),
                testing::StartsWith("position[0],position[1],position[2],id,mass,moves\n"
                                    "0,0,0,100,0,0\n1.5,2,2.5,101,0.5,1\n"));
    const command_result shown = heddle_command(run_of(
        "advance", {"0", "@" + raw_step, "all:record[]=@" + table}, {"--golden", "all=" + golden}));
    EXPECT_EQ(shown.code, 0) << shown.errors;
    EXPECT_THAT(shown.output, HasSubstr("all record[40]: ([0 0 0], 100, 0, 0) ([1.5 2 2.5], 101,"));
}

TEST(own_data, records_that_are_not_the_struct_are_named) {
    const temporary_directory files;
    const std::string step = files.write("step.bin", step_bytes(1));
    const auto refused = [&](const std::string& dtype, const std::string& text) {
        const std::string in = files.write("in.npy", npy_bytes(dtype, "(1,)", std::string(64, 0)));
        expect_refused(run_of("advance", {"1", "@" + step, "all=@" + in}), text);
    };
    const std::string before = "[('position', '<f4', (3,)), ('id', ";
    const std::string behind = "('mass', '<f8'), ('moves', '|u1'), ('', '|V7')]";
    refused(before + "'<i4'), " + behind,
            "'id' is u32 at byte 12 in the kernel, i32 at byte 12 in the file");
    refused(before + "'<u4'), ('', '|V8'), " + behind,
            "'mass' is f64 at byte 16 in the kernel, f64 at byte 24 in the file");
    refused(before + "'<u4'), ('weight', '<f8'), ('moves', '|u1'), ('', '|V7')]",
            "the file has no 'mass' (f64 at byte 16 in the kernel); the kernel has no 'weight'");
    refused(before + "'<u4'), ('mass', '<f8'), ('moves', '|u1')]",
            "a record has 32 bytes in the kernel, 25 in the file; numpy.dtype(..., align=True)");
    refused("'<f8'", "has values of type f64, expected record");
    const std::string floats = files.write("f.npy", npy_bytes("'<f8'", "(8,)", std::string(64, 0)));
    expect_refused(run_of("running_sums", {"8", "a:record[]=@" + floats, "b:f64[8]"}),
                   "a record is a struct of the kernel's, but 'values' points to f64");
    const std::string short_step = files.write("short.bin", std::string(15, 0));
    expect_refused(run_of("advance", {"1", "@" + short_step, "all:record[1]"}),
                   "has 15 bytes, no multiple of the 16 of a record");
    const std::string steps = files.write("steps.bin", std::string(32, 0));
    expect_refused(run_of("advance", {"1", "@" + steps, "all:record[1]"}),
                   "steps.bin: has 2 values, expected 1");
    expect_refused(run_of("advance", {"1", "5", "all:record[1]"}),
                   "parameter 'by' (step) takes a struct from a file");
    expect_refused(run_of("advance", {"1", "@" + step, "all:record[1]=5"}), "parameter 'all'");
}

TEST(own_data, a_graph_of_64_bit_integers) {
    const temporary_directory files;
    const std::int64_t large = 9'007'199'254'740'993;  // no double has it
    const std::vector<std::int64_t> first{0, 2, 3, 3, 6};
    const std::vector<std::int64_t> targets{1, 2, 0, 0, 1, 3};
    const std::vector<std::int64_t> values{large, -5, 7, 1};
    const std::vector<std::int64_t> sums{2, large, 0, large - 4};
    const auto file = [&](const std::string& name, const std::vector<std::int64_t>& numbers) {
        return files.write(name, npy_bytes("'<i8'", "(" + std::to_string(numbers.size()) + ",)",
                                           bytes_of(numbers)));
    };
    std::string text = "vertex value\n";
    for (const std::int64_t value : values) text += std::to_string(value) + "\n";
    const std::string out = files / "sums.csv";
    expect_good(run_of("gather",
                       {"4", "first=@" + file("first.npy", first),
                        "targets:i64[6]=@" + files.write("targets.bin", bytes_of(targets)),
                        "values:i64[]=@" + files.write("values.csv", text), "sums:i64[4]=-1"},
                       {"--golden", "sums=" + file("sums.npy", sums), "--save", "sums=" + out}));
    EXPECT_EQ(contents_of(out), "2\n9007199254740993\n0\n9007199254740989\n");
}

TEST(own_data, a_cooperative_kernel) {
    const temporary_directory files;
    std::vector<double> values(200);
    std::vector<double> sums(200);
    double sum = 0;
    for (unsigned i = 0; i < values.size(); ++i) {
        values[i] = i % 17;
        sums[i] = sum += values[i];
    }
    const std::string in = files.write("in.npy", npy_bytes("'<f8'", "(200,)", bytes_of(values)));
    const std::string golden = files.write("out.npy", npy_bytes("'<f8'", "(200,)", bytes_of(sums)));
    const words command = run_of("running_sums", {"200", "values=@" + in, "spare:f64[200]"},
                                 {"--grid", "4", "--golden", "values=" + golden, "--cooperative"});
    expect_good(command);
    words functional = command;
    functional.emplace_back("--functional");
    expect_good(functional);
}

/// A launch script for two steps of heat.
std::string two_steps(const std::string& more = "") {
    return "program = \"" + program + "\"\n" + R"([buffers]
from = "@in.npy"
to = "f64[35]"
[[launch]]
kernel = "heat"
grid = 2
arguments = [5, 7, 0.125, "from", "to"]
[[launch]]
kernel = "heat"
grid = [2, 1]
block = 32
arguments = [5, 7, 0.25, "to", "from"]
[save]
from = "out.npy"
[golden]
from = "expected.npy"
)" + more;
}

TEST(own_data, two_launches_in_order) {
    const temporary_directory files;
    files.write("in.npy", npy_bytes("'<f8'", plate_shape, bytes_of(plate())));
    const std::string expected =
        npy_bytes("'<f8'", plate_shape, bytes_of(heated(heated(plate(), 0.125), 0.25)));
    files.write("expected.npy", expected);
    const std::string script = files.write("steps.toml", two_steps());
    const std::string statistics = files / "s.json";
    const std::string launches = files / "l.csv";
    for (const words& more :
         {words{"--check", "--stats", statistics, "--launches", launches}, words{"--functional"},
          words{"--skip-kernels", "1", "--save", "to=" + (files / "to.csv")}}) {
        words command{"run", script, "--config", "tiny"};
        command.insert(command.end(), more.begin(), more.end());
        const command_result result = heddle_command(command);
        EXPECT_EQ(result.code, 0) << result.errors;
        EXPECT_THAT(result.output, HasSubstr("launch 1: heat, grid 2, block 32\n"
                                             "launch 2: heat, grid 2, block 32\n"));
        EXPECT_THAT(result.output, testing::ContainsRegex("golden from +equal"));
        EXPECT_EQ(contents_of(files / "out.npy"), expected);
    }
    EXPECT_THAT(contents_of(statistics), HasSubstr("\"launch 2\""));
    const std::string rows_of_launches = contents_of(launches);
    EXPECT_EQ(std::count(rows_of_launches.begin(), rows_of_launches.end(), '\n'), 3);
}

TEST(own_data, launches_of_several_streams) {
    const temporary_directory files;
    const std::string script = files.write("two.toml", "program = \"" + program + R"("
[buffers]
first = "i64[2]=iota"
values = "i64[1]=5"
targets = "i64[1]"
a = "i64[1]"
b = "i64[1]"
[[launch]]
kernel = "gather"
stream = 2
arguments = [1, "first", "targets", "values", "a"]
[[launch]]
kernel = "gather"
stream = 1
shared = 64
arguments = [1, "first", "targets", "values", "b"]
)");
    const command_result result = heddle_command({"run", script, "--config", "tiny"});
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("launch 1: gather, grid 1, block 32, stream 2\n"
                                         "launch 2: gather, grid 1, block 32, shared 64, stream 1\n"
                                         "first i64[2]: 0 1\n"));
    EXPECT_THAT(result.output, HasSubstr("a i64[1]: 5\nb i64[1]: 5\n"));
}

TEST(own_data, what_a_script_says_wrong_is_named_with_its_line) {
    const temporary_directory files;
    files.write("in.npy", npy_bytes("'<f8'", plate_shape, bytes_of(plate())));
    files.write("expected.npy", npy_bytes("'<f8'", plate_shape, bytes_of(plate())));
    const auto refused = [&](const std::string& from, const std::string& to,
                             const std::string& text) {
        std::string script = two_steps();
        script.replace(script.find(from), from.size(), to);
        expect_refused({"run", files.write("steps.toml", script)}, text);
        EXPECT_EQ(files.file_count(), 3U);
    };
    refused("\"heat\"", "\"heet\"", "steps.toml:5:1: ");
    refused("kernel = \"heat\"", "", "choose one of its kernels with kernel = \"NAME\": advance");
    refused("[5, 7, 0.125", "[7, 0.125",
            "steps.toml:5:1: kernel 'heat' takes 5 arguments, 4 given");
    refused("0.125", "\"x\"",
            "steps.toml:8:20: argument x: parameter 'rate' (double) takes a number");
    refused("\"from\", \"to\"]", "\"form\", \"to\"]",
            "steps.toml:8:27: argument form: parameter 'from' (const double *): there is no buffer "
            "'form'; did you mean 'from'?");
    refused("f64[35]", "f65[35]", "steps.toml:4:6: buffers.to takes null, NAME:TYPE");
    refused("in.npy", "no.npy", "no.npy: No such file");
    refused("[save]\nfrom", "[save]\nform",
            "steps.toml:15:8: save.form: there is no buffer 'form'");
    refused("[[launch]]", "spare = \"f64[3]\"\n[[launch]]",
            "steps.toml:5:9: buffers.spare: no launch uses this buffer");
    refused("out.npy", "in.npy", "would overwrite");
    expect_refused({"run", files.write("steps.toml", two_steps()), "--grid", "2"},
                   "--grid is for an ELF file; the launch script");
    expect_refused({"run", files / "steps.toml", "--save", "from=" + (files / "b.npy")},
                   "'from' is named before, by");
}

TEST(own_data, a_difference_ends_with_1_and_still_saves) {
    const temporary_directory files;
    std::vector<double> expected = plate();
    expected[9] += 1e-9;
    expected[20] += 1;
    const std::string in =
        files.write("in.npy", npy_bytes("'<f8'", plate_shape, bytes_of(plate())));
    const std::string golden =
        files.write("expected.npy", npy_bytes("'<f8'", plate_shape, bytes_of(expected)));
    const std::string out = files / "out.csv";
    const auto run = [&](const words& more) {
        words command = run_of("heat", {"5", "7", "0", "from=@" + in, "to:f64[35]"},
                               {"--grid", "2", "--golden", "from=" + golden});
        command.insert(command.end(), more.begin(), more.end());
        return heddle_command(command);
    };
    const command_result exact = run({"--save", "from=" + out});
    EXPECT_EQ(exact.code, 1);
    EXPECT_THAT(exact.output, testing::ContainsRegex("golden from +DIFFERS +35 values, exact"));
    EXPECT_THAT(exact.errors, HasSubstr("2 of 35 values of 'from' differ from " + golden +
                                        " (exact); the first is from[1,2]: found 8.1"));
    EXPECT_THAT(contents_of(out), testing::StartsWith("0,0.1,0.4"));
    EXPECT_THAT(run({"--tolerance", "1e-6"}).errors, HasSubstr("1 of 35 values"));
    EXPECT_EQ(run({"--tolerance", "0,1"}).code, 0);
}

TEST(own_data, bad_files_are_refused_before_the_run) {
    const temporary_directory files;
    const std::string in = files.write("in.npy", npy_bytes("'<f8'", "(8,)", std::string(64, 0)));
    const auto refused = [&](const std::string& buffer, const std::string& text,
                             const words& more = {}) {
        expect_refused(run_of("running_sums", {"8", buffer, "spare:f64[8]"}, more), text);
    };
    refused("a=@" + (files / "none.npy"), "none.npy: No such file");
    refused("a=@" + files.path().string(), "is a directory");
    refused("a:f64[9]=@" + in, "in.npy: has 8 values, expected 9");
    refused("a:f64[7]=@" + in, "in.npy: has 8 values, expected 7");
    refused("a:f32[8]=@" + in, "in.npy: has values of type f64, expected f32");
    refused("a:f64[]=@" + files.write("f.bin", std::string(63, 0)),
            "has 63 bytes, no multiple of the 8 of a f64");
    refused("a:f64[8]=@" + files.write("e.bin", ""), "e.bin: has 0 values, expected 8");
    refused("a:f64[]=@" + files.write("e.bin", ""), "e.bin: has 0 values, expected at least one");
    refused("a=@" + files.write("f.bin", std::string(64, 0)), "only a .npy file says");
    refused("a:f64[]=@" + files.write("f.csv", "1\n2,3\n"), "f.csv:2: found 2 numbers");
    refused("a=@" + files.write("f.npy", npy_bytes("'<f4'", "(8,)", std::string(32, 0))),
            "'a' has values of type f32, but 'values' points to f64; convert the file");
    refused("a=@" + files.write("f.npy", npy_bytes("'<f8'", "(8,)", std::string(63, 0))),
            "the file is too short: it has 63 bytes of values");
    refused("a=@" + files.write("f.npy", npy_bytes("'<f8'", "(8,)", std::string(65, 0))),
            "the file is too long");
    refused("a=@" + files.write("f.npy", npy_bytes("'<f8'", "(8589934592, 8589934592)", "")),
            "the file is too short");
    refused("a=@" + files.write("f.npy", "\x93NUMPY\1"), "damaged .npy header");
    refused("a:f64[]", "parameter 'values'");
    refused("a:@x", "parameter 'values'");
    refused("a=5", "parameter 'values'");
    refused("spare=@" + in, "there are two buffers of the name 'spare'");
    const std::string good = "a=@" + in;
    refused(good, "--save b=x.npy: there is no buffer 'b'; there are a, spare",
            {"--save", "b=x.npy"});
    refused(good, "--golden b=x.npy: there is no buffer 'b'", {"--golden", "b=x.npy"});
    refused(good, "expected NAME=FILE", {"--save", "a"});
    refused(good, "directory 'nowhere': No such file", {"--save", "a=nowhere/x.npy"});
    refused(good, "both write", {"--save", "a=x.npy", "--save", "spare=x.npy"});
    refused(good, "would overwrite", {"--save", "spare=" + in});
    refused(good, "'a' is named before", {"--save", "a=x.npy", "--save", "a=y.npy"});
    refused(good, "'a' is named before", {"--golden", "a=" + in, "--golden", "a=" + in});
    refused(good, "none.npy: No such file", {"--golden", "a=none.npy"});
    refused(
        good, "has 4 values, the buffer 8",
        {"--golden", "a=" + files.write("g.npy", npy_bytes("'<f8'", "(4,)", std::string(32, 0)))});
    refused(
        good, "has values of type f32, expected f64",
        {"--golden", "a=" + files.write("g.npy", npy_bytes("'<f4'", "(8,)", std::string(32, 0)))});
    refused(good, "--tolerance needs --golden NAME=FILE", {"--tolerance", "1"});
    refused(good, "--tolerance: found 'x', expected REL",
            {"--golden", "a=" + in, "--tolerance", "x"});
    EXPECT_EQ(files.file_count(), 6U);
}

TEST(own_data, a_file_may_be_read_as_another_type_when_the_user_says_so) {
    const temporary_directory files;
    const std::string in = files.write("in.npy", npy_bytes("'<u4'", "(2,)", std::string(8, 0)));
    expect_good(run_of("running_sums", {"1", "a:u32[]=@" + in, "spare:f64[1]"}, {"--cooperative"}));
}

TEST(own_data, a_run_that_ends_early_saves_nothing) {
    const temporary_directory files;
    const std::string out = files.write("out.npy", "as before");
    const command_result result =
        heddle_command(run_of("running_sums", {"64", "a:f64[8]", "spare:f64[8]"},
                              {"--cooperative", "--save", "a=" + out}));
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.output, HasSubstr("save: nothing, because the run ended early\n"));
    EXPECT_EQ(contents_of(out), "as before");
    EXPECT_EQ(files.file_count(), 1U);
}

TEST(own_data, golden_is_a_flag_for_workloads_at_any_place) {
    for (const words& command :
         {words{"run", "--golden", "saxpy"}, words{"run", "saxpy", "--golden"},
          words{"run", "saxpy", "--golden", "--config", "tiny"}}) {
        const command_result result = heddle_command(command);
        EXPECT_EQ(result.code, 0) << result.errors;
        EXPECT_THAT(result.output, testing::ContainsRegex("golden +equal"));
    }
    expect_refused({"run", "saxpy", "--golden", "a=b.npy"},
                   "--golden NAME=FILE is for kernels of ELF files");
    expect_refused({"run", program, "--golden"}, "--golden without NAME=FILE is for workloads");
    expect_refused({"run", "saxpy", "--save", "a=b.npy"}, "--save is for kernels of ELF files");
}

}  // namespace
}  // namespace heddle
