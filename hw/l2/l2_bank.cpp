// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/l2/l2_bank.h"

#include <algorithm>
#include <sstream>

#include "hw/base/crew.h"
#include "hw/base/delay_edges.h"
#include "hw/base/period.h"
#include "hw/base/report_error.h"
#include "hw/l2/line_operations.h"

namespace heddle {

namespace {

constexpr std::uint64_t never = ~std::uint64_t{0};

/// What the bank calls its accesses to memory.
using request_names = protocol::request_names<l2_cache::request_name::word>;

}  // namespace

using protocol::memory_access;
using protocol::memory_kind;
using protocol::memory_phase;

l2_bank::l2_bank(const sc_core::sc_module_name& name, clock_domain& domain, bank_id bank,
                 const l2_configuration& configuration, run_status& status, waveform* waves)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      network_socket("network_socket"),
      memory_socket("memory_socket"),
      configuration_(configuration),
      partition_(configuration.partition()),
      bank_(bank),
      status_(status),
      cache_(configuration),
      transfers_(part_name() + ".transfers"),
      requests_(*this, configuration.queue + 1),
      memory_(*this, memory_socket,
              2 * (std::size_t{configuration.mshrs} + configuration.write_buffer),
              l2_report::protocol),
      response_ends_(*this, 2),
      unaccepted_(*this, 1),
      credit_(configuration.queue),
      period_(period_of(domain.rate())),
      responses_(configuration.response_queue) {
    network_socket.register_nb_transport_fw(this, &l2_bank::from_network);
    network_socket.register_transport_dbg(this, &l2_bank::debug);
    memory_socket.register_nb_transport_bw(this, &l2_bank::from_memory);
    if (waves != nullptr) {
        requests_wave_ = waves->declare_integer(part_name() + ".requests");
        misses_wave_ = waves->declare_integer(part_name() + ".misses");
        write_buffer_wave_ = waves->declare_integer(part_name() + ".write_buffer");
        responses_wave_ = waves->declare_integer(part_name() + ".responses");
        waves_on_ = requests_wave_.on() || misses_wave_.on() || write_buffer_wave_.on() ||
                    responses_wave_.on();
    }
}

l2_bank::~l2_bank() = default;

// ---- calls of the neighbours ------------------------------------------------------------------

tlm::tlm_sync_enum l2_bank::from_network(payload& request, memory_phase& phase,
                                         sc_core::sc_time& delay) {
    const std::uint64_t latency = delay_edges(domain(), delay);
    if (phase == memory_phase::end_response) {
        if (!response_ends_.push(true, latency)) {
            report_error(l2_report::protocol, "end_response without a response");
        }
        return tlm::TLM_COMPLETED;
    }
    if (phase != memory_phase::begin_request || unaccepted_.full()) {
        report_error(l2_report::protocol,
                     "legal on the forward path: end_response, and begin_request when the one "
                     "before has been accepted");
        return tlm::TLM_ACCEPTED;
    }
    request.acquire();
    protocol::prefetch(request);
    cache_.prefetch(request.get_address());
    if (!requests_.push(&request, latency)) {
        report_error(l2_report::protocol, "more requests than the queue has accepted");
        return tlm::TLM_ACCEPTED;
    }
    if (credit_.take()) {
        phase = memory_phase::end_request;
        return tlm::TLM_UPDATED;
    }
    (void)unaccepted_.push(&request, latency);
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum l2_bank::from_memory(payload& transfer, tlm::tlm_phase& phase,
                                        sc_core::sc_time& delay) {
    return memory_.take(transfer, phase, delay);
}

// ---- a cycle ----------------------------------------------------------------------------------

void l2_bank::take_answers(std::uint64_t edge) {
    progress_ |= memory_.receive(edge, [this](payload& transfer) {
        take_answer(static_cast<protocol::memory_transaction&>(transfer));
    });
    while (response_ends_.ready(edge) != nullptr) {
        response_ends_.pop();
        responding_ = false;
        progress_ = true;
    }
}

void l2_bank::take_answer(protocol::memory_transaction& transfer) {
    const tlm::tlm_response_status status = transfer.get_response_status();
    const bool wants_whole_lines =
        transfer.get_byte_enable_ptr() != nullptr && status == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (status != tlm::TLM_OK_RESPONSE && !wants_whole_lines) {
        std::ostringstream text;
        text << part_name() << ": memory answered " << transfer.get_response_string() << " to a "
             << (transfer.is_read() ? "read" : "write") << " of " << transfer.get_data_length()
             << " bytes at 0x" << std::hex << transfer.get_address() << std::dec << " for launch "
             << transfer.access().launch << "; legal: TLM_OK_RESPONSE below 4 GiB";
        crew::in_order();
        status_.report(error_kind::wrong_result, text.str());
    }
    protocol::fetch_times& times = transfer.access().times.fetch;
    times.answered = time_of(domain().edge());
    cache_.answered(l2_cache::request_name::of(request_names::of(transfer)), status, times);
    transfer.release();
}

void l2_bank::set_stall(std::size_t reason) {
    if (reason != stall_) {
        stalls_[stall_] += domain().edge() - stall_since_;
        stall_ = reason;
        stall_since_ = domain().edge();
    }
}

void l2_bank::respond_later(payload& request, memory_access* access) {
    const std::uint64_t now = domain().edge();
    std::uint64_t due = now + configuration_.hit_latency;
    if (request.is_response_ok() && access != nullptr) {
        const std::uint32_t cycles = bank_cycles(request, *access, configuration_);
        busy_until_ = now + cycles;
        due += cycles - 1;
    }
    responses_.push({&request, due});
    if (access != nullptr) access->times.answered = time_of(due);
    progress_ = true;
}

void l2_bank::refuse(payload& request, tlm::tlm_response_status status, const char* reason) {
    request.set_response_status(status);
    cache_.count_error();
    std::ostringstream text;
    text << part_name() << ": " << request.get_data_length() << " bytes at 0x" << std::hex
         << request.get_address() << std::dec;
    memory_access* const access = protocol::access_of(request);
    if (access != nullptr) {
        text << " for SMX " << access->sm << ", warp slot " << access->warp << ", launch "
             << access->launch << ", block " << access->block;
    }
    text << " refused (" << request.get_response_string() << "): " << reason;
    crew::in_order();
    status_.report(error_kind::wrong_result, text.str());
    respond_later(request, access);
}

void l2_bank::access_oldest(payload& request) {
    if (!oldest_is_legal_) {
        const request_refusal refusal =
            check_request(request, configuration_, partition_, bank_.value());
        if (refusal.status != tlm::TLM_OK_RESPONSE) {
            requests_.pop();
            set_stall(0);
            refuse(request, refusal.status, refusal.reason);
            return;
        }
        oldest_is_legal_ = true;
    }
    const std::uint64_t arrived = requests_.first_due();
    memory_access* const access = protocol::access_of(request);
    const l2_cache::outcome outcome = cache_.access(request, *access);
    if (outcome == l2_cache::outcome::stalled) {
        set_stall(static_cast<std::size_t>(cache_.reason()));
        return;
    }
    requests_.pop();
    oldest_is_legal_ = false;
    set_stall(0);
    progress_ = true;
    access->times.arrived = time_of(arrived);
    if (outcome == l2_cache::outcome::performed) {
        respond_later(request, access);
    }
}

void l2_bank::access_one(std::uint64_t edge) {
    payload** const oldest = requests_.ready(edge);
    const bool at_work = busy_until_ > edge;
    if (at_work || responses_.full()) {
        if (oldest != nullptr) set_stall(at_work ? busy_stall : response_stall);
        return;
    }
    if (cache_.replay_ready()) {
        payload* const request = cache_.replay();
        if (request != nullptr) {
            respond_later(*request, protocol::access_of(*request));
            return;
        }
        if (cache_.reason() == l2_cache::stall::none) {
            progress_ = true;  // it wants another fetch
            return;
        }
    }
    if (oldest != nullptr) {
        access_oldest(**oldest);
    }
}

void l2_bank::request_memory() {
    if (memory_.unaccepted() != nullptr || !cache_.wants_memory()) {
        return;
    }
    const l2_cache::memory_request wanted = cache_.next_memory_request();
    using kind = l2_cache::memory_request::kind;
    if (wanted.what == kind::none) {
        return;
    }
    progress_ = true;
    cache_.sent(wanted);
    protocol::memory_transaction& transfer = *transfers_.make();
    request_names::give(transfer, wanted.packed());
    transfer.prepare(wanted.what == kind::write ? memory_kind::write_back : memory_kind::load,
                     wanted.address, wanted.length);
    transfer.set_data_ptr(wanted.data);
    if (wanted.what != kind::fill) transfer.access().launch = wanted.launch;
    if (wanted.cause != nullptr) {
        transfer.access().block = wanted.cause->block;
        transfer.access().sm = wanted.cause->sm;
        transfer.access().warp = wanted.cause->warp;
    }
    transfer.access().byte_mask = wanted.enabled.word;
    transfer.access().times.fetch.sent = time_of(domain().edge());
    transfer.apply_byte_enables();
    if (memory_.send(transfer)) memory_.answer_later(transfer);
}

void l2_bank::respond(std::uint64_t edge) {
    if (responding_ || responses_.empty() || responses_.front().due > edge) {
        return;
    }
    payload& request = *responses_.pop().request;
    if (!responses_.empty()) protocol::prefetch(*responses_.front().request);
    memory_phase phase = memory_phase::begin_response;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = network_socket->nb_transport_bw(request, phase, delay);
    responding_ = status == tlm::TLM_ACCEPTED;
    request.release();
    progress_ = true;
}

void l2_bank::accept(std::uint64_t edge) {
    if (unaccepted_.ready(edge) == nullptr || requests_.size() > configuration_.queue) return;
    queue_stall_ += edge - unaccepted_.first_due();
    payload& request = *unaccepted_.pop();
    memory_phase phase = memory_phase::end_request;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    network_socket->nb_transport_bw(request, phase, delay);
    progress_ = true;
}

void l2_bank::evaluate() {
    const std::uint64_t edge = domain().edge();
    progress_ = false;
    // (1) what memory has answered, and whether the network has taken the last response
    take_answers(edge);
    // (2) one access
    access_one(edge);
    // (3) one request to memory
    request_memory();
    // (4) one response
    respond(edge);
    // (5) a request that found the queue full
    accept(edge);
}

activity l2_bank::update() {
    if (progress_) {
        const std::size_t room =
            configuration_.queue - std::min<std::size_t>(configuration_.queue, requests_.size());
        credit_.latch(static_cast<std::uint32_t>(room));
        if (waves_on_) show_waves();
        if (works_at(domain().edge() + 1)) return activity::busy;
        keep_next_edge();
    }
    // Behind the first edge without work.
    const std::uint64_t quiet = domain().edge() + (progress_ ? 1 : 0);
    std::uint64_t due = busy_until_ > quiet ? busy_until_ : never;
    if (!responding_ && !responses_.empty()) due = std::min(due, responses_.front().due);
    if (due != never && due != wake_due_) {
        wake_due_ = due;
        wake_at(due);
    }
    return activity::idle;
}

/// Whether the next edge has something to do beside what comes into an inbox until then.
bool l2_bank::works_at(std::uint64_t next) const {
    return (!requests_.empty() && requests_.first_due() <= next) || cache_.replay_ready() ||
           cache_.wants_memory() || !unaccepted_.empty() ||
           (!responding_ && !responses_.empty() && responses_.front().due <= next);
}

void l2_bank::show_waves() {
    requests_wave_.set(static_cast<std::int64_t>(requests_.size()));
    misses_wave_.set(cache_.misses_used());
    write_buffer_wave_.set(cache_.write_buffer_used());
    responses_wave_.set(static_cast<std::int64_t>(responses_.size()));
}

}  // namespace heddle
