// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/thread_pool/formations.h"

#include "hw/smx/thread_pool/formation_configurations.h"
#include "models/base/error.h"

namespace heddle {

part_configurations formation_configurations() {
    return formations::configurations();
}

std::unique_ptr<group_former> make_group_former(const group_former_setting& setting) {
    return formations::visit(
        setting.smx.formation, [&](auto part) -> std::unique_ptr<group_former> {
            using former = typename decltype(part)::type;
            if constexpr (former::on_pool) {
                return std::make_unique<former>(setting);
            } else {
                throw configuration_error("smx.formation forms no groups in a thread pool");
            }
        });
}

}  // namespace heddle
