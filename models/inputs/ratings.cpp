// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Ratings of the shape of MovieLens: every user has rated some items, popular items have most of
// the ratings (Zipf, flattened at the top), some users rate much more than others.
#include <algorithm>
#include <array>

#include "models/base/attention.h"
#include "models/inputs/generator.h"
#include "models/inputs/graph_kinds.h"
#include "models/inputs/zipf.h"

namespace heddle::inputs {
namespace {

struct ratings_arguments : seed_argument {
    std::uint32_t users = 943;
    std::uint32_t items = 1682;
    std::uint32_t mean = 106;
    std::uint32_t least = 20;

    void declare(parameter_list& p) {
        p.add("users", users, range(1, 1 << 26), "user", "Users");
        p.add("items", items, range(1, 1 << 26), "item", "Items");
        p.add("mean", mean, range(1, 65536), "rating", "Mean number of ratings of a user");
        p.add("least", least, range(1, 65536), "rating", "Fewest ratings of a user");
        seed_argument::declare(p);
        p.require({"mean", "least"}, "least is at most mean", [this] { return least <= mean; });
        p.require({"mean", "items"}, "mean is at most half the items",
                  [this] { return 2 * mean <= items; });
        p.require({"users", "mean"}, "users x mean is at most 2^30 ratings",
                  [this] { return std::uint64_t{users} * mean <= maximum_generated; });
    }
};

/// least + a geometric number of the mean that is left, at most half the items.
std::uint32_t ratings_of_user(const ratings_arguments& arguments, random_stream& random) {
    const double more = arguments.mean - arguments.least;
    const std::uint32_t most = std::max(arguments.items / 2, arguments.least);
    std::uint32_t count = arguments.least;
    while (count < most && random.chance(more / (more + 1))) ++count;
    return count;
}

/// 1 to 5 as often as in MovieLens 100K.
double draw_rating(random_stream& random) {
    constexpr std::array<double, 4> below{0.061, 0.175, 0.446, 0.788};
    const double at = random.uniform();
    return 1.0 +
           static_cast<double>(std::upper_bound(below.begin(), below.end(), at) - below.begin());
}

graph make_ratings(const ratings_arguments& arguments, const std::string& origin,
                   std::uint64_t run_seed) {
    random_stream random = arguments.random("ratings", run_seed);
    // MovieLens 100K: the most popular item has 583 of the 100,000 ratings.
    const zipf popularity(arguments.items, 30);
    std::vector<std::uint32_t> item_of_rank(arguments.items);
    for (std::uint32_t i = 0; i < arguments.items; ++i) item_of_rank[i] = i;
    shuffle(item_of_rank, random);

    edge_list list;
    list.vertices = std::uint64_t{arguments.users} + arguments.items;
    std::vector<std::uint32_t> rated_by(arguments.items, arguments.users);  // the last user
    for (std::uint32_t user = 0; user < arguments.users; ++user) {
        attention::throw_if_interrupted("making ratings");
        for (std::uint32_t left = ratings_of_user(arguments, random); left > 0;) {
            const std::uint32_t item = item_of_rank[popularity.draw(random)];
            if (rated_by[item] == user) continue;
            rated_by[item] = user;
            list.edges.push_back({user, arguments.users + item});
            list.weights.push_back(draw_rating(random));
            --left;
        }
    }
    return build_graph(std::move(list), {}, origin);
}

}  // namespace

graph_kind ratings() {
    return make_input_kind<ratings_arguments>(
        "ratings",
        "Ratings of the shape of MovieLens 100K: an edge of weight 1 to 5 from the user to the "
        "item, items numbered behind the users",
        {}, make_ratings);
}

}  // namespace heddle::inputs
