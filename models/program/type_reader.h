// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <elfutils/libdw.h>

#include <string>

#include "models/program/kernel_signature.h"

namespace heddle::program {

/// What a parameter's debug information says about its type.
struct parameter_type {
    std::string text;  ///< as in the source
    kernel_parameter::kind what = kernel_parameter::kind::integer;
    std::uint32_t size = 0;
    bool is_signed = false;  ///< of an integer
    value_layout layout;     ///< as kernel_parameter::layout
    stub_parameter stub;
};

/// Reads the type of a DW_TAG_formal_parameter. `whose` begins error messages.
/// Throws configuration_error when the type can't be a kernel's parameter.
/// `may_be_empty`: a structure without members can.
parameter_type read_parameter_type(Dwarf_Die* parameter, const std::string& whose,
                                   bool may_be_empty = false);

}  // namespace heddle::program
