// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/free_list.h"

namespace heddle {

/// Records that are named by an index while they are in use. Grows to the most that were in use at
/// once, then allocates nothing. take() may move the records, so that no reference to one survives
/// it.
template <class Record>
class record_table {
public:
    /// A free record; it holds what its last user left.
    [[nodiscard]] std::uint32_t take() {
        if (free_.empty()) {
            records_.emplace_back();
            return static_cast<std::uint32_t>(records_.size() - 1);
        }
        return free_.take();
    }
    void give_back(std::uint32_t index) { free_.give_back(index); }

    [[nodiscard]] Record& operator[](std::uint32_t index) noexcept { return records_[index]; }
    [[nodiscard]] const Record& operator[](std::uint32_t index) const noexcept {
        return records_[index];
    }

private:
    std::vector<Record> records_;
    free_list<std::uint32_t> free_;
};

}  // namespace heddle
