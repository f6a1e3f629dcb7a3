// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A link that nobody watches costs nothing more: its two ends are bound to each other.
#include <gmock/gmock.h>

#include <set>
#include <systemc>

#include "hw/top/simulation.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

void gather(const std::vector<sc_core::sc_object*>& objects, std::set<std::string>& found) {
    for (sc_core::sc_object* const object : objects) {
        const std::string name = object->name();
        for (const char* ending : {"_checker", "_recorder", "_messages"}) {
            const std::string end(ending);
            if (name.size() > end.size() && name.substr(name.size() - end.size()) == end) {
                found.insert(name);
            }
        }
        gather(object->get_child_objects(), found);
    }
}

/// The modules that stand in the links of a machine.
std::string watchers_of(bool check) {
    return run_in_child([&](std::string& output) {
               gpu_options options;
               options.check_protocols = check;
               simulation simulated(configuration_of("tiny"), options);
               std::set<std::string> found;
               gather(sc_core::sc_get_top_level_objects(), found);
               for (const std::string& name : found) output += name + "\n";
               return 0;
           })
        .output;
}

TEST(plain_links, nothing_stands_in_a_link_that_nobody_watches) {
    EXPECT_EQ(watchers_of(false), "");
    EXPECT_THAT(watchers_of(true), testing::HasSubstr("gpu.host_launch_checker\n"));
}

}  // namespace
}  // namespace heddle
