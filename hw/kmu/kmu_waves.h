// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/base/waveform.h"
#include "models/base/bits.h"

namespace heddle {

/// The KMU's part of the waveform. Without a sink every call costs one branch.
class kmu_waves {
public:
    /// Of a hardware work queue.
    struct queue {
        wave_integer occupancy, head, running;
        wave_text kernel;
    };

    /// `sink` may be null and outlives the simulation. `by_kernels`: kernels launch, too.
    kmu_waves(waveform* sink, const std::string& scope, unsigned queues, bool by_kernels) {
        if (sink == nullptr) return;
        for (unsigned number = 0; number < queues; ++number) {
            const std::string name = scope + ".hwq_" + std::to_string(number);
            queues_.push_back(
                {sink->declare_integer(name + ".occupancy"), sink->declare_integer(name + ".head"),
                 sink->declare_integer(name + ".running"), sink->declare_text(name + ".kernel")});
            changed(number);
        }
        by_kernels_ = by_kernels;
        if (!by_kernels) return;
        pool_ = sink->declare_integer(scope + ".device_pool.occupancy");
        suspended_ = sink->declare_integer(scope + ".suspended.occupancy");
    }

    [[nodiscard]] bool on() const noexcept { return !queues_.empty(); }
    void changed(unsigned queue) noexcept { changed_ |= bits::one(queue); }
    /// Calls set(number, queue) for each queue that has changed.
    template <class Set>
    void show_queues(Set&& set) {
        bits::for_each(changed_, [&](unsigned number) { set(number, queues_[number]); });
        changed_ = 0;
    }
    /// Launches in the pool, and blocks that wait for their children without an SMX.
    void show_pool(std::size_t launches, std::size_t blocks) {
        if (!by_kernels_) return;
        pool_.set(static_cast<std::int64_t>(launches));
        suspended_.set(static_cast<std::int64_t>(blocks));
    }

private:
    std::vector<queue> queues_;
    wave_integer pool_, suspended_;
    bool by_kernels_ = false;
    std::uint64_t changed_ = 0;  ///< one bit a queue: to be shown next
};

}  // namespace heddle
