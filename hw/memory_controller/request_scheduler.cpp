// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/request_scheduler.h"

#include <memory>
#include <type_traits>

#include "hw/memory_controller/request_schedulers.h"

namespace heddle {

std::unique_ptr<request_scheduler> make_request_scheduler(
    const memory_controller_configuration& configuration) {
    return request_schedulers::visit(configuration.scheduler,
                                     [&](auto part) -> std::unique_ptr<request_scheduler> {
                                         using chosen = typename decltype(part)::type;
                                         if constexpr (std::is_default_constructible_v<chosen>) {
                                             return std::make_unique<chosen>();
                                         } else {
                                             return std::make_unique<chosen>(configuration);
                                         }
                                     });
}

slot_registry<request_scheduler_traits> request_scheduler_traits::implementations() {
    return slot_registry<request_scheduler_traits>(
        [](const memory_controller_configuration& configuration, const slot_context&) {
            return make_request_scheduler(configuration);
        });
}

}  // namespace heddle
