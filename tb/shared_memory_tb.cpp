// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the shared memory of an SMX: random accesses over the socket, with a protocol
// checker on the link, against lane-by-lane execution on a plain array; latencies against the
// number of bank conflicts counted the slow way.
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "hw/protocol/protocol_checker.h"
#include "hw/smx/shared_memory/shared_memory.h"
#include "models/isa/atomic.h"
#include "tb/kit/testbench.h"

namespace {

using namespace heddle;
using protocol::local_command;
using protocol::shared_access;
using protocol::shared_response;

constexpr std::uint32_t memory_bytes = 4096;

class driver final : public sc_core::sc_module, public clocked {
public:
    driver(const sc_core::sc_module_name& name, testbench& bench, clock_domain& domain,
           const shared_memory_configuration& configuration, std::uint64_t accesses)
        : sc_module(name),
          clocked(domain, this->name()),
          socket("socket"),
          bench_(bench),
          configuration_(configuration),
          random_(bench.random("driver")),
          stalls_(bench.stalls("driver")),
          left_(accesses),
          access_(pool_.make()),
          reference_(memory_bytes) {}

    protocol::initiator_socket_of<driver, protocol::shared_link> socket;

    void evaluate() override {
        if (stalls_.stalled(domain().edge())) return;
        make_access();
        shared_access expected = *access_;
        const bool legal = perform(expected);
        sc_core::sc_time delay;
        socket->b_transport(*access_, delay);
        bench_.progress();
        check(expected, legal, delay);
        if (--left_ == 0) bench_.finish();
    }
    activity update() override { return left_ == 0 ? activity::idle : activity::busy; }

private:
    void make_access() {
        shared_access& a = *access_;
        a.response = shared_response::incomplete;
        a.warp = warp_slot(random_.below(8));
        a.lanes = random_.chance(0.3) ? 0xffffffffu : random_.next() | 1;
        a.command = static_cast<local_command>(random_.below(3));
        a.bytes = a.command == local_command::atomic
                      ? std::uint8_t{4}
                      : static_cast<std::uint8_t>(1u << random_.below(3));
        static constexpr isa::opcode operations[] = {isa::opcode::amoadd_w, isa::opcode::amoswap_w,
                                                     isa::opcode::amocas_w, isa::opcode::lr_w,
                                                     isa::opcode::sc_w};
        a.operation = a.command == local_command::atomic ? operations[random_.below(5)]
                                                         : isa::opcode::illegal;
        // Near the end now and then, and rarely beyond it.
        const std::uint64_t reach = 1u << (3 + random_.below(7));
        const std::uint32_t base = random_.chance(0.02) ? memory_bytes - 16 : 0;
        for (unsigned lane = 0; lane < 64; ++lane) {
            a.address[lane] = base + static_cast<std::uint32_t>(random_.below(reach)) * a.bytes;
            a.data[lane] = static_cast<std::uint32_t>(random_.below(4));
            a.compare[lane] = static_cast<std::uint32_t>(random_.below(4));
            a.thread[lane] = static_cast<std::uint16_t>(64 * a.warp.value() + lane);
        }
    }

    /// Lane after lane on the reference; false if a lane is out of bounds.
    bool perform(shared_access& a) {
        for (unsigned lane = 0; lane < 64; ++lane) {
            if (((a.lanes >> lane) & 1) != 0 && a.address[lane] + a.bytes > memory_bytes) {
                return false;
            }
        }
        for (unsigned lane = 0; lane < 64; ++lane) {
            if (((a.lanes >> lane) & 1) != 0) perform(a, lane);
        }
        return true;
    }
    void perform(shared_access& a, unsigned lane) {
        const std::uint32_t at = a.address[lane];
        const std::uint16_t thread = a.thread[lane];
        std::uint32_t old = 0;
        std::memcpy(&old, &reference_[at], a.bytes);
        std::uint32_t next = a.data[lane];
        bool writes = a.command != local_command::load;
        if (a.command == local_command::atomic) {
            next = isa::atomic_result(a.operation, old, a.data[lane], a.compare[lane]);
            if (a.operation == isa::opcode::lr_w) {
                reserved_[thread] = at;
                writes = false;
            } else if (a.operation == isa::opcode::sc_w) {
                const auto found = reserved_.find(thread);
                writes = found != reserved_.end() && found->second == at;
                if (found != reserved_.end()) reserved_.erase(found);
                old = writes ? 0 : 1;
            }
        }
        if (a.command != local_command::store) a.data[lane] = old;
        if (!writes) return;
        std::memcpy(&reference_[at], &next, a.bytes);
        for (auto r = reserved_.begin(); r != reserved_.end();) {
            r = r->second == (at & ~3u) ? reserved_.erase(r) : std::next(r);
        }
    }

    void check(const shared_access& expected, bool legal, const sc_core::sc_time& delay) {
        const shared_access& got = *access_;
        bench_.check(got.response == (legal ? shared_response::ok : shared_response::address_error),
                     "wrong response");
        std::uint64_t cycles = configuration_.latency;
        if (legal) cycles += conflicts(got);
        bench_.check(delay.value() == cycles * domain().edge_time(1).value(),
                     "the access took " + delay.to_string() + ", expected were " +
                         std::to_string(cycles) + " cycles");
        if (!legal || got.command == local_command::store) return;
        for (unsigned lane = 0; lane < 64; ++lane) {
            if (((got.lanes >> lane) & 1) == 0) continue;
            bench_.check(got.data[lane] == expected.data[lane],
                         "lane " + std::to_string(lane) + " got " + std::to_string(got.data[lane]) +
                             ", expected was " + std::to_string(expected.data[lane]));
        }
    }
    [[nodiscard]] std::size_t conflicts(const shared_access& a) const {
        std::map<std::uint32_t, std::multiset<std::uint32_t>> banks;
        for (unsigned lane = 0; lane < 64; ++lane) {
            const std::uint32_t word = a.address[lane] / 4;
            if (((a.lanes >> lane) & 1) != 0) banks[word % configuration_.banks].insert(word);
        }
        std::size_t most = 1;
        for (const auto& [bank, words] : banks) {
            const std::set<std::uint32_t> distinct(words.begin(), words.end());
            most =
                std::max(most, a.command == local_command::atomic ? words.size() : distinct.size());
        }
        return most - 1;
    }

    testbench& bench_;
    shared_memory_configuration configuration_;
    random_stream random_;
    stall_source stalls_;
    std::uint64_t left_;
    pool<shared_access> pool_{"accesses"};
    pool_ptr<shared_access> access_;
    std::vector<std::uint8_t> reference_;
    std::map<std::uint16_t, std::uint32_t> reserved_;
};

}  // namespace

int sc_main(int argc, char** argv) {
    std::uint64_t accesses = 20000;
    shared_memory_configuration configuration;
    testbench_description description;
    description.name = "shared_memory_tb";
    description.summary = "Shared memory of an SMX against lane-by-lane execution";
    description.add_options = [&](command_line& line) {
        line.number("--accesses", accesses, "Number of accesses", 1, 10'000'000);
        line.number_of("--banks", configuration.banks, "Banks", {16, 32, 64});
    };
    return run_testbench(description, argc, argv, [&](testbench& bench) {
        clock_domain core("core", frequency::megahertz(706), bench.domain_options());
        shared_memory memory("shared_memory", core, configuration, memory_bytes);
        protocol::protocol_checker<protocol::shared_link> checker("checker");
        driver drive("driver", bench, core, configuration, accesses);
        drive.socket.bind(checker.target_socket);
        checker.initiator_socket.bind(memory.socket);
        if (bench.run(core) != error_kind::none) return;
        statistics all;
        memory.collect(all, "shared_memory");
        std::printf("%s", to_table(all).c_str());
    });
}
