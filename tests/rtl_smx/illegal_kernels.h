// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <ostream>
#include <vector>

#include "tests/rtl_smx/rtl_device.h"

namespace heddle::rtl_smx {

/// A kernel that does what is illegal.
struct illegal_kernel {
    const char* name;
    const char* body;
    unsigned fault;     ///< of the record
    const char* lanes;  ///< likewise

    friend std::ostream& operator<<(std::ostream& out, const illegal_kernel& one) {
        return out << one.name;
    }
};

const std::vector<illegal_kernel>& illegal_kernels();

std::shared_ptr<const program::image> compile_illegal(const illegal_kernel& kernel);

/// The message of the fault. Throws what else happens.
std::string fault_of(const std::shared_ptr<const program::image>& image,
                     const rtl_settings& settings);

}  // namespace heddle::rtl_smx
