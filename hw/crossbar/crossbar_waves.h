// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hw/base/waveform.h"

namespace heddle {

/// The ports of one side of a network, as the waveform names them.
struct wave_ports {
    std::uint32_t all = 0;
    std::uint32_t others = 0;  ///< the last ones: not numbered as SMXs
};

/// What a waveform shows of one network: SCOPE.messages, and for each buffer
/// SCOPE.input_I.buffer_K.flits, .state, .granted_output and for each output SCOPE.output_O.flits,
/// .state, .granted_input. granted_output and granted_input keep the last grant; state says whether
/// it is of this cycle. Made only with --vcd.
class crossbar_waves {
public:
    enum class buffer_state : std::uint8_t { empty, moves, not_granted, output_full };
    enum class output_state : std::uint8_t { empty, holds, receiver_busy };

    crossbar_waves(waveform& waves, const std::string& scope, const wave_ports& inputs,
                   const wave_ports& outputs, std::uint32_t speedup);

    /// Before the allocators match: what the buffers could do in this cycle. `Fabric` is a
    /// flit_switch.
    template <class Fabric>
    [[gnu::noinline]] void begin(const Fabric& fabric) {
        for (std::uint32_t i = 0; i < buffers_.size(); ++i) {
            states_[i] = !fabric.waits(i)       ? buffer_state::empty
                         : fabric.could_move(i) ? buffer_state::not_granted
                                                : buffer_state::output_full;
        }
    }
    /// After the cycle; link_busy(output) says that the receiver has not accepted.
    template <class Fabric, class LinkBusy>
    [[gnu::noinline]] void show(const Fabric& fabric, const LinkBusy& link_busy) {
        messages_.set(fabric.size());
        for (const auto& moved : fabric.moved()) {
            states_[moved.buffer] = buffer_state::moves;
            buffers_[moved.buffer].granted.set(moved.output);
            outputs_[moved.output].granted.set(fabric.input_of(moved.buffer));
        }
        for (std::uint32_t i = 0; i < buffers_.size(); ++i) {
            buffers_[i].state.set(static_cast<std::uint64_t>(states_[i]));
            buffers_[i].flits.set(fabric.buffer_capacity() - fabric.room(i));
        }
        for (std::uint32_t i = 0; i < outputs_.size(); ++i) {
            const std::uint32_t held = fabric.output_capacity() - fabric.output_room(i);
            const output_state state = link_busy(i) ? output_state::receiver_busy
                                       : held != 0  ? output_state::holds
                                                    : output_state::empty;
            outputs_[i].state.set(static_cast<std::uint64_t>(state));
            outputs_[i].flits.set(held);
        }
    }

    /// Whether the next cycles show the same, if no flit can move in them.
    template <class Fabric>
    [[nodiscard, gnu::noinline]] bool settled(const Fabric& fabric) const {
        for (std::uint32_t i = 0; i < buffers_.size(); ++i) {
            const bool waits = fabric.waits(i);
            if (states_[i] != (waits ? buffer_state::output_full : buffer_state::empty)) {
                return false;
            }
        }
        return true;
    }

private:
    struct port {
        wave_integer flits;  ///< held or reserved
        wave_state state;
        wave_integer granted;  ///< the other side of the last grant
    };

    wave_integer messages_;
    std::vector<port> buffers_, outputs_;
    std::vector<buffer_state> states_;
};

}  // namespace heddle
