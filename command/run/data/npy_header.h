// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/program/value_layout.h"

namespace heddle::command {

/// What stands before the values of a .npy file (NumPy Enhancement Proposal 1, versions 1 to 3).
struct npy_header {
    std::string descr;                 ///< the dtype as written: '<f8', [('x', '<f4'), ...]
    program::value_layout layout;      ///< what it means
    std::vector<std::uint64_t> shape;  ///< empty: one value
    std::size_t bytes = 0;             ///< of the header; the values follow
};

/// Reads the header at the start of a file's bytes. `file` begins the message of the
/// configuration_error: no .npy file, damaged, big-endian, in Fortran order, or a dtype without a
/// counterpart in kernels.
npy_header parse_npy_header(std::string_view bytes, const std::string& file);

/// A header of version 1.
std::string format_npy_header(const std::string& descr, const std::vector<std::uint64_t>& shape);

/// The dtype of a layout, with its padding.
std::string npy_descr(const program::value_layout& layout);

/// Product of the extents; none if it exceeds 64 bits.
bool value_count(const std::vector<std::uint64_t>& shape, std::uint64_t& count);

}  // namespace heddle::command
