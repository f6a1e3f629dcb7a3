// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/memory_controller.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "hw/base/period.h"
#include "hw/base/present.h"
#include "hw/base/report_error.h"
#include "hw/protocol/memory_access.h"
#include "models/base/host_cache.h"

namespace heddle {
namespace {

/// Has the host's cache fetch the bytes that a legal request is for. Their time comes some dozens
/// of cycles later.
void prefetch(const std::byte* host, const tlm::tlm_generic_payload& request) noexcept {
    prefetch_bytes(host + request.get_address(), request.get_data_length());
}

/// Transactions under way: in the queue, on the bus or waiting for their response.
std::size_t most_under_way(const memory_controller_configuration& configuration) noexcept {
    return std::size_t{configuration.queue} + configuration.response_queue +
           configuration.back_latency + 2;
}

}  // namespace

memory_controller::memory_controller(const sc_core::sc_module_name& name, clock_domain& domain,
                                     const memory_controller_configuration& configuration,
                                     channel_addresses addresses,
                                     const slot_maker<request_scheduler_traits>& schedulers,
                                     run_status& status, waveform* waves)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      request_socket("request_socket"),
      dram_socket("dram_socket"),
      configuration_(configuration),
      decoder_(configuration.masks(), configuration.access_granularity),
      addresses_{addresses.bytes == 0 ? decoder_.bytes() : addresses.bytes,
                 std::move(addresses.local), addresses.host},
      status_(status),
      channel_(configuration_, schedulers.make(configuration_, part_name() + ".scheduler")),
      target_(*this, request_socket, room(), memory_controller_report::protocol),
      device_(*this, dram_socket, 2 * most_under_way(configuration),
              memory_controller_report::protocol),
      period_(period_of(domain.rate())),
      accesses_(most_under_way(configuration)),
      // As responses_full() counts: with a back end even one place lets the bus be full.
      data_(configuration.response_queue + configuration.back_latency + 1),
      to_device_(accesses_.capacity()),
      finished_(accesses_.capacity()) {
    request_socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    dram_socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    if (waves != nullptr) {
        waves_.declare(*waves, part_name(), decoder_.banks());
    }
}

memory_controller::~memory_controller() = default;

std::uint64_t memory_controller::local(std::uint64_t address) const {
    return addresses_.local ? addresses_.local(address) : address;
}

// ---- what goes on in a cycle ------------------------------------------------------------------

void memory_controller::take_device_events() {
    progress_ |= device_.receive(domain().edge(), [this](const payload& request) {
        const index found = accesses_.find(request);
        if (found == none) {
            report_error(memory_controller_report::protocol, "an answer to no request");
            return;
        }
        --in_device_;
        device_done(found);
    });
}

/// The data of column accesses that have passed the bus at this edge.
void memory_controller::take_data() {
    while (!data_.empty() && data_.front().data_end <= domain().edge()) {
        const index owner = data_.pop().owner;
        access_table::access& done = accesses_[owner];
        progress_ = true;
        if (--done.bursts != 0 || done.next < done.end) {
            continue;
        }
        note_dispatch(done);
        if (accesses_.may_perform(owner)) to_device_.push(owner);
    }
}

void memory_controller::note_dispatch(const access_table::access& done) const {
    if (protocol::memory_access* const about = protocol::access_of(*done.request)) {
        about->times.fetch.dispatched = static_cast<double>(done.dispatched) * period_;
    }
}

void memory_controller::pass_on() {
    while (device_.unaccepted() == nullptr && !to_device_.empty()) {
        send(to_device_.pop());
    }
}

void memory_controller::send(index at) {
    progress_ = true;
    accesses_.performed(at, [&](index next) { to_device_.push(next); });
    if (device_.send(*accesses_[at].request)) {
        device_done(at);
    } else {
        ++in_device_;
    }
}

void memory_controller::device_done(index at) {
    count(*accesses_[at].request);
    finish(at);
}

void memory_controller::finish(index at) {
    const std::uint64_t due = domain().edge() + configuration_.back_latency;
    finished_.push({at, due});
    if (ahead_) announce(at, due);
}

/// The response that respond() will make room for at its edge: one an edge, in this order. The
/// initiator sees it strictly after that edge, "not before" a picosecond later.
void memory_controller::announce(index at, std::uint64_t due) {
    last_response_ = std::max(due, last_response_ + 1);
    const sc_core::sc_time seen =
        domain().edge_time(last_response_) + sc_core::sc_time(1, sc_core::SC_PS);
    target_.respond(*accesses_[at].request, seen - present::time());
}

/// Takes the next transaction; false if there is none or it needs no column access.
bool memory_controller::begin_next() {
    if (target_.requests().ready() == nullptr || accesses_.full()) {
        return false;
    }
    payload& request = *target_.requests().pop();
    progress_ = true;
    const index at = accesses_.begin(request);
    if (!check(request)) {
        finish(at);
        return false;
    }
    accesses_.put_in_order(at);
    if (request.get_command() == tlm::TLM_IGNORE_COMMAND) {
        to_device_.push(at);  // for what an extension may mean to the memory
        return false;
    }
    if (addresses_.host != nullptr) prefetch(addresses_.host, request);
    const std::uint64_t atom = configuration_.access_granularity;
    access_table::access& next = accesses_[at];
    next.next = request.get_address() / atom * atom;
    next.end = request.get_address() + request.get_data_length();
    queueing_ = at;
    return true;
}

/// One column access a clock joins the queue.
void memory_controller::queue_atoms() {
    if (channel_.queue().full() || (queueing_ == none && !begin_next())) {
        return;
    }
    access_table::access& owner = accesses_[queueing_];
    const dram_address where = decoder_.decode(local(owner.next));
    channel_.insert({queueing_, where.bank, where.column / configuration_.access_granularity,
                     where.row, domain().edge(), owner.request->is_write()});
    ++owner.bursts;
    owner.next += configuration_.access_granularity;
    if (owner.next >= owner.end) {
        queueing_ = none;
    }
    progress_ = true;
}

bool memory_controller::responses_full() const {
    return data_.size() + to_device_.size() + in_device_ + finished_.size() >=
           configuration_.response_queue + configuration_.back_latency;
}

void memory_controller::issue_command() {
    channel_.hold(responses_full());
    const memory_channel::issue* const issued = channel_.advance(domain().edge());
    if (issued == nullptr) {
        return;
    }
    progress_ = true;
    waves_.command(issued->command);
    if (issued->column) {
        data_.push({issued->request.owner, issued->data_end});
        accesses_[issued->request.owner].dispatched = issued->dispatched;
        counts_.busy_cycles += configuration_.timing.burst;
        counts_.queue_latency.add(issued->dispatched - issued->request.arrival);
        counts_.dram_latency.add(issued->data_end - issued->dispatched);
    }
    for (protocol::dram_command_observer* const observer : observers_) {
        observer->command(issued->command);
    }
}

void memory_controller::respond() {
    if (target_.responding() || finished_.empty() || finished_.front().due > domain().edge()) {
        return;
    }
    progress_ = true;
    payload& answered = accesses_.end(finished_.pop().owner);
    if (!ahead_) target_.respond(answered);
}

/// Accesses in the queue or on their way to it.
std::size_t memory_controller::queued() const {
    return channel_.queue().size() + target_.requests().size();
}

void memory_controller::accept() {
    if (target_.withheld() == nullptr || queued() > room()) {
        return;
    }
    progress_ = true;
    target_.accept();
}

void memory_controller::evaluate() {
    progress_ = false;
    // (1) what a memory that takes its time has answered
    take_device_events();
    // (2) the response link becomes free
    progress_ |= target_.take_response_ends();
    // (3) data that have passed the bus go to or come from the memory
    take_data();
    pass_on();
    // (4) one column access joins the queue
    queue_atoms();
    // (5) one command
    issue_command();
    // (6) one response
    respond();
    // (7) a request that found the queue full
    accept();
    if (progress_) {
        occupancy_.set(domain().edge(), channel_.queue().size());
        pending_.set(domain().edge(), channel_.queue().size() + data_.size());
    }
}

/// Whether the next edge has something to do that no due time stands for.
bool memory_controller::work_left() const {
    const inbox<payload*>& requests = target_.requests();
    const bool more =
        queueing_ != none || (!requests.empty() && requests.first_due() <= domain().edge());
    return (more && !channel_.queue().full() && (queueing_ != none || !accesses_.full())) ||
           (!to_device_.empty() && device_.unaccepted() == nullptr) ||
           (channel_.held() && !responses_full()) || waves_.unsettled();
}

activity memory_controller::update() {
    waves_.show(channel_);
    if (progress_) {
        if (ahead_ && domain().runs_late()) {
            unlatched_ = true;
        } else {
            target_.latch(queued(), room());
        }
    }
    if (work_left()) {
        return activity::busy;
    }
    std::uint64_t due =
        std::min(channel_.next(), data_.empty() ? memory_channel::never : data_.front().data_end);
    if (!finished_.empty() && !target_.responding()) {
        if (finished_.front().due <= domain().edge() + 1) return activity::busy;
        due = std::min(due, finished_.front().due);
    }
    if (due != memory_channel::never && due != wake_due_) {
        wake_due_ = due;
        wake_at(due);
    }
    return activity::idle;
}

void memory_controller::caught_up() {
    if (!std::exchange(unlatched_, false)) return;
    target_.latch(queued(), room());
}

std::string memory_controller::waiting_for() const {
    std::string text;
    const auto add = [&](std::size_t number, const char* what) {
        if (number != 0) {
            text += (text.empty() ? "" : ", ") + std::to_string(number) + what;
        }
    };
    add(channel_.queue().size(), " column accesses in the queue");
    add(data_.size(), " on the data bus");
    add(in_device_, " at the memory");
    add(finished_.size(), " waiting for their response");
    if (target_.responding()) {
        text += std::string(text.empty() ? "" : ", ") + "a response that nobody takes";
    }
    return text;
}

}  // namespace heddle
