// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/axi/axi_configuration.h"
#include "hw/cosim/pins/pin_configuration.h"
#include "hw/crossbar/crossbar_configuration.h"
#include "hw/dram/memory_configuration.h"
#include "hw/kernel_distributor/kernel_distributor_configuration.h"
#include "hw/kmu/kmu_configuration.h"
#include "hw/l2/l2_configuration.h"
#include "hw/memory_controller/memory_controller_configuration.h"
#include "hw/smx/l1/load_cache_configuration.h"
#include "hw/smx/lsu/load_store_configuration.h"
#include "hw/smx/shared_memory/shared_memory_configuration.h"
#include "hw/smx/smx_configuration.h"
#include "hw/smx/thread_pool/formation_configurations.h"
#include "hw/smx/tm/transaction_detections.h"
#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "hw/smx_scheduler/smx_scheduler_configuration.h"
#include "hw/top/exchangeable_parts.h"
#include "hw/top/watchdog.h"
#include "models/base/machine_configuration.h"

namespace heddle {

/// Frequencies of the clock domains.
struct clock_configuration {
    std::uint32_t core = 706'000;          ///< kHz
    std::uint32_t interconnect = 706'000;  ///< kHz
    std::uint32_t l2 = 706'000;            ///< kHz
    std::uint32_t dram = 1'300'000;        ///< kHz, command clock

    void declare(parameter_list& p);
};

/// What stands behind the L2 banks.
enum class memory_model { fixed, gddr };

struct memory_model_configuration {
    memory_model model = memory_model::gddr;

    void declare(parameter_list& p);
};

/// Every parameter of the timed machine and of the functional simulator: what a configuration file
/// sets. The defaults are gk110's where configs/gk110.toml does not say otherwise.
struct gpu_configuration {
    machine_configuration machine{transaction_configuration(transaction_detections())};
    clock_configuration clock;
    watchdog_configuration watchdog;
    kmu_configuration kmu;
    kernel_distributor_configuration kernel_distributor;
    smx_scheduler_configuration smx_scheduler;
    group_table_configuration groups;
    smx_configuration smx;
    warp_scheduler_configuration warp_scheduler;
    part_configurations formations = formation_configurations();
    load_store_configuration lsu;
    l1i_configuration l1i;
    l1_data_cache_configuration l1d;
    constant_cache_configuration constant_cache;
    read_only_cache_configuration read_only_cache;
    shared_memory_configuration shared;
    crossbar_configuration crossbar;
    l2_configuration l2;
    axi::axi_configuration bus;
    memory_model_configuration memory;
    memory_controller_configuration dram;
    memory_configuration fixed_memory;
    slot_configuration slots;
    pins::pin_configuration pins;

    void declare(parameter_list& p);
    /// Bytes that the longest message between SMX and L2 carries: a line, or an atomic of all lanes
    /// with operand and comparison.
    [[nodiscard]] std::uint32_t longest_message() const;
    /// Bytes of the longest line that an SMX asks for.
    [[nodiscard]] std::uint32_t longest_line() const;
};

}  // namespace heddle
