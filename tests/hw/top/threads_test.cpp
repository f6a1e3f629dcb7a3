// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// However many threads share the edges of the machine: all that a run writes has the same bytes.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "hw/base/crew.h"
#include "hw/top/gpu_statistics.h"
#include "hw/top/simulation.h"
#include "hw/top/why_one_thread.h"
#include "hw/top/work_log.h"
#include "models/base/series_file.h"
#include "models/device/device.h"
#include "models/program/image.h"
#include "models/workloads/registry.h"
#include "tests/base/temporary_directory.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"
#include "tests/hw/top/preempting.h"

namespace heddle {
namespace {

struct thread_case {
    const char* configuration;
    const char* workload;
    std::map<std::string, std::string> values;
    workloads::launch_mode mode = workloads::launch_mode::flat;
    const char* input = "";
    settings changes = {};
    bool no_sleep = false;
    bool lengthy = false;  ///< not in all ways

    friend std::ostream& operator<<(std::ostream& out, const thread_case& one) {
        return out << one.configuration << " " << one.workload;
    }
};

using host_body = std::function<void(device&)>;

host_body workload_of(const thread_case& one) {
    return [one](device& gpu) {
        workloads::workload_options how;
        how.input = one.input;
        how.values = one.values;
        how.mode = one.mode;
        workloads::run_workload(workloads::find_workload(one.workload), gpu, how);
    };
}

std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// How a run of the host program ends, with its statistics, a series of them, launches and blocks.
/// `options.threads` share the edges, which wait at random.
process_result run_with(const gpu_configuration& configuration, gpu_options options,
                        const host_body& body, std::uint64_t max_cycles = 20'000'000) {
    return run_in_child([&](std::string& output) {
        const temporary_directory folder;
        const std::filesystem::path file = folder.path() / "blocks.csv";
        const std::filesystem::path rows = folder.path() / "series.csv";
        work_log log(file.string());
        series_file series(rows.string());
        options.log = &log;
        options.series = &series;
        options.interval = 97;
        simulation simulated(configuration, options);
        const error_kind kind = simulated.run(body, {max_cycles});
        statistics values;
        collect_gpu(simulated, configuration, values);
        log.collect(values);
        log.finish();
        series.commit();
        output = simulated.status().text() + to_csv(values) + text_of(file) + text_of(rows);
        return exit_code(kind);
    });
}

gpu_options threads_of(unsigned threads, std::uint64_t seed) {
    gpu_options options;
    options.threads = threads;
    options.thread_delay_seed = seed;
    return options;
}

/// The first line in which two texts differ; empty if they are equal.
std::string different_line(const std::string& a, const std::string& b) {
    std::istringstream one(a);
    std::istringstream other(b);
    for (std::string x, y;;) {
        const bool more = static_cast<bool>(std::getline(one, x));
        if (more != static_cast<bool>(std::getline(other, y))) return "the lengths differ";
        if (!more) return {};
        if (x != y) return x.append("  against  ").append(y);
    }
}

class threads_of_machine : public testing::TestWithParam<thread_case> {};

TEST_P(threads_of_machine, change_no_byte) {
    const gpu_configuration configuration =
        configuration_of(GetParam().configuration, GetParam().changes);
    const host_body body = workload_of(GetParam());
    gpu_options alone = threads_of(1, 0);
    alone.no_sleep = GetParam().no_sleep;
    ASSERT_EQ(why_one_thread(configuration, alone), "");
    const process_result one = run_with(configuration, alone, body);
    EXPECT_EQ(one.exit_code, 0) << one.output.substr(0, 1000);
    EXPECT_THAT(one.output, testing::HasSubstr("gpu.cycles,"));
    // With a seed threads wait at random. Without, instants with little work are not shared.
    const std::pair<unsigned, std::uint64_t> ways[] = {{2, 0}, {2, 1}, {3, 2}, {5, 3}, {13, 4}};
    for (const auto& [threads, seed] : ways) {
        if (GetParam().lengthy && (seed == 1 || threads > 3)) continue;
        gpu_options shared = threads_of(threads, seed);
        shared.no_sleep = GetParam().no_sleep;
        const process_result several = run_with(configuration, shared, body);
        EXPECT_EQ(several.exit_code, one.exit_code);
        EXPECT_EQ(different_line(one.output, several.output), "")
            << threads << " threads, seed " << seed;
    }
}

constexpr const char* a_graph = "kronecker:scale=5,degree=5";
const std::map<std::string, std::string> a_matrix{
    {"rows", "32"}, {"columns", "32"}, {"inner", "16"}};

INSTANTIATE_TEST_SUITE_P(
    machines, threads_of_machine,
    testing::Values(thread_case{"g80", "histogram", {{"n", "2000"}, {"variant", "global"}}},
                    thread_case{"tiny", "bfs", {{"searches", "1"}}, {}, a_graph},
                    thread_case{"gf100", "bfs", {{"searches", "1"}}, {}, a_graph},
                    thread_case{"gk110", "matrix", a_matrix},
                    thread_case{"gk110", "matrix", a_matrix, {}, "", {}, true},
                    thread_case{"gk110", "saxpy", {{"n", "4096"}}},
                    thread_case{"gk110", "saxpy", {{"n", "4096"}}, {}, "", {"clock.l2=500000"}},
                    thread_case{"gk110", "saxpy", {{"n", "4096"}}, {}, "", {"dram.model=fixed"}},
                    thread_case{"gk110", "barrier", {{"rounds", "2"}}},
                    thread_case{"si", "reduction", {{"n", "4096"}, {"blocks", "8"}}},
                    thread_case{"gk110",
                                "children",
                                {{"launches", "16"}},
                                workloads::launch_mode::dtbl,
                                "",
                                {},
                                false,
                                true},
                    thread_case{"tiny",
                                "children",
                                {{"launches", "16"}},
                                workloads::launch_mode::cdp,
                                "",
                                {},
                                false,
                                true},
                    // Edges of four clocks coincide at times, in another order if some are late.
                    thread_case{"gf100",
                                "saxpy",
                                {{"n", "4096"}},
                                {},
                                "",
                                {"clock.l2=500000", "clock.interconnect=911000"}}),
    [](const auto& info) {
        return std::string(info.param.configuration) + "_" + info.param.workload + "_" +
               std::to_string(info.index);
    });

/// The output of the run with one thread, which is that of several that wait at random.
std::string expect_the_same(const gpu_configuration& configuration, const host_body& body) {
    EXPECT_EQ(why_one_thread(configuration, threads_of(1, 0)), "");
    const process_result one = run_with(configuration, threads_of(1, 0), body);
    EXPECT_EQ(one.exit_code, 0) << one.output.substr(0, 1000);
    const std::pair<unsigned, std::uint64_t> ways[] = {{2, 5}, {3, 6}, {5, 7}, {13, 8}};
    for (const auto& [threads, seed] : ways) {
        const process_result several = run_with(configuration, threads_of(threads, seed), body);
        EXPECT_EQ(several.exit_code, one.exit_code);
        EXPECT_EQ(different_line(one.output, several.output), "")
            << threads << " threads, seed " << seed;
    }
    return one.output;
}

/// Blocks that are killed, forked and that meet at global barriers.
TEST(threads_of_a_run, cooperative_blocks_are_the_same) {
    const gpu_configuration configuration =
        configuration_of("tiny", {"coop.enabled=true", "kernel_distributor.entries=4"});
    (void)expect_the_same(configuration, [](device& gpu) {
        gpu.load(kernels_of("iss_cooperation"));
        const device_buffer<std::uint32_t> total(gpu, std::vector<std::uint32_t>(64), "total");
        const device_buffer<std::uint32_t> groups(gpu, std::vector<std::uint32_t>(64), "groups");
        launch(gpu, "coop_rounds", shape_of(6, 32, true), 64U, 3U, total.get(), groups.get());
        launch_shape other = shape_of(2, 32);
        other.stream = gpu.create_stream();
        launch(gpu, "coop_task", other, groups.get());
        gpu.synchronize();
    });
}

/// Blocks leave for a launch of higher priority, and come back.
TEST(threads_of_a_run, preempted_blocks_are_the_same) {
    const gpu_configuration configuration = configuration_of(
        "tiny", {"kernel_distributor.entries=4", "coop.preempt=true", "kmu.queues=4"});
    const std::uint32_t slots =
        configuration.machine.smx_count * configuration.machine.smx.max_blocks;
    const std::string output = expect_the_same(configuration, [slots](device& gpu) {
        using words = std::vector<std::uint32_t>;
        gpu.load(kernels_of("preemption"));
        const device_buffer<std::uint32_t> out(gpu, words(slots * 96), "out");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "work", shape_of(slots, 96), out.get(), 2U);
        launch_shape task = shape_of(1, 64);
        task.priority = 1;
        task.stream = gpu.create_stream();
        (void)gpu.wait_until(600);
        launch(gpu, "task", task, done.get(), 1U);
        gpu.synchronize();
    });
    EXPECT_THAT(output, testing::ContainsRegex("coop.preempt.blocks,[1-9]"));
}

/// Threads of all SMXs read where nothing is: which fault is the first must not change.
TEST(threads_of_a_run, a_fault_is_the_same) {
    const auto body = [](device& gpu) {
        gpu.load(kernels_of("iss_fault"));
        const device_ptr<std::uint32_t> in{gpu.allocate(1000 * 4, "values")};
        const device_ptr<std::uint32_t> out{gpu.allocate(2000 * 4, "out")};
        launch(gpu, "read_past_the_end", {{40}, {64}}, in, out);
        gpu.synchronize();
    };
    const gpu_configuration configuration = configuration_of("gk110");
    const process_result one = run_with(configuration, threads_of(1, 0), body);
    EXPECT_EQ(one.exit_code, exit_code(error_kind::kernel_fault));
    EXPECT_THAT(one.output, testing::HasSubstr("in cycle"));
    for (const unsigned threads : {2U, 3U, 13U}) {
        const process_result several = run_with(configuration, threads_of(threads, 7), body);
        EXPECT_EQ(several.exit_code, one.exit_code);
        EXPECT_EQ(different_line(one.output, several.output), "") << threads << " threads";
    }
}

/// The wait-for report has the state in the midst of an instant.
TEST(threads_of_a_run, a_run_without_progress_is_the_same) {
    const auto body = [](device& gpu) {
        gpu.load(kernels_of("watchdog"));
        const device_buffer<std::uint32_t> words(gpu, std::vector<std::uint32_t>(64), "words");
        launch(gpu, "same_atomic", shape_of(3, 32), words.get());
        gpu.synchronize();
    };
    for (const char* const limit : {"1000", "1001", "1002", "1003", "1005", "1010"}) {
        const gpu_configuration configuration =
            configuration_of("tiny", {std::string("gpu.watchdog=") + limit});
        const process_result one = run_with(configuration, threads_of(1, 0), body);
        EXPECT_EQ(one.exit_code, exit_code(error_kind::no_progress));
        EXPECT_THAT(one.output, testing::HasSubstr("waiting: gpu.smx_0"));
        const process_result several = run_with(configuration, threads_of(3, 9), body);
        EXPECT_EQ(several.exit_code, one.exit_code);
        EXPECT_EQ(different_line(one.output, several.output), "") << "limit " << limit;
    }
}

TEST(threads_of_a_run, a_limit_is_the_same) {
    const thread_case saxpy{"gk110", "saxpy", {{"n", "4096"}}};
    const gpu_configuration configuration = configuration_of("gk110");
    const process_result one = run_with(configuration, threads_of(1, 0), workload_of(saxpy), 1500);
    EXPECT_EQ(one.exit_code, exit_code(error_kind::no_progress));
    const process_result several =
        run_with(configuration, threads_of(3, 3), workload_of(saxpy), 1500);
    EXPECT_EQ(several.exit_code, one.exit_code);
    EXPECT_EQ(different_line(one.output, several.output), "");
}

TEST(threads_of_a_run, say_what_keeps_a_run_on_one) {
    gpu_options options = threads_of(4, 0);
    EXPECT_EQ(why_one_thread(configuration_of("gk110"), options), "");
    options.observed = true;
    EXPECT_EQ(why_one_thread(configuration_of("gk110"), options),
              "something that follows each instruction");
    options.check_protocols = true;
    EXPECT_EQ(why_one_thread(configuration_of("gk110"), options), "protocol checkers");
    options.run_ahead = false;
    EXPECT_EQ(why_one_thread(configuration_of("gk110"), options),
              "the SystemC kernel runs each edge");
}

}  // namespace
}  // namespace heddle
