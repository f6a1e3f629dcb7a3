// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/base/part_list.h"
#include "hw/memory_controller/fifo_scheduler.h"
#include "hw/memory_controller/fr_fcfs_scheduler.h"

namespace heddle {

/// What `dram.scheduler` chooses from; the first one is the default. A
/// scheduler is made of nothing or of the configuration.
using request_schedulers = part_list<dram_scheduler, fr_fcfs_scheduler, fifo_scheduler>;

}  // namespace heddle
