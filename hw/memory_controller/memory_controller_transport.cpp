// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// memory_controller: the calls of its neighbours, errors and statistics.
#include <algorithm>
#include <sstream>

#include "hw/base/crew.h"
#include "hw/memory_controller/memory_controller.h"

namespace heddle {

tlm::tlm_sync_enum memory_controller::nb_transport_fw(payload& request, tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return target_.end_response(phase, delay);
    if (!target_.begin_request(request, delay, configuration_.front_latency)) {
        return tlm::TLM_ACCEPTED;
    }
    return target_.accept_or_withhold(request, phase);
}

tlm::tlm_sync_enum memory_controller::nb_transport_bw(payload& request, tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
    return device_.take(request, phase, delay);
}

void memory_controller::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) {
    // no DMI is given out
}

void memory_controller::b_transport(payload& request, sc_core::sc_time& delay) {
    if (!check(request)) {
        return;
    }
    const protocol::dram_timing& t = configuration_.timing;
    const std::uint64_t atoms =
        (request.get_address() % configuration_.access_granularity + request.get_data_length() +
         configuration_.access_granularity - 1) /
        configuration_.access_granularity;
    dram_socket->b_transport(request, delay);
    const std::uint64_t cycles = configuration_.front_latency + t.rcd +
                                 (request.is_write() ? t.wl : t.cl) + atoms * t.burst +
                                 configuration_.back_latency;
    delay += domain().edge_time(cycles);
    count(request);
}

/// A transaction that the memory has answered.
void memory_controller::count(const payload& request) {
    if (!request.is_response_ok()) {
        ++counts_.errors;
    } else if (request.is_read()) {
        ++counts_.reads;
        counts_.bytes_read += request.get_data_length();
    } else if (request.is_write()) {
        ++counts_.writes;
        counts_.bytes_written += request.get_data_length();
    }
}

bool memory_controller::get_direct_mem_ptr(payload& request, tlm::tlm_dmi& dmi) {
    return protocol::deny_direct_memory(request, dmi);
}

unsigned memory_controller::transport_dbg(payload& request) {
    const unsigned bytes = dram_socket->transport_dbg(request);
    if (request.is_read() && bytes != 0) {
        accesses_.overlay(request);
    }
    return bytes;
}

bool memory_controller::check(payload& request) {
    const protocol::base_refusal refusal = protocol::check_base_access(request, addresses_.bytes);
    if (refusal.status == tlm::TLM_OK_RESPONSE) {
        return true;  // the memory answers
    }
    request.set_response_status(refusal.status);
    ++counts_.errors;
    std::ostringstream text;
    text << part_name() << ": " << (request.is_read() ? "read" : "write") << " of "
         << request.get_data_length() << " bytes at 0x" << std::hex << request.get_address()
         << " refused (" << request.get_response_string() << "): " << refusal.reason
         << "; the memory ends at 0x" << addresses_.bytes;
    crew::in_order();
    status_.report(error_kind::wrong_result, text.str());
    return false;
}

memory_controller_counts memory_controller::counts(std::uint64_t now) const {
    memory_controller_counts all = counts_;
    all.channel = channel_.counts();
    all.pending_cycles = pending_.busy(now);
    return all;
}

void memory_controller::collect(statistics& out, const std::string& scope) const {
    const memory_controller_counts all = counts();
    declare_counted(out, scope, memory_statistics);
    declare_counted(out, scope, channel_statistics);
    out.declare(scope, memory_controller_statistics);
    set_counted<memory_counts>(out, scope, memory_statistics, all);
    set_counted<memory_counts>(out, scope, channel_statistics, all);
    const std::uint64_t cycles = domain().edge_count();
    const auto set = [&](const char* name, auto value) { out.set(scope + "." + name, value); };
    const auto ratio = [&](const char* name, std::uint64_t part, std::uint64_t whole) {
        if (whole != 0) set(name, static_cast<double>(part) / static_cast<double>(whole));
    };
    set("activates", all.channel.activates);
    set("column_reads", all.channel.reads);
    set("column_writes", all.channel.writes);
    set("precharges", all.channel.precharges);
    set("refreshes", all.channel.refreshes);
    set("row_hits", all.channel.row_hits);
    set("row_misses", all.channel.row_misses);
    set("row_conflicts", all.channel.row_conflicts);
    ratio("row_hit_rate", all.channel.row_hits,
          all.channel.row_hits + all.channel.row_misses + all.channel.row_conflicts);
    set("turnarounds", all.channel.turnarounds);
    ratio("bandwidth_utilization", all.busy_cycles, cycles);
    set("queue_occupancy", occupancy_.mean(cycles));
    set("queue_occupancy_peak", occupancy_.maximum());
    set("queue_latency", all.queue_latency);
    set("dram_latency", all.dram_latency);
}

}  // namespace heddle
