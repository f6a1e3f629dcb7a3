// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "hw/host/fast_forward.h"
#include "models/base/flat_memory.h"
#include "models/base/machine_configuration.h"
#include "models/iss/engine.h"

namespace heddle {

/// The launches that `--skip-kernels` takes out of time, on the functional simulator's engine: the
/// same blocks resident at a time as on the machine, the same faults.
class skipped_launches final : public fast_forward {
public:
    /// All arguments outlive the object. `of` is the device whose launches they are. `interrupted`
    /// may be empty.
    skipped_launches(const machine_configuration& machine, basic_device& of,
                     std::function<bool()> interrupted);

    [[nodiscard]] std::byte* memory() noexcept override { return memory_.data(); }
    void launch(const prepared_launch& launch) override;
    void run() override;

    [[nodiscard]] std::uint64_t warp_instructions() const noexcept { return engine_->executed(); }

private:
    flat_memory memory_;
    std::unique_ptr<iss::engine> engine_;
    std::deque<std::unique_ptr<iss::grid>> waiting_;
};

}  // namespace heddle
