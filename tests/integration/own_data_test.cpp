// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Kernels of a user's own with files of a user's own, from the shell (docs/own_data.md).
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tests/integration/own_data_kit.h"

namespace heddle::own_data {
namespace {

using testing::HasSubstr;

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

TEST(own_data, a_stencil_of_doubles_keeps_dtype_and_shape) {
    const temporary_directory files;
    const std::string in =
        files.write("in.npy", npy_bytes("'<f8'", plate_shape, bytes_of(plate())));
    const std::string expected = npy_bytes("'<f8'", plate_shape, bytes_of(heated(plate(), 0.125)));
    const std::string golden = files.write("expected.npy", expected);
    const std::string out = files / "out.npy";
    for (const words& more : {words{"--check"}, words{"--functional"}}) {
        words command = run_of("heat", {"5", "7", "0.125", "from=@" + in, "to:f64[5,7]"},
                               {"--grid", "2", "--golden", "to=" + golden, "--save", "to=" + out,
                                "--save", "from=" + (files / "from.npy")});
        command.insert(command.end(), more.begin(), more.end());
        const command_result result = heddle_command(command);
        EXPECT_EQ(result.code, 0) << result.errors;
        EXPECT_THAT(result.output, testing::ContainsRegex("golden to +equal +35 values, exact"));
        EXPECT_THAT(result.output, HasSubstr("from f64[35]: 0 0.1 0.4"));
        EXPECT_EQ(contents_of(out), expected);
        EXPECT_EQ(contents_of(files / "from.npy"), contents_of(in));
    }
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

/// Two launches, each of a stream.
std::string two_streams(const char* first, const char* second) {
    return "program = \"" + program + R"("
[buffers]
first = "i64[2]=iota"
values = "i64[1]=5"
targets = "i64[1]"
a = "i64[1]"
b = "i64[1]"
[[launch]]
kernel = "gather"
arguments = [1, "first", "targets", "values", "a"]
stream = )" +
           first + R"(
[[launch]]
kernel = "gather"
shared = 64
arguments = [1, "first", "targets", "values", "b"]
stream = )" +
           second + "\n";
}

/// A column of a launch's row in the file of --launches.
unsigned long column_of(const std::string& rows, unsigned launch, unsigned column) {
    std::size_t at = 0;
    for (unsigned i = 0; i < launch; ++i) at = rows.find('\n', at) + 1;
    for (unsigned i = 0; i < column; ++i) at = rows.find(',', at) + 1;
    return std::stoul(rows.substr(at));
}

TEST(own_data, launches_of_several_streams_run_beside_each_other) {
    const temporary_directory files;
    const std::string launches = files / "launches.csv";
    const auto run = [&](const char* first, const char* second) {
        const command_result result =
            heddle_command({"run", files.write("two.toml", two_streams(first, second)), "--config",
                            "tiny", "--launches", launches});
        EXPECT_EQ(result.code, 0) << result.errors;
        return result.output;
    };
    constexpr unsigned first_dispatch = 10;
    constexpr unsigned last_end = 12;
    const std::string output = run("2", "1");
    EXPECT_THAT(output, HasSubstr("launch 1: gather, grid 1, block 32, stream 2\n"
                                  "launch 2: gather, grid 1, block 32, shared 64, stream 1\n"
                                  "first i64[2]: 0 1\n"));
    EXPECT_THAT(output, HasSubstr("a i64[1]: 5\nb i64[1]: 5\n"));
    const std::string beside = contents_of(launches);
    EXPECT_LT(column_of(beside, 2, first_dispatch), column_of(beside, 1, last_end));
    run("1", "1");
    const std::string in_order = contents_of(launches);
    EXPECT_GT(column_of(in_order, 2, first_dispatch), column_of(in_order, 1, last_end));
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
        words command = run_of("heat", {"5", "7", "0", "from=@" + in, "to:f64[5,7]"},
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

TEST(own_data, a_file_may_be_read_as_another_type_when_the_user_says_so) {
    const temporary_directory files;
    const std::string in = files.write("in.npy", npy_bytes("'<u4'", "(2,)", std::string(8, 0)));
    expect_good(run_of("running_sums", {"1", "a:u32[]=@" + in, "spare:f64[1]"}, {"--cooperative"}));
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
}  // namespace heddle::own_data
