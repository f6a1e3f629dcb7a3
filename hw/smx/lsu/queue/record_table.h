// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <vector>

#include "models/base/free_list.h"
#include "models/base/strong_index.h"

namespace heddle {

/// Records that are named by an index, a strong_index, while they are in use. Grows to the most
/// that were in use at once, then allocates nothing. take() may move the records, so that no
/// reference to one survives it.
template <class Index, class Record>
class record_table {
public:
    /// A free record; it holds what its last user left.
    [[nodiscard]] Index take() {
        if (free_.empty()) return records_.emplace_back();
        return free_.take();
    }
    void give_back(Index index) { free_.give_back(index); }

    [[nodiscard]] Record& operator[](Index index) noexcept { return records_[index]; }
    [[nodiscard]] const Record& operator[](Index index) const noexcept { return records_[index]; }

private:
    strong_vector<Index, Record> records_;
    free_list<Index> free_;
};

}  // namespace heddle
