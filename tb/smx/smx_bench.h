// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/protocol/instrumentation.h"
#include "hw/smx/l1/load_cache_configuration.h"
#include "hw/smx/lsu/load_store_configuration.h"
#include "hw/smx/shared_memory/shared_memory_configuration.h"
#include "hw/smx/smx.h"
#include "hw/smx/smx_core.h"
#include "hw/smx/thread_pool/formation_configurations.h"
#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "models/base/flat_memory.h"
#include "models/device/basic_device.h"
#include "models/device/program_table.h"
#include "tb/kit/testbench.h"
#include "tb/smx/block_source.h"
#include "tb/smx/memory_model.h"

namespace heddle {

/// Who hears of every call on the links of the SMX, before the callee. `forward`: from the
/// initiator.
struct smx_taps {
    std::function<void(protocol::block_dispatch&, protocol::block_phase, bool forward)> block;
    std::function<void(tlm::tlm_generic_payload&, protocol::memory_phase, bool forward)> memory;
};

struct smx_bench_configuration {
    machine_configuration machine;
    smx_configuration smx;
    l1i_configuration l1i;
    load_store_configuration lsu;
    l1_data_cache_configuration l1d;
    constant_cache_configuration constant_cache;
    read_only_cache_configuration read_only_cache;
    shared_memory_configuration shared;
    warp_scheduler_configuration scheduler;
    part_configurations formations = formation_configurations();
    memory_model_options memory;
    bool check_links = true;
    smx_taps taps;  ///< may be empty

    smx_bench_configuration() { machine.smx_count = 1; }
};

/// One SMX between a block source and a memory model, as a device: a host script allocates, writes
/// and launches, then run() simulates all launches. One a process.
class smx_bench final : public basic_device {
public:
    smx_bench(testbench& bench, const smx_bench_configuration& configuration);
    ~smx_bench() override;

    launch_number launch(const program::kernel& kernel, const launch_shape& shape,
                         const std::vector<std::byte>& parameters) override;
    void synchronize() override {}
    [[nodiscard]] std::optional<std::uint64_t> clock() const override {
        return domain_.edge_count();
    }

    /// Simulates until the last block has ended; returns the testbench's verdict.
    error_kind run();

    [[nodiscard]] const machine_configuration& parameters() const noexcept { return machine(); }
    [[nodiscard]] smx& block() noexcept { return smx_; }
    [[nodiscard]] memory_model& memory() noexcept { return model_; }
    /// A word of device memory as it is now.
    [[nodiscard]] std::uint32_t& word(device_address address) noexcept {
        return *reinterpret_cast<std::uint32_t*>(memory_.data() + address);
    }
    [[nodiscard]] clock_domain& domain() noexcept { return domain_; }
    [[nodiscard]] std::uint64_t blocks_done() const noexcept { return blocks_.blocks_done(); }
    [[nodiscard]] std::uint64_t launched_blocks() const noexcept { return launched_blocks_; }
    /// Statistics as text: equal runs give equal text.
    [[nodiscard]] std::string statistics_text() const;

private:
    template <class Link>
    class tapped_link;

    void put(device_address to, const void* from, std::size_t bytes) override;
    void get(void* to, device_address from, std::size_t bytes) override;
    [[nodiscard]] bool busy() const noexcept override { return false; }

    testbench& bench_;
    unsigned schedulers_;
    flat_memory memory_;
    clock_domain domain_;
    protocol::instrumentation links_;
    smx smx_;
    block_source blocks_;
    memory_model model_;
    std::unique_ptr<tapped_link<protocol::block_link>> block_tap_;
    std::unique_ptr<tapped_link<protocol::memory_link>> memory_tap_;
    std::uint64_t launched_blocks_ = 0;
};

/// Memory that a host script wants compared.
struct observed_buffer {
    std::string name;
    device_address address;
    std::size_t bytes;
};
/// Allocates, writes and launches on whatever device it is given; names what to compare.
using host_script = std::function<std::vector<observed_buffer>(device&)>;

/// Runs a script on the SMX alone.
void run_alone(smx_bench& device, const std::string& program, const host_script& script);

/// Runs a script on the SMX and on the functional simulator and compares the observed buffers
/// byte by byte, and the counts of instructions. Differences are reported to the testbench.
void run_against_simulator(testbench& bench, smx_bench& device, const std::string& program,
                           const host_script& script);

}  // namespace heddle
