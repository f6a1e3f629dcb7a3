// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/statistics.h"

namespace heddle::iss {

void collect(const functional_simulator& simulator, statistics& into) {
    const unsigned warp_size = simulator.properties().warp_size;
    collect_execution(into, "gpu", simulator.total(), warp_size);
    for (const auto& [name, counts] : simulator.kernels()) {
        collect_kernel(into, name, counts, warp_size);
    }
}

}  // namespace heddle::iss
