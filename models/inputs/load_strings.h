// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/inputs/string_list.h"

namespace heddle::inputs {

template <class Product>
class input_table;

/// The strings that an `--input` text stands for, as load_graph() says for graphs.
///
/// Formats (all also gzipped): lines (.txt, .lines, .dict) and pcap (.pcap, .tcpdump). Generators:
/// packets and strings. Throws configuration_error.
[[nodiscard]] string_list load_strings(const std::string& input, std::uint64_t seed = 1);

/// The formats and generators of strings.
[[nodiscard]] const input_table<string_list>& string_inputs();

}  // namespace heddle::inputs
