// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/cosim/port_table.h"

namespace heddle::cosim {

/// What the ports of a slot have seen: which bits had both values, the lowest and the highest value
/// of each port, and tables of situations, as operation x state.
class port_coverage {
public:
    explicit port_coverage(std::vector<port_shape> ports);

    /// A call with these inputs, and the answer.
    void add(const std::uint32_t* inputs, const std::uint32_t* outputs);

    /// Of this port only so many bits are expected to have both values.
    void expect(const std::string& port, unsigned bits);

    /// A table of situations. Those of `never` can't be: (row, column).
    struct situations {
        std::string title;
        std::vector<std::string> rows, columns;
        std::vector<std::pair<unsigned, unsigned>> never{};
    };
    [[nodiscard]] std::size_t declare(situations table);
    void add(std::size_t table, unsigned row, unsigned column);

    /// Tables for people. What has not been reached says so, and counts.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] unsigned not_reached() const;

private:
    struct port {
        port_shape shape;
        std::size_t at;     ///< its lowest bit, among those of its direction
        unsigned expected;  ///< bits
        std::uint64_t zeros = 0, ones = 0;
        std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;

        [[nodiscard]] unsigned bits_with_both() const;
    };
    struct counted {
        situations table;
        std::vector<std::uint64_t> counts;

        [[nodiscard]] bool is_legal(unsigned row, unsigned column) const;
        [[nodiscard]] std::uint64_t at(unsigned row, unsigned column) const {
            return counts[row * table.columns.size() + column];
        }
        [[nodiscard]] unsigned not_reached() const;
    };

    std::vector<port> ports_;
    std::vector<counted> tables_;
};

}  // namespace heddle::cosim
