// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/bht/body_tree.h"

#include <array>
#include <numeric>

namespace heddle::workloads {

body_tree::body_tree(const point_list& unsorted, std::uint32_t leaf, float theta) {
    std::vector<std::uint32_t> all(unsorted.size());
    std::iota(all.begin(), all.end(), 0);
    build(unsorted, all, {0, 0, 0, 1}, leaf, theta);
}

void body_tree::build(const point_list& unsorted, const std::vector<std::uint32_t>& inside,
                      const cube& place, std::uint32_t leaf, float theta) {
    constexpr float smallest = 0x1p-16F;
    double mass = 0;
    std::array<double, 3> sums{};
    for (const std::uint32_t body : inside) {
        mass += unsorted.mass[body];
        sums[0] += double{unsorted.x[body]} * unsorted.mass[body];
        sums[1] += double{unsorted.y[body]} * unsorted.mass[body];
        sums[2] += double{unsorted.z[body]} * unsorted.mass[body];
    }
    const std::size_t node = skip.size();
    centres.add(static_cast<float>(sums[0] / mass), static_cast<float>(sums[1] / mass),
                static_cast<float>(sums[2] / mass), static_cast<float>(mass));
    reach.push_back(place.side * place.side / (theta * theta));
    skip.push_back(0);
    first.push_back(bodies.size());
    const bool is_leaf = inside.size() <= leaf || place.side <= smallest;
    count.push_back(is_leaf ? static_cast<std::uint32_t>(inside.size()) : 0);
    if (is_leaf) {
        for (const std::uint32_t body : inside) {
            bodies.add(unsorted.x[body], unsorted.y[body], unsorted.z[body], unsorted.mass[body]);
        }
    } else {
        const float half = place.side / 2;
        std::array<std::vector<std::uint32_t>, 8> parts;
        for (const std::uint32_t body : inside) {
            const unsigned part = (unsorted.x[body] >= place.x + half ? 1U : 0U) +
                                  (unsorted.y[body] >= place.y + half ? 2U : 0U) +
                                  (unsorted.z[body] >= place.z + half ? 4U : 0U);
            parts[part].push_back(body);
        }
        for (unsigned part = 0; part < 8; ++part) {
            if (parts[part].empty()) continue;
            const cube inner{place.x + ((part & 1U) != 0 ? half : 0),
                             place.y + ((part & 2U) != 0 ? half : 0),
                             place.z + ((part & 4U) != 0 ? half : 0), half};
            build(unsorted, parts[part], inner, leaf, theta);
        }
    }
    skip[node] = static_cast<std::uint32_t>(skip.size());
}

}  // namespace heddle::workloads
