// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <systemc>

#include "hw/base/clock_domain.h"
#include "hw/base/run_control.h"
#include "hw/base/slot_usage.h"
#include "hw/base/waveform.h"
#include "hw/crossbar/crossbar.h"
#include "hw/host/host.h"
#include "hw/host/timed_device.h"
#include "hw/kmu/kmu.h"
#include "hw/l2/l2_bank.h"
#include "hw/protocol/instrumentation.h"
#include "hw/smx_scheduler/smx_scheduler.h"
#include "hw/top/distributor_side.h"
#include "hw/top/gpu_configuration.h"
#include "hw/top/gpu_options.h"
#include "hw/top/memory_side.h"
#include "hw/top/pins_guard.h"
#include "hw/top/slot_waves.h"
#include "hw/top/smx_side.h"
#include "hw/top/watchdog.h"
#include "hw/top/work_recorder.h"

namespace heddle {

class crew;

/// The netlist of the machine: instantiates the blocks, binds their sockets, and does nothing else.
///
///   host -> kmu -> kernel_distributor <-> smx_scheduler <-> smx_0 ... smx_N
///   smx_i -> crossbar -> l2_0 ... l2_M -> memory_controller_0 ... M -> dram;  host -> crossbar
///   (debug transport)
///
/// Names as in waveforms: gpu.kmu, gpu.smx_3.warp_scheduler_1, gpu.l2_0, ...
class gpu : public sc_core::sc_module {
public:
    gpu(const sc_core::sc_module_name& name, const gpu_configuration& configuration,
        run_control& control, const gpu_options& options);
    ~gpu() override;

    /// The crew gets SMXs, crossbar, L2 banks and memory controllers; before the start.
    void share(crew& threads);

    [[nodiscard]] host& host_processor() noexcept { return host_; }
    [[nodiscard]] timed_device& device() noexcept { return device_; }
    [[nodiscard]] clock_domain& core_clock() noexcept { return core_clock_; }
    [[nodiscard]] protocol::instrumentation& links() noexcept { return links_; }

    [[nodiscard]] const kmu& management_unit() const noexcept { return kmu_; }
    [[nodiscard]] const distributor_side& distributor() const noexcept { return distributor_; }
    [[nodiscard]] const smx_scheduler& block_scheduler() const noexcept { return scheduler_; }
    [[nodiscard]] const std::vector<std::unique_ptr<smx_side>>& smxs() const noexcept {
        return smxs_;
    }
    [[nodiscard]] const crossbar& interconnect() const noexcept { return crossbar_; }
    [[nodiscard]] const std::vector<std::unique_ptr<l2_bank>>& l2_banks() const noexcept {
        return l2_banks_;
    }
    [[nodiscard]] const memory_side& memory() const noexcept { return memory_; }
    [[nodiscard]] const host& host_processor() const noexcept { return host_; }
    [[nodiscard]] const timed_device& device() const noexcept { return device_; }
    [[nodiscard]] const clock_domain& core_clock() const noexcept { return core_clock_; }
    [[nodiscard]] const clock_domain& dram_clock() const noexcept { return dram_clock_; }

    [[nodiscard]] const smx_capabilities& capabilities() const noexcept { return can_; }
    /// What the RTL in its slots has seen.
    [[nodiscard]] const slot_usage& rtl_usage() const noexcept { return rtl_usage_; }

private:
    /// The domain of a clock. Clocks of one frequency share it: their edges coincide, so that the
    /// results are the same, and the kernel runs one process at an edge instead of several.
    clock_domain& clock(const char* name, std::uint32_t kilohertz, run_control& control,
                        const gpu_options& options);
    void make_smxs(const gpu_configuration& configuration, run_control& control,
                   const gpu_options& options);
    void bind_launch_path();
    void bind_device_launches();
    void bind_blocks(work_log* log);
    void bind_memory_path();
    void bind_cooperation();
    [[nodiscard]] std::uint64_t progress() const;
    [[nodiscard]] std::string waiting_report() const;

    protocol::instrumentation links_;
    std::vector<std::unique_ptr<clock_domain>> clocks_;  ///< one per frequency
    clock_domain& core_clock_;
    clock_domain& interconnect_clock_;
    clock_domain& l2_clock_;
    clock_domain& dram_clock_;
    const smx_capabilities can_;
    std::unique_ptr<slot_waves> slot_waves_;  ///< null without a waveform
    slot_usage rtl_usage_;
    slot_makers slots_;
    host host_;
    timed_device device_;
    kmu kmu_;
    distributor_side distributor_;
    smx_scheduler scheduler_;
    std::unique_ptr<pins::pin_clock> smx_clock_;  ///< null: no SMX is behind pins
    std::unique_ptr<pins_guard> guard_;           ///< likewise
    std::vector<std::unique_ptr<smx_side>> smxs_;
    crossbar crossbar_;
    std::vector<std::unique_ptr<l2_bank>> l2_banks_;
    memory_side memory_;
    watchdog watchdog_;
    std::unique_ptr<launch_recorder> launch_recorder_;  ///< null without a log
    std::vector<std::unique_ptr<block_recorder>> block_recorders_;
};

}  // namespace heddle
