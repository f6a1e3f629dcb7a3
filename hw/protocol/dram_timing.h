// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle::protocol {

/// Data sheet of the DRAM chips of a channel, keys `dram.timing.`; all in command clocks. The
/// controller keeps these times, and the checker of the command bus enforces them.
///
/// The names are those of the thesis' table 5.1 (Fung 2008) and of data sheets. Distances between
/// two commands; "chip" means any two banks of the channel:
///
/// | name | from | to | scope | clocks |
/// |---|---|---|---|---|
/// | RRD | ACT | ACT | chip | rrd |
/// | FAW | ACT | fourth ACT after it | chip | faw |
/// | RC | ACT | ACT | bank | rc |
/// | RCD | ACT | RD, WR | bank | rcd |
/// | RAS | ACT | PRE | bank | ras |
/// | RP | PRE | ACT, REF | bank | rp |
/// | CCD | RD, WR | RD, WR | chip | ccd |
/// | CCDL | RD, WR | RD, WR | bank group | ccdl |
/// | WTR | WR | RD | chip | wl + burst + wtr: from the end of the data |
/// | RTW | RD | WR | chip | rtw |
/// | RTP | RD | PRE | bank | rtp |
/// | WR | WR | PRE | bank | wl + burst + wr: from the end of the data |
/// | RFC | REF | ACT, REF | chip | rfc |
struct dram_timing {
    std::uint32_t cl = 16;    ///< RD to its data
    std::uint32_t wl = 6;     ///< WR to its data
    std::uint32_t burst = 2;  ///< clocks of data of one column access
    std::uint32_t rcd = 16;
    std::uint32_t rp = 16;
    std::uint32_t ras = 37;
    std::uint32_t rc = 52;
    std::uint32_t rrd = 8;
    std::uint32_t faw = 0;
    std::uint32_t ccd = 2;
    std::uint32_t ccdl = 4;
    std::uint32_t wtr = 7;
    std::uint32_t rtw = 14;
    std::uint32_t rtp = 3;
    std::uint32_t wr = 16;
    std::uint32_t refi = 0;  ///< 0: no refresh
    std::uint32_t rfc = 0;

    void declare(parameter_list& p) {
        const auto clocks = [&p](const char* key, std::uint32_t& value, std::int64_t low,
                                 const char* text) {
            p.add(key, value, range(low, 100'000), "cycle", text).smaller_is_better();
        };
        clocks("cl", cl, 1, "Read command to the first data (CAS latency)");
        clocks("wl", wl, 1, "Write command to the first data (write latency)");
        clocks("burst", burst, 1, "Data of one column access on the bus");
        clocks("rcd", rcd, 1, "Activate to read or write, one bank");
        clocks("rp", rp, 1, "Precharge to activate, one bank");
        clocks("ras", ras, 1, "Activate to precharge, one bank");
        clocks("rc", rc, 1, "Activate to activate, one bank");
        clocks("rrd", rrd, 1, "Activate to activate, all banks");
        clocks("faw", faw, 0, "Window that holds at most four activates; 0: no limit");
        clocks("ccd", ccd, 1, "Column access to column access, all banks");
        clocks("ccdl", ccdl, 1, "Column access to column access, one bank group");
        clocks("wtr", wtr, 0, "End of write data to a read command, all banks");
        clocks("rtw", rtw, 1, "Read command to write command, all banks");
        clocks("rtp", rtp, 0, "Read command to precharge, one bank");
        clocks("wr", wr, 0, "End of write data to precharge, one bank (write recovery)");
        p.add("refi", refi, range(0, 100'000), "cycle",
              "Time between two refreshes of all banks; 0: no refresh")
            .best(std::int64_t{0});
        clocks("rfc", rfc, 0, "Refresh to activate, all banks");
        p.require({"ccd", "burst"}, "data of two column accesses do not overlap: ccd >= burst",
                  [this] { return ccd >= burst; });
        p.require({"rtw", "wl", "cl", "burst"},
                  "write data come after read data: rtw + wl >= cl + burst",
                  [this] { return rtw + wl >= cl + burst; });
        p.require({"rc", "ras"}, "a row is open before it is closed: rc >= ras",
                  [this] { return rc >= ras; });
        p.require({"refi", "rfc", "rp", "ras"},
                  "there is time between refreshes: refi is 0 or at least 2 * (rfc + rp + ras)",
                  [this] { return refi == 0 || refi >= 2 * (rfc + rp + ras); });
    }
};

}  // namespace heddle::protocol
