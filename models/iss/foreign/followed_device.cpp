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
        std::uint32_t word = 0;
        if (told(address)) {
            std::memcpy(&word, memory_.data() + address, sizeof word);
        } else {
            word = expected();
            std::memcpy(memory_.data() + address, &word, sizeof word);
        }
        return word;
    };
    return parts;
}

void followed_device::put(device_address to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    std::memcpy(memory_.data() + to, from, bytes);
    core_.reference().wrote(to, from, bytes);
}

void followed_device::get(void* to, device_address from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, memory_.data() + from, bytes);
}

void followed_device::launch(const program::kernel& kernel, const launch_shape& shape,
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
    core_.launched(*open_.back(), image());
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
    std::memcpy(memory_.data() + address, from, bytes);
    if (!told_.empty() && told_.back().address + told_.back().bytes == address) {
        told_.back().bytes += bytes;
    } else {
        told_.push_back({address, bytes});
    }
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

bool followed_device::told(device_address word) const {
    return std::any_of(told_.begin(), told_.end(), [word](const told_range& range) {
        return word - range.address < range.bytes;
    });
}

void followed_device::finish() {
    throw_finding();
    core_.settled();
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
