// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

namespace heddle::command {

/// The ground on which GTKWave shows the name of a state or an instruction: green for work, red and
/// orange for what waits, dark for nothing. A name of X11's colors; empty: none.
[[nodiscard]] std::string wave_color(const std::string& name);

}  // namespace heddle::command
