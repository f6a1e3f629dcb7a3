// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The whole machine writes the same bytes of statistics and waveform each time, in whatever order
// the modules of a domain run.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <systemc>

#include "hw/base/clock_domain.h"
#include "hw/base/waveform.h"
#include "hw/top/gpu_statistics.h"
#include "hw/top/simulation.h"
#include "models/workloads/registry.h"
#include "tests/base/temporary_directory.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

struct order_case {
    const char* configuration;
    const char* workload;
    std::map<std::string, std::string> values;
    workloads::launch_mode mode = workloads::launch_mode::flat;
    const char* input = "";
    settings changes = {};

    friend std::ostream& operator<<(std::ostream& out, const order_case& one) {
        return out << one.configuration << " " << one.workload;
    }
};

enum class module_order { as_built, reversed };

std::vector<clock_domain*> domains() {
    std::vector<clock_domain*> found;
    for (sc_core::sc_object* const object : sc_core::sc_get_top_level_objects()) {
        if (auto* const domain = dynamic_cast<clock_domain*>(object)) found.push_back(domain);
    }
    for (sc_core::sc_object* const child : sc_core::sc_find_object("gpu")->get_child_objects()) {
        if (auto* const domain = dynamic_cast<clock_domain*>(child)) found.push_back(domain);
    }
    return found;
}

std::string contents_of(const std::filesystem::path& file) {
    std::string text(std::filesystem::file_size(file), '\0');
    std::ifstream(file, std::ios::binary).read(text.data(), static_cast<long>(text.size()));
    return text;
}

/// Statistics and waveform of a run in a process of its own.
std::string bytes_of(const order_case& one, module_order order) {
    const process_result result = run_in_child([&](std::string& output) {
        const temporary_directory folder;
        const std::filesystem::path file = folder.path() / "waves.vcd";
        const gpu_configuration configuration = configuration_of(one.configuration, one.changes);
        waveform_options shown;
        shown.scopes = {"gpu.*"};
        auto waves = std::make_unique<waveform>(file.string(), shown);
        gpu_options options;
        options.waves = waves.get();
        simulation simulated(configuration, options);
        if (order == module_order::reversed) {
            const std::vector<clock_domain*> all = domains();
            if (all.empty()) return 99;
            for (clock_domain* const domain : all) domain->reverse_parts();
        }
        const error_kind kind = simulated.run(
            [&](device& gpu) {
                workloads::workload_options how;
                how.input = one.input;
                how.values = one.values;
                how.mode = one.mode;
                workloads::run_workload(workloads::find_workload(one.workload), gpu, how);
            },
            {20'000'000});
        statistics values;
        collect_gpu(simulated, configuration, values);
        waves->close();
        output = simulated.status().text() + to_csv(values) + contents_of(file);
        return exit_code(kind);
    });
    EXPECT_EQ(result.exit_code, 0) << result.output.substr(0, 1000);
    return result.output;
}

/// The first line in which two texts differ; empty if they are equal.
std::string first_difference(const std::string& a, const std::string& b) {
    if (a == b) return {};
    const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const auto line = [](const std::string& text, std::size_t place) {
        const std::size_t begin = place == 0 ? 0 : text.rfind('\n', place - 1) + 1;
        return text.substr(begin, text.find('\n', place) - begin);
    };
    const auto place = static_cast<std::size_t>(at - a.begin());
    return line(a, place) + "  against  " + line(b, place);
}

class module_order_of : public testing::TestWithParam<order_case> {};

TEST_P(module_order_of, the_machine_changes_no_byte) {
    const std::string first = bytes_of(GetParam(), module_order::as_built);
    EXPECT_THAT(first, testing::HasSubstr("gpu.cycles,"));
    EXPECT_THAT(first, testing::HasSubstr("$enddefinitions"));
    EXPECT_EQ(first_difference(first, bytes_of(GetParam(), module_order::as_built)), "");
    EXPECT_EQ(first_difference(first, bytes_of(GetParam(), module_order::reversed)), "");
}

constexpr const char* small_graph = "kronecker:scale=7,degree=8";
const std::map<std::string, std::string> small_matrix{
    {"rows", "32"}, {"columns", "32"}, {"inner", "32"}};

INSTANTIATE_TEST_SUITE_P(
    machines, module_order_of,
    testing::Values(
        order_case{"g80", "histogram", {{"n", "3000"}, {"variant", "global"}}},
        order_case{"tiny", "bfs", {{"searches", "1"}}, {}, small_graph},
        order_case{"g80", "bfs", {{"searches", "1"}}, {}, small_graph},
        order_case{"gf100", "bfs", {{"searches", "1"}}, {}, small_graph},
        order_case{"gk110", "bfs", {{"searches", "1"}}, {}, small_graph},
        order_case{"si", "bfs", {{"searches", "1"}}, {}, small_graph},
        order_case{"iris6100", "bfs", {{"searches", "1"}}, {}, small_graph},
        order_case{"gk110", "matrix", small_matrix},
        order_case{"gk110", "children", {{"launches", "64"}}, workloads::launch_mode::dtbl},
        order_case{"tiny", "children", {{"launches", "64"}}, workloads::launch_mode::cdp},
        order_case{"iris6100",
                   "l_bfs",
                   {{"task", "medium"}, {"groups", "all_but_one"}, {"scale", "0.001"}},
                   {},
                   "road:width=32,height=32",
                   {"coop.preempt=true"}}),
    [](const auto& info) {
        return std::string(info.param.configuration) + "_" + info.param.workload + "_" +
               std::to_string(info.index);
    });

}  // namespace
}  // namespace heddle
