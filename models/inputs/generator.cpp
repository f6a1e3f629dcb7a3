// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/generator.h"

#include <numeric>
#include <string>

namespace heddle::inputs {

random_stream seed_argument::random(std::string_view generator, std::uint64_t run_seed) const {
    return {seed == -1 ? run_seed : static_cast<std::uint64_t>(seed),
            "inputs." + std::string(generator)};
}

void permute_vertices(edge_list& list, random_stream& random) {
    std::vector<std::uint32_t> number(list.vertices);
    std::iota(number.begin(), number.end(), 0);
    shuffle(number, random);
    for (edge& e : list.edges) {
        attention::throw_if_interrupted("making a graph");
        e = {number[e.source], number[e.target]};
    }
}

}  // namespace heddle::inputs
