// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/host/host.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "hw/base/has_process.h"
#include "hw/base/present.h"
#include "hw/base/report_error.h"
#include "hw/base/sanitizer.h"
#include "models/base/error.h"

namespace heddle {

using protocol::kernel_launch;
using protocol::launch_phase;

namespace {

/// Two answers (accepted, completed) may come for each queue in one cycle; far above any KMU.
constexpr std::size_t answer_capacity = 4096;
constexpr std::size_t longest_access = std::size_t{1} << 20;  // a payload's length has 32 bits
constexpr std::size_t stack_bytes = std::size_t{8} << 20;     // a host program's, as in a process

}  // namespace

host::host(const sc_core::sc_module_name& name, clock_domain& domain, run_control& control)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      launch_socket("launch_socket"),
      memory_socket("memory_socket"),
      control_(control),
      launches_(std::string(sc_module::name()) + ".launches"),
      answers_(*this, answer_capacity) {
    launch_socket.register_nb_transport_bw(this, &host::nb_transport_bw);
    HEDDLE_HAS_PROCESS(host);
    SC_THREAD(run_program);
    set_stack_size(stack_bytes);
}

void host::run_program() {
    const sanitizer_stack_root stack(stack_bytes);
    try {
        program_();
    } catch (const run_error& error) {
        control_.status().report(error.kind(), error.what());
    } catch (const sc_core::sc_unwind_exception&) {
        throw;  // SystemC's own, which it must get back
    } catch (const std::bad_alloc&) {
        control_.status().report(error_kind::configuration, "the host is out of memory");
    } catch (const std::exception& error) {
        control_.status().report(error_kind::wrong_result,
                                 std::string("the host program failed: ") + error.what());
    }
    // The run ends at the host's own next edge: which other domain has one before it must not
    // matter, because that depends on who sleeps.
    program_ended_ = true;
    wake();
}

void host::submit(pool_ptr<kernel_launch> launch) {
    launch->launched_at = present::time();
    ++submitted_;
    submitted_blocks_ += launch->grid.count();
    if (open_++ == 0) {
        span_start_ = domain().next_edge();
        gap_cycles_ += span_start_ - std::min(span_start_, span_end_);
    }
    waiting_.push_back(std::move(launch));
    wake();
}

void host::wait_until_idle() {
    wait_until([] { return false; });
}

void host::wait_until(const std::function<bool()>& condition) {
    while (open_ != 0 && !condition()) sc_core::wait(completed_event_);
}

void host::wait_until_edge(std::uint64_t edge) {
    if (edge < domain().edge_count()) return;
    awaited_edge_ = edge;
    wake_at(edge);
    sc_core::wait(edge_event_);
    awaited_edge_ = 0;
}

std::uint64_t host::busy_cycles(std::uint64_t now) const {
    if (open_ == 0) return busy_cycles_;
    return busy_cycles_ + (now - std::min(now, span_start_));
}

void host::evaluate() {
    if (program_ended_) control_.finish();
    if (awaited_edge_ != 0 && domain().edge() >= awaited_edge_) {
        present::notify(edge_event_);
    }
    while (const answer* from_kmu = answers_.ready()) {
        take(*from_kmu);
        answers_.pop();
    }
    if (!requested_ && !waiting_.empty()) send_next();
}

void host::take(const answer& from_kmu) {
    if (from_kmu.phase == launch_phase::accepted) {
        requested_ = false;
        return;
    }
    if (completed_) completed_(from_kmu.launch->launch);
    present::notify(completed_event_);
    if (--open_ != 0) return;
    span_end_ = domain().edge();
    busy_cycles_ += span_end_ - span_start_;
}

void host::send_next() {
    const pool_ptr<kernel_launch> launch = std::move(waiting_.front());
    waiting_.pop_front();
    launch_phase phase = launch_phase::request;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const auto status = launch_socket->nb_transport_fw(*launch, phase, delay);
    requested_ = status != tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum host::nb_transport_bw(kernel_launch& launch, launch_phase& phase,
                                         sc_core::sc_time&) {
    if (phase == launch_phase::request) {
        report_error("heddle/host/phase", "request on the backward path");
        return tlm::TLM_ACCEPTED;
    }
    if (!answers_.push({phase, pool_ptr<kernel_launch>(&launch)})) {
        report_error("heddle/host/answers",
                     "more answers in a cycle than there can be open launches");
    }
    return phase == launch_phase::completed ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

activity host::update() {
    return !requested_ && !waiting_.empty() ? activity::busy : activity::idle;
}

std::string host::waiting_for() const {
    if (open_ == 0) return {};
    return std::to_string(open_) + " launches to complete" +
           (requested_ ? ", one of them to be accepted" : "");
}

void host::copy(tlm::tlm_command command, std::uint32_t address, std::uint8_t* data,
                std::size_t bytes) {
    tlm::tlm_generic_payload access;
    access.set_command(command);
    while (bytes != 0) {
        const auto part = static_cast<unsigned>(std::min(bytes, longest_access));
        access.set_address(address);
        access.set_data_ptr(data);
        access.set_data_length(part);
        access.set_streaming_width(part);
        access.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        if (memory_socket->transport_dbg(access) != part) {
            control_.status().report(error_kind::wrong_result,
                                     std::string(sc_module::name()) + ": debug access to " +
                                         std::to_string(part) + " bytes at " +
                                         std::to_string(address) + " answered " +
                                         access.get_response_string());
            return;
        }
        address += part;
        data += part;
        bytes -= part;
    }
}

}  // namespace heddle
