// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "hw/crossbar/allocator.h"
#include "hw/crossbar/port_bits.h"

namespace heddle {

/// Ports of a one-way network, and what it has to carry.
struct switch_shape {
    std::uint32_t inputs = 1, outputs = 1;
    std::uint32_t longest = 1;  ///< flits of the longest message
};

/// Of a flit_switch: the k-th buffers of all inputs with the outputs that they reach.
struct switch_part {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// Messages in order, by their numbers: from one input to one output, or complete ones in an
    /// output buffer.
    struct queue {
        std::uint32_t first = none, last = none;
    };

    switch_part(std::uint32_t rows, std::uint32_t columns)
        : columns(columns),
          one_word(rows <= 64 && columns <= 64),
          wanted(rows, columns),
          eligible(rows, columns),
          begun(rows, columns),
          open(port_bits::words_for(columns)),
          queues(std::size_t{rows} * columns) {
        for (std::uint32_t column = 0; column < columns; ++column) {
            port_bits::insert(open.data(), column);
        }
    }

    /// f(words of a set of rows, words of a set of columns); port_bits::one_word where both are
    /// one.
    template <class F>
    auto with_words(const F& f) const {
        constexpr port_bits::one_word one;
        return one_word ? f(one, one) : f(wanted.row_words(), wanted.column_words());
    }

    std::uint32_t columns;
    const bool one_word;              ///< no more than 64 rows, and no more than 64 columns
    request_matrix wanted;            ///< queues that are not empty
    request_matrix eligible;          ///< those whose first flit finds room
    request_matrix begun;             ///< those whose first message has begun to move
    std::vector<std::uint64_t> open;  ///< columns with room for any message
    std::vector<queue> queues;        ///< by row, then column
    std::unique_ptr<allocator> chooser;
};

}  // namespace heddle
