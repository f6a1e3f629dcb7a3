// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/crossbar_traffic/closed_forms.h"

#include <algorithm>
#include <cmath>

namespace heddle::crossbar_traffic {

std::optional<double> saturation(const traffic_options& options) {
    const crossbar_configuration& c = options.crossbar;
    const bool input_first = c.allocator == allocators::key<input_first_allocator>;
    const bool pim = c.allocator == allocators::key<pim_allocator> && c.iterations == 1;
    if ((!input_first && !pim) || options.outputs % c.input_speedup != 0) {
        return std::nullopt;
    }
    const double inputs = options.inputs;
    const double columns = options.outputs / c.input_speedup;
    if (input_first) {
        return 1 - std::pow(1 - 1 / columns, inputs);
    }
    // pim: the rows that get a grant, 1 - (1 - 1/R)^C each
    return (1 - std::pow(1 - 1 / inputs, columns)) * inputs / columns;
}

expectation expected(const traffic_options& options, double load) {
    const double inputs = options.inputs;
    const double outputs = options.outputs;
    const double flits = options.flits;
    const double empty = options.crossbar.latency + flits;
    expectation e;
    switch (options.traffic) {
        case pattern::backlogged:
            e.throughput = saturation(options);
            break;
        case pattern::permutation:
            if (options.inputs == options.outputs) {
                e.throughput = load;
                if (load < 1 || flits == 1) {
                    e.latency = empty + (flits == 1 ? 0 : load * (flits - 1) / (2 * (1 - load)));
                }
            }
            break;
        case pattern::uniform: {
            const double limit = saturation(options).value_or(1);
            const double throughput = load * inputs / outputs;
            if (throughput < 0.9 * limit) {
                e.throughput = throughput;
            }
            if (options.flits == 1 && options.inputs == options.outputs && load < 1) {
                e.latency = empty + (outputs - 1) / outputs * load / (2 * (1 - load));
                e.is_bound = true;
            }
            break;
        }
        case pattern::hotspot: {
            const double share = options.hotspot + (1 - options.hotspot) / outputs;
            e.throughput = std::min(load, 1 / (inputs * share)) * inputs / outputs;
            break;
        }
    }
    return e;
}

}  // namespace heddle::crossbar_traffic
