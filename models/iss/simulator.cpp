// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ctime>

#include "models/base/error.h"
#include "models/program/address_map.h"
#include "models/program/image.h"

namespace heddle::iss {
namespace {

constexpr std::size_t address_space = std::size_t{1} << 32;

const char* segment_name(const program::segment& s) {
    if (s.executable) return "program code";
    return s.writable ? "global variables" : "read-only data";
}

}  // namespace

functional_simulator::functional_simulator(const machine_configuration& machine,
                                           std::function<bool()> interrupted)
    : machine_(machine),
      properties_{"functional simulator",   machine.warp_size,     machine.smx_count,
                  machine.smx.max_blocks,   max_threads_per_block, machine.smx.shared_bytes,
                  machine.smx.private_bytes},
      memory_(address_space),
      ranges_(program::heap_window.base, program::heap_window.size),
      reserve_(program::reserve_window.base, program::reserve_window.size),
      engine_(make_engine({machine_, memory_, ranges_, std::move(interrupted)})) {
    isa::require_host_support();
}

functional_simulator::~functional_simulator() = default;

void functional_simulator::load(std::shared_ptr<const program::image> image) {
    if (image_ != nullptr) {
        throw configuration_error(fmt::format("load of '{}': the device holds '{}' already",
                                              image->name(), image_->name()));
    }
    image_ = std::move(image);
    for (const program::segment& s : image_->segments()) {
        if (s.size == 0) continue;
        std::memcpy(memory_.data() + s.address, s.data.data(), s.data.size());
        ranges_.place({s.address, s.size, s.writable, segment_name(s), true});
    }
}

const program::image& functional_simulator::image() const {
    if (image_ == nullptr) throw configuration_error("the device has no program loaded");
    return *image_;
}

device_address functional_simulator::allocate(std::uint64_t bytes, std::string_view name) {
    const device_address address = ranges_.allocate(bytes, name);
    std::memset(memory_.data() + address, 0, bytes);
    return address;
}

void functional_simulator::release(device_address address) {
    ranges_.check_release(address);
    if (std::count(released_.begin(), released_.end(), address) != 0) {
        throw configuration_error(fmt::format("release of 0x{:08x}: released already", address));
    }
    released_.push_back(address);  // a launch that has not run yet may use it
    if (launches_.empty()) end_launches();
}

std::byte* functional_simulator::host_range(device_address address, std::size_t bytes,
                                            const char* verb) {
    synchronize();
    if (bytes != 0 && ranges_.find(address, bytes) == nullptr) {
        throw configuration_error(
            fmt::format("{} of {} bytes at 0x{:08x}: not within one allocation; the address is {}",
                        verb, bytes, address, ranges_.describe_nearest(address)));
    }
    return memory_.data() + address;
}

void functional_simulator::write(device_address to, const void* from, std::size_t bytes) {
    std::byte* const place = host_range(to, bytes, "host write");
    if (bytes != 0) std::memcpy(place, from, bytes);
}

void functional_simulator::read(void* to, device_address from, std::size_t bytes) {
    const std::byte* const place = host_range(from, bytes, "host read");
    if (bytes != 0) std::memcpy(to, place, bytes);
}

void functional_simulator::fill(device_address to, std::uint8_t value, std::size_t bytes) {
    std::memset(host_range(to, bytes, "host fill"), value, bytes);
}

void functional_simulator::launch(const program::kernel& kernel, const launch_shape& shape,
                                  const std::vector<std::byte>& parameters) {
    check_stream(shape.stream);
    if (parameters.size() != kernel.parameter_bytes) {
        throw configuration_error(fmt::format(
            "launch of kernel '{}': a parameter buffer of {} bytes, but its parameters take {}",
            kernel.name, parameters.size(), kernel.parameter_bytes));
    }
    auto launched = std::make_unique<grid>();
    launched->kernel = &kernel;
    launched->shape = shape;
    launched->per_block = check_launch(kernel, shape, machine_);
    launched->launch = launch_count_++;
    launched->parameters = reserve_.allocate(parameters.size(), "parameters");
    if (!parameters.empty()) {
        std::memcpy(memory_.data() + launched->parameters, parameters.data(), parameters.size());
        ranges_.place({launched->parameters, static_cast<std::uint32_t>(parameters.size()), false,
                       "parameters of " + kernel.name, true});
    }
    launches_.push_back(std::move(launched));
}

void functional_simulator::check_stream(stream_id stream) const {
    if (stream.value() < streams_) return;
    throw configuration_error(
        fmt::format("stream {} does not exist; there are {}", stream.value(), streams_));
}

stream_id functional_simulator::create_stream() {
    return stream_id(streams_++);
}

event_id functional_simulator::record(stream_id stream) {
    check_stream(stream);
    return event_id(events_++);
}

void functional_simulator::wait(event_id event) {
    if (event.value() >= events_) {
        throw configuration_error(fmt::format("event {} was never recorded", event.value()));
    }
    synchronize();  // without time, waiting for more than was asked for can't be seen
}

void functional_simulator::synchronize() {
    if (launches_.empty()) return;
    struct ender {
        functional_simulator& of;
        std::clock_t started = std::clock();
        ~ender() {
            of.host_seconds_ += static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
            of.end_launches();
        }
    } ender{*this};
    engine_->run(*image_, launches_);
}

void functional_simulator::end_launches() {
    for (const auto& launched : launches_) {
        kernel_counts& counts = kernels_[launched->kernel->name];
        ++counts.launches;
        counts.blocks += launched->blocks_done;
        counts.executed.add(launched->counts);
        total_.add(launched->counts);
        reserve_.release(launched->parameters);
        if (launched->kernel->parameter_bytes != 0) ranges_.remove(launched->parameters);
    }
    launches_.clear();
    for (const device_address address : released_) ranges_.release(address);
    released_.clear();
}

}  // namespace heddle::iss
