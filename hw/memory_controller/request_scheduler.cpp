// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/request_scheduler.h"

#include <memory>

#include "hw/memory_controller/fifo_scheduler.h"
#include "hw/memory_controller/fr_fcfs_scheduler.h"

namespace heddle {

std::unique_ptr<request_scheduler> make_request_scheduler(
    const memory_controller_configuration& configuration) {
    switch (configuration.scheduler) {
        case dram_scheduler::fifo:
            return std::make_unique<fifo_scheduler>();
        case dram_scheduler::fr_fcfs:
            break;
    }
    return std::make_unique<fr_fcfs_scheduler>(configuration.age_limit);
}

slot_registry<request_scheduler_traits> request_scheduler_traits::implementations() {
    return slot_registry<request_scheduler_traits>(
        [](const memory_controller_configuration& configuration, const slot_context&) {
            return make_request_scheduler(configuration);
        });
}

}  // namespace heddle
