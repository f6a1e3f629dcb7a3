// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "hw/smx/execute/execution_observer.h"
#include "hw/top/retire_scope.h"
#include "include/heddle/retire.h"

namespace heddle {

/// Makes a record of each instruction that a warp has executed, and tells it on.
///
/// In `parts` an instruction is told when it issues, and what comes later (values of loads, ends of
/// writes, blocks, fences, transactions) in records of its own: what heddle_lockstep_step() takes.
/// Whole records come in the order of cycles, within a cycle in that of SMXs; those of a warp in
/// the order in which their results are there, which `n` need not follow. A store that has issued
/// is told although memory may not have it yet; instructions of a run that broke off that wait for
/// memory are left out.
class retire_stream {
public:
    using sink = std::function<void(const heddle_retired&)>;

    /// Follows the warps in one of the scopes, all if there are none.
    retire_stream(std::vector<retire_scope> scopes, sink into, bool parts = false);
    ~retire_stream();
    retire_stream(const retire_stream&) = delete;
    retire_stream& operator=(const retire_stream&) = delete;

    /// For one SMX of a machine with so many lanes a warp; valid as long as the stream.
    execution_observer& observer(std::size_t smx, unsigned lanes);

private:
    class smx_observer;

    const std::vector<retire_scope> scopes_;
    const sink into_;
    const bool parts_;
    std::vector<std::unique_ptr<smx_observer>> observers_;
};

}  // namespace heddle
