// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "models/base/attention.h"
#include "models/base/parameter.h"
#include "models/base/random.h"
#include "models/inputs/graph_builder.h"

namespace heddle::inputs {

/// Most edges that a generator is asked for.
inline constexpr std::uint64_t maximum_generated = std::uint64_t{1} << 30;

/// Seed of a generator: -1 stands for the seed of the run.
struct seed_argument {
    std::int64_t seed = -1;

    void declare(parameter_list& p) {
        p.add("seed", seed, range(-1, std::numeric_limits<std::int64_t>::max()), "",
              "Seed of the random numbers; -1: the seed of the run");
    }
    [[nodiscard]] random_stream random(std::string_view generator, std::uint64_t run_seed) const;
};

/// Gives the vertices new numbers, at random.
void permute_vertices(edge_list& list, random_stream& random);

/// Puts the items in random order (Fisher-Yates).
template <class Item>
void shuffle(std::vector<Item>& items, random_stream& random) {
    for (std::uint64_t left = items.size(); left > 1; --left) {
        attention::throw_if_interrupted("making a graph");
        std::swap(items[left - 1], items[random.below(left)]);
    }
}

}  // namespace heddle::inputs
