// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "hw/base/trace_output.h"
#include "hw/smx/execute/execution_observer.h"
#include "hw/top/retire_scope.h"

namespace heddle {

class gpu;

/// The instructions of each warp as a text: a line of columns separated by tabs for each, behind a
/// line that names them.
///
/// | column | |
/// |---|---|
/// | cycle | core cycle in which the result is there: of issue, or of a load's or atomic's answer |
/// | smx, slot | where the warp runs: SMX, warp slot |
/// | launch, block, warp | which warp it is: launch id, linear block, warp in the block |
/// | n | number of the instruction among the warp's, from 1, in the order of issue |
/// | pc, mask | address; active lanes, lane 0 in the lowest bit |
/// | instruction | as an assembler would print it |
/// | address | of a load, store or atomic, as its threads see it |
/// | result | NAME=values of the destination register; of a store what it stores |
///
/// Values are hexadecimal, of the active lanes from the lowest up: `7` if all have it, `0+4` if
/// each is 4 more than the last (without carry out of 32 bits), else `7,9,b`. "-": there is none.
///
/// Lines come in the order of cycles, within a cycle in that of SMXs; sorted by launch, block, warp
/// and n (`sort -n -k4,4 -k5,5 -k6,6 -k7,7`) two files of different machines can be compared.
/// Equal runs give equal bytes. A store that has issued is written although memory may not have it
/// yet; instructions of a run that broke off that wait for memory are left out.
class retire_file {
public:
    /// Follows the warps in one of the scopes, all if there are none. A name that ends in .gz gives
    /// a gzip file. Throws configuration_error if the file can't be written.
    retire_file(const std::string& file, std::vector<retire_scope> scopes);
    ~retire_file();

    /// For one SMX of a machine with so many lanes a warp; valid as long as the file.
    execution_observer& observer(std::size_t smx, unsigned lanes);
    /// Completes the file, which appears whole or not at all. Throws configuration_error if not
    /// everything could be written.
    void finish();

private:
    class smx_observer;

    void write(const fmt::memory_buffer& line);

    std::vector<retire_scope> scopes_;
    std::unique_ptr<trace_output> output_;
    std::vector<std::unique_ptr<smx_observer>> observers_;
};

/// Values of the active lanes as a retire file shows them.
[[nodiscard]] std::string lane_values_text(const std::uint32_t* values, isa::lane_mask lanes);

}  // namespace heddle
