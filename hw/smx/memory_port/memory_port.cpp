// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/memory_port/memory_port.h"

#include "hw/base/report_error.h"

namespace heddle {

using protocol::memory_phase;

memory_port::memory_port(clocked& owner, sm_id sm,
                         protocol::initiator_socket_base<protocol::memory_link>& socket,
                         const memory_port_configuration& configuration)
    : owner_(&owner),
      sm_(sm),
      socket_(&socket),
      pool_("requests of " + owner.part_name()),
      request_latency_(configuration.request_latency),
      return_latency_(configuration.return_latency),
      queues_{ring<waiting_request>(configuration.request_queue + request_latency_),
              ring<waiting_request>(configuration.request_queue + request_latency_)},
      limit_(configuration.outstanding),
      answers_(owner, configuration.outstanding),
      credits_(owner, 2) {}

memory_port::~memory_port() = default;

memory_request& memory_port::make() {
    memory_request& request = *pool_.make();
    request.access().sm = sm_;
    return request;
}

void memory_port::send(queue which, memory_request& request) {
    const std::uint64_t due = owner_->domain().edge() + request_latency_;
    queues_[static_cast<std::size_t>(which)].push({&request, due});
    first_due_ = std::min(first_due_, due);
    ++outstanding_;
}

void memory_port::receive_due(std::uint64_t edge) {
    while (credits_.ready(edge) != nullptr) {
        if (credits_.pop() == requested_) requested_ = nullptr;
    }
    while (answers_.ready(edge) != nullptr) {
        const answer got = answers_.pop();
        // A response without end_request before it stands for both.
        if (got.request == requested_) requested_ = nullptr;
        if (got.needs_end) {
            memory_phase phase = memory_phase::end_response;
            sc_core::sc_time delay;
            (void)(*socket_)->nb_transport_fw(*got.request, phase, delay);
        }
        if (got.request->get_response_status() != tlm::TLM_OK_RESPONSE) {
            report("the answer is " + got.request->get_response_string());
        }
        --outstanding_;
        got.request->back.inside = return_latency_ - 1;
        got.request->back.requester->responded(*got.request);
        got.request->release();
    }
    if (!answers_.empty() && answers_.first_due() == edge + 1) {
        const memory_request& next = *answers_.front().request;
        next.back.requester->expect(next);
        if (const answer* const behind = answers_.second()) protocol::prefetch(*behind->request);
    }
}

/// One is due.
bool memory_port::begin_next(std::uint64_t edge) {
    const std::uint8_t first = due(queues_[turn_]) <= edge ? turn_ : turn_ ^ 1U;
    memory_request& request = *queues_[first].pop().request;
    first_due_ = std::min(due(queues_[0]), due(queues_[1]));
    turn_ = first ^ 1U;
    if (!queues_[first].empty()) protocol::prefetch(*queues_[first].front().request);
    ++requests_;
    begin(request, edge);
    return true;
}

void memory_port::begin(memory_request& request, std::uint64_t edge) {
    request.back.sent = edge;
    memory_phase phase = memory_phase::begin_request;
    sc_core::sc_time delay;
    switch ((*socket_)->nb_transport_fw(request, phase, delay)) {
        case tlm::TLM_ACCEPTED:
            requested_ = &request;
            return;
        case tlm::TLM_UPDATED:
            if (phase == memory_phase::end_request) return;
            if (phase == memory_phase::begin_response) return take({&request, true});
            return report("begin_request was answered by an illegal phase");
        case tlm::TLM_COMPLETED:
            return take({&request, false});
    }
}

void memory_port::take(const answer& got) {
    got.request->prefetch_answer();
    if (!answers_.push(got, return_latency_)) report("more answers than requests");
}

tlm::tlm_sync_enum memory_port::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                memory_phase& phase, sc_core::sc_time&) {
    auto& request = static_cast<memory_request&>(payload);
    if (phase == memory_phase::end_request) {
        if (!credits_.push(&request)) report("end_request without a request");
        return tlm::TLM_ACCEPTED;
    }
    if (phase == memory_phase::begin_response) {
        take({&request, false});
        return tlm::TLM_COMPLETED;
    }
    report("an illegal phase on the backward path");
    return tlm::TLM_ACCEPTED;
}

void memory_port::report(const std::string& what) const {
    report_error("heddle/smx/memory_port", owner_->part_name() + ": " + what);
}

std::string memory_port::waiting_for() const {
    if (outstanding_ == 0) return {};
    return std::to_string(outstanding_) + " answers of memory" +
           (requested_ == nullptr ? std::string() : ", the link's credit");
}

}  // namespace heddle
