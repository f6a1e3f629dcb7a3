// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/l2/l2_bank.h"
#include "hw/protocol/memory_counts.h"
#include "hw/smx/smx_statistics.h"
#include "hw/top/gpu_counts.h"

namespace heddle {

/// The counted tables of blocks of which the machine shows the sum under "gpu", in the order of the
/// output: calls visit(table, counts), where counts(gpu_counts) are those that the table counts. A
/// new table is a line here.
template <class Visit>
void for_each_machine_table(const Visit& visit) {
    const auto smxs = [](const gpu_counts& of) -> const auto& {
        return of.smxs;
    };
    const auto l2 = [](const gpu_counts& of) -> const auto& {
        return of.l2;
    };
    const auto memory = [](const gpu_counts& of) -> const auto& {
        return of.memory;
    };
    visit(smx_statistics, smxs);
    visit(
        l1d_load_statistics, [](const gpu_counts& of) -> const auto& { return of.smxs.l1d; });
    visit(
        constant_cache_statistics,
        [](const gpu_counts& of) -> const auto& { return of.smxs.constants; });
    visit(
        read_only_cache_statistics,
        [](const gpu_counts& of) -> const auto& { return of.smxs.read_only; });
    visit(l2_statistics, l2);
    visit(memory_statistics, memory);
    visit(channel_statistics, memory);
}

}  // namespace heddle
