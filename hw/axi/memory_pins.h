// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/cosim/pins/pin_channel.h"

namespace heddle::axi {

/// The pins of axi_memory.sv beside those of the bus: mem_read, mem_raddr and so on, towards the
/// memory of its bytes.
template <unsigned Width>
struct memory_side_pins {
    pins::pin<32> seed{"seed"};  ///< of the random order of answers
    pins::pin<1> idle{"idle"};   ///< no answered write waits
    pins::pin<1> read{"mem", "read"};
    pins::pin<32> raddr{"mem", "raddr"};
    pins::pin<Width> rdata{"mem", "rdata"};
    pins::pin<1> write{"mem", "write"};
    pins::pin<32> waddr{"mem", "waddr"};
    pins::pin<Width> wdata{"mem", "wdata"};
    pins::pin<Width / 8> wstrb{"mem", "wstrb"};
};

}  // namespace heddle::axi
