// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The pages list the rooms that are there, and mechanisms are asked for in few places.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "tb/kit/paths.h"
#include "tests/integration/layering.h"

namespace heddle::layering {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::string page(const char* name) {
    return text_of(source_path(std::string("docs/") + name));
}

/// From the table of a page: "| rank | `room` | ...".
std::map<std::string, int> rooms_of_page(const std::string& text) {
    static const std::regex row(R"(\n\| (\d+) \| `([\w/]+)` \|)");
    std::map<std::string, int> rooms;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), row);
         it != std::sregex_iterator(); ++it) {
        const std::string name = (*it)[2];
        rooms[name.rfind("hw/", 0) == 0 ? "" : name] = std::stoi((*it)[1]);
    }
    return rooms;
}

/// Folders of a block that hold sources, as "lsu/queue"; "": its own.
std::vector<std::string> folders_of(const std::string& block) {
    const fs::path root = source_path("hw/" + block);
    std::vector<std::string> found{""};
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(root)) {
        if (each.is_directory()) found.push_back(each.path().lexically_relative(root).string());
    }
    return found;
}

TEST(rooms, of_the_pages_are_those_of_the_layering_test) {
    EXPECT_EQ(rooms_of_page(page("smx.md")), rooms_of("smx"));
    EXPECT_EQ(rooms_of_page(page("machine.md")), rooms_of("smx_scheduler"));
}

TEST(rooms, with_a_rank_are_folders_of_the_tree) {
    for (const char* block : {"smx", "smx_scheduler"}) {
        const std::vector<std::string> folders = folders_of(block);
        for (const auto& [room, rank] : rooms_of(block)) {
            EXPECT_THAT(folders, testing::Contains(room)) << block;
        }
    }
}

TEST(rooms, all_stand_in_the_contracts) {
    const std::string text = page("contracts.md");
    for (const char* block : {"smx", "smx_scheduler"}) {
        const std::size_t begin = text.find("- inside `hw/" + std::string(block) + "`");
        ASSERT_NE(begin, std::string::npos) << block;
        const std::string chain = text.substr(begin, text.find("the ", begin + 1) - begin);
        for (const auto& [room, rank] : rooms_of(block)) {
            EXPECT_TRUE(std::regex_search(chain, std::regex("(^|[ `\n])" + room + "($|[ ,`\n])")))
                << "hw/" << block << "/" << room;
        }
    }
}

TEST(rooms, each_block_is_a_row_of_the_machine_page) {
    const std::string text = page("machine.md");
    for (const fs::directory_entry& each : fs::directory_iterator(source_path("hw"))) {
        if (!each.is_directory()) continue;
        const std::string name = each.path().filename();
        // Kit, netlist, and RTL, which rtl.md describes.
        if (name == "base" || name == "protocol" || name == "top" || name == "rtl") continue;
        EXPECT_NE(text.find("| `hw/" + name), std::string::npos) << name;
    }
}

/// Questions whether a mechanism is there, which capabilities or an interface could answer. Fewer
/// are better: lower the number then.
TEST(rooms, ask_rarely_whether_a_mechanism_is_there) {
    static const std::regex question(
        R"rx(\b(transactions_?|tm_|launch_|cooperation_|mover_|groups_|runtime)\)? )rx"
        R"rx((==|!=) nullptr|\b(groups_|mover_|launch_)( \?| &&|\) )|\(!?groups_ |links\.launches\))rx");
    const std::map<std::string, unsigned> most{
        {"hw/kmu", 1}, {"hw/smx", 3}, {"hw/smx_scheduler", 2}, {"hw/top", 0}};
    for (const auto& [area, limit] : most) {
        std::string found;
        unsigned count = 0;
        for (const fs::directory_entry& each :
             fs::recursive_directory_iterator(source_path(area))) {
            if (each.path().extension() != ".cpp" && each.path().extension() != ".h") continue;
            const std::string text = text_of(each.path());
            for (auto it = std::sregex_iterator(text.begin(), text.end(), question);
                 it != std::sregex_iterator(); ++it) {
                ++count;
                found += "\n" + each.path().filename().string() + ": " + it->str();
            }
        }
        EXPECT_EQ(count, limit) << area << found;
    }
}

}  // namespace
}  // namespace heddle::layering
