// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/simulator.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "models/base/error.h"
#include "models/base/thread_seconds.h"
#include "models/program/address_map.h"
#include "models/program/image.h"

namespace heddle::iss {

functional_simulator::functional_simulator(const machine_configuration& machine,
                                           std::function<bool()> interrupted,
                                           simt::debug_watch* watch, const host_threads& threads)
    : basic_device(machine, "functional simulator"),
      memory_(program::address_space_bytes),
      engine_(make_engine({this->machine(), memory_, ranges(), std::move(interrupted), &runtime(),
                           [this](const grid& launch) { ended(launch); }, watch, threads})) {
    launches().observe(*this);
    isa::require_host_support();
}

functional_simulator::~functional_simulator() = default;

void functional_simulator::put(device_address to, const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(memory_.data() + to, from, bytes);
}

void functional_simulator::get(void* to, device_address from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, memory_.data() + from, bytes);
}

void functional_simulator::use_file(device_address address, std::uint64_t bytes, int file,
                                    std::int64_t offset, bool keep) {
    std::byte* const place = memory_.data() + address;
    const std::vector<std::byte> kept(place, place + (keep ? bytes : 0));
    void* const mapped = ::mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                                static_cast<off_t>(offset));
    if (mapped == MAP_FAILED) throw configuration_error("pages of a file can't be mapped");
    std::copy(kept.begin(), kept.end(), place);
}

void functional_simulator::leave_file(device_address address, std::uint64_t bytes) {
    (void)::mmap(memory_.data() + address, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

launch_number functional_simulator::launch(const program::kernel& kernel, const launch_shape& shape,
                                           const std::vector<std::byte>& parameters) {
    grids_.push_back(
        std::make_unique<grid>(*launches().announce(prepare(kernel, shape, parameters))));
    engine_->add(*grids_.back());
    return number_of(grids_.back()->launch.id);
}

void functional_simulator::launched(const prepared_launch& launch) {
    blocks_launched_ += launch.shape.grid.count();
}

std::uint64_t functional_simulator::blocks_done() const noexcept {
    std::uint64_t done = total_.blocks;
    for (const auto& launched : grids_) done += launched->blocks_done;
    return done;
}

void functional_simulator::synchronize() {
    run_until({});
}

std::uint64_t functional_simulator::wait_until(std::uint64_t cycle) {
    run_until([this, cycle] { return executed() >= cycle; });
    return std::max(cycle, executed());
}

void functional_simulator::run_until(const std::function<bool()>& condition) {
    if (grids_.empty()) return;
    struct ender {
        functional_simulator& of;
        double started = thread_seconds();
        ~ender() {
            of.host_seconds_ += thread_seconds() - started;
            of.show_output();
            if (of.engine_->empty()) of.end_launches();
        }
    } ender{*this};
    engine_->run(condition);
}

void functional_simulator::ended(const grid& launch) {
    if (launch.launch.id.by_host()) {
        launch_ended(launch.launch);
    } else {
        count(launch);
    }
}

void functional_simulator::count(const grid& ended) {
    const prepared_launch& launch = ended.launch;
    kernel_counts& counts = kernels_[std::string(launch.program->counted(*launch.kernel).label)];
    ++counts.launches;
    counts.executed.add(ended.counts);
    total_.add(ended.counts);
}

void functional_simulator::end_launches() {
    for (const auto& launched : grids_) {
        count(*launched);
        retire(launched->launch);
    }
    grids_.clear();
    give_back_released();
}

}  // namespace heddle::iss
