// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/groups/record_port.h"

#include <cstring>

#include "hw/base/report_error.h"
#include "hw/smx_scheduler/smx_scheduler_report.h"

namespace heddle {

using protocol::memory_phase;

namespace {

/// Answers that may come between two cycles; the crossbar gives one a cycle of its own clock.
constexpr std::size_t event_capacity = 1024;

}  // namespace

record_port::record_port(clocked& owner, sm_id port,
                         protocol::initiator_socket_base<protocol::memory_link>& socket)
    : owner_(owner),
      port_(port),
      socket_(socket),
      pool_("records of " + owner.part_name()),
      events_(owner, event_capacity) {}

record_port::request& record_port::make(protocol::memory_kind kind, std::uint32_t address,
                                        unsigned bytes) {
    request& made = *pool_.make();
    made.prepare(kind, address, bytes);
    made.access().sm = port_;
    made.access().bypass_l1 = true;
    ++outstanding_;
    waiting_.push_back(&made);
    owner_.wake();
    return made;
}

void record_port::store_next(record_address record, group_index next) {
    request& store = make(protocol::memory_kind::store, record.value() + next_offset, 4);
    const std::uint32_t value = next.bits();
    std::memcpy(store.data(), &value, sizeof value);
    ++stores_;
}

void record_port::fetch(record_address record) {
    (void)make(protocol::memory_kind::load, record.value(), record_bytes);
    ++fetches_;
}

std::optional<record_memory::answer> record_port::fetched() {
    if (fetched_.empty()) return std::nullopt;
    const answer first = fetched_.front();
    fetched_.pop_front();
    return first;
}

bool record_port::cycle() {
    bool changed = false;
    while (events_.ready() != nullptr) {
        finish(events_.pop());
        changed = true;
    }
    if (requested_ != nullptr || waiting_.empty()) return changed;
    request& next = *waiting_.front();
    waiting_.pop_front();
    begin(next);
    return true;
}

void record_port::begin(request& next) {
    memory_phase phase = memory_phase::begin_request;
    sc_core::sc_time delay;
    switch (socket_->nb_transport_fw(next, phase, delay)) {
        case tlm::TLM_ACCEPTED:
            requested_ = &next;
            return;
        case tlm::TLM_UPDATED:
            if (phase == memory_phase::end_request) return;
            if (phase == memory_phase::begin_response) return post({&next, true, true});
            return report("begin_request was answered by an illegal phase");
        case tlm::TLM_COMPLETED:
            return post({&next, true, false});
    }
}

void record_port::finish(const event& what) {
    if (what.of == requested_) requested_ = nullptr;
    if (!what.response) return;
    if (what.needs_end) {
        memory_phase phase = memory_phase::end_response;
        sc_core::sc_time delay;
        (void)socket_->nb_transport_fw(*what.of, phase, delay);
    }
    if (what.of->get_response_status() != tlm::TLM_OK_RESPONSE) {
        report("the answer is " + what.of->get_response_string());
    }
    if (what.of->is_read()) {
        std::uint32_t next = 0;
        std::memcpy(&next, what.of->data() + next_offset, sizeof next);
        fetched_.push_back({record_address(what.of->get_address()), group_index::of_bits(next)});
    }
    --outstanding_;
    what.of->release();
}

tlm::tlm_sync_enum record_port::take(tlm::tlm_generic_payload& payload, memory_phase phase) {
    auto& request = static_cast<protocol::memory_transaction&>(payload);
    if (phase == memory_phase::end_request) {
        post({&request, false, false});
        return tlm::TLM_ACCEPTED;
    }
    if (phase == memory_phase::begin_response) {
        post({&request, true, false});
        return tlm::TLM_COMPLETED;
    }
    report("an illegal phase on the backward path");
    return tlm::TLM_ACCEPTED;
}

void record_port::post(const event& what) {
    if (!events_.push(what)) report("more answers than requests");
}

void record_port::report(const std::string& what) const {
    report_error(smx_scheduler_report::record_port, owner_.part_name() + ": " + what);
}

}  // namespace heddle
