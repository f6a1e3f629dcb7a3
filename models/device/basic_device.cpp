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

void basic_device::load(std::shared_ptr<const program::image> image) {
    if (image_ != nullptr) {
        throw configuration_error(fmt::format("load of '{}': the device holds '{}' already",
                                              image->name(), image_->name()));
    }
    image_ = std::move(image);
    runtime_.load(*image_);
    output_.load(*image_);
    for (const program::segment& s : image_->segments()) {
        if (s.size == 0) continue;
        put(s.address, s.data.data(), s.data.size());
        const bool constant = !s.writable && !s.executable;
        ranges_.place({s.address, s.size, s.writable, segment_name(s), true, constant});
    }
}

const program::image& basic_device::image() const {
    if (image_ == nullptr) throw configuration_error("the device has no program loaded");
    return *image_;
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
    if (parameters.size() != kernel.parameter_bytes) {
        throw configuration_error(fmt::format(
            "launch of kernel '{}': a parameter buffer of {} bytes, but its parameters take {}",
            kernel.name, parameters.size(), kernel.parameter_bytes));
    }
    prepared_launch launch;
    launch.id = last_launch_.next();
    launch.kernel = &kernel;
    launch.shape = shape;
    launch.per_block = check_launch(kernel, shape, machine_);
    last_launch_ = launch.id;
    streams_[shape.stream.value()].launched = launch.id;
    launch.parameters = reserve_.allocate(parameters.size(), "parameters");
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
