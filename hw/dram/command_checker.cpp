// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/dram/command_checker.h"

#include <algorithm>
#include <systemc>
#include <utility>

#include "hw/base/report_error.h"

namespace heddle {
namespace {

using protocol::dram_command;
using protocol::dram_command_record;
using protocol::dram_timing;

constexpr unsigned mask(dram_command what) {
    return 1U << static_cast<unsigned>(what);
}
// NOLINTBEGIN(readability-identifier-naming): as the standard calls them
constexpr unsigned ACT = mask(dram_command::activate);
constexpr unsigned RD = mask(dram_command::read);
constexpr unsigned WR = mask(dram_command::write);
constexpr unsigned PRE = mask(dram_command::precharge);
constexpr unsigned REF = mask(dram_command::refresh);
// NOLINTEND(readability-identifier-naming)

enum class scope { bank, group, chip };

/// A command of `to` comes at least `clocks` after the last one of `from` in the same scope.
struct distance_rule {
    const char* id;
    scope where;
    unsigned from, to;
    std::uint64_t (*clocks)(const dram_timing&);
};

constexpr distance_rule distance_rules[] = {
    {"heddle/dram/RRD", scope::chip, ACT, ACT,
     [](const dram_timing& t) -> std::uint64_t { return t.rrd; }},
    {"heddle/dram/RC", scope::bank, ACT, ACT,
     [](const dram_timing& t) -> std::uint64_t { return t.rc; }},
    {"heddle/dram/RCD", scope::bank, ACT, RD | WR,
     [](const dram_timing& t) -> std::uint64_t { return t.rcd; }},
    {"heddle/dram/RAS", scope::bank, ACT, PRE,
     [](const dram_timing& t) -> std::uint64_t { return t.ras; }},
    {"heddle/dram/RP", scope::bank, PRE, ACT,
     [](const dram_timing& t) -> std::uint64_t { return t.rp; }},
    {"heddle/dram/RP", scope::chip, PRE, REF,
     [](const dram_timing& t) -> std::uint64_t { return t.rp; }},
    {"heddle/dram/CCD", scope::chip, RD | WR, RD | WR,
     [](const dram_timing& t) -> std::uint64_t { return t.ccd; }},
    {"heddle/dram/CCDL", scope::group, RD | WR, RD | WR,
     [](const dram_timing& t) -> std::uint64_t { return t.ccdl; }},
    {"heddle/dram/WTR", scope::chip, WR, RD,
     [](const dram_timing& t) -> std::uint64_t { return t.wl + t.burst + t.wtr; }},
    {"heddle/dram/RTW", scope::chip, RD, WR,
     [](const dram_timing& t) -> std::uint64_t { return t.rtw; }},
    {"heddle/dram/RTP", scope::bank, RD, PRE,
     [](const dram_timing& t) -> std::uint64_t { return t.rtp; }},
    {"heddle/dram/WR", scope::bank, WR, PRE,
     [](const dram_timing& t) -> std::uint64_t { return t.wl + t.burst + t.wr; }},
    {"heddle/dram/RFC", scope::chip, REF, ACT | REF,
     [](const dram_timing& t) -> std::uint64_t { return t.rfc; }},
};

std::size_t position(dram_command what) {
    return static_cast<std::size_t>(what);
}

std::string text_of(const dram_command_record& issued) {
    std::string text = protocol::dram_command_names[position(issued.what)];
    if (issued.what != dram_command::refresh) {
        text += " to bank " + std::to_string(issued.bank);
    }
    return text + " at clock " + std::to_string(issued.cycle);
}

}  // namespace

command_checker::command_checker(std::string name, const dram_timing& timing, std::uint32_t banks,
                                 std::uint32_t groups, report_function report)
    : name_(std::move(name)),
      timing_(timing),
      report_(std::move(report)),
      rows_(banks, closed),
      banks_(banks),
      groups_(groups) {
    for (history& each : banks_) each.fill(never);
    for (history& each : groups_) each.fill(never);
    chip_.fill(never);
    activates_.fill(never);
}

void command_checker::violation(const char* id, const dram_command_record& issued,
                                const std::string& what) {
    ++violations_;
    const std::string text = name_ + ": " + text_of(issued) + ": " + what;
    if (report_) {
        report_(id, text);
    } else {
        report_error(id, text);
    }
}

void command_checker::check_bus(const dram_command_record& issued) {
    if (last_ != never && issued.cycle <= last_) {
        violation("heddle/dram/bus", issued,
                  "the command before it came at clock " + std::to_string(last_) +
                      "; legal: one command a clock, in order");
    }
}

void command_checker::check_state(const dram_command_record& issued) {
    const std::uint64_t row = rows_[issued.bank];
    const std::string open =
        row == closed ? std::string("closed") : "open with row " + std::to_string(row);
    const char* legal = nullptr;
    switch (issued.what) {
        case dram_command::activate:
            legal = row == closed ? nullptr : "a closed bank";
            break;
        case dram_command::read:
        case dram_command::write:
            legal = row != closed && row == issued.row ? nullptr : "the open row";
            break;
        case dram_command::precharge:
            legal = row != closed ? nullptr : "an open bank";
            break;
        case dram_command::refresh:
            if (std::any_of(rows_.begin(), rows_.end(), [](auto each) { return each != closed; })) {
                violation("heddle/dram/state", issued, "a bank is open; legal: all banks closed");
            }
            break;
    }
    if (legal != nullptr) {
        violation("heddle/dram/state", issued, "the bank is " + open + "; legal: " + legal);
    }
}

void command_checker::check_distances(const dram_command_record& issued) {
    const unsigned to = mask(issued.what);
    for (const distance_rule& rule : distance_rules) {
        if ((rule.to & to) == 0) continue;
        const history& past = rule.where == scope::bank    ? banks_[issued.bank]
                              : rule.where == scope::group ? groups_[issued.bank % groups_.size()]
                                                           : chip_;
        for (std::size_t kind = 0; kind < past.size(); ++kind) {
            if ((rule.from & (1U << kind)) == 0 || past[kind] == never) continue;
            const std::uint64_t earliest = past[kind] + rule.clocks(timing_);
            if (issued.cycle < earliest) {
                violation(rule.id, issued,
                          std::string(protocol::dram_command_names[kind]) + " came at clock " +
                              std::to_string(past[kind]) + "; legal: from clock " +
                              std::to_string(earliest));
            }
        }
    }
}

void command_checker::check_window(const dram_command_record& issued) {
    if (issued.what != dram_command::activate) return;
    if (activates_[0] != never && issued.cycle < activates_[0] + timing_.faw) {
        violation("heddle/dram/FAW", issued,
                  "the fifth ACT in a window that began at clock " + std::to_string(activates_[0]) +
                      "; legal: from clock " + std::to_string(activates_[0] + timing_.faw));
    }
}

void command_checker::check_data(const dram_command_record& issued) {
    const bool read = issued.what == dram_command::read;
    if (!read && issued.what != dram_command::write) return;
    const std::uint64_t first = issued.cycle + (read ? timing_.cl : timing_.wl);
    if (first < data_end_) {
        violation("heddle/dram/data", issued,
                  "its data begin at clock " + std::to_string(first) + ", those before end at " +
                      std::to_string(data_end_));
    }
    data_end_ = std::max(data_end_, first + timing_.burst);
}

void command_checker::check_refresh(const dram_command_record& issued) {
    constexpr std::uint64_t most = 9;  // eight may be postponed (JESD212, JESD79-3)
    if (timing_.refi != 0 && issued.cycle > refreshed_ + most * timing_.refi) {
        violation("heddle/dram/REFI", issued,
                  "no refresh since clock " + std::to_string(refreshed_) + "; legal: one in " +
                      std::to_string(most * timing_.refi) + " clocks");
    }
}

void command_checker::note(const dram_command_record& issued) {
    const std::size_t kind = position(issued.what);
    last_ = issued.cycle;
    chip_[kind] = banks_[issued.bank][kind] = groups_[issued.bank % groups_.size()][kind] =
        issued.cycle;
    switch (issued.what) {
        case dram_command::activate:
            rows_[issued.bank] = issued.row;
            std::rotate(activates_.begin(), activates_.begin() + 1, activates_.end());
            activates_.back() = issued.cycle;
            break;
        case dram_command::precharge:
            rows_[issued.bank] = closed;
            break;
        case dram_command::refresh:
            refreshed_ = issued.cycle;
            break;
        default:
            break;
    }
}

void command_checker::command(const dram_command_record& issued) {
    ++commands_;
    check_bus(issued);
    check_state(issued);
    check_distances(issued);
    check_window(issued);
    check_data(issued);
    check_refresh(issued);
    note(issued);
}

}  // namespace heddle
