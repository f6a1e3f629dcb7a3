// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/tm/tm_counts.h"
#include "models/base/counted_statistics.h"

namespace heddle {

/// Scopes "tm", of all SMXs, and "smx.N.tm"; only where kernels have used transactions. The cycles
/// sum to those of the warps that have not ended, the shares to 1.
inline constexpr counted_statistic<tm_counts> tm_statistics[] = {
    {{"attempts", "attempt", "Attempts of warps at a transaction"},
     nullptr,
     count_of<&tm_counts::attempts>},
    {{"transactional_attempts", "attempt",
      "Attempts in which all threads of the warp ran that had not committed"},
     nullptr,
     count_of<&tm_counts::tx_attempts>},
    {{"warp_serialized_attempts", "attempt",
      "Attempts in which chosen threads of the warp ran and the others of the warp waited"},
     nullptr,
     count_of<&tm_counts::wf_attempts>},
    {{"block_serialized_attempts", "attempt",
      "Attempts in which chosen threads of the warp ran and the other warps of the block waited, "
      "too"},
     nullptr,
     count_of<&tm_counts::wg_attempts>},
    {{"transactional_share", "",
      "Share of the attempts in which all threads of the warp ran that had not committed"},
     nullptr,
     count_of<&tm_counts::tx_attempts>,
     count_of<&tm_counts::attempts>},
    {{"warp_serialized_share", "",
      "Share of the attempts in which chosen threads of the warp ran and the others of the warp "
      "waited"},
     nullptr,
     count_of<&tm_counts::wf_attempts>,
     count_of<&tm_counts::attempts>},
    {{"block_serialized_share", "",
      "Share of the attempts in which the other warps of the block waited, too"},
     nullptr,
     count_of<&tm_counts::wg_attempts>,
     count_of<&tm_counts::attempts>},
    {{"commits", "thread", "Transactions of threads that committed"},
     nullptr,
     count_of<&tm_counts::commits>},
    {{"losses", "thread",
      "Attempts of threads that lost to a conflict, or because another warp wanted to run alone"},
     nullptr,
     count_of<&tm_counts::losses>},
    {{"aborts", "thread", "Attempts of threads that lost because another warp wanted to run alone"},
     nullptr,
     count_of<&tm_counts::aborts>},
    {{"accesses", "access", "Loads and stores of warps to shared memory inside transactions"},
     nullptr,
     count_of<&tm_counts::accesses>},
    {{"passes", "pass", "Passes of these accesses, in which each bank checks one thread"},
     nullptr,
     count_of<&tm_counts::passes>},
    {{"restored_words", "word",
      "Words of shared memory that got their old value back because their writer lost"},
     nullptr,
     count_of<&tm_counts::restored_words>},
    {{"plain_conflicts", "access",
      "Accesses of warps outside of transactions that touched a word which a transaction owned"},
     nullptr,
     count_of<&tm_counts::plain_conflicts>},
    {{"begin_cycles", "cycle",
      "Sum over warps of the cycles from the issue of tx.begin until the next instruction could "
      "issue"},
     nullptr,
     count_of<&tm_counts::begin_cycles>},
    {{"commit_cycles", "cycle",
      "Sum over warps of the cycles from the issue of tx.commit until the warp went on or started "
      "again"},
     nullptr,
     count_of<&tm_counts::commit_cycles>},
    {{"memory_overhead_cycles", "cycle",
      "Sum over warps of the cycles that accesses inside transactions took beyond accesses "
      "outside"},
     nullptr,
     count_of<&tm_counts::overhead_cycles>},
    {{"code_cycles", "cycle", "Sum over warps of the other cycles between tx.begin and tx.commit"},
     nullptr,
     count_of<&tm_counts::code_cycles>},
    {{"other_cycles", "cycle",
      "Sum over warps that have not ended of the cycles outside of transactions"},
     nullptr,
     count_of<&tm_counts::other_cycles>},
};

}  // namespace heddle
