// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/basic_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/error.h"
#include "models/program/address_map.h"
#include "models/program/image.h"

namespace heddle {
namespace {

const char* segment_name(const program::segment& s) {
    if (s.executable) return "program code";
    if (s.constant) return "constants";
    return s.writable ? "global variables" : "read-only data";
}

/// Addresses that a program takes.
struct placed_part {
    const char* what;
    bool code;
    std::uint64_t first;
    std::uint64_t end;

    [[nodiscard]] bool overlaps(const placed_part& other) const noexcept {
        return first < other.end && other.first < end;
    }
    [[nodiscard]] std::string text() const {
        return fmt::format("[0x{:08x}, 0x{:08x})", first, end);
    }
};

std::vector<placed_part> parts_of(const program::image& image) {
    const program::kernel_code& code = image.code();
    std::vector<placed_part> parts{
        {"instructions", true, code.base, code.base + 4 * std::uint64_t{code.instructions.size()}}};
    for (const program::segment& s : image.segments()) {
        if (s.executable || s.size == 0) continue;
        parts.push_back({segment_name(s), false, s.address, std::uint64_t{s.address} + s.size});
    }
    return parts;
}

}  // namespace

basic_device::basic_device(const machine_configuration& machine, std::string name)
    : machine_(machine),
      properties_{std::move(name),
                  machine.warp_size,
                  machine.smx_count,
                  machine.smx.max_blocks,
                  std::min(max_threads_per_block, machine.smx.max_threads),
                  machine.smx.shared_bytes,
                  machine.smx.private_bytes},
      ranges_(program::heap_window.base, program::heap_window.size),
      reserve_(program::reserve_window.base,
               save_areas::first_address - program::reserve_window.base),
      runtime_(machine_, launches_),
      output_(
          {[this](void* to, device_address from, std::size_t bytes) { get(to, from, bytes); },
           [this](device_address to, const void* from, std::size_t bytes) { put(to, from, bytes); },
           [this](device_address address, std::size_t bytes) {
               return ranges_.find(address, bytes) != nullptr;
           }}) {
    ranges_.set_pool(&runtime_.pool());
}

program_id basic_device::load(std::shared_ptr<const program::image> image) {
    check_place(*image);
    if (busy()) synchronize();
    // Memory is zero until something has been there.
    const bool dirty = programs_.loads() != 0;
    const held_program& held = programs_.add(std::move(image));
    output_.load(held.id, *held.image);
    for (const program::segment& s : held.image->segments()) {
        if (s.size == 0) continue;
        put(s.address, s.data.data(), s.data.size());
        if (dirty) {
            const auto filled = static_cast<std::uint32_t>(s.data.size());
            put_value(s.address + filled, 0, s.size - filled);
        }
        const bool constant = !s.writable && !s.executable;
        ranges_.place({s.address, s.size, s.writable, segment_name(s), true, constant});
    }
    return held.id;
}

program::program_place basic_device::free_place(const program::program_extent& of) const {
    constexpr std::uint32_t alignment = program::program_place::alignment;
    constexpr std::uint32_t lower_half = program::heap_window.size / 2;
    const auto code =
        ranges_.find_hole(program::code_window.base, program::most_code_bytes, of.code, alignment);
    const auto data = ranges_.find_hole(program::heap_window.base + lower_half,
                                        program::heap_window.size - lower_half, of.data, alignment);
    if (code && data) return {*code, *data};
    throw configuration_error(
        fmt::format("no place for a program of {} bytes of code and {} bytes of data beside {}",
                    of.code, of.data, programs_.names()));
}

/// Code between two segments of a program counts as its own: a PC tells its program.
void basic_device::check_place(const program::image& image) const {
    const auto refuse = [&](const placed_part& part, const std::string& why) {
        throw configuration_error(
            fmt::format("load of '{}': its {} {} {}", image.name(), part.what, part.text(), why));
    };
    for (const placed_part& part : parts_of(image)) {
        const std::uint64_t last_code = program::code_window.base + program::most_code_bytes;
        if (part.code && part.end > last_code) {
            refuse(part, fmt::format("end above 0x{:08x}, where the code of programs has to end",
                                     last_code));
        }
        for (const auto& [id, other] : programs_.held()) {
            for (const placed_part& theirs : parts_of(*other->image)) {
                if (!part.overlaps(theirs)) continue;
                refuse(part, fmt::format("overlap the {} {} of '{}'; link it for other addresses, "
                                         "or unload that program first",
                                         theirs.what, theirs.text(), other->image->name()));
            }
        }
        const allocation* const there = ranges_.overlapping(part.first, part.end - part.first);
        if (there != nullptr) {
            refuse(part, fmt::format("overlap the allocation '{}' [0x{:08x}, 0x{:08x}); link it "
                                     "for other addresses, or load it before the allocation",
                                     there->name, there->address,
                                     std::uint64_t{there->address} + there->size));
        }
    }
}

bool basic_device::under_way(const prepared_launch& launch) const noexcept {
    return !launch.id.by_host() || streams_[launch.shape.stream.value()].ended < launch.id;
}

void basic_device::unload(program_id program) {
    const held_program& held = programs_.get(program);
    const prepared_launch* const open = launches_.first(
        [&](const prepared_launch& l) { return l.program == &held && under_way(l); });
    if (open != nullptr) {
        throw configuration_error(
            fmt::format("unload of '{}': launch {} of its kernel '{}' has not ended; wait for it "
                        "first",
                        held.image->name(), to_text(open->id), open->kernel->name));
    }
    output_.show();
    output_.unload(program);
    for (const program::segment& s : held.image->segments()) {
        if (s.size != 0) ranges_.remove(s.address);
    }
    unloaded_.push_back(programs_.remove(program));
    if (!busy()) give_back_released();
}

launch_times basic_device::times(launch_number launch) const {
    if (launch.value() >= last_launch_.count()) {
        throw configuration_error(fmt::format("there was no launch {}; there were {}",
                                              launch.value(), last_launch_.count()));
    }
    return {};
}

device_address basic_device::allocate(std::uint64_t bytes, std::string_view name) {
    const device_address address = ranges_.allocate(bytes, name);
    put_value(address, 0, bytes);
    return address;
}

void basic_device::release(device_address address) {
    ranges_.check_release(address);
    if (std::count(released_.begin(), released_.end(), address) != 0) {
        throw configuration_error(fmt::format("release of 0x{:08x}: released already", address));
    }
    released_.push_back(address);  // a launch that has not ended yet may use it
    if (!busy()) give_back_released();
}

void basic_device::give_back_released() noexcept {
    for (const device_address address : released_) ranges_.release(address);
    released_.clear();
    unloaded_.clear();
    runtime_.all_ended();
}

void basic_device::check_host_access(device_address address, std::size_t bytes,
                                     const char* verb) const {
    if (bytes == 0 || ranges_.find(address, bytes) != nullptr) return;
    throw configuration_error(
        fmt::format("{} of {} bytes at 0x{:08x}: not within one allocation; the address is {}",
                    verb, bytes, address, ranges_.describe_nearest(address)));
}

void basic_device::write(device_address to, const void* from, std::size_t bytes) {
    check_host_access(to, bytes, "host write");
    synchronize();
    put(to, from, bytes);
}

void basic_device::read(void* to, device_address from, std::size_t bytes) {
    check_host_access(from, bytes, "host read");
    synchronize();
    get(to, from, bytes);
}

void basic_device::fill(device_address to, std::uint8_t value, std::size_t bytes) {
    check_host_access(to, bytes, "host fill");
    synchronize();
    put_value(to, value, bytes);
}

void basic_device::put_value(device_address to, std::uint8_t value, std::uint64_t bytes) {
    constexpr std::uint64_t part = 16384;  // stays in the host's cache
    const std::vector<std::uint8_t> values(std::min(bytes, part), value);
    for (std::uint64_t at = 0; at < bytes; at += part) {
        put(to + static_cast<device_address>(at), values.data(), std::min(part, bytes - at));
    }
}

void basic_device::check_stream(stream_id stream) const {
    if (stream.value() < streams_.size()) return;
    throw configuration_error(
        fmt::format("stream {} does not exist; there are {}", stream.value(), streams_.size()));
}

stream_id basic_device::create_stream() {
    streams_.emplace_back();
    return stream_id(streams_.size() - 1);
}

event_id basic_device::record(stream_id stream) {
    check_stream(stream);
    events_.push_back({stream, streams_[stream.value()].launched});
    return event_id(events_.size() - 1);
}

void basic_device::wait(event_id event) {
    if (finished(event)) return;
    run_until([this, event] { return finished(event); });
}

bool basic_device::finished(event_id event) {
    if (event.value() >= events_.size()) {
        throw configuration_error(fmt::format("event {} was never recorded", event.value()));
    }
    const recorded& mark = events_[event.value()];
    return !(streams_[mark.stream.value()].ended < mark.launched);
}

std::uint64_t basic_device::wait_until(std::uint64_t cycle) {
    synchronize();
    return cycle;
}

void basic_device::run_until(const std::function<bool()>&) {
    synchronize();
}

void basic_device::launch_ended(const prepared_launch& launch) noexcept {
    launch_id& ended = streams_[launch.shape.stream.value()].ended;
    ended = std::max(ended, launch.id);
}

prepared_launch basic_device::prepare(const program::kernel& kernel, const launch_shape& shape,
                                      const std::vector<std::byte>& parameters) {
    check_stream(shape.stream);
    prepared_launch launch;
    launch.program = programs_.owner(kernel);
    if (launch.program == nullptr) {
        throw configuration_error(fmt::format(
            "launch of kernel '{}', which is of no program that the device holds", kernel.name));
    }
    if (parameters.size() != kernel.parameter_bytes) {
        throw configuration_error(fmt::format(
            "launch of kernel '{}': a parameter buffer of {} bytes, but its parameters take {}",
            kernel.name, parameters.size(), kernel.parameter_bytes));
    }
    launch.id = last_launch_.next();
    launch.kernel = &kernel;
    launch.shape = shape;
    launch.per_block = check_launch(kernel, shape, machine_);
    launch.parameters = reserve_.allocate(parameters.size(), "parameters");
    // Nothing refuses it any more.
    last_launch_ = launch.id;
    streams_[shape.stream.value()].launched = launch.id;
    if (!parameters.empty()) {
        put(launch.parameters, parameters.data(), parameters.size());
        ranges_.place({launch.parameters, static_cast<std::uint32_t>(parameters.size()), false,
                       "parameters of " + kernel.name, true, true});
    }
    return launch;
}

void basic_device::retire(const prepared_launch& launch) noexcept {
    launch_ended(launch);
    reserve_.release(launch.parameters);
    if (launch.kernel->parameter_bytes != 0) ranges_.remove(launch.parameters);
    (void)launches_.remove(launch.id);
}

}  // namespace heddle
