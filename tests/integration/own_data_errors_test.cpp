// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What heddle run refuses of a user's own data, and what then stays as it was.
#include "tests/integration/own_data_kit.h"

namespace heddle::own_data {
namespace {

using testing::HasSubstr;

TEST(own_data_errors, records_that_are_not_the_struct_are_named) {
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

TEST(own_data_errors, what_a_script_says_wrong_is_named_with_its_line) {
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

TEST(own_data_errors, bad_files_are_refused_before_the_run) {
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
    refused("a:f64[3,3]=@" + in, "in.npy: has 8 values, expected 9");
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
    for (const char* text :
         {"a:f64[8,]", "a:f64[2,0]", "a:f64[,8]", "a:f64[2;4]",
          "a:f64[4294967295,4294967295,4294967295]", "a:f64[2147483648,4294967295]"}) {
        refused(text, "parameter 'values'");
    }
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

TEST(own_data_errors, a_run_that_ends_early_saves_nothing) {
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

}  // namespace
}  // namespace heddle::own_data
