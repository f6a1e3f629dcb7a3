// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/base/parameter.h"
#include "models/device/device.h"
#include "models/workloads/report.h"

namespace heddle::workloads {

enum class contention { high, low };
enum class section_version { tx, lock, serial };

/// Options of every workload whose threads compete for words of their block's shared memory
/// (critical_section_kernel.h). An options struct derives from it.
struct critical_section_options {
    contention competing = contention::high;
    section_version version = section_version::tx;
    std::uint32_t block = 256;
    std::uint32_t blocks = 32;
    std::uint32_t rounds = 2;

    void declare(parameter_list& p) {
        p.add("contention", competing, {{"high", contention::high}, {"low", contention::low}},
              "How often threads of a block meet: their data are few (high) or many (low)");
        p.add("version", version,
              {{"tx", section_version::tx},
               {"lock", section_version::lock},
               {"serial", section_version::serial}},
              "Critical sections: transactions, under one lock of the block, or all in one thread");
        p.add("block", block, range(1, 256), "thread", "Threads in a block");
        p.add("blocks", blocks, range(1, 65535), "block", "Blocks, each with data of its own");
        p.add("rounds", rounds, range(1, 1024), "item", "Items of work of each thread");
    }

    [[nodiscard]] bool high() const noexcept { return competing == contention::high; }
    /// Items of a block.
    [[nodiscard]] std::uint32_t items() const noexcept { return block * rounds; }
    [[nodiscard]] std::uint32_t all_items() const noexcept { return items() * blocks; }
    /// The entry of a kernel for the version: "ht_lock".
    [[nodiscard]] std::string entry(const std::string& kernel) const {
        const char* const names[] = {"_tx", "_lock", "_serial"};
        return kernel + names[static_cast<unsigned>(version)];
    }
    [[nodiscard]] launch_shape shape(std::uint32_t shared_words) const noexcept {
        launch_shape made{{blocks}, {block}};
        made.dynamic_shared_bytes = shared_words * 4;
        return made;
    }
    /// Rows of the summary.
    void describe(workload_report& report, std::uint32_t shared_words) const {
        report.add_row("critical sections", std::uint64_t{all_items()});
        report.add_row("shared memory of a block", std::uint64_t{shared_words} * 4, "byte");
    }
};

}  // namespace heddle::workloads
