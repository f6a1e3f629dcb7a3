// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/crossbar_way.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "hw/base/report_error.h"
#include "hw/crossbar/crossbar_report.h"
#include "hw/crossbar/crossbar_statistics.h"
#include "hw/protocol/memory_access.h"

namespace heddle {

crossbar_way::crossbar_way(clock_domain& domain, const std::string& path, const switch_shape& shape,
                           const crossbar_configuration& configuration,
                           const slot_maker<allocator_traits>& allocators)
    : clocked(domain, path),
      fabric_(shape, configuration, allocators, path),
      // every buffer full of the shortest messages, one that waits for each port, all links
      events_(*this, std::size_t{fabric_.buffers()} * configuration.input_buffer + shape.inputs +
                         shape.outputs),
      inputs_(shape.inputs),
      outputs_(shape.outputs),
      buffers_(fabric_.buffers(), buffer_credits(configuration.input_buffer)) {
    parked_ports_.reserve(shape.inputs);
    accepted_buffers_.reserve(shape.inputs);
}

void crossbar_way::show(waveform& waves, const wave_ports& inputs, const wave_ports& outputs) {
    waves_ =
        std::make_unique<crossbar_waves>(waves, part_name(), inputs, outputs, fabric_.speedup());
}

// ---- calls of the neighbours ------------------------------------------------------------------

/// Reports a neighbour that breaks the protocol.
void crossbar_way::post(const event& what, const sc_core::sc_time& delay) {
    if (!events_.push(what, delay_edges(domain(), delay))) refuse();
}

void crossbar_way::refuse() {
    report_error(crossbar_report::protocol, "a phase that no transaction waits for");
}

/// One function, as each message comes through it.
[[gnu::flatten]] bool crossbar_way::enter(std::uint32_t port, std::uint32_t output,
                                          payload& message, std::uint32_t bytes,
                                          std::uint32_t flits, const sc_core::sc_time& delay) {
    inputs_[port].bytes += bytes;
    buffer_credits& buffer = buffers_[fabric_.buffer_of(port, output)];
    buffer.sent += flits;
    const bool accepted = buffer.latch.take(flits);
    post({&message, static_cast<std::uint16_t>(port), static_cast<std::uint16_t>(output),
          static_cast<std::uint16_t>(flits), static_cast<std::uint16_t>(accepted ? 0 : 1)},
         delay);
    return accepted;
}

// ---- a cycle ----------------------------------------------------------------------------------

void crossbar_way::free_link(const event& what, std::uint64_t edge) {
    output_port& port = outputs_[what.port];
    if (what.withheld != 0 && port.on_link != what.what) return;
    port.on_link = nullptr;
    link_busy_ += edge - port.since;
    left_link(*what.what);
}

void crossbar_way::take_events(std::uint64_t edge) {
    progress_ = events_.ready(edge) != nullptr;
    // Nothing comes into the inbox meanwhile, so that an event is read where it is.
    for (const event* what = nullptr; (what = events_.ready(edge)) != nullptr; events_.pop()) {
        if (what->flits == 0) {
            free_link(*what, edge);
        } else if (what->withheld != 0) {
            input_port& port = inputs_[what->port];
            port.parked = *what;
            port.parked_since = edge;
            parked_ports_.push_back(what->port);
        } else {
            const std::uint32_t buffer =
                fabric_.push(what->port, what->output, what->what, what->flits, edge);
            buffers_[buffer].taken += what->flits;
        }
    }
}

void crossbar_way::take_parked(std::uint64_t edge) {
    accepted_buffers_.clear();
    if (parked_ports_.empty()) return;
    std::size_t kept = 0;
    for (const std::uint32_t number : parked_ports_) {
        input_port& port = inputs_[number];
        const std::uint32_t buffer = fabric_.buffer_of(number, port.parked.output);
        if (fabric_.room(buffer) < port.parked.flits) {
            parked_ports_[kept++] = number;
            continue;
        }
        const event what = std::exchange(port.parked, {});
        buffers_[buffer].taken += what.flits;
        input_full_ += edge - port.parked_since;
        fabric_.push(number, what.output, what.what, what.flits, edge);
        accept(number, *what.what);
        accepted_buffers_.push_back(buffer);
        progress_ = true;
    }
    parked_ports_.resize(kept);
}

void crossbar_way::send(std::uint64_t edge) {
    // All of them have been here longer than the host's caches keep them.
    fabric_.each_ready(edge, [](const payload* message) { protocol::prefetch(*message); });
    fabric_.deliver(edge, [&](std::uint32_t output, payload* message) {
        output_port& port = outputs_[output];
        if (port.on_link != nullptr) return false;
        progress_ = true;
        port.on_link = message;  // it may be answered in the call
        port.since = edge;
        if (!put_on_link(output, *message)) port.on_link = nullptr;
        return true;
    });
}

void crossbar_way::evaluate() {
    const std::uint64_t edge = domain().edge();
    fabric_.skip(skipped_edges());
    // (1) messages and credits that have arrived
    take_events(edge);
    // (2) the allocators match, flits move
    if (waves_ != nullptr) waves_->begin(fabric_);
    fabric_.arbitrate(edge);
    // (3) messages leave
    send(edge);
    // (4) messages that waited for credits are accepted
    take_parked(edge);
}

void crossbar_way::latch_credits() {
    const auto latch_buffer = [&](std::uint32_t number) {
        buffer_credits& buffer = buffers_[number];
        const std::uint32_t room = fabric_.room(number);
        const auto arriving = static_cast<std::uint32_t>(buffer.sent - buffer.taken);
        buffer.latch.latch(room - std::min(room, arriving));
    };
    for (const auto& moved : fabric_.moved()) latch_buffer(moved.buffer);
    for (const std::uint32_t number : accepted_buffers_) {
        latch_buffer(number);  // it took room without a credit
    }
}

activity crossbar_way::update() {
    latch_credits();
    if (waves_ != nullptr) {
        waves_->show(fabric_,
                     [this](std::uint32_t output) { return outputs_[output].on_link != nullptr; });
    }
    if (fabric_.can_move() || (progress_ && (fabric_.can_leave() || waves_ != nullptr))) {
        return activity::busy;
    }
    if (waves_ != nullptr && !waves_->settled(fabric_)) {
        return activity::busy;  // the waveform shows what the buffers wait for
    }
    if (progress_) keep_next_edge();
    const std::uint64_t due = fabric_.next_due();
    if (due == domain().edge() + 1) return activity::busy;
    if (due != fabric_.never && due != wake_due_) {
        wake_due_ = due;
        wake_at(due);
    }
    return activity::idle;
}

// ---- what it tells the outside ----------------------------------------------------------------

std::string crossbar_way::waiting_for() const {
    if (empty()) return {};
    std::string busy;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if (outputs_[i].on_link != nullptr) {
            busy += (busy.empty() ? "; not accepted behind output " : ", ") + std::to_string(i);
        }
    }
    return std::to_string(fabric_.size()) + " messages under way, " +
           std::to_string(parked_ports_.size()) + " inputs without credits" + busy;
}

void crossbar_way::collect(statistics& out, const std::string& scope, std::uint32_t others) const {
    out.declare(scope, crossbar_statistics);
    const auto set = [&](const char* name, const auto& value) {
        out.set(scope + "." + name, value);
    };
    const auto& counts = fabric_.counts();
    const std::uint64_t edges = domain().edge_count();
    set("messages", counts.messages);
    set("bytes", std::accumulate(
                     inputs_.begin(), inputs_.end(), std::uint64_t{0},
                     [](std::uint64_t sum, const input_port& each) { return sum + each.bytes; }));
    set("flits", counts.flits);
    const std::size_t outputs = outputs_.size() - others;
    if (edges != 0) {
        set("utilization", static_cast<double>(counts.flits) /
                               (static_cast<double>(edges) * static_cast<double>(outputs)));
    }
    set("latency", counts.latency);
    set("stall_input_full", input_full_);
    set("stall_not_granted", counts.not_granted);
    set("stall_output_full", counts.outputs_full + skipped_edges() * fabric_.waiting_buffers());
    set("stall_receiver", link_busy_);
    set("lost_grants", counts.lost_grants);
}

}  // namespace heddle
