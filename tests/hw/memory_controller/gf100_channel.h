// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/memory_controller/memory_controller_configuration.h"

namespace heddle {

/// A channel with gf100's clocks.
inline memory_controller_configuration gf100() {
    memory_controller_configuration c;
    protocol::dram_timing& t = c.timing;
    t.cl = 12, t.wl = 4, t.rcd = 12, t.rp = 12, t.ras = 28, t.rc = 40, t.rrd = 6;
    t.ccdl = 3, t.wtr = 5, t.rtw = 12, t.wr = 12, t.rtp = 2;
    return c;
}

}  // namespace heddle
