// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/core_checker.h"

#include "hw/cosim/pins/core_atomics.h"

namespace heddle::pins {
namespace {

std::string text_of(std::uint32_t launch, std::uint32_t block) {
    return "block " + std::to_string(block) + " of launch " + std::to_string(launch);
}

template <class Payload>
const Payload* moving(const pin_channel<Payload>& channel) {
    return channel.valid.read() && channel.ready.read() ? &channel.payload : nullptr;
}

}  // namespace

core_checker::core_checker(const std::string& name, pin_clock& clock, core_pins& pins,
                           std::uint64_t longest_wait, const limits& most)
    // A block waits for room, as long as those before it run.
    : dispatch_(name + ".dispatch", clock, pins.dispatch, 0),
      done_(name + ".done", clock, pins.done, longest_wait),
      fetch_(name + ".fetch", clock, pins.fetch, longest_wait),
      line_(name + ".line", clock, pins.line, longest_wait),
      request_(name + ".request", clock, pins.request, longest_wait),
      response_(name + ".response", clock, pins.response, longest_wait),
      rules_(name, clock, pins, most) {}

void core_checker::rules::clock_edge() {
    if (const auto* const pins = moving(pins_.response)) take_response(*pins);
    if (const auto* const pins = moving(pins_.request)) take_request(*pins);
    if (moving(pins_.line) != nullptr) {
        if (!fetching_) {
            violation(rule::line_without_fetch,
                      "a line of instructions comes; legal: one for each that was asked for");
        }
        fetching_ = false;
    }
    if (const auto* const pins = moving(pins_.fetch)) take_fetch(*pins);
    if (const auto* const pins = moving(pins_.done)) take_end(*pins);
    if (const auto* const pins = moving(pins_.dispatch)) take_block(*pins);
}

bool core_checker::rules::is_here(std::uint32_t launch) const {
    const auto found = blocks_.lower_bound({launch, 0});
    return found != blocks_.end() && found->first == launch;
}

void core_checker::rules::take_block(const block_pins& pins) {
    const std::uint32_t launch = pins.launch.read();
    const std::uint64_t threads =
        std::uint64_t{pins.block_x.read()} * pins.block_y.read() * pins.block_z.read();
    if (!blocks_.emplace(launch, pins.block.read()).second) {
        violation(rule::dispatch_fits, text_of(launch, pins.block.read()) +
                                           " is dispatched, which runs here; legal: another one");
    }
    const std::uint64_t most = std::uint64_t{most_.warps} * core_lanes;
    if (threads == 0 || threads > most || pins.shared_bytes.read() > most_.shared_bytes ||
        pins.dynamic_bytes.read() > pins.shared_bytes.read()) {
        violation(rule::dispatch_fits,
                  "a block of " + std::to_string(threads) + " threads with " +
                      std::to_string(pins.shared_bytes.read()) + " bytes of shared memory, " +
                      std::to_string(pins.dynamic_bytes.read()) + " of them dynamic; legal: 1 to " +
                      std::to_string(most) + " threads, up to " +
                      std::to_string(most_.shared_bytes) + " bytes");
    }
}

void core_checker::rules::take_end(const block_end_pins& pins) {
    const std::uint32_t launch = pins.launch.read();
    if (blocks_.erase({launch, pins.block.read()}) == 0) {
        violation(rule::done_of_block, text_of(launch, pins.block.read()) +
                                           " ends; legal: one that was dispatched and runs");
    }
    if (is_here(launch)) return;
    for (std::uint32_t id = 0; id < core_request_ids; ++id) {
        if (!used_[id] || launches_[id] != launch) continue;
        violation(rule::done_of_block, text_of(launch, pins.block.read()) + " ends while request " +
                                           std::to_string(id) +
                                           " of its launch is under way; legal: when memory has "
                                           "answered all of them");
        return;
    }
}

void core_checker::rules::take_fetch(const fetch_pins& pins) {
    const std::uint32_t address = pins.address.read();
    const std::uint32_t launch = pins.launch.read();
    if (fetching_ || address % code_line_bytes != 0 || !is_here(launch)) {
        violation(rule::fetch_of_line,
                  "a line of instructions at address " + std::to_string(address) +
                      " is asked for by launch " + std::to_string(launch) +
                      (fetching_ ? " while one is under way" : "") +
                      "; legal: one at a time, a multiple of " + std::to_string(code_line_bytes) +
                      ", a launch with a block here");
    }
    fetching_ = true;
}

void core_checker::rules::take_request(const core_request_pins& pins) {
    const std::uint32_t id = pins.id.read();
    if (used_[id]) {
        violation(rule::id_in_use, "a request with id " + std::to_string(id) +
                                       ", which is under way; legal: any other");
    }
    used_[id] = true;
    launches_[id] = pins.launch.read();
    if (pins.address.read() % line_bytes != 0) {
        violation(rule::line_address, "a request for address " +
                                          std::to_string(pins.address.read()) +
                                          "; legal: a multiple of " + std::to_string(line_bytes));
    }
    const bool atomic = pins.kind.read() == static_cast<std::uint32_t>(core_request_kind::atomic);
    const bool wants =
        atomic ? pins.lanes.read() != 0 && core_atomic_of(pins.op.read()) != isa::opcode::illegal
               : pins.mask.read().or_reduce();
    // What an L1 writes back is of no launch.
    const bool write_back =
        pins.launch.read() == 0 &&
        pins.kind.read() == static_cast<std::uint32_t>(core_request_kind::write);
    if (pins.kind.read() > static_cast<std::uint32_t>(core_request_kind::atomic) || !wants ||
        !(write_back || is_here(pins.launch.read()))) {
        violation(rule::request_form,
                  "a request of kind " + std::to_string(pins.kind.read()) + ", op " +
                      std::to_string(pins.op.read()) + " by launch " +
                      std::to_string(pins.launch.read()) +
                      "; legal: a read or write of some bytes, or an atomic of some lanes, by a "
                      "launch with a block here");
    }
}

void core_checker::rules::take_response(const core_response_pins& pins) {
    const std::uint32_t id = pins.id.read();
    if (!used_[id]) {
        violation(rule::unknown_id, "a response with id " + std::to_string(id) +
                                        "; legal: that of a request under way");
    }
    used_[id] = false;
}

}  // namespace heddle::pins
