// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/parameter.h"

namespace heddle {

/// Parameters of the Kernel Distributor, keys `kernel_distributor.*`.
struct kernel_distributor_configuration {
    unsigned entries = 32;  ///< Wang et al., ISCA 2015, Table 2: concurrent kernels

    void declare(parameter_list& p) {
        p.add("entries", entries, range(1, 1024), "entry",
              "Kernel distributor entries: kernels that run at the same time")
            .larger_is_better();
    }
};

}  // namespace heddle
