// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Every parameter is set somewhere to a value other than its default: in a configuration, in a row
// of a paper or in a test. Those that the tests of blocks set only in their structs are set here by
// their keys: another value changes what it should.
#include <gmock/gmock.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tb/kit/paths.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

enum class change { more, less };

struct effect {
    const char* key;
    const char* value;
    words run;  ///< workload, configuration, settings, ...
    const char* statistic;
    change expected;
};
void PrintTo(const effect& one, std::ostream* out) {
    *out << one.key;
}

double statistic_of(words run, const std::string& name) {
    const temporary_directory files;
    run.insert(run.begin(), "run");
    run.insert(run.end(), {"--stats", files / "s.json"});
    const command_result result = heddle_command(run);
    EXPECT_EQ(result.code, 0) << result.errors;
    if (result.code != 0) return 0;
    const auto all = nlohmann::json::parse(contents_of(files / "s.json")).at("statistics");
    EXPECT_TRUE(all.contains(name)) << name;
    return all.contains(name) ? all.at(name).at("value").get<double>() : 0;
}

class parameter_effect : public testing::TestWithParam<effect> {};

TEST_P(parameter_effect, is_seen_in_a_statistic) {
    const effect& one = GetParam();
    const double before = statistic_of(one.run, one.statistic);
    words changed = one.run;
    changed.insert(changed.end(), {"--set", std::string(one.key) + "=" + one.value});
    const double after = statistic_of(changed, one.statistic);
    if (one.expected == change::more) {
        EXPECT_GT(after, before);
    } else {
        EXPECT_LT(after, before);
    }
}

words operator+(words first, const words& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

const std::vector<effect>& effects() {
    const words saxpy{"saxpy", "--config", "tiny", "--option", "n=4096"};
    const words children{"children", "--config", "tiny", "--option", "launches=64", "--mode"};
    const words pockets{"sssp/citation",         "--config", "tiny",         "--input",
                        "powerlaw:vertices=200", "--option", "threshold=12", "--option",
                        "child_block=8",         "--mode",   "cdp"};
    // Lines of L1D that a warp brings, loses and wants again.
    const words losing{"mvt",
                       "--config",
                       "gk110",
                       "--option",
                       "rows=256",
                       "--option",
                       "columns=64",
                       "--set",
                       "gpu.smx_count=1",
                       "--set",
                       "l1d.cache_global=true",
                       "--set",
                       "smx.scheduler=ccws",
                       "--set",
                       "ccws.throttle=50"};
    static const std::vector<effect> all{
        {"launch.pending_limit", "1", pockets, "launch.kernel.count", change::less},
        {"launch.depth_limit",
         "1",
         {"amr", "--config", "tiny", "--option", "across=4", "--mode", "cdp"},
         "launch.kernel.count",
         change::less},
        {"launch.record_bytes.kernel", "4096", children + words{"cdp"}, "launch.footprint_peak",
         change::more},
        {"launch.footprint.granule", "4096", children + words{"dtbl"}, "launch.footprint_peak",
         change::more},
        {"launch.footprint.until",
         "end",
         {"amr", "--config", "tiny", "--option", "across=6", "--option", "levels=3", "--mode",
          "dtbl"},
         "launch.footprint_peak",
         change::more},
        {"agt.hold",
         "kernel",
         {"amr", "--config", "tiny", "--option", "across=6", "--option", "levels=3", "--option",
          "flames=3", "--mode", "dtbl"},
         "launch.group.spilled",
         change::more},
        {"launch.record_bytes.group", "4096", children + words{"dtbl"}, "launch.footprint_peak",
         change::more},
        {"tm.pass_cycles",
         "50",
         {"it", "--config", "tiny", "--option", "blocks=1", "--set", "tm.enabled=true"},
         "tm.memory_overhead_cycles",
         change::more},
        {"smx_scheduler.blocks_per_cycle",
         "4",
         {"saxpy", "--config", "gk110", "--option", "n=6656"},
         "smx_scheduler.last_dispatch",
         change::less},
        // Both warps of the block then have one scheduler.
        {"smx.scheduler_assignment",
         "contiguous",
         {"saxpy", "--config", "tiny", "--option", "n=64", "--option", "block=64"},
         "smx.0.warp_scheduler_1.issues",
         change::less},
        {"ccws.base_score", "1", losing, "gpu.issue_slots.held_back", change::less},
        {"ccws.victim_tags", "64", losing, "smx.0.l1d.lost_localities", change::more},
        {"ccws.victim_ways", "1", losing, "smx.0.l1d.lost_localities", change::less},
        // Its sets have one entry here.
        {"dwf.heap_lut_entries",
         "1",
         {"bitonic", "--config", "g80", "--option", "arrays=4", "--option", "size=256", "--set",
          "smx.formation=dwf", "--set", "dwf.heap_lut_ways=1"},
         "smx.0.thread_pool.heap_lut_replacements",
         change::more},
        {"lsu.sector",
         "4",
         {"bfs", "--config", "gk110", "--input", "kronecker:scale=8,degree=8"},
         "crossbar.response.flits",
         change::less},
        // All buffers then lie in one bank.
        {"l2.interleave",
         "4096",
         {"saxpy", "--config", "tiny", "--option", "n=256"},
         "l2.1.accesses",
         change::less},
        {"memory.axi_queue", "1", saxpy + words{"--set", "memory.bus=axi"}, "gpu.cycles",
         change::more},
        {"pins.reset_clocks", "500", saxpy + words{"--set", "slot.kernel_distributor=pins"},
         "gpu.cycles", change::more},
        {"dram.write_low_watermark",
         "0",
         {"saxpy", "--config", "g80", "--option", "n=65536", "--set", "l2.size=0"},
         "memory_controller.0.turnarounds",
         change::less},
    };
    return all;
}

INSTANTIATE_TEST_SUITE_P(of, parameter_effect, testing::ValuesIn(effects()), [](const auto& info) {
    return std::regex_replace(std::string(info.param.key), std::regex("[.]"), "_");
});

TEST(parameter, tm_scalar_registers_decides_what_fits) {
    const command_result few =
        heddle_command({"tm_feasibility", "it", "--set", "tm.scalar_registers=11"});
    EXPECT_EQ(few.code, 0) << few.errors;
    EXPECT_THAT(few.output, testing::HasSubstr("the limit is 11 (tm.scalar_registers)"));
    EXPECT_THAT(heddle_command({"tm_feasibility", "it"}).output,
                testing::Not(testing::HasSubstr("the limit is")));
}

std::string text_below(const words& folders) {
    std::string text;
    for (const std::string& folder : folders) {
        for (const fs::directory_entry& each :
             fs::recursive_directory_iterator(source_path(folder))) {
            if (each.is_regular_file()) text += contents_of(each.path().string()) + "\n";
        }
    }
    return text;
}

/// Whether the key stands in the text, not as a part of a longer one.
bool names(const std::string& text, const std::string& key) {
    const auto goes_on = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
        const std::size_t end = at + key.size();
        if (at != 0 && goes_on(text[at - 1])) continue;
        if (end == text.size() || !goes_on(text[end])) return true;
    }
    return false;
}

/// The keys that the files in configs/ set.
std::set<std::string> keys_of_configurations() {
    static const std::regex table(R"(\[([\w.]+)\].*)");
    static const std::regex setting(R"re("?([\w.]+)"? *=.*)re");
    static const std::regex member(R"([{,] *(\w+) *=)");
    std::set<std::string> keys;
    for (const fs::directory_entry& each :
         fs::recursive_directory_iterator(source_path("configs"))) {
        std::ifstream lines(each.path());
        std::string prefix;
        std::smatch found;
        for (std::string line; std::getline(lines, line);) {
            if (std::regex_match(line, found, table)) prefix = found[1].str() + ".";
            if (!std::regex_match(line, found, setting)) continue;
            const std::string key = prefix + found[1].str();
            keys.insert(key);
            // key = { member = 1, ... }
            for (auto it = std::sregex_iterator(line.begin(), line.end(), member);
                 it != std::sregex_iterator(); ++it) {
                keys.insert(key + "." + (*it)[1].str());
            }
        }
    }
    return keys;
}

TEST(parameters, are_set_by_a_configuration_a_row_or_a_test) {
    const std::set<std::string> configured = keys_of_configurations();
    EXPECT_EQ(configured.count("l1d.mshrs"), 1U);
    EXPECT_EQ(configured.count("smx.units.integer.count"), 1U);
    const std::string text = text_below({"scripts/experiments", "tests", "tb"});
    const auto listed =
        nlohmann::json::parse(heddle_command({"list", "parameters", "--json"}).output);
    for (const auto& each : listed) {
        const std::string key = each.at("key");
        // tests/hw/cosim/rtl_run_test.cpp puts these keys together.
        if (configured.count(key) != 0 || key.rfind("slot.", 0) == 0) continue;
        EXPECT_TRUE(names(text, key))
            << key << ": no configuration, row or test gives it another value";
    }
}

}  // namespace
}  // namespace heddle
