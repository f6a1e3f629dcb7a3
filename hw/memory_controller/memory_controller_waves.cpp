// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/memory_controller_waves.h"

#include <iterator>

namespace heddle {

void memory_controller_waves::declare(waveform& sink, const std::string& name,
                                      std::uint32_t banks) {
    std::vector<std::string> names{"none"};
    names.insert(names.end(), std::begin(protocol::dram_command_names),
                 std::end(protocol::dram_command_names));
    queue_ = sink.declare_integer(name + ".queue");
    on_ = queue_.on();
    for (std::uint32_t bank = 0; bank < banks; ++bank) {
        const std::string scope = name + ".bank_" + std::to_string(bank);
        commands_.push_back(sink.declare_state(scope + ".command", names));
        rows_.push_back(sink.declare_integer(scope + ".row"));
        rows_.back().set(-1);
        on_ = on_ || commands_.back().on() || rows_.back().on();
    }
}

void memory_controller_waves::set_command(const protocol::dram_command_record& of,
                                          std::uint64_t value) {
    const bool all = of.what == protocol::dram_command::refresh;
    for (std::uint32_t bank = 0; bank < commands_.size(); ++bank) {
        if (all || bank == of.bank) commands_[bank].set(value);
    }
}

void memory_controller_waves::show_all(const memory_channel& channel) {
    queue_.set(channel.queue().size());
    if (shown_) {
        set_command(last_, 0);
    }
    if (fresh_) {
        set_command(issued_, 1 + static_cast<std::uint64_t>(issued_.what));
        const std::uint64_t row = channel.banks().open_row(issued_.bank);
        rows_[issued_.bank].set(row == channel_timing::closed ? -1
                                                              : static_cast<std::int64_t>(row));
        last_ = issued_;
    }
    shown_ = fresh_;
    fresh_ = false;
}

}  // namespace heddle
