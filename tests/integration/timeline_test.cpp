// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the timeline of a run shows.
#include <gmock/gmock.h>

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "tests/integration/traced_run.h"

namespace heddle {
namespace {

using testing::HasSubstr;

constexpr unsigned block_count = 8;
constexpr unsigned warps_per_block = 8;

std::uint64_t end_ps(const json& slice) {
    return static_cast<std::uint64_t>(
        std::llround((slice.at("ts").get<double>() + slice.at("dur").get<double>()) * 1e6));
}

/// Hierarchical names of the blocks that have slices, with their lanes' names.
struct track_names {
    std::map<int, std::string> owners;
    std::map<std::pair<int, int>, std::string> lanes;

    explicit track_names(const json& events) {
        for (const json& event : events) {
            const bool owner = event.at("name") == "process_name";
            if (!owner && event.at("name") != "thread_name") continue;
            const int process = event.at("pid");
            const std::string name = event.at("args").at("name");
            const bool fresh =
                owner ? owners.emplace(process, name).second
                      : lanes.emplace(std::pair(process, event.at("tid").get<int>()), name).second;
            EXPECT_TRUE(fresh) << name;
        }
    }
    /// "gpu.smx_0 warps": of the lane "warps 3".
    [[nodiscard]] std::string track_of(const json& slice) const {
        const int process = slice.at("pid");
        const std::string lane = lanes.at({process, slice.at("tid").get<int>()});
        return owners.at(process) + " " + lane.substr(0, lane.rfind(' '));
    }
    [[nodiscard]] std::string lane_of(const json& slice) const {
        return lanes.at({slice.at("pid").get<int>(), slice.at("tid").get<int>()});
    }
};

/// Slices of transactions and warps by track.
std::map<std::string, std::vector<json>> slices_by_track(const json& events) {
    const track_names names(events);
    std::map<std::string, std::vector<json>> slices;
    for (const json& event : events) {
        if (event.at("ph") == "X" && event.contains("args")) {
            slices[names.track_of(event)].push_back(event);
        }
    }
    return slices;
}

/// Lines that L2 writes back or completes belong to no SMX.
bool of_nobody(const std::string& track, const json& slice) {
    return track.find(" memory") != std::string::npos && track.find("gpu.l2_") == 0 &&
           !slice.at("args").contains("sm");
}

words tracks_of(const json& events) {
    words names;
    for (const auto& [name, slices] : slices_by_track(events)) names.push_back(name);
    return names;
}

TEST(timeline, flows_lead_from_the_launch_to_blocks_to_warps_and_memory) {
    const traced_run run({"--trace-scope", "*"});
    std::map<std::string, std::string> starts;  // flow, category of its start
    std::map<std::string, double> start_times;
    std::map<std::string, double> first_ends;
    std::map<std::string, std::vector<std::string>> ends;
    unsigned launches = 0;
    for (const json& event : run.events()) {
        const std::string category = event.value("cat", "");
        if (category == "launch" && event.at("name") == "saxpy") ++launches;
        if (!event.contains("bind_id")) continue;
        const std::string flow = event.at("bind_id");
        if (event.value("flow_out", false)) {
            EXPECT_TRUE(starts.emplace(flow, category).second);
            start_times[flow] = event.at("ts");
        }
        if (!event.value("flow_in", false)) continue;
        ends[flow].push_back(category);
        const double time = event.at("ts");
        double& first = first_ends.emplace(flow, time).first->second;
        first = std::min(first, time);
    }
    // A viewer drops an arrow that would lead back in time.
    for (const auto& [flow, time] : first_ends) EXPECT_LE(start_times.at(flow), time) << flow;
    EXPECT_EQ(launches, 1U);
    EXPECT_EQ(starts.size(), 1U + block_count);
    for (const auto& [flow, categories] : ends) {
        ASSERT_EQ(starts.count(flow), 1U) << flow;
        const bool of_launch = starts.at(flow) == "launch";
        const auto arrows_to = [&, &categories = categories](const char* category) {
            return std::count(categories.begin(), categories.end(), category);
        };
        EXPECT_EQ(arrows_to("block_dispatch"), of_launch ? block_count : 0);
        EXPECT_EQ(arrows_to("warp"), of_launch ? 0 : warps_per_block);
        EXPECT_EQ(arrows_to("memory_access") != 0, !of_launch);
        // Every block reads and writes lines that no other block touches.
        EXPECT_EQ(arrows_to("base_protocol") != 0, !of_launch) << flow;
    }
}

TEST(timeline, an_arrow_leads_to_every_group_of_a_command) {
    const temporary_directory files;
    const std::string timeline = files / "timeline.json";
    constexpr unsigned groups = 64;
    const command_result result =
        heddle_command({"run", "children", "--config", "tiny", "--mode", "dtbl", "--option",
                        "launches=64", "--timeline", timeline});
    ASSERT_EQ(result.code, 0) << result.errors;
    std::set<std::string> starts;
    std::set<std::string> ends;
    const json all = json::parse(contents_of(timeline));
    for (const json& event : all.at("traceEvents")) {
        const std::string category = event.value("cat", "");
        if (event.value("flow_out", false) && category == "aggregation") {
            EXPECT_TRUE(starts.insert(event.at("bind_id")).second);
        }
        if (event.value("flow_in", false) && category == "block_dispatch") {
            ends.insert(event.at("bind_id"));
        }
    }
    EXPECT_EQ(starts.size(), groups);
    for (const std::string& flow : starts) EXPECT_EQ(ends.count(flow), 1U) << flow;
}

TEST(timeline, by_default_shows_all_blocks_and_warps_and_the_accesses_of_one_smx) {
    const traced_run run;
    const json events = run.events();
    EXPECT_THAT(tracks_of(events),
                testing::ElementsAre("gpu.kernel_distributor kernels", "gpu.kmu launches",
                                     "gpu.l2_0 memory", "gpu.l2_0 requests", "gpu.l2_1 memory",
                                     "gpu.l2_1 requests", "gpu.smx_0 blocks", "gpu.smx_0 memory",
                                     "gpu.smx_0 warps", "gpu.smx_1 blocks", "gpu.smx_1 warps"));
    for (const auto& [track, slices] : slices_by_track(events)) {
        if (track.find("gpu.l2_") != 0) continue;
        for (const json& slice : slices) {
            if (slice.at("name") == "write_back") {
                EXPECT_FALSE(slice.at("args").contains("block")) << slice;
                EXPECT_EQ(slice.at("args").contains("sm"), track.find(" memory") == track.npos);
            }
            if (of_nobody(track, slice)) continue;
            EXPECT_EQ(slice.at("args").at("sm"), 0) << track;
        }
    }
}

TEST(timeline, scopes_choose_what_is_shown) {
    using testing::ElementsAre;
    const traced_run one({"--trace-scope", "gpu.smx_1"});
    EXPECT_THAT(tracks_of(one.events()),
                ElementsAre("gpu.kmu launches", "gpu.smx_1 blocks", "gpu.smx_1 issue_0",
                            "gpu.smx_1 issue_1", "gpu.smx_1 memory", "gpu.smx_1 warps"));
    const traced_run way({"--trace-scope", "gpu.smx_1.memory", "--trace-scope", "gpu.l2_*"});
    for (const auto& [track, slices] : slices_by_track(way.events())) {
        if (track == "gpu.kmu launches") continue;
        for (const json& slice : slices) {
            if (of_nobody(track, slice)) continue;
            EXPECT_EQ(slice.at("args").at("sm"), 1) << track;
        }
    }
    const traced_run bank({"--trace-scope", "gpu.l2_0"});
    std::set<int> users;
    const auto tracks = slices_by_track(bank.events());
    for (const json& slice : tracks.at("gpu.l2_0 requests")) {
        users.insert(slice.at("args").at("sm").get<int>());
    }
    EXPECT_THAT(users, ElementsAre(0, 1)) << "without an SMX in the scope: of all";
}

TEST(timeline, warps_lie_in_their_blocks_on_the_lane_of_their_slot) {
    const traced_run run;
    const json events = run.events();
    const auto slices = slices_by_track(events);
    const track_names names(events);
    std::map<int, std::pair<std::uint64_t, std::uint64_t>> blocks;  // from dispatch to end
    std::set<std::pair<int, int>> warps;
    std::uint64_t instructions = 0;
    for (const char* smx : {"gpu.smx_0", "gpu.smx_1"}) {
        for (const json& block : slices.at(std::string(smx) + " blocks")) {
            blocks[block.at("args").at("block")] = {begin_ps(block), end_ps(block)};
        }
        for (const json& warp : slices.at(std::string(smx) + " warps")) {
            const json& arguments = warp.at("args");
            EXPECT_TRUE(warps.emplace(arguments.at("block"), arguments.at("warp")).second);
            instructions += arguments.at("instructions").get<std::uint64_t>();
            EXPECT_EQ(arguments.at("threads"), 32);
            const auto [begin, end] = blocks.at(arguments.at("block"));
            EXPECT_GT(begin_ps(warp), begin);
            EXPECT_LT(end_ps(warp), end);
            EXPECT_THAT(names.lane_of(warp), testing::StartsWith("warps "));
        }
    }
    EXPECT_EQ(blocks.size(), block_count);
    EXPECT_EQ(warps.size(), block_count * warps_per_block);
    const json statistics = json::parse(contents_of(run.statistics)).at("statistics");
    EXPECT_EQ(statistics.at("gpu.warp_instructions").at("value"), instructions);
}

/// A kernel with a barrier, and warps that are not full.
TEST(timeline, warps_wait_at_barriers) {
    const temporary_directory files;
    const std::string timeline = files / "timeline.json";
    const command_result result = heddle_command(
        {"run", "matrix", "--config", "tiny", "--option", "variant=tiled", "--timeline", timeline});
    ASSERT_EQ(result.code, 0) << result.errors;
    const json events = json::parse(contents_of(timeline)).at("traceEvents");
    unsigned waits = 0;
    for (const json& event : events) {
        if (event.at("name") != "barrier") continue;
        ++waits;
        EXPECT_GT(event.at("dur").get<double>(), 0);
    }
    EXPECT_GT(waits, 0U);
}

TEST(timeline, cycles_choose_what_overlaps_them) {
    const traced_run all({"--trace-scope", "*"});
    const traced_run some({"--trace-scope", "*", "--trace-cycles", "100:150"});
    const auto time_of_cycle = [](std::uint64_t cycle) { return cycle * 1'000'000 / 706; };
    const std::uint64_t from = time_of_cycle(100);
    const std::uint64_t to = time_of_cycle(151) - 1;
    const auto whole = slices_by_track(all.events());
    const auto part = slices_by_track(some.events());
    for (const auto& [track, slices] : whole) {
        const bool accesses = track.find("smx_0 memory") != std::string::npos ||
                              track.find("smx_1 memory") != std::string::npos ||
                              track.find("issue_") != std::string::npos ||
                              track.find("gpu.l2_") == 0 || track.find("gpu.memory_c") == 0;
        std::multiset<std::string> expected, found;
        const auto key = [](const json& slice) {
            return slice.at("name").dump() + slice.at("ts").dump() + slice.at("args").dump();
        };
        for (const json& slice : slices) {
            const bool begins = from <= begin_ps(slice) && begin_ps(slice) <= to;
            const bool overlaps = begin_ps(slice) <= to && end_ps(slice) >= from;
            if (accesses ? begins : overlaps) expected.insert(key(slice));
        }
        if (part.count(track) != 0) {
            for (const json& slice : part.at(track)) found.insert(key(slice));
        }
        EXPECT_EQ(found, expected) << track;
    }
    EXPECT_LT(some.events().size(), all.events().size() / 5);
}

TEST(timeline, a_name_says_that_it_is_compressed) {
    const traced_run run;
    const std::string compressed = run.files / "timeline.json.gz";
    for (const words& more : {words{}, words{"--no-sleep"}}) {
        words arguments{"run",    "saxpy",    "--config",  "tiny",       "--option",
                        "n=2048", "--option", "block=256", "--timeline", compressed};
        arguments.insert(arguments.end(), more.begin(), more.end());
        ASSERT_EQ(heddle_command(arguments).code, 0);
        std::ifstream file(compressed, std::ios::binary);
        boost::iostreams::filtering_istream unpacked;
        unpacked.push(boost::iostreams::gzip_decompressor());
        unpacked.push(file);
        const std::string text{std::istreambuf_iterator<char>(unpacked), {}};
        EXPECT_TRUE(text == contents_of(run.timeline));
        EXPECT_LT(contents_of(compressed).size(), text.size() / 5);
    }
}

}  // namespace
}  // namespace heddle
