// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/crossbar_waves.h"

namespace heddle {

namespace {

/// "input_3"; the ports of other initiators stand behind those of the SMXs: "input_other_0".
std::string port_name(const char* side, std::uint32_t port, const wave_ports& ports) {
    const std::uint32_t numbered = ports.all - ports.others;
    return std::string(side) + (port < numbered ? "_" + std::to_string(port)
                                                : "_other_" + std::to_string(port - numbered));
}

}  // namespace

crossbar_waves::crossbar_waves(waveform& waves, const std::string& scope, const wave_ports& inputs,
                               const wave_ports& outputs, std::uint32_t speedup)
    : messages_(waves.declare_integer(scope + ".messages")) {
    const auto declare = [&](const std::string& name, const std::string& partner,
                             const std::vector<std::string>& states) {
        return port{waves.declare_integer(name + ".flits"),
                    waves.declare_state(name + ".state", states),
                    waves.declare_integer(name + ".granted_" + partner)};
    };
    for (std::uint32_t buffer = 0; buffer < inputs.all * speedup; ++buffer) {
        buffers_.push_back(declare(scope + "." + port_name("input", buffer / speedup, inputs) +
                                       ".buffer_" + std::to_string(buffer % speedup),
                                   "output", {"empty", "moves", "not_granted", "output_full"}));
    }
    for (std::uint32_t output = 0; output < outputs.all; ++output) {
        outputs_.push_back(declare(scope + "." + port_name("output", output, outputs), "input",
                                   {"empty", "holds", "receiver_busy"}));
    }
    states_.resize(buffers_.size());
}

}  // namespace heddle
