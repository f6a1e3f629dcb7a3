// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>

#include "models/base/flat_memory.h"
#include "models/device/device_runtime.h"
#include "models/device/launch_table.h"
#include "models/device/launch_tree.h"
#include "models/iss/admission.h"
#include "models/iss/launch_calls.h"

namespace heddle::iss {

/// The launches that an engine runs, those by kernels included: from the launch instruction over
/// their turn to their end. A launch ends after its children; then the next one of its stream runs.
class launch_family final : public launch_calls {
public:
    /// What the family works with; all of it outlives the family.
    struct parts {
        flat_memory& memory;
        device_runtime* runtime;  ///< null: kernels can't launch
        /// Hears of each launch that has ended. May be empty.
        std::function<void(const grid&)> ended;
        /// A block may have no children left.
        std::function<void(launch_id launch, std::uint32_t block)> wake;
    };
    explicit launch_family(parts with) : parts_(std::move(with)) {}

    /// Launches by the host.
    void add(grid& launch);
    /// The launch that distributes blocks now; null: none can.
    [[nodiscard]] grid* head() const { return admission_.head(); }
    /// A block of the head begins, block `next_block`.
    void block_begins(grid& head);
    /// The head starts no more blocks now: it is a cooperative one, and has all that fit.
    void block_does_not_fit(grid& head);
    /// The last block of a launch has ended.
    void blocks_ended(grid& of);
    [[nodiscard]] bool empty() const noexcept { return open_.empty(); }
    /// Forgets all launches, those that have not ended included.
    void clear();

    /// As launch_calls; null if kernels can't launch.
    [[nodiscard]] launch_calls* calls() noexcept {
        return parts_.runtime == nullptr ? nullptr : this;
    }

private:
    std::optional<std::uint32_t> call(const launcher& by, isa::opcode what, std::uint32_t first,
                                      std::uint32_t second, std::string& fault) override;
    [[nodiscard]] bool has_children(const launcher& by) const override {
        return tree_.open_children(by.launch, by.block) != 0;
    }
    launch_error make(const launcher& by, launch_kind kind, std::uint32_t buffer,
                      std::uint32_t stream);
    void end(launch_id launch);

    parts parts_;
    admission admission_;
    launch_tree tree_;
    std::unordered_map<launch_id, grid*> open_;
    std::unordered_map<launch_id, std::unique_ptr<grid>> children_;  ///< launches by kernels
};

}  // namespace heddle::iss
