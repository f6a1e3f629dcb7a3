// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <optional>

#include "hw/protocol/group_index.h"

namespace heddle {

/// Where the launch records of groups without an entry in the AGT lie, as the SMX scheduler sees
/// it. A fetch sees every store before it, and none behind it.
class record_memory {
public:
    /// What a fetch brings.
    struct answer {
        record_address record;
        group_index next;
    };

    /// Next of the record at `record` = `next`.
    virtual void store_next(record_address record, group_index next) = 0;
    /// Fetches a record. Several fetches may be under way, and end in any order.
    virtual void fetch(record_address record) = 0;
    /// A record that has come, each once; nothing if none has.
    [[nodiscard]] virtual std::optional<answer> fetched() = 0;

protected:
    ~record_memory() = default;
};

}  // namespace heddle
