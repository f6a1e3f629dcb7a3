// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hw/base/vcd_writer.h"

namespace heddle {

/// A heading in the viewer, and the scopes below it.
struct wave_group {
    std::string title;
    std::vector<std::string> scopes;  ///< glob patterns as in waveform_options::scopes
    unsigned color;                   ///< of its vectors; GTKWave: 1 red ... 4 green, 5 blue
};

/// A GTKWave save file (.gtkw) for a written waveform: a group for each element of `groups` that
/// holds a variable, then the rest, in the order of declaration; inside, a group for each scope.
/// The first of several numbered scopes (hwq_0, hwq_1, ...) is open. Numbers are shown in decimal,
/// vectors in hexadecimal, states by their names. The time that the file shows fits the window.
///
/// `dump` is the waveform's file name, without directory. The save file DUMP.gtkw and the names of
/// the states DUMP.names are beside it. GTKWave finds all three from any directory; they can be
/// moved together.
[[nodiscard]] std::string wave_view(const vcd_writer& contents, const std::string& dump,
                                    const std::vector<wave_group>& groups);

/// The GTKWave translate filter file DUMP.names: the names of all states, each with the background
/// that `color_of` gives it (a name of X11's colors; empty: none).
[[nodiscard]] std::string wave_names(
    const vcd_writer& contents, const std::function<std::string(const std::string&)>& color_of);

}  // namespace heddle
