// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/host_cores.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "hw/base/cpu_quota.h"

namespace heddle {
namespace {

/// Of a list such as "0-3,8-11", how many the process may use.
unsigned usable(std::istream& list, const cpu_set_t& mine) {
    unsigned count = 0;
    unsigned first = 0;
    while (list >> first) {
        unsigned last = first;
        if (list.peek() == '-') {
            list.ignore();
            list >> last;
        }
        for (unsigned core = first; core <= last && core < CPU_SETSIZE; ++core) {
            if (CPU_ISSET(core, &mine)) ++count;
        }
        if (list.peek() == ',') list.ignore();
    }
    return count;
}

cpu_set_t usable_cores() {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0) CPU_SET(0, &mine);
    return mine;
}

}  // namespace

unsigned host_cores() {
    const cpu_set_t mine = usable_cores();
    auto cores = static_cast<unsigned>(CPU_COUNT(&mine));
    if (const auto quota = cpu_quota()) {
        cores = static_cast<unsigned>(std::min<double>(cores, *quota));
    }
    return std::max(cores, 1U);
}

unsigned near_cores() {
    const int present = std::max(sched_getcpu(), 0);
    std::ifstream neighbours("/sys/devices/system/cpu/cpu" + std::to_string(present) +
                             "/cache/index3/shared_cpu_list");
    const unsigned near = neighbours ? usable(neighbours, usable_cores()) : 0;
    return near == 0 ? host_cores() : std::min(near, host_cores());
}

}  // namespace heddle
