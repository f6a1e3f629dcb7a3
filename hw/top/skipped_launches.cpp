// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/skipped_launches.h"

#include "models/program/address_map.h"

namespace heddle {

skipped_launches::skipped_launches(const machine_configuration& machine, basic_device& of,
                                   std::function<bool()> interrupted)
    : memory_(program::address_space_bytes),
      engine_(iss::make_engine(
          {machine, memory_, of.ranges(), std::move(interrupted), &of.runtime(), {}})) {}

void skipped_launches::launch(const prepared_launch& launch) {
    waiting_.push_back(std::make_unique<iss::grid>(launch));
}

void skipped_launches::run() {
    const auto launches = std::move(waiting_);
    waiting_.clear();
    for (const auto& launch : launches) engine_->add(*launch);
    engine_->run({});
}

}  // namespace heddle
