// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/foreign/followed_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/base/error.h"
#include "models/isa/execute.h"
#include "models/program/address_map.h"
#include "models/program/image.h"

namespace heddle::iss {
namespace {

// As on the machines of configs/.
constexpr unsigned shared_banks = 32;
constexpr unsigned line_bytes = 128;

}  // namespace

followed_device::followed_device(const machine_configuration& machine, const foreign_rules& rules)
    : basic_device(machine, "core in lock-step"),
      memory_(program::address_space_bytes),
      core_(parts_of(this->machine()), rules),
      coverage_(shared_banks, line_bytes) {
    isa::require_host_support();
}

followed_device::~followed_device() = default;

lockstep_parts followed_device::parts_of(const machine_configuration& machine) {
    lockstep_parts parts{machine, ranges(), false, false, false, false, false, {}, {}};
    parts.memory = [this](std::uint32_t address, const lockstep_parts::expected_word& expected) {
        const std::uint32_t word = told_.holds(address) ? told_[address] : expected();
        std::memcpy(memory_.data() + address, &word, sizeof word);
        return word;
    };
    return parts;
}

void followed_device::put(device_address to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    std::memcpy(memory_.data() + to, from, bytes);
    told_.overwrite(to, from, bytes);
    core_.reference().wrote(to, from, bytes);
}

void followed_device::get(void* to, device_address from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, memory_.data() + from, bytes);
}

launch_number followed_device::launch(const program::kernel& kernel, const launch_shape& shape,
                                      const std::vector<std::byte>& parameters) {
    throw_finding();
    const auto has = [&](isa::instruction_class what) {
        return std::any_of(kernel.code.instructions.begin(), kernel.code.instructions.end(),
                           [what](const isa::instruction& i) { return i.cls == what; });
    };
    const char* const refused = shape.cooperative       ? "is launched as a cooperative one"
                                : kernel.transaction_pc ? "has transactions"
                                : has(isa::instruction_class::launch) ? "launches kernels"
                                                                      : nullptr;
    if (refused != nullptr) {
        throw configuration_error(fmt::format(
            "kernel '{}' {}, which can't be followed in lock-step", kernel.name, refused));
    }
    open_.push_back(launches().announce(prepare(kernel, shape, parameters)));
    core_.launched(*open_.back());
    return number_of(open_.back()->id);
}

void followed_device::synchronize() {
    throw_finding();
    if (open_.empty()) return;
    throw configuration_error(
        fmt::format("{} launches of the core have not ended; heddle_lockstep_finish() comes first",
                    open_.size()));
}

void followed_device::take(const heddle_retired& record) {
    throw_finding();
    core_.take(record);
    coverage_.take(record);
    throw_finding();
}

void followed_device::tell_memory(device_address address, const void* from, std::size_t bytes) {
    throw_finding();
    if (bytes == 0) return;
    if (address % 4 != 0 || bytes % 4 != 0) {
        throw configuration_error(
            fmt::format("memory of {} bytes at 0x{:08x}; legal: whole words", bytes, address));
    }
    if (ranges().find(address, bytes) == nullptr) {
        throw configuration_error(
            fmt::format("memory of {} bytes at 0x{:08x}: not within one allocation; the address is "
                        "{}",
                        bytes, address, ranges().describe_nearest(address)));
    }
    told_.tell(address, from, bytes);
}

const prepared_launch& followed_device::open_launch(std::uint32_t id) const {
    const auto found = std::find_if(open_.begin(), open_.end(),
                                    [id](const auto* each) { return each->id.value() == id; });
    if (found != open_.end()) return **found;
    throw configuration_error(fmt::format("there is no launch {}, or it has ended", id));
}

std::uint32_t followed_device::fetch(std::uint32_t launch, device_address address) const {
    if (address % 4 != 0) {
        throw configuration_error(
            fmt::format("a word at 0x{:08x}; legal: multiples of 4", address));
    }
    const program::kernel_code& code = open_launch(launch).kernel->code;
    if (code.contains(address)) return code.at(address).raw;
    std::uint32_t word = 0;
    std::memcpy(&word, memory_.data() + address, sizeof word);
    return word;
}

/// What was told and no kernel has written is as it was before. The first word that is not.
std::string followed_device::difference_of_told() const {
    for (const auto& [first, bytes] : told_.pieces()) {
        for (std::uint64_t at = first; at < first + bytes; at += 4) {
            const auto word = static_cast<device_address>(at);
            std::uint32_t expected = 0;
            std::memcpy(&expected, memory_.data() + word, sizeof expected);
            if (told_[word] == expected) continue;
            return fmt::format(
                "difference from the functional simulator: memory holds 0x{:08x} at 0x{:08x}, "
                "which no kernel has written; expected: 0x{:08x}\n  the address is {}",
                told_[word], word, expected, ranges().describe_nearest(word));
        }
    }
    return {};
}

void followed_device::finish() {
    throw_finding();
    core_.settled();
    // Words that kernels have written are in memory_ as they were told.
    if (const std::string wrong = difference_of_told(); !wrong.empty()) core_.differs(wrong);
    told_.clear();
    throw_finding();
    for (const prepared_launch* launch : open_) retire(*launch);
    open_.clear();
    give_back_released();
}

void followed_device::throw_finding() const {
    if (core_.finding()) throw run_error(core_.finding()->kind, core_.finding()->text);
}

}  // namespace heddle::iss
