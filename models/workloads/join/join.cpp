// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <map>
#include <numeric>

#include "models/base/error.h"
#include "models/workloads/helpers.h"
#include "models/workloads/pockets.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

enum class key_distribution { uniform, gaussian };

struct join_options : pocket_options {
    key_distribution keys = key_distribution::uniform;
    std::uint32_t left = 512;
    std::uint32_t right = 4096;
    std::uint32_t different = 24;

    void declare(parameter_list& p) {
        p.add("keys", keys,
              {{"uniform", key_distribution::uniform}, {"gaussian", key_distribution::gaussian}},
              "Distribution of the keys of the right table; those of the left one are uniform");
        p.add("left", left, range(1, 1 << 24), "row", "Rows of the left table");
        p.add("right", right, range(1, 1 << 24), "row", "Rows of the right table");
        p.add("different", different, range(1, 1 << 24), "key",
              "Number of keys; a Gaussian's six standard deviations");
        pocket_options::declare(p);
    }
};

using words = std::vector<std::uint32_t>;

struct table {
    words keys, values;
};

/// A sum of twelve uniform numbers has variance 1 and is nearly normal.
double normal(random_stream& stream) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += stream.uniform();
    return sum;
}

table random_table(key_distribution keys, std::uint32_t different, std::uint32_t rows,
                   const run_context& context, const std::string& name) {
    table made{words(rows), random_words(context.random(name + " values"), rows)};
    random_stream stream = context.random(name + " keys");
    for (std::uint32_t& key : made.keys) {
        if (keys == key_distribution::uniform) {
            key = static_cast<std::uint32_t>(stream.below(different));
        } else {
            const double share = std::clamp(normal(stream) / 6 + 0.5, 0.0, 1.0);
            key = std::min(different - 1, static_cast<std::uint32_t>(share * different));
        }
    }
    return made;
}

/// The rows in the order of their keys; rows with equal keys keep theirs.
table sorted(const table& unsorted) {
    std::vector<std::size_t> order(unsorted.keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return unsorted.keys[a] < unsorted.keys[b];
    });
    table result;
    for (const std::size_t row : order) {
        result.keys.push_back(unsorted.keys[row]);
        result.values.push_back(unsorted.values[row]);
    }
    return result;
}

/// The values of the rows that match, left and right.
struct joined_table {
    words left, right;
};

joined_table join_serially(const table& left, const table& right) {
    std::map<std::uint32_t, words> of_key;
    for (std::size_t row = 0; row < right.keys.size(); ++row) {
        of_key[right.keys[row]].push_back(right.values[row]);
    }
    joined_table result;
    for (std::size_t row = 0; row < left.keys.size(); ++row) {
        const auto found = of_key.find(left.keys[row]);
        if (found == of_key.end()) continue;
        result.left.insert(result.left.end(), found->second.size(), left.values[row]);
        result.right.insert(result.right.end(), found->second.begin(), found->second.end());
    }
    return result;
}

joined_table join_on_device(device& gpu, const table& left, const table& right,
                            const join_options& options, const run_context& context) {
    const auto rows = static_cast<std::uint32_t>(left.keys.size());
    const auto right_rows = static_cast<std::uint32_t>(right.keys.size());
    const device_buffer<std::uint32_t> keys(gpu, left.keys, "left keys");
    const device_buffer<std::uint32_t> values(gpu, left.values, "left values");
    const device_buffer<std::uint32_t> right_keys(gpu, right.keys, "right keys");
    const device_buffer<std::uint32_t> right_values(gpu, right.values, "right values");
    const device_buffer<std::uint32_t> first(gpu, rows, "first matches");
    const device_buffer<std::uint32_t> count(gpu, rows, "matches");

    const launch_shape shape = grid_over(rows, options.block);
    launch(gpu, "join_count", shape, rows, keys.get(), right_rows, right_keys.get(), first.get(),
           count.get());
    words sums(rows + 1);  // where the pairs of a row start
    const words counts = count.read();
    std::uint64_t pairs = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
        sums[row] = static_cast<std::uint32_t>(pairs);
        pairs += counts[row];
    }
    constexpr std::uint64_t most = std::uint64_t{1} << 28;
    if (pairs > most) {
        throw configuration_error("join: " + std::to_string(pairs) + " pairs, expected at most " +
                                  std::to_string(most) + "; use fewer rows or more keys");
    }
    if (pairs == 0) return {};
    const device_buffer<std::uint32_t> places(gpu, sums, "places");
    const device_buffer<std::uint32_t> left_column(gpu, pairs, "left column");
    const device_buffer<std::uint32_t> right_column(gpu, pairs, "right column");
    launch(gpu, context.entry("join_gather"), options.grid_of_parents(rows), rows, values.get(),
           first.get(), count.get(), places.get(), right_values.get(), left_column.get(),
           right_column.get(), options.limits());
    return {left_column.read(), right_column.read()};
}

void run(device& gpu, const join_options& options, const run_context& context,
         workload_report& report) {
    const table left =
        random_table(key_distribution::uniform, options.different, options.left, context, "left");
    const table right =
        random_table(options.keys, options.different, options.right, context, "right");
    const joined_table found = join_on_device(gpu, left, sorted(right), options, context);
    const joined_table expected = join_serially(left, right);
    report.compare("left column", found.left, expected.left);
    report.compare("right column", found.right, expected.right);
    report.declare_deterministic("left column", found.left);
    report.declare_deterministic("right column", found.right);
    report.add_row("left rows", std::uint64_t{options.left});
    report.add_row("right rows", std::uint64_t{options.right});
    report.add_row("pairs", std::uint64_t{expected.left.size()});
}

}  // namespace

workload join() {
    return with_modes(make_workload<join_options>(
        "join", "Join of two tables by a key: a thread a row of the left table", "", run));
}

}  // namespace heddle::workloads
