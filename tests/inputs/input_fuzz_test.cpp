// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Round trips through writers of the test's own, and damaged files: a reader may refuse them with
// a configuration_error, or read a valid graph, but nothing else.
#include <gmock/gmock.h>

#include <cstdio>

#include "models/base/random.h"
#include "models/inputs/graph_builder.h"
#include "tests/inputs/input_files.h"

namespace heddle::inputs {
namespace {

class input_fuzz : public input_files {
protected:
    std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(random_.below(n)); }

    /// Undirected, without self-loops, integer weights from 1; its last vertex has an edge.
    graph random_graph() {
        edge_list list{1U + below(40), {}, {}, true};
        const auto add = [&](std::uint32_t u, std::uint32_t v) {
            if (u == v) return;
            list.edges.push_back({u, v});
            list.weights.push_back(1 + below(1000));
        };
        if (list.vertices == 1) ++list.vertices;
        const auto last = static_cast<std::uint32_t>(list.vertices - 1);
        add(last, below(last));
        for (std::uint32_t i = below(100); i > 0; --i) {
            add(below(list.vertices), below(list.vertices));
        }
        return build_graph(list, {treatment::remove, treatment::keep}, "random");
    }

    random_stream random_{1, "input_fuzz_test"};
};

std::string number(double value) {
    char text[32];
    (void)std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

/// Header, then a line for each stored edge: prefix, ends numbered from `base`, weight.
std::string edge_lines(const graph& g, const std::string& header, const std::string& prefix,
                       std::uint32_t base) {
    std::string text = header;
    for (const stored_edge& e : edges_of(g)) {
        text += prefix + std::to_string(e.source + base) + " " + std::to_string(e.target + base) +
                " " + number(e.weight) + "\n";
    }
    return text;
}

std::string metis_text(const graph& g) {
    std::string text =
        std::to_string(g.vertex_count()) + " " + std::to_string(g.edge_count() / 2) + " 1";
    std::uint32_t row = g.vertex_count();
    for (const stored_edge& e : edges_of(g)) {
        for (; row != e.source; row = row == g.vertex_count() ? 0 : row + 1) text += "\n";
        text += " " + std::to_string(e.target + 1) + " " + number(e.weight);
    }
    return text + "\n";
}

struct sample {
    const char* name;
    std::string text;
};

std::vector<sample> written(const graph& g) {
    const std::string size = std::to_string(g.vertex_count());
    const std::string count = std::to_string(g.edge_count());
    return {{"g.mtx", edge_lines(g,
                                 "%%MatrixMarket matrix coordinate real general\n% comment\n" +
                                     size + " " + size + " " + count + "\n",
                                 "", 1)},
            {"g.gr", edge_lines(g, "c comment\np sp " + size + " " + count + "\n", "a ", 1)},
            {"g.txt", edge_lines(g, "# comment\n", "", 0)},
            {"g.graph", metis_text(g)}};
}

TEST_F(input_fuzz, what_is_written_is_read_back) {
    for (int round = 0; round < 50; ++round) {
        const graph g = random_graph();
        for (const sample& s : written(g)) {
            SCOPED_TRACE(s.text);
            for (const std::string& content : {s.text, gzipped(s.text)}) {
                const graph read = load_text(s.name, content);
                ASSERT_EQ(read.vertex_count(), g.vertex_count());
                ASSERT_EQ(edges_of(read), edges_of(g));
            }
        }
    }
}

TEST_F(input_fuzz, damaged_files_are_refused_or_read_but_nothing_worse) {
    constexpr const char* likely = "0123456789 \n\t\r-+.%#eapcs";
    int refused = 0;
    int read = 0;
    for (int round = 0; round < 2000; ++round) {
        const std::vector<sample> samples = written(random_graph());
        const sample& s = samples[below(samples.size())];
        const bool packed = random_.chance(0.2);
        std::string text = packed ? gzipped(s.text) : s.text;
        for (std::uint32_t i = 1 + below(3); i > 0 && !text.empty(); --i) {
            const std::uint32_t at = below(text.size());
            const bool any_byte = packed || random_.chance(0.2);
            const char byte = any_byte ? static_cast<char>(below(256)) : likely[below(24)];
            switch (below(5)) {
                case 0:
                    text.resize(at);
                    break;
                case 1:
                    text.insert(at, 1, byte);
                    break;
                case 2:
                    text.erase(at, 1 + below(20));
                    break;
                case 3:
                    text.insert(at, text.substr(below(text.size()), below(20)));
                    break;
                default:
                    text[at] = byte;
            }
        }
        const std::string error = error_of(s.name, text);  // any other exception fails the test
        if (error == "no error") {
            validate(load_text(s.name, text));
            ++read;
        } else {
            EXPECT_THAT(error, testing::StartsWith(s.name + std::string(":"))) << text;
            ++refused;
        }
    }
    EXPECT_GT(refused, 700);
    EXPECT_GT(read, 60);
}

}  // namespace
}  // namespace heddle::inputs
