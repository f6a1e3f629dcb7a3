// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the memory controller: random reads and writes with random stalls before each
// request and END_RESP, random parameters, against flat bytes. Checkers watch both links and the
// command bus.
#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hw/base/inbox.h"
#include "hw/dram/command_checker.h"
#include "hw/dram/dram.h"
#include "hw/memory_controller/memory_controller.h"
#include "hw/protocol/instrumentation.h"
#include "hw/protocol/memory_access.h"
#include "tb/kit/testbench.h"

namespace {

using namespace heddle;

constexpr unsigned region = 1U << 16;  ///< bytes, over all banks and several rows
constexpr unsigned accesses = 4000;

/// Accesses to bytes that nobody else has under way, so that every answer is known beforehand;
/// except that an access may follow another one to the same bytes at once, as its initiator may
/// expect their order to be kept.
class driver final : public sc_core::sc_module, public clocked {
public:
    protocol::initiator_socket_of<driver, protocol::base_link> socket{"socket"};
    protocol::memory_pool pool{"pool"};

    driver(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          bench_(bench),
          random_(bench.random(part_name())),
          request_stalls_(bench.stalls("request")),
          response_stalls_(bench.stalls("response")),
          events_(*this, 512),
          expected_(region + 128) {
        socket.register_nb_transport_bw(this, &driver::from_memory);
    }

    void evaluate() override {
        while (events_.ready() != nullptr) {
            const event what = events_.pop();
            if (what.payload == on_link_) on_link_ = nullptr;
            if (what.is_response) held_ = what.payload;
        }
        if (held_ != nullptr && !response_stalls_.stalled(domain().edge())) {
            tlm::tlm_phase phase = tlm::END_RESP;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            socket->nb_transport_fw(*held_, phase, delay);
            complete(*std::exchange(held_, nullptr));
        }
        if (on_link_ == nullptr && issued_ < accesses &&
            !request_stalls_.stalled(domain().edge())) {
            issue();
        }
        if (completed_ == accesses) bench_.finish();
    }
    activity update() override { return activity::busy; }
    [[nodiscard]] std::uint64_t bytes(bool written) const { return bytes_[written]; }

private:
    struct event {
        tlm::tlm_generic_payload* payload = nullptr;
        bool is_response = false;
    };

    void issue() {
        protocol::memory_transaction& t = *pool.make();
        const unsigned length = 1 + static_cast<unsigned>(random_.below(128));
        // often where the last one was, so that reads and writes of an atom meet
        const std::uint64_t address =
            random_.chance(0.5) ? last_ + random_.below(64) : random_.below(region);
        last_ = address % region;
        const bool read = random_.chance(0.6);
        t.prepare(read ? protocol::memory_kind::load : protocol::memory_kind::write_back, last_,
                  length);
        std::vector<std::uint8_t>& data = open_[&t];
        data.clear();
        for (unsigned i = 0; i < length; ++i) {
            const bool enabled = read || random_.chance(0.7);
            if (!enabled) t.access().byte_mask[i / 64] &= ~(std::uint64_t{1} << (i % 64));
            t.data()[i] = static_cast<std::uint8_t>(random_.next());
            if (read) {
                data.push_back(expected_[last_ + i]);
            } else if (enabled) {
                expected_[last_ + i] = t.data()[i];
            }
        }
        t.apply_byte_enables();
        bytes_[!read] += length;
        ++issued_;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        on_link_ = socket->nb_transport_fw(t, phase, delay) == tlm::TLM_ACCEPTED ? &t : nullptr;
    }
    tlm::tlm_sync_enum from_memory(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                   sc_core::sc_time&) {
        bench_.check(events_.push({&p, phase == tlm::BEGIN_RESP}), "too many calls");
        return tlm::TLM_ACCEPTED;
    }
    void complete(tlm::tlm_generic_payload& p) {
        const auto found = open_.find(&p);
        bench_.check(found != open_.end(), "an answer to no request");
        bench_.check(p.is_response_ok(), "answered " + p.get_response_string());
        const std::vector<std::uint8_t>& data = found->second;
        for (std::size_t i = 0; i < data.size(); ++i) {
            if (p.get_data_ptr()[i] != data[i]) {
                bench_.check(false, "byte " + std::to_string(p.get_address() + i) + " is " +
                                        std::to_string(p.get_data_ptr()[i]) + " instead of " +
                                        std::to_string(data[i]));
            }
        }
        open_.erase(found);
        ++completed_;
        bench_.progress();
        p.release();
    }

    testbench& bench_;
    random_stream random_;
    stall_source request_stalls_, response_stalls_;
    inbox<event> events_;
    std::vector<std::uint8_t> expected_;
    std::map<tlm::tlm_generic_payload*, std::vector<std::uint8_t>> open_;
    tlm::tlm_generic_payload* on_link_ = nullptr;
    tlm::tlm_generic_payload* held_ = nullptr;
    std::uint64_t last_ = 0;
    std::uint64_t bytes_[2] = {0, 0};
    unsigned issued_ = 0, completed_ = 0;
};

memory_controller_configuration draw(testbench& bench) {
    random_stream random = bench.random("configuration");
    const auto some = [&](unsigned low, unsigned high) {
        return low + static_cast<unsigned>(random.below(high - low + 1));
    };
    memory_controller_configuration c;
    c.scheduler = random.chance(0.3) ? dram_scheduler::fifo : dram_scheduler::fr_fcfs;
    c.queue = some(2, 40);
    c.write_high = some(2, c.queue);
    c.write_low = some(0, c.write_high - 1);
    c.age_limit = some(100, 2000);
    c.response_queue = some(1, 20);
    c.atom = 16U << some(0, 2);
    // few columns, so that the region has rows to fight for
    c.column_mask = 0xff;
    c.bank_mask = random.chance(0.5) ? 0xf00 : 0x5500;
    c.row_mask = (std::uint64_t{1} << 20) - 1 - 0xff - c.bank_mask;
    c.bank_groups = 1U << some(0, 2);
    protocol::dram_timing& t = c.timing;
    t.cl = some(3, 20), t.wl = some(1, t.cl), t.burst = some(1, 4);
    t.rcd = some(1, 20), t.rp = some(1, 20), t.ras = some(5, 40), t.rc = t.ras + some(0, 20);
    t.rrd = some(1, 10), t.faw = some(0, 50), t.ccd = t.burst + some(0, 2), t.ccdl = some(1, 8);
    t.wtr = some(0, 10), t.rtw = t.cl + t.burst + some(0, 4) - t.wl, t.rtp = some(0, 6);
    t.rtw = t.rtw == 0 ? 1 : t.rtw;
    t.wr = some(0, 20);
    if (random.chance(0.5)) {
        t.rfc = some(10, 100);
        t.refi = 2 * (t.rfc + t.rp + t.ras) + some(0, 1000);
    }
    parameter_list parameters(c);
    parameters.check_rules();
    return c;
}

void run(testbench& bench, bool print) {
    const memory_controller_configuration configuration = draw(bench);
    clock_domain clock("clock", frequency::megahertz(924), bench.domain_options());
    driver source("driver", clock, bench);
    memory_controller controller("controller", clock, configuration, {}, bench.status(),
                                 bench.waves());
    dram memory("memory", 1);
    command_checker checker("controller", configuration.timing, configuration.banks(),
                            configuration.bank_groups);
    controller.observe(checker);
    protocol::instrumentation observers(true, bench.transactions());
    observers.connect(source.socket, controller.request_socket, "request_link");
    observers.connect(controller.dram_socket, memory.channel_sockets[0], "dram_link");
    if (bench.run(clock) != error_kind::none) return;
    bench.check(source.pool.live() <= 1, source.pool.leak_report());
    const memory_controller_counts counts = controller.counts();
    bench.check(counts.reads + counts.writes == accesses, "accesses were lost or doubled");
    bench.check(
        counts.bytes_read == source.bytes(false) && counts.bytes_written == source.bytes(true),
        "bytes were lost or doubled");
    bench.check(
        counts.channel.row_hits + counts.channel.row_misses + counts.channel.row_conflicts ==
            counts.channel.reads + counts.channel.writes,
        "row hits, misses and conflicts are not all column accesses");
    std::cout << checker.commands() << " commands checked\n";
    if (print) {
        statistics values;
        controller.collect(values, "channel");
        std::cout << to_table(values);
    }
}

}  // namespace

int sc_main(int argc, char** argv) {
    bool print = false;
    testbench_description description;
    description.name = "memory_controller_tb";
    description.summary = "Random base-protocol traffic against a memory controller";
    description.add_options = [&](CLI::App& app) {
        app.add_flag("--statistics", print, "Prints the statistics");
    };
    return run_testbench(description, argc, argv, [&](testbench& bench) { run(bench, print); });
}
