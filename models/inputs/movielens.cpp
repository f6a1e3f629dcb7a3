// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Ratings as GroupLens publishes them (u.data of MovieLens 100K): a line "USER ITEM RATING TIME" a
// rating, users and items numbered from 1.
#include <algorithm>

#include "models/inputs/graph_kinds.h"
#include "models/inputs/reader.h"

namespace heddle::inputs {
namespace {

struct movielens_arguments {
    std::string file;

    void declare(parameter_list& p) {
        p.add("file", file, "Path of the file, which may be gzipped");
    }
};

graph read_movielens(const movielens_arguments& arguments, const std::string& origin,
                     std::uint64_t /*run_seed*/) {
    text_scanner text(arguments.file);
    if (!text.next_line_of_data("")) text.fail_at_end("a rating: USER ITEM RATING TIME");
    constexpr std::uint64_t most = maximum_vertices / 2;
    edge_list list;
    std::uint64_t users = 0;
    std::uint64_t items = 0;
    do {
        const std::uint64_t user = text.integer(1, most, "a user");
        const std::uint64_t item = text.integer(1, most, "an item");
        list.weights.push_back(static_cast<double>(text.integer(1, 5, "a rating")));
        (void)text.integer(0, maximum_edges, "a time");
        text.end_line();
        users = std::max(users, user);
        items = std::max(items, item);
        list.edges.push_back(
            {static_cast<std::uint32_t>(user - 1), static_cast<std::uint32_t>(item - 1)});
    } while (text.next_line_of_data(""));
    check_plausible(text, users + items, text.line());
    for (edge& rating : list.edges) rating.target += static_cast<std::uint32_t>(users);
    list.vertices = users + items;
    return build_graph(std::move(list), {treatment::remove, treatment::remove}, origin);
}

}  // namespace

graph_kind movielens() {
    return make_input_kind<movielens_arguments>(
        "movielens",
        "Ratings of MovieLens (u.data): USER ITEM RATING TIME on each line; an edge from the user "
        "to the item, items numbered behind the users",
        {".data"}, read_movielens);
}

}  // namespace heddle::inputs
