// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "hw/top/netlist.h"

namespace heddle {

/// The netlist as a graph in the language of Graphviz: a box for each module, a frame for each
/// module that has others in it, an arrow from initiator to target for each link.
///
/// Equal instances are one box, with their number: modules below equal parents whose names differ
/// in numbers only, with equal modules in them and equal links to equal modules. A number of
/// modules or links inside a frame counts for one instance of the frame.
[[nodiscard]] std::string netlist_drawing(const netlist& machine, const std::string& title);

}  // namespace heddle
