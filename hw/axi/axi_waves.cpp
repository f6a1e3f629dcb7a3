// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/axi_waves.h"

#include <array>
#include <cstring>
#include <utility>

#include "hw/cosim/pins/pin_waves.h"

namespace heddle::axi {

namespace {

using words = std::array<std::uint64_t, maximum_bus_bytes / 8>;

words words_of(const lanes& data) {
    words bits{};
    std::memcpy(bits.data(), data.data(), sizeof bits);
    return bits;
}

}  // namespace

axi_waves::axi_waves(waveform& waves, const std::string& name, pins::pin_clock& clock,
                     const bus_pins& pins)
    : pin_part(clock), pins_(pins) {
    pins::pin_waves::show_clock(waves, clock, name + ".bus");
    const unsigned bytes = pins.bus_bytes();
    const std::pair<const char*, unsigned> all[] = {
        {"aw_valid", 1}, {"aw_ready", 1}, {"aw_id", 8},      {"aw_addr", 64},       {"aw_len", 8},
        {"aw_size", 3},  {"aw_burst", 2}, {"ar_valid", 1},   {"ar_ready", 1},       {"ar_id", 8},
        {"ar_addr", 64}, {"ar_len", 8},   {"ar_size", 3},    {"ar_burst", 2},       {"w_valid", 1},
        {"w_ready", 1},  {"w_last", 1},   {"w_strb", bytes}, {"w_data", 8 * bytes}, {"b_valid", 1},
        {"b_ready", 1},  {"b_id", 8},     {"b_resp", 2},     {"r_valid", 1},        {"r_ready", 1},
        {"r_id", 8},     {"r_resp", 2},   {"r_last", 1},     {"r_data", 8 * bytes}};
    for (const auto& [pin, width] : all) {
        variables_.push_back(waves.declare_bits(name + ".bus." + pin, width));
        on_ |= variables_.back().on();
    }
}

void axi_waves::clock_edge() {
    if (!on_) return;
    pins_.sample(manager_);
    pins_.sample(subordinate_);
    show(manager_, subordinate_);
}

void axi_waves::show(const manager_side& m, const subordinate_side& s) {
    auto variable = variables_.begin();
    const auto put = [&](std::uint64_t value) { (variable++)->set(value); };
    const auto put_data = [&](const lanes& data) { (variable++)->set(words_of(data).data()); };
    const auto put_address = [&](bool valid, bool ready, const address_beat& a) {
        put(valid ? 1 : 0), put(ready ? 1 : 0);
        put(a.id), put(a.address), put(a.length), put(a.size);
        put(static_cast<std::uint64_t>(a.burst));
    };
    put_address(m.aw_valid, s.aw_ready, m.aw);
    put_address(m.ar_valid, s.ar_ready, m.ar);
    put(m.w_valid ? 1 : 0), put(s.w_ready ? 1 : 0), put(m.w.last ? 1 : 0), put(m.w.strobe);
    put_data(m.w.data);
    put(s.b_valid ? 1 : 0), put(m.b_ready ? 1 : 0), put(s.b.id);
    put(static_cast<std::uint64_t>(s.b.code));
    put(s.r_valid ? 1 : 0), put(m.r_ready ? 1 : 0), put(s.r.id);
    put(static_cast<std::uint64_t>(s.r.code)), put(s.r.last ? 1 : 0);
    put_data(s.r.data);
}

}  // namespace heddle::axi
