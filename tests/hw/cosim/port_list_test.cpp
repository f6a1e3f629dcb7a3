// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/port_list.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace heddle::pins {
namespace {

using testing::ElementsAre;

struct item_pins {
    explicit item_pins(const std::string& channel) : tag(channel, "tag"), data(channel, "data") {}
    auto all() { return std::tie(tag, data); }
    pin<3> tag;
    pin<1024> data;
};

std::vector<std::string> lines_of(port_list& list) {
    std::vector<std::string> lines;
    for (const cosim::component_port& port : list.take()) {
        const bool in = port.shape.way == cosim::port_direction::input;
        lines.push_back((in ? "in " : "out ") + port.shape.name + " " +
                        std::to_string(port.shape.bits()));
    }
    return lines;
}

TEST(port_list, a_channel_has_the_direction_of_its_valid) {
    pin_channel<item_pins> pins("item");
    port_list list;
    list.add(port_list::way::output, "item", pins);
    EXPECT_THAT(lines_of(list), ElementsAre("out item_valid 1", "in item_ready 1", "out item_tag 3",
                                            "out item_data 1024"));
}

TEST(port_list, credits_go_against_their_channel) {
    credit_channel<item_pins> pins("item");
    port_list list;
    list.add(port_list::way::input, "item", pins);
    EXPECT_THAT(lines_of(list), ElementsAre("in item_valid 1", "out item_credit 1", "in item_tag 3",
                                            "in item_data 1024"));
}

TEST(port_list, a_pin_of_no_channel_has_its_own_name) {
    const pin<5> entries("entries");
    EXPECT_STREQ(entries.basename(), "entries");
    port_list list;
    list.add_clock();
    list.add(port_list::way::input, "", entries);
    EXPECT_THAT(lines_of(list), ElementsAre("in clk 1", "in rst_n 1", "in entries 5"));
}

}  // namespace
}  // namespace heddle::pins
