// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// islip against its text, pass by pass and pointer by pointer, on random requests: dense ones, and
// sparse ones in which nobody meets.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hw/crossbar/islip_allocator.h"
#include "models/base/random.h"
#include "tests/hw/crossbar/request_text.h"

namespace heddle {
namespace {

/// One cell at a time, in the words of McKeown's paper.
struct islip_reference {
    islip_reference(std::uint32_t rows, std::uint32_t columns, std::uint32_t passes)
        : passes(passes), row_pointers(rows), column_pointers(columns) {}

    pairs decide(const std::vector<std::string>& requests) {
        const auto rows = static_cast<std::uint32_t>(row_pointers.size());
        const auto columns = static_cast<std::uint32_t>(column_pointers.size());
        pairs matched;
        pairs first_pass;
        std::vector<bool> column_taken(columns);
        for (std::uint32_t pass = 0; pass < passes; ++pass) {
            std::vector<std::vector<bool>> granted(rows, std::vector<bool>(columns));
            for (std::uint32_t c = 0; c < columns; ++c) {
                for (std::uint32_t step = 0; step < rows && !column_taken[c]; ++step) {
                    const std::uint32_t r = (column_pointers[c] + step) % rows;
                    if (requests[r][c] != '1' || matched.count(r) != 0) continue;
                    granted[r][c] = true;
                    break;
                }
            }
            for (std::uint32_t r = 0; r < rows; ++r) {
                for (std::uint32_t step = 0; step < columns; ++step) {
                    const std::uint32_t c = (row_pointers[r] + step) % columns;
                    if (!granted[r][c]) continue;
                    matched[r] = c;
                    column_taken[c] = true;
                    break;
                }
            }
            if (pass == 0) first_pass = matched;
        }
        // The pointers are registers: they move at the end of the cycle.
        for (const auto& [r, c] : first_pass) {
            row_pointers[r] = (c + 1) % columns;
            column_pointers[c] = (r + 1) % rows;
        }
        return matched;
    }

    std::uint32_t passes;
    std::vector<std::uint32_t> row_pointers, column_pointers;
};

TEST(islip_reference, agrees_cycle_by_cycle) {
    random_stream random(1, "islip");
    for (unsigned round = 0; round < 200; ++round) {
        const auto rows =
            1 + static_cast<std::uint32_t>(random.below(random.chance(0.1) ? 80 : 16));
        const auto columns = 1 + static_cast<std::uint32_t>(random.below(16));
        const auto passes = 1 + static_cast<std::uint32_t>(random.below(4));
        islip_allocator chooser({rows, columns, passes});
        islip_reference reference(rows, columns, passes);
        for (unsigned edge = 0; edge < 50; ++edge) {
            std::vector<std::string> requests(rows, std::string(columns, '0'));
            const double density = random.chance(0.5) ? random.uniform() : 1.0 / (rows + columns);
            for (std::string& row : requests) {
                for (char& cell : row) cell = random.chance(density) ? '1' : '0';
            }
            const pairs expected = reference.decide(requests);
            ASSERT_EQ(cycle(chooser, requests_of(requests)), expected);
            for (std::uint32_t r = 0; r < rows; ++r) {
                ASSERT_EQ(chooser.row_pointer(r), reference.row_pointers[r]);
            }
            for (std::uint32_t c = 0; c < columns; ++c) {
                ASSERT_EQ(chooser.column_pointer(c), reference.column_pointers[c]);
            }
        }
    }
}

}  // namespace
}  // namespace heddle
