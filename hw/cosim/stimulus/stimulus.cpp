// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/stimulus/stimulus.h"

#include "models/base/error.h"

namespace heddle::cosim {

const stimulus& find_stimulus(const std::string& slot) {
    static constexpr stimulus all[] = {
        {"warp_scheduler", 30000, drive_warp_scheduler},
        {"formation", 12000, drive_formation},
        {"crossbar_allocator", 2000, drive_crossbar_allocator},
        {"dram_scheduler", 2000, drive_dram_scheduler},
        {"queue_picker", 20000, drive_queue_picker},
        {"kde_chain", 30000, drive_kde_chain},
        {"group_allocator", 30000, drive_group_allocator},
        {"tm_bank", 12000, drive_tm_bank},
    };
    std::string legal;
    for (const stimulus& each : all) {
        if (slot == each.slot) return each;
        legal += (legal.empty() ? "" : ", ") + std::string(each.slot);
    }
    throw configuration_error("slot '" + slot + "' has no stimulus; legal: " + legal);
}

}  // namespace heddle::cosim
