// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "hw/axi/burst.h"
#include "hw/axi/rule_checker.h"

namespace heddle::axi {

/// A bus of 128 bits with 8 IDs, driven by hand, clock by clock.
class rule_checker_test : public testing::Test {
protected:
    static address_beat line(std::uint32_t id, std::uint64_t address, unsigned beats = 4) {
        address_beat a;
        a.id = id;
        a.address = address;
        a.length = static_cast<std::uint8_t>(beats - 1);
        a.size = 4;
        return a;
    }
    static lanes all(std::uint8_t value) {
        lanes data{};
        for (unsigned i = 0; i < 16; ++i) data[i] = value;
        return data;
    }

    void clock() { checker_.clock(manager_, subordinate_); }
    void quiet() { manager_ = {}, subordinate_ = {}; }
    /// Each is one clock with a handshake.
    void aw(const address_beat& a) {
        quiet();
        manager_.aw_valid = subordinate_.aw_ready = true;
        manager_.aw = a;
        clock();
        quiet();
    }
    void ar(const address_beat& a) {
        quiet();
        manager_.ar_valid = subordinate_.ar_ready = true;
        manager_.ar = a;
        clock();
        quiet();
    }
    void w(bool last, std::uint8_t value = 1, std::uint64_t strobe = 0xffff) {
        quiet();
        manager_.w_valid = subordinate_.w_ready = true;
        manager_.w = {all(value), strobe, last};
        clock();
        quiet();
    }
    void b(std::uint32_t id, response code = response::okay) {
        quiet();
        subordinate_.b_valid = manager_.b_ready = true;
        subordinate_.b = {id, code};
        clock();
        quiet();
    }
    void r(std::uint32_t id, bool last, std::uint8_t value = 1, response code = response::okay) {
        quiet();
        subordinate_.r_valid = manager_.r_ready = true;
        subordinate_.r = {all(value), id, code, last};
        clock();
        quiet();
    }
    void write(const address_beat& a, std::uint8_t value = 1) {
        aw(a);
        for (unsigned i = 0; i < a.beats(); ++i) w(i + 1 == a.beats(), value);
        b(a.id);
    }
    void read(const address_beat& a, std::uint8_t value = 1) {
        ar(a);
        for (unsigned i = 0; i < a.beats(); ++i) r(a.id, i + 1 == a.beats(), value);
    }

    manager_side manager_;
    subordinate_side subordinate_;
    std::vector<rule> found_;
    std::vector<std::string> texts_;
    rule_checker checker_{{16, 8, 5}, [this](rule which, const std::string& text) {
                              found_.push_back(which);
                              texts_.push_back(text);
                          }};
};

}  // namespace heddle::axi
