// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/channel_timing.h"

namespace heddle {

using protocol::dram_command;

channel_timing::channel_timing(const protocol::dram_timing& timing, std::uint32_t banks,
                               std::uint32_t groups)
    : timing_(timing), banks_(banks), groups_(groups) {
    for (std::uint32_t bank = 0; bank < banks; ++bank) banks_[bank].group = bank % groups;
}

std::uint64_t channel_timing::earliest_refresh() const {
    std::uint64_t at = command_;
    for (const bank_state& bank : banks_) {
        at = std::max(at, bank.activate);
    }
    return at;
}

void channel_timing::issue_column(bool write, bank_state& bank, std::uint64_t& group,
                                  std::uint64_t now) {
    const protocol::dram_timing& t = timing_;
    const std::uint64_t written = now + t.wl + t.burst;  // end of write data
    group = now + t.ccdl;
    read_ = std::max(read_, std::max(now + t.ccd, write ? written + t.wtr : 0));
    write_ = std::max(write_, now + (write ? t.ccd : std::max(t.ccd, t.rtw)));
    bank.precharge = std::max(bank.precharge, write ? written + t.wr : now + t.rtp);
}

void channel_timing::issue(dram_command what, std::uint32_t bank, std::uint64_t row,
                           std::uint64_t now) {
    bank_state& b = banks_[bank];
    command_ = now + 1;
    switch (what) {
        case dram_command::activate:
            b.row = row;
            open_ |= std::uint64_t{1} << bank;
            b.activate = now + timing_.rc;
            b.column = now + timing_.rcd;
            b.precharge = now + timing_.ras;
            activate_ = now + timing_.rrd;
            activates_[oldest_activate_] = now + timing_.faw;
            oldest_activate_ = (oldest_activate_ + 1) % activates_.size();
            break;
        case dram_command::read:
        case dram_command::write:
            issue_column(what == dram_command::write, b, groups_[b.group], now);
            break;
        case dram_command::precharge:
            b.row = closed;
            open_ &= ~(std::uint64_t{1} << bank);
            b.activate = std::max(b.activate, now + timing_.rp);
            break;
        case dram_command::refresh:
            for (bank_state& each : banks_) {
                each.activate = std::max(each.activate, now + timing_.rfc);
            }
            break;
    }
}

}  // namespace heddle
