// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hw/cosim/ip_xact.h"
#include "hw/cosim/pins/pin_channel.h"

namespace heddle::pins {

/// The ports of a module with pins, for its description: names and widths are those of the pins.
/// Directions are those of the module.
class port_list {
public:
    using way = cosim::port_direction;

    template <unsigned Width>
    void add(way direction, const std::string& channel, const pin<Width>& one) {
        const std::string name = channel.empty() ? one.field() : channel + "_" + one.field();
        ports_.push_back({{direction, name, Width, 1}, {}});
    }
    /// A channel in the direction of its `valid`.
    template <class Payload>
    void add(way direction, const std::string& channel, pin_channel<Payload>& pins) {
        add(direction, channel, pins.valid);
        add(against(direction), channel, pins.ready);
        add_all(direction, channel, pins.payload);
    }
    template <class Payload>
    void add(way direction, const std::string& channel, credit_channel<Payload>& pins) {
        add(direction, channel, pins.valid);
        add(against(direction), channel, pins.credit);
        add_all(direction, channel, pins.payload);
    }
    /// What `pins.all()` lists.
    template <class Pins>
    void add_all(way direction, const std::string& channel, Pins& pins) {
        std::apply([&](const auto&... each) { (add(direction, channel, each), ...); }, pins.all());
    }
    /// Single pins that every block has.
    void add_clock() {
        for (const char* name : {"clk", "rst_n"}) ports_.push_back({{way::input, name, 1, 1}, {}});
    }

    [[nodiscard]] std::vector<cosim::component_port> take() { return std::move(ports_); }

private:
    static way against(way direction) { return direction == way::input ? way::output : way::input; }

    std::vector<cosim::component_port> ports_;
};

}  // namespace heddle::pins
