// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "hw/smx/smx_configuration.h"

namespace heddle {

/// The inputs of the execution pipelines. Says which classes take an instruction at an edge.
class execution_units {
public:
    static constexpr std::uint32_t maximum_count = 8;
    static constexpr std::uint32_t all_units = (1u << unit_class_count) - 1;
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    explicit execution_units(const smx_configuration& configuration) noexcept
        : configuration_(configuration.units), pipelines_(configuration.scheduler_pipeline) {}

    /// One bit per unit_class that has a free input at `edge`, which never goes back.
    [[nodiscard]] std::uint32_t accepting(std::uint64_t edge) noexcept {
        for (std::uint32_t left = full_; left != 0; left &= left - 1) {
            const auto unit = static_cast<unsigned>(__builtin_ctz(left));
            if (earliest(unit) <= edge) full_ &= ~(1u << unit);
        }
        return still_accepting();
    }
    /// The same at the edge of the last accepting(), after calls of take().
    [[nodiscard]] std::uint32_t still_accepting() const noexcept { return all_units & ~full_; }
    /// Whether the pipeline of a scheduler takes no instruction but those for memory
    /// (smx.scheduler_pipeline).
    [[nodiscard]] bool pipeline_busy(unsigned scheduler, std::uint64_t edge) const noexcept {
        return pipeline_free_[scheduler] > edge;
    }
    /// An instruction of a scheduler enters `unit`, which accepts; it keeps the input for the
    /// initiation interval and `extra` cycles more.
    void take(unit_class unit, unsigned scheduler, std::uint64_t edge, unsigned extra) noexcept {
        const auto u = static_cast<unsigned>(unit);
        const unit_configuration& of = configuration_[u];
        auto& inputs = free_at_[u];
        unsigned input = 0;
        while (inputs[input] > edge) ++input;
        inputs[input] = edge + of.initiation_interval + extra;
        if (!has_free(u, edge)) full_ |= 1u << u;
        if (pipelines_ && unit != unit_class::memory) pipeline_free_[scheduler] = inputs[input];
    }
    /// First edge after `edge` at which a class or a pipeline that takes nothing now does so again;
    /// `never` if all do.
    [[nodiscard]] std::uint64_t next_free(std::uint64_t edge) const noexcept {
        std::uint64_t first = never;
        for (std::uint32_t left = full_; left != 0; left &= left - 1) {
            first = std::min(first, earliest(static_cast<unsigned>(__builtin_ctz(left))));
        }
        for (const std::uint64_t free : pipeline_free_) {
            if (free > edge) first = std::min(first, free);
        }
        return first;
    }
    [[nodiscard]] unsigned latency(unit_class unit) const noexcept {
        return configuration_[static_cast<unsigned>(unit)].latency;
    }

private:
    [[nodiscard]] bool has_free(unsigned unit, std::uint64_t edge) const noexcept {
        const auto& inputs = free_at_[unit];
        const auto end = inputs.begin() + configuration_[unit].count;
        return std::any_of(inputs.begin(), end, [&](std::uint64_t free) { return free <= edge; });
    }
    [[nodiscard]] std::uint64_t earliest(unsigned unit) const noexcept {
        const auto& inputs = free_at_[unit];
        std::uint64_t first = inputs[0];
        for (unsigned input = 1; input < configuration_[unit].count; ++input) {
            first = std::min(first, inputs[input]);
        }
        return first;
    }

    std::array<unit_configuration, unit_class_count> configuration_;
    /// First edge at which each input is free.
    std::array<std::array<std::uint64_t, maximum_count>, unit_class_count> free_at_{};
    /// First edge at which each scheduler's pipeline is free, if there are any.
    std::array<std::uint64_t, smx_configuration::maximum_schedulers> pipeline_free_{};
    const bool pipelines_;
    std::uint32_t full_ = 0;  ///< classes without a free input, as last seen
};

}  // namespace heddle
