// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/workload.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <optional>

#include "models/base/error.h"
#include "models/device/program_table.h"
#include "models/program/program_place.h"
#include "models/workloads/helpers.h"
#include "models/workloads/registry.h"

namespace heddle::workloads {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using words = std::vector<std::uint32_t>;

/// A device that a test expects nobody to use.
class untouched_device : public device {
public:
    const device_properties& properties() const noexcept override { return properties_; }
    program_id load(std::shared_ptr<const program::image>) override { return program_id(touch()); }
    void unload(program_id) override { touch(); }
    program::program_place free_place(const program::program_extent&) const override { return {}; }
    const program_table& programs() const noexcept override { return programs_; }
    device_address allocate(std::uint64_t, std::string_view) override { return touch(); }
    void release(device_address) override { touch(); }
    void write(device_address, const void*, std::size_t) override { touch(); }
    void read(void*, device_address, std::size_t) override { touch(); }
    void fill(device_address, std::uint8_t, std::size_t) override { touch(); }
    launch_number launch(const program::kernel&, const launch_shape&,
                         const std::vector<std::byte>&) override {
        return launch_number(touch());
    }
    launch_times times(launch_number) const override { return {}; }
    stream_id create_stream() override { return stream_id{0}; }
    event_id record(stream_id) override { return event_id{0}; }
    void wait(event_id) override { touch(); }
    bool finished(event_id) override { return touch() != 0; }
    std::uint64_t wait_until(std::uint64_t) override { return touch(); }
    void synchronize() override { touch(); }
    void print_to(std::function<void(std::string_view)>) override { touch(); }
    std::optional<std::uint64_t> clock() const override { return 0; }

private:
    static device_address touch() { throw std::logic_error("the device was used"); }
    device_properties properties_;
    program_table programs_;
};

std::string error_of(const char* name, const workload_options& options) {
    untouched_device gpu;
    try {
        (void)run_workload(find_workload(name), gpu, options);
    } catch (const configuration_error& error) {
        return error.what();
    }
    return "no configuration_error";
}

TEST(registry, lists_the_workloads_by_name) {
    std::vector<std::string> names;
    for (const auto& one : all_workloads()) names.push_back(one.name);
    EXPECT_THAT(
        names,
        ElementsAre("amr", "atax", "audit", "bandwidth", "barrier", "bfs", "bfs_pockets", "bht",
                    "bicg", "bitonic", "black", "children", "clr", "color", "compute", "contrived",
                    "divergence", "fft", "game", "gc", "histogram", "hmmer", "ht", "it", "join",
                    "km", "l_bfs", "l_sssp", "laplace", "latency", "launch", "lbm", "ledgers",
                    "lock", "lps", "lu", "matrix", "mis", "montecarlo", "mvt", "octree",
                    "octree_pockets", "p_sssp", "pathfinder", "pre", "reduction", "regx", "saxpy",
                    "sobolqrng", "sssp", "stencil", "throughput", "transpose", "uts"));
}

TEST(launch_modes, have_names) {
    EXPECT_EQ(parse_mode("flat").mode, launch_mode::flat);
    EXPECT_EQ(parse_mode("cdp").mode, launch_mode::cdp);
    EXPECT_FALSE(parse_mode("cdp").ideal);
    EXPECT_EQ(parse_mode("cdp_ideal").mode, launch_mode::cdp);
    EXPECT_TRUE(parse_mode("cdp_ideal").ideal);
    EXPECT_EQ(parse_mode("dtbl").mode, launch_mode::dtbl);
    EXPECT_TRUE(parse_mode("dtbl_ideal").ideal);
    EXPECT_THROW((void)parse_mode("flat_ideal"), configuration_error);
    run_context context;
    context.mode = launch_mode::cdp;
    EXPECT_EQ(context.entry("expand"), "expand_cdp");
}

TEST(launch_modes, are_refused_by_a_workload_without_them) {
    workload_options options;
    options.mode = launch_mode::dtbl;
    EXPECT_EQ(error_of("saxpy", options),
              "workload saxpy launches nothing from its kernels; legal: --mode flat");
}

TEST(registry, every_workload_and_option_is_described) {
    for (const auto& one : all_workloads()) {
        EXPECT_FALSE(one.description.empty()) << one.name;
        const auto prepared = one.prepare();
        EXPECT_FALSE(prepared->options().parameters().empty()) << one.name;
        for (const auto& option : prepared->options().parameters()) {
            EXPECT_FALSE(option.description.empty()) << one.name << " " << option.key;
        }
    }
}

TEST(registry, finds_a_workload_or_suggests_one) {
    EXPECT_EQ(find_workload("saxpy").name, "saxpy");
    try {
        (void)find_workload("saxpi");
        FAIL() << "no error";
    } catch (const configuration_error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("'saxpi'"), HasSubstr("did you mean 'saxpy'?"),
                                        HasSubstr("transpose")));
    }
}

TEST(options, unknown_key_names_the_nearest) {
    workload_options options;
    options.values["blok"] = "32";
    EXPECT_THAT(error_of("saxpy", options),
                AllOf(HasSubstr("saxpy"), HasSubstr("'blok'"), HasSubstr("did you mean 'block'?"),
                      HasSubstr("it has: n, block")));
}

TEST(options, values_out_of_range_or_of_the_wrong_type_are_errors) {
    struct bad_option {
        const char* workload;
        const char* key;
        const char* value;
        const char* legal;
    };
    const bad_option cases[] = {
        {"saxpy", "n", "0", "1"},
        {"saxpy", "n", "-1", "1"},
        {"saxpy", "n", "many", "integer"},
        {"saxpy", "block", "1025", "1024"},
        {"reduction", "block", "48", "32"},
        {"reduction", "type", "double", "float"},
        {"bitonic", "size", "1000", "1024"},
        {"contrived", "ratio", "2", "23"},
        {"matrix", "variant", "blocked", "tiled"},
        {"bfs", "source", "-2", "-1"},
        {"histogram", "skew", "101", "100"},
        {"divergence", "case", "recursive", "recursion"},
    };
    for (const auto& bad : cases) {
        workload_options options;
        options.values[bad.key] = bad.value;
        EXPECT_THAT(error_of(bad.workload, options),
                    AllOf(HasSubstr(bad.workload), HasSubstr(bad.key), HasSubstr(bad.value),
                          HasSubstr(bad.legal)));
    }
}

TEST(options, an_input_for_a_workload_without_one_is_an_error) {
    workload_options options;
    options.input = "kronecker:scale=4";
    EXPECT_THAT(error_of("saxpy", options),
                AllOf(HasSubstr("saxpy"), HasSubstr("kronecker:scale=4")));
}

TEST(report, finds_the_first_difference) {
    workload_report report;
    report.compare("numbers", words{1, 2, 3, 4}, words{1, 2, 7, 8});
    ASSERT_EQ(report.checks().size(), 1U);
    EXPECT_FALSE(report.correct());
    EXPECT_EQ(report.checks()[0].difference, "index 2: found 3, expected 7 (exact)");
    try {
        report.require_correct("demo");
        FAIL() << "no error";
    } catch (const run_error& error) {
        EXPECT_EQ(error.kind(), error_kind::wrong_result);
        EXPECT_THAT(error.what(), AllOf(HasSubstr("demo"), HasSubstr("numbers"),
                                        HasSubstr("index 2: found 3, expected 7")));
    }
}

TEST(report, floats_may_differ_by_the_tolerance_and_no_more) {
    workload_report good;
    good.compare("floats", std::vector<float>{1.0F, 2.0F}, std::vector<float>{1.25F, 1.75F}, 0.25);
    EXPECT_TRUE(good.correct());
    workload_report bad;
    bad.compare("floats", std::vector<float>{1.0F}, std::vector<float>{1.5F}, 0.25);
    EXPECT_EQ(bad.checks()[0].difference,
              "index 0: found 1, expected 1.5 (absolute tolerance 0.25)");
}

TEST(report, a_nan_or_infinity_passes_only_where_it_is_expected) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const auto passes = [](float found, float expected) {
        workload_report report;
        report.compare("floats", std::vector<float>{found}, std::vector<float>{expected}, 1e30);
        return report.correct();
    };
    EXPECT_TRUE(passes(nan, nan));
    EXPECT_TRUE(passes(infinity, infinity));
    EXPECT_FALSE(passes(nan, 1));
    EXPECT_FALSE(passes(1, nan));
    EXPECT_FALSE(passes(infinity, 1));
    EXPECT_FALSE(passes(infinity, -infinity));
}

TEST(report, different_sizes_differ) {
    workload_report report;
    report.compare("numbers", words{1, 2}, words{1, 2, 3});
    EXPECT_EQ(report.checks()[0].difference, "2 values instead of 3");
}

TEST(report, a_run_that_checked_nothing_is_not_correct) {
    const workload_report report;
    EXPECT_FALSE(report.correct());
    EXPECT_THROW(report.require_correct("demo"), run_error);
}

TEST(report, rows_print_their_values) {
    workload_report report;
    report.add_row("edges", std::uint64_t{12345678901});
    report.add_row("rate", 0.12345678, "edge/clock");
    report.add_row("kind", std::string("sparse"));
    EXPECT_EQ(report.rows()[0].text(), "12345678901");
    EXPECT_EQ(report.rows()[1].text(), "0.1235");
    EXPECT_EQ(report.rows()[2].text(), "sparse");
}

TEST(golden, equal_buffers_have_no_difference) {
    workload_report run;
    workload_report golden;
    run.declare_deterministic("y", words{1, 2});
    golden.declare_deterministic("y", words{1, 2});
    EXPECT_EQ(golden_difference(run, golden), std::nullopt);
}

TEST(golden, names_the_buffer_and_the_first_byte) {
    workload_report run;
    workload_report golden;
    run.declare_deterministic("y", words{1, 0x0200});
    golden.declare_deterministic("y", words{1, 0x0300});
    EXPECT_EQ(golden_difference(run, golden), "buffer \"y\" byte 5: found 0x02, golden run 0x03");
}

TEST(golden, missing_renamed_and_shorter_buffers_differ) {
    workload_report golden;
    golden.declare_deterministic("y", words{1, 2});
    EXPECT_NE(golden_difference({}, golden), std::nullopt);
    workload_report renamed;
    renamed.declare_deterministic("z", words{1, 2});
    EXPECT_NE(golden_difference(renamed, golden), std::nullopt);
    workload_report shorter;
    shorter.declare_deterministic("y", words{1});
    EXPECT_NE(golden_difference(shorter, golden), std::nullopt);
}

TEST(helpers, blocks_cover_the_elements) {
    EXPECT_EQ(blocks_for(1, 32), 1U);
    EXPECT_EQ(blocks_for(32, 32), 1U);
    EXPECT_EQ(blocks_for(33, 32), 2U);
    EXPECT_EQ(blocks_for(0xffffffff, 2), 0x80000000U);  // no overflow on the way
}

TEST(helpers, random_values_follow_from_seed_and_name_and_stay_in_range) {
    const run_context one{"demo", 1, ""};
    const run_context two{"demo", 2, ""};
    EXPECT_EQ(random_words(one.random("x"), 8), random_words(one.random("x"), 8));
    EXPECT_NE(random_words(one.random("x"), 8), random_words(one.random("y"), 8));
    EXPECT_NE(random_words(one.random("x"), 8), random_words(two.random("x"), 8));
    for (const auto value : random_floats(one.random("x"), 1000)) {
        EXPECT_GE(value, -1.0F);
        EXPECT_LT(value, 1.0F);
    }
}

}  // namespace
}  // namespace heddle::workloads
