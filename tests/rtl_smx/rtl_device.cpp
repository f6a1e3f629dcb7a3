// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/rtl_smx/rtl_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "models/program/address_map.h"
#include "models/program/image.h"
#include "models/simt/special_registers.h"

namespace heddle::rtl_smx {
namespace {

constexpr unsigned smx = 1;  // not the first one, so that its number shows
constexpr unsigned warps = 16;
constexpr unsigned blocks = 2;

}  // namespace

machine_configuration tiny_machine() {
    machine_configuration machine;
    machine.warp_size = lanes;
    machine.smx_count = 2;
    machine.smx.max_blocks = blocks;
    machine.smx.max_threads = warps * lanes;
    machine.smx.registers = 16384;
    machine.smx.register_granule = 1;
    machine.smx.shared_bytes = 16384;
    machine.smx.private_bytes = 8192;
    return machine;
}

/// What lies at the pins, and what waits behind them.
struct rtl_device::channels {
    channels(flat_memory& memory, line_memory::access_rule rule, const rtl_settings& settings)
        : random(settings.seed, "stalls"), lines(memory, std::move(rule), settings.seed) {}

    bool passes(unsigned percent) { return random.below(100) >= percent; }

    random_stream random;
    line_memory lines;
    std::optional<block_offer> offer;
    std::optional<std::uint32_t> fetching;
    std::optional<code_line> line;
    std::optional<line_response> response;
    unsigned under_way = 0;  ///< requests
    std::set<std::uint32_t> regions;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> resident;  ///< block, region
    std::uint64_t ended = 0;
};

rtl_device::rtl_device(const rtl_settings& settings)
    : basic_device(tiny_machine(), "RTL SMX"),
      settings_(settings),
      memory_(program::address_space_bytes) {
    const auto report = [this](error_kind kind, const std::string& text) {
        if (!error_) error_.emplace(kind, text);
    };
    iss::lockstep_parts parts{machine(), ranges(), false, false, false, false, false, {}, {}};
    parts.memory = [this](std::uint32_t address, const auto&) {
        std::uint32_t word = 0;
        std::memcpy(&word, memory_.data() + address, sizeof word);
        return word;
    };
    parts.report = [report](error_kind kind, const std::string& text, const auto&) {
        report(kind, text);
    };
    reference_ = iss::make_lockstep(std::move(parts));
    const auto legal = [this](std::uint32_t address, unsigned bytes, bool write) {
        return may_access(address, bytes, write);
    };
    follower_ = std::make_unique<retire_follower>(*reference_, warps, machine().smx.private_bytes,
                                                  legal, report);
    core_ = std::make_unique<rtl_core>(smx, settings.fault);
    channels_ = std::make_unique<channels>(memory_, legal, settings);
    launches().observe(*this);
}

rtl_device::~rtl_device() = default;

void rtl_device::put(device_address to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    std::memcpy(memory_.data() + to, from, bytes);
    reference_->wrote(to, from, bytes);
}

void rtl_device::get(void* to, device_address from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, memory_.data() + from, bytes);
}

launch_number rtl_device::launch(const program::kernel& kernel, const launch_shape& shape,
                                 const std::vector<std::byte>& parameters) {
    launches_.push_back(launches().announce(prepare(kernel, shape, parameters)));
    return number_of(launches_.back()->id);
}

void rtl_device::launched(const prepared_launch& launch) {
    follower_->launched(launch);
    reference_->launched(launch);
}

void rtl_device::synchronize() {
    if (launches_.empty()) return;
    while (!launches_.empty()) {
        run(*launches_.front());
        launch_ended(*launches_.front());
        ended_.push_back(launches_.front());
        launches_.pop_front();
    }
    reference_->settled();
    check();
    for (const prepared_launch* l : ended_) retire(*l);
    ended_.clear();
    show_output();
    give_back_released();
}

void rtl_device::check() {
    if (!error_) return;
    launches_.clear();
    throw run_error(*error_);
}

void rtl_device::run(const prepared_launch& launch) {
    running_ = &launch;
    channels& c = *channels_;
    const std::uint64_t count = launch.shape.grid.count();
    std::uint64_t next = 0;
    c.ended = 0;
    last_record_ = clocks_;
    while (c.ended < count) {
        if (!c.offer && next < count) {
            c.offer = offer_of(launch, static_cast<std::uint32_t>(next++));
            while (c.regions.count(c.offer->region) != 0) c.offer->region += warps;
            c.regions.insert(c.offer->region);
        }
        clock_once();
        check();
        if (clocks_ - last_record_ > settings_.patience) {
            throw run_error(
                error_kind::no_progress,
                fmt::format("the RTL SMX has retired nothing for {} clocks", settings_.patience));
        }
    }
}

/// One clock: inputs, outputs, edge.
void rtl_device::clock_once() {
    channels& c = *channels_;
    const stall_rates& stalls = settings_.stalls;
    // Once valid, a payload stays: only its begin is random.
    static constexpr unsigned most_requests = 8;
    if (!c.response && c.passes(stalls.response)) {
        c.response = c.lines.perform();
    }
    if (c.fetching && !c.line && c.passes(stalls.line)) {
        c.line = line_at(*c.fetching);
        c.fetching.reset();
    }
    offering_ = offering_ || (c.offer && c.passes(stalls.dispatch));
    core_->offer(offering_ ? &*c.offer : nullptr);
    core_->accept_done(c.passes(stalls.done));
    core_->accept_fetch(!c.fetching && !c.line && c.passes(stalls.fetch));
    core_->give_line(c.line ? &*c.line : nullptr);
    core_->accept_request(c.under_way < most_requests && c.passes(stalls.request));
    core_->give_response(c.response ? &*c.response : nullptr);
    core_->settle();
    if (!core_->broken_rule().empty()) {
        throw run_error(error_kind::wrong_result, "pins of the RTL SMX: " + core_->broken_rule());
    }

    if (offering_ && core_->took_block()) {
        c.resident.emplace_back(c.offer->block, c.offer->region);
        c.offer.reset();
        offering_ = false;
    }
    if (const auto ended = core_->ended_block()) {
        const auto found = std::find_if(c.resident.begin(), c.resident.end(),
                                        [&](const auto& b) { return b.first == ended->second; });
        if (found == c.resident.end() || ended->first != running_->id.value()) {
            throw run_error(error_kind::wrong_result,
                            fmt::format("block {} of launch {} ends, which is not there",
                                        ended->second, ended->first));
        }
        c.regions.erase(found->second);
        c.resident.erase(found);
        ++c.ended;
    }
    if (core_->took_line()) c.line.reset();
    if (const auto address = core_->fetched()) c.fetching = *address;
    if (core_->took_response()) {
        c.response.reset();
        --c.under_way;
    }
    if (const auto request = core_->requested()) {
        c.lines.accept(*request);
        ++c.under_way;
    }
    if (core_->retires()) {
        last_record_ = clocks_;
        follower_->follow(core_->retired());
    }
    core_->edge();
    ++clocks_;
}

block_offer rtl_device::offer_of(const prepared_launch& launch, std::uint32_t block) const {
    block_offer o;
    const auto set = [](std::uint32_t* to, const dim3& from) {
        to[0] = from.x;
        to[1] = from.y;
        to[2] = from.z;
    };
    o.launch = launch.id.value();
    o.grid_id = launch.id.gridid();
    o.block = block;
    o.entry = launch.kernel->entry;
    o.parameters = launch.parameters;
    set(o.index, simt::unflatten(block, launch.shape.grid));
    set(o.size, launch.shape.block);
    set(o.grid, launch.shape.grid);
    set(o.offset, launch.shape.offset);
    o.dimensions = launch.shape.work_dimensions();
    o.shared_bytes = launch.per_block.shared_bytes;
    o.dynamic_bytes = launch.shape.dynamic_shared_bytes;
    return o;
}

code_line rtl_device::line_at(std::uint32_t address) const {
    const program::kernel_code& code = running_->kernel->code;
    code_line line;
    line.error = true;
    for (unsigned i = 0; i < line.words.size(); ++i) {
        const std::uint32_t pc = address + 4 * i;
        if (!code.contains(pc)) continue;
        line.error = false;
        line.words[i] = code.at(pc).raw;
        line.joins[i] = code.reconvergence[code.index(pc)];
    }
    return line;
}

bool rtl_device::may_access(std::uint32_t address, unsigned bytes, bool write) const {
    const allocation* const found = ranges().find(address, bytes);
    if (found != nullptr) return found->writable || !write;
    // Private memory lies at the end of the address space.
    const std::uint64_t backing =
        std::uint64_t{warps} * (blocks + 1) * lanes * machine().smx.private_bytes;
    return address >= program::address_space_bytes - backing;
}

}  // namespace heddle::rtl_smx
