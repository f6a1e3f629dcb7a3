// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/crossbar_waves.h"

namespace heddle {

crossbar_waves::crossbar_waves(waveform& waves, const std::string& scope, std::uint32_t inputs,
                               std::uint32_t outputs, std::uint32_t speedup)
    : messages_(waves.declare_integer(scope + ".messages")) {
    const auto declare = [&](const std::string& name, const std::string& partner,
                             const std::vector<std::string>& states) {
        return port{waves.declare_integer(name + ".flits"),
                    waves.declare_state(name + ".state", states),
                    waves.declare_integer(name + ".granted_" + partner)};
    };
    for (std::uint32_t buffer = 0; buffer < inputs * speedup; ++buffer) {
        buffers_.push_back(declare(scope + ".input_" + std::to_string(buffer / speedup) +
                                       ".buffer_" + std::to_string(buffer % speedup),
                                   "output", {"empty", "moves", "not_granted", "output_full"}));
    }
    for (std::uint32_t output = 0; output < outputs; ++output) {
        outputs_.push_back(declare(scope + ".output_" + std::to_string(output), "input",
                                   {"empty", "holds", "receiver_busy"}));
    }
    states_.resize(buffers_.size());
}

}  // namespace heddle
