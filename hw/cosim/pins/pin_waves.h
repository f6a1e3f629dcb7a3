// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <tuple>
#include <type_traits>
#include <vector>

#include "hw/base/waveform.h"
#include "hw/cosim/pins/pin_channel.h"
#include "hw/cosim/pins/pin_clock.h"

namespace heddle::pins {

/// Shows pins in a waveform, under their hierarchical names: what was sampled at each rising edge.
/// Pins that the scopes of the waveform leave out cost nothing.
class pin_waves final : public pin_part {
public:
    /// `waves`, `clock` and what is shown outlive it.
    pin_waves(waveform& waves, pin_clock& clock) : pin_part(clock), waves_(waves) {}

    /// SCOPE.clk and SCOPE.rst_n, when they change.
    static void show_clock(waveform& waves, pin_clock& clock, const std::string& scope) {
        wave_bits clk = waves.declare_bits(scope + ".clk", 1);
        wave_bits rst_n = waves.declare_bits(scope + ".rst_n", 1);
        if (!clk.on() && !rst_n.on()) return;
        clock.on_level([clk, rst_n](bool level, bool released) mutable {
            clk.set(level ? 1 : 0);
            rst_n.set(released ? 1 : 0);
        });
    }
    template <class Payload>
    void show(pin_channel<Payload>& channel) {
        show(channel.valid);
        show(channel.ready);
        show(channel.payload);
    }
    template <class Payload>
    void show(credit_channel<Payload>& channel) {
        show(channel.valid);
        show(channel.credit);
        show(channel.payload);
    }
    template <unsigned Width>
    void show(const pin<Width>& one) {
        show_signal<pin_value<Width>>(one, Width);
    }

    void clock_edge() override {
        for (const auto& sample : samples_) sample();
    }

private:
    template <class Payload>
    auto show(Payload& payload) -> std::void_t<decltype(payload.all())> {
        std::apply([this](const auto&... one) { (show(one), ...); }, payload.all());
    }
    template <class Value>
    void show_signal(const sc_core::sc_signal<Value>& signal, unsigned width) {
        wave_bits variable = waves_.declare_bits(signal.name(), width);
        if (!variable.on()) return;
        samples_.push_back([&signal, variable]() mutable { put(signal.read(), variable); });
    }
    template <class Value>
    static void put(const Value& value, wave_bits& variable) {
        if constexpr (std::is_integral_v<Value>) {
            variable.set(std::uint64_t{value});
        } else {
            constexpr int most_bits = 1024;
            std::array<std::uint64_t, most_bits / 64> words{};
            for (int n = 0; n < value.size(); ++n) {
                words.at(n / 2) |= std::uint64_t{value.get_word(n)} << n % 2 * 32;
            }
            variable.set(words.data());
        }
    }

    waveform& waves_;
    std::vector<std::function<void()>> samples_;  ///< of pins that are on
};

}  // namespace heddle::pins
