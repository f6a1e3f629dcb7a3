// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

/// Which threads run together, and at which PC (docs/contracts.md, "Formation and selection"): a
/// place in the list of formations (thread_pool/formations.h). The first one is the default.
enum class formation_policy : std::uint8_t {};

/// Classes of the pipelines of an SMX.
enum class unit_class : std::uint8_t {
    integer,  ///< also moves, branches, votes, shuffles, barriers and id registers
    multiply,
    divide,
    floating,
    floating_divide,  ///< also square root
    special,          ///< rcp rsq ex2 lg2 sin cos
    memory,           ///< loads, stores, atomics: the way into the load-store unit
};
inline constexpr std::size_t unit_class_count = 7;

/// One class of pipelines.
struct unit_configuration {
    std::uint32_t count = 1;    ///< instructions that the class takes in one cycle
    std::uint32_t latency = 1;  ///< cycles from the operands to the result; the latency of the
                                ///< memory class is that of the load-store unit
    std::uint32_t initiation_interval =
        1;  ///< cycles that an instruction keeps its pipeline's input

    void declare(parameter_list& p);
};

/// The pipeline of an SMX, keys `smx.`. The defaults are those of configs/gk110.toml.
struct smx_configuration {
    static constexpr std::uint32_t maximum_schedulers = 8;
    static constexpr std::uint32_t maximum_interval = 8;

    std::uint32_t schedulers = 4;
    std::uint32_t issue_interval = 1;
    formation_policy formation{};
    std::uint32_t stack_entries = 0;
    bool barrel = false;
    bool dual_issue = false;
    bool scheduler_pipeline = false;
    std::uint32_t instruction_buffer = 2;
    std::uint32_t fetch_width = 4;
    std::uint32_t branch_latency = 7;
    std::uint32_t barrier_latency = 1;
    std::uint32_t operand_latency = 2;
    std::uint32_t register_banks = 4;
    std::uint32_t writeback_ports = 8;
    std::uint32_t writeback_interval = 0;
    /// By unit_class.
    std::array<unit_configuration, unit_class_count> units{{
        {4, 7, 1},   // integer
        {1, 7, 1},   // multiply
        {1, 60, 8},  // divide
        {4, 7, 1},   // floating
        {1, 40, 8},  // floating_divide
        {1, 16, 1},  // special
        {1, 1, 1},   // memory
    }};

    void declare(parameter_list& p);
    [[nodiscard]] const unit_configuration& unit(unit_class which) const noexcept {
        return units[static_cast<std::size_t>(which)];
    }
};

/// Tags of the instruction cache, keys `l1i.`.
struct l1i_configuration {
    std::uint32_t size = 8192;
    std::uint32_t line = 128;
    std::uint32_t ways = 4;
    std::uint32_t hit_latency = 1;
    std::uint32_t mshrs = 4;

    void declare(parameter_list& p);
};

}  // namespace heddle
