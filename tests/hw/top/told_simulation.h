// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <functional>
#include <optional>
#include <string>

#include "hw/host/device_observer.h"
#include "hw/smx/smx_core.h"
#include "hw/top/gpu.h"
#include "hw/top/retire_stream.h"
#include "hw/top/simulation.h"
#include "models/iss/foreign/foreign_core.h"
#include "models/iss/foreign/retired_coverage.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {

/// A simulation whose records go to a foreign_core, each through change().
class told_simulation final : private device_observer, private launch_observer {
public:
    told_simulation(const gpu_configuration& configuration, const iss::foreign_rules& rules)
        : simulation_(configuration, {}),
          stream_(
              {}, [this](const auto& r) { tell(r); }, true) {
        gpu& machine = simulation_.machine();
        iss::lockstep_parts parts{configuration.machine,
                                  machine.device().ranges(),
                                  false,
                                  false,
                                  false,
                                  false,
                                  false,
                                  {},
                                  {}};
        parts.memory = [&host = machine.host_processor()](std::uint32_t address, const auto&) {
            std::uint32_t word = 0;
            host.copy(tlm::TLM_READ_COMMAND, address, reinterpret_cast<std::uint8_t*>(&word),
                      sizeof word);
            return word;
        };
        core_.emplace(std::move(parts), rules);
        for (std::size_t i = 0; i < machine.smxs().size(); ++i) {
            machine.smxs()[i]->core().observe(
                &stream_.observer(i, configuration.machine.warp_size));
        }
        machine.device().observe(this);
        machine.device().launches().observe(*this);
    }

    error_kind run(const std::function<void(device&)>& program) {
        return simulation_.run(program, {20'000'000});
    }
    [[nodiscard]] const run_status& status() const { return simulation_.status(); }
    [[nodiscard]] const std::optional<iss::foreign_finding>& finding() const {
        return core_->finding();
    }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    [[nodiscard]] const iss::lockstep_counts& counts() { return core_->reference().counts(); }
    [[nodiscard]] const iss::retired_coverage& coverage() const { return coverage_; }
    /// Why a record was refused.
    [[nodiscard]] const std::string& refused() const { return refused_; }

    std::function<void(heddle_retired&)> change;

private:
    void tell(heddle_retired record) {
        if (!refused_.empty()) return;
        if (change) change(record);
        if (record.kind == HEDDLE_STEP) ++steps_;
        coverage_.take(record);
        try {
            core_->take(record);
        } catch (const configuration_error& error) {
            refused_ = error.what();
        }
    }
    void wrote(device_address to, const void* from, std::size_t bytes) override {
        core_->reference().wrote(to, from, bytes);
    }
    void launched(const prepared_launch& launch) override { core_->launched(launch); }
    void settled() override {
        if (refused_.empty()) core_->settled();
    }

    simulation simulation_;
    retire_stream stream_;
    std::optional<iss::foreign_core> core_;
    iss::retired_coverage coverage_{32, 128};
    std::uint64_t steps_ = 0;
    std::string refused_;
};

inline iss::foreign_rules strict() {
    iss::foreign_rules rules;
    rules.ordered = true;
    rules.tells_drained = true;
    return rules;
}

}  // namespace heddle
