// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <cmath>
#include <map>

#include "models/base/error.h"
#include "models/inputs/load_graph.h"
#include "models/workloads/helpers.h"
#include "models/workloads/pockets.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct pre_options : pocket_options {
    void declare(parameter_list& p) { pocket_options::declare(p); }
};

using words = std::vector<std::uint32_t>;
using floats = std::vector<float>;

/// Ratings in compressed sparse rows: those of row r are offsets[r] .. offsets[r + 1].
struct rating_rows {
    words offsets, columns, ratings;

    [[nodiscard]] std::uint32_t rows() const {
        return static_cast<std::uint32_t>(offsets.size() - 1);
    }
};

/// The ratings by users and by items.
struct rating_matrix {
    rating_rows by_user, by_item;
};

/// Edges from users to items; the items are numbered behind the users.
rating_matrix ratings_of(const inputs::graph& graph) {
    std::uint32_t users = 0;
    std::uint32_t first_item = graph.vertex_count();
    for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
        if (graph.degree(v) != 0) users = v + 1;
        for (const std::uint32_t item : graph.neighbours(v))
            first_item = std::min(first_item, item);
    }
    if (users == 0 || first_item < users) {
        throw configuration_error("pre: " + graph.origin +
                                  " has no ratings; expected edges from users to items, which are "
                                  "numbered behind the users");
    }
    rating_matrix result;
    result.by_user.offsets.assign(graph.offsets.begin(), graph.offsets.begin() + users + 1);
    std::vector<words> users_of(graph.vertex_count() - users);
    std::vector<words> ratings_of_item(users_of.size());
    for (std::uint32_t user = 0; user < users; ++user) {
        for (auto edge = graph.offsets[user]; edge < graph.offsets[user + 1]; ++edge) {
            const double rating = graph.weighted() ? graph.weights[edge] : 1;
            if (rating < 1 || rating > 100 || rating != std::floor(rating)) {
                throw configuration_error("pre: " + graph.origin + " has the rating " +
                                          std::to_string(rating) +
                                          ", expected integers from 1 to 100");
            }
            const std::uint32_t item = graph.targets[edge] - users;
            result.by_user.columns.push_back(item);
            result.by_user.ratings.push_back(static_cast<std::uint32_t>(rating));
            users_of[item].push_back(user);
            ratings_of_item[item].push_back(static_cast<std::uint32_t>(rating));
        }
    }
    rating_rows& items = result.by_item;
    items.offsets.push_back(0);
    for (std::size_t item = 0; item < users_of.size(); ++item) {
        items.columns.insert(items.columns.end(), users_of[item].begin(), users_of[item].end());
        items.ratings.insert(items.ratings.end(), ratings_of_item[item].begin(),
                             ratings_of_item[item].end());
        items.offsets.push_back(static_cast<std::uint32_t>(items.columns.size()));
    }
    return result;
}

/// Length of each item's vector of ratings.
floats norms_of(const rating_rows& items) {
    floats norms;
    for (std::uint32_t item = 0; item < items.rows(); ++item) {
        std::uint32_t squares = 0;
        for (auto i = items.offsets[item]; i < items.offsets[item + 1]; ++i) {
            squares += items.ratings[i] * items.ratings[i];
        }
        norms.push_back(std::sqrt(static_cast<float>(squares)));
    }
    return norms;
}

/// Cosines of all pairs of items, from the users' side: each user adds to the pairs that it rated.
floats compare_serially(const rating_matrix& matrix, const floats& norms) {
    const std::size_t items = matrix.by_item.rows();
    words products(items * items);
    const rating_rows& users = matrix.by_user;
    for (std::uint32_t user = 0; user < users.rows(); ++user) {
        for (auto i = users.offsets[user]; i < users.offsets[user + 1]; ++i) {
            for (auto k = users.offsets[user]; k < users.offsets[user + 1]; ++k) {
                if (i == k) continue;
                products[users.columns[i] * items + users.columns[k]] +=
                    users.ratings[i] * users.ratings[k];
            }
        }
    }
    floats similar(items * items);
    for (std::size_t a = 0; a < items; ++a) {
        for (std::size_t b = 0; b < items; ++b) {
            const std::uint32_t product = products[a * items + b];
            if (product == 0) continue;
            similar[a * items + b] = static_cast<float>(product) / (norms[a] * norms[b]);
        }
    }
    return similar;
}

/// Users are neighbours in the scores.
floats predict_serially(const rating_matrix& matrix, const floats& similar) {
    const std::size_t items = matrix.by_item.rows();
    const rating_rows& users = matrix.by_user;
    const std::size_t count = users.rows();
    floats scores(count * items);
    for (std::uint32_t user = 0; user < users.rows(); ++user) {
        floats sums(items);
        floats weights(items);
        for (auto i = users.offsets[user]; i < users.offsets[user + 1]; ++i) {
            const float* row = &similar[users.columns[i] * items];
            for (std::size_t item = 0; item < items; ++item) {
                sums[item] = std::fma(row[item], static_cast<float>(users.ratings[i]), sums[item]);
                weights[item] += row[item];
            }
        }
        for (std::size_t item = 0; item < items; ++item) {
            if (weights[item] != 0) scores[item * count + user] = sums[item] / weights[item];
        }
        for (auto i = users.offsets[user]; i < users.offsets[user + 1]; ++i) {
            scores[users.columns[i] * count + user] = 0;  // rated
        }
    }
    return scores;
}

struct results {
    floats similar, scores;
};

results recommend_on_device(device& gpu, const rating_matrix& matrix, const floats& norms,
                            const pre_options& options, const run_context& context) {
    const std::uint32_t items = matrix.by_item.rows();
    const std::uint32_t users = matrix.by_user.rows();
    const device_buffer<std::uint32_t> item_offsets(gpu, matrix.by_item.offsets, "item offsets");
    const device_buffer<std::uint32_t> raters(gpu, matrix.by_item.columns, "raters");
    const device_buffer<std::uint32_t> item_ratings(gpu, matrix.by_item.ratings, "item ratings");
    const device_buffer<float> device_norms(gpu, norms, "norms");
    const device_buffer<float> similar(gpu, std::size_t{items} * items, "similar");
    launch(gpu, context.entry("pre_similar"), options.grid_of_parents(items), items,
           item_offsets.get(), raters.get(), item_ratings.get(), device_norms.get(), similar.get(),
           options.limits());

    const device_buffer<std::uint32_t> offsets(gpu, matrix.by_user.offsets, "user offsets");
    const device_buffer<std::uint32_t> rated(gpu, matrix.by_user.columns, "rated items");
    const device_buffer<std::uint32_t> ratings(gpu, matrix.by_user.ratings, "user ratings");
    const device_buffer<float> scores(gpu, std::size_t{users} * items, "scores");
    launch(gpu, context.entry("pre_predict"), options.grid_of_parents(users), users, items,
           offsets.get(), rated.get(), ratings.get(), similar.get(), scores.get(),
           options.limits());
    return {similar.read(), scores.read()};
}

void run(device& gpu, const pre_options& options, const run_context& context,
         workload_report& report) {
    const auto graph = inputs::load_graph(context.input, context.seed);
    const rating_matrix matrix = ratings_of(graph);
    const floats norms = norms_of(matrix.by_item);
    const results found = recommend_on_device(gpu, matrix, norms, options, context);
    const floats similar = compare_serially(matrix, norms);
    report.compare("similarities", found.similar, similar);
    report.compare("scores", found.scores, predict_serially(matrix, similar));
    report.declare_deterministic("similarities", found.similar);
    report.declare_deterministic("scores", found.scores);
    report.add_row("users", std::uint64_t{matrix.by_user.rows()});
    report.add_row("items", std::uint64_t{matrix.by_item.rows()});
    report.add_row("ratings", std::uint64_t{graph.edge_count()});
}

}  // namespace

workload pre() {
    return with_modes(
        make_workload<pre_options>("pre",
                                   "Product recommendation: similarities of items, and a score of "
                                   "each item for each user",
                                   "ratings:users=96,items=128,mean=16,least=4", run));
}

}  // namespace heddle::workloads
