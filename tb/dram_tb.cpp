// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the memory: random reads and writes of one port with random stalls before each
// request and END_RESP, against flat bytes; every answer comes in order and not before its time.
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "hw/base/inbox.h"
#include "hw/dram/fixed_latency_memory.h"
#include "hw/protocol/instrumentation.h"
#include "tb/kit/testbench.h"

namespace {

using namespace heddle;

constexpr unsigned bytes = 1024;
constexpr unsigned accesses = 5000;

class driver final : public sc_core::sc_module, public clocked {
public:
    protocol::initiator_socket_of<driver, protocol::base_link> socket{"socket"};
    protocol::memory_pool pool{"pool"};

    driver(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
           const memory_configuration& configuration)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          bench_(bench),
          configuration_(configuration),
          random_(bench.random(part_name())),
          request_stalls_(bench.stalls("request")),
          response_stalls_(bench.stalls("response")),
          events_(*this, 16 + 2 * configuration.queue),
          expected_(bytes) {
        socket.register_nb_transport_bw(this, &driver::from_memory);
    }

    void evaluate() override {
        while (events_.ready() != nullptr) {
            const event what = events_.pop();
            if (what.payload == on_link_) {
                on_link_ = nullptr;
            }
            if (what.is_response) {
                held_ = what.payload;
            }
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
        if (completed_ == accesses) {
            bench_.finish();
        }
    }
    activity update() override { return activity::busy; }

private:
    struct event {
        tlm::tlm_generic_payload* payload = nullptr;
        bool is_response = false;
    };
    struct expectation {
        tlm::tlm_generic_payload* payload;
        std::vector<std::uint8_t> data;
        std::uint64_t earliest;
    };

    void issue() {
        protocol::memory_transaction& t = *pool.make();
        const unsigned length = 1 + static_cast<unsigned>(random_.below(128));
        const std::uint64_t address = random_.below(bytes - length);
        const bool read = random_.chance(0.5);
        t.prepare(read ? protocol::memory_kind::load : protocol::memory_kind::write_back, address,
                  length);
        expectation next{&t,
                         {},
                         domain().edge() + 1 + configuration_.latency +
                             (length - 1) / configuration_.bytes_per_cycle + 1};
        for (unsigned i = 0; i < length; ++i) {
            const bool enabled = read || random_.chance(0.7);
            if (!enabled) {
                t.access().byte_mask[i / 64] &= ~(std::uint64_t{1} << (i % 64));
            }
            t.data()[i] = static_cast<std::uint8_t>(random_.next());
            if (read) {
                next.data.push_back(expected_[address + i]);
            } else if (enabled) {
                expected_[address + i] = t.data()[i];
            }
        }
        t.apply_byte_enables();
        open_.push_back(std::move(next));
        ++issued_;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        on_link_ = socket->nb_transport_fw(t, phase, delay) == tlm::TLM_ACCEPTED ? &t : nullptr;
    }
    tlm::tlm_sync_enum from_memory(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                   sc_core::sc_time&) {
        const bool is_response = phase == tlm::BEGIN_RESP;
        bench_.check(events_.push({&p, is_response}), "too many calls");
        if (is_response) {
            bench_.check(domain().edge() >= open_.front().earliest, "an answer before its time");
        }
        return tlm::TLM_ACCEPTED;
    }
    void complete(tlm::tlm_generic_payload& p) {
        const expectation& first = open_.front();
        bench_.check(first.payload == &p, "answers out of order");
        bench_.check(p.is_response_ok(), "answered " + p.get_response_string());
        for (std::size_t i = 0; i < first.data.size(); ++i) {
            bench_.check(p.get_data_ptr()[i] == first.data[i], "wrong data");
        }
        open_.pop_front();
        ++completed_;
        bench_.progress();
        p.release();
    }

    testbench& bench_;
    const memory_configuration configuration_;
    random_stream random_;
    stall_source request_stalls_, response_stalls_;
    inbox<event> events_;
    std::vector<std::uint8_t> expected_;
    std::deque<expectation> open_;
    tlm::tlm_generic_payload* on_link_ = nullptr;
    tlm::tlm_generic_payload* held_ = nullptr;
    unsigned issued_ = 0, completed_ = 0;
};

void run(testbench& bench) {
    random_stream random = bench.random("configuration");
    memory_configuration configuration;
    configuration.latency = 1 + static_cast<unsigned>(random.below(50));
    configuration.bytes_per_cycle = 4U << random.below(5);
    configuration.queue = 1 + static_cast<unsigned>(random.below(8));
    clock_domain clock("clock", frequency::megahertz(924), bench.domain_options());
    driver port("driver", clock, bench, configuration);
    fixed_latency_memory memory("memory", clock, configuration, 1, bench.waves());
    protocol::instrumentation observers(true, bench.transactions());
    observers.connect(port.socket, memory.port_sockets[0], "link");
    if (bench.run(clock) == error_kind::none) {
        bench.check(port.pool.live() <= 1, port.pool.leak_report());
        const memory_counts counts = memory.counts();
        bench.check(counts.reads + counts.writes == accesses, "accesses were lost or doubled");
    }
}

}  // namespace

int sc_main(int argc, char** argv) {
    testbench_description description;
    description.name = "dram_tb";
    description.summary = "Random base-protocol traffic against the memory of fixed latency";
    return run_testbench(description, argc, argv, run);
}
