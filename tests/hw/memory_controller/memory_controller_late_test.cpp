// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Controllers that respond ahead and whose edges are late: initiators see the same data at the same
// edges, and the counts are the same at all times.
#include <gmock/gmock.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <string>
#include <vector>

#include "hw/base/crew.h"
#include "hw/base/run_control.h"
#include "hw/dram/dram.h"
#include "hw/memory_controller/memory_controller.h"
#include "hw/protocol/base_initiator.h"
#include "hw/protocol/memory_access.h"
#include "tb/kit/tlm_slots.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/memory_controller/gf100_channel.h"

namespace heddle {
namespace {

/// Reads and writes here and there, in bursts, and writes down each answer.
class busy_initiator final : public sc_core::sc_module, public clocked {
public:
    tlm_utils::simple_initiator_socket<busy_initiator> socket;

    busy_initiator(const sc_core::sc_module_name& name, clock_domain& domain, std::uint64_t seed)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          socket("socket"),
          pool_(part_name()),
          memory_(*this, socket, 400, "heddle/test"),
          seed_(seed),
          first_(seed * 128 * bytes),
          random_(seed) {
        socket.register_nb_transport_bw(this, &busy_initiator::take);
    }
    void evaluate() override {
        const std::uint64_t edge = domain().edge();
        memory_.receive(edge, [&](tlm::tlm_generic_payload& answer) {
            text += " " + std::to_string(edge) + ":" + std::to_string(answer.get_data_ptr()[5]);
            --under_way_;
            answer.release();
        });
        if (memory_.unaccepted() != nullptr) {
            text += "!";
        } else if ((edge + 25 * seed_) % 100 < 28 && under_way_ < 60) {
            ask(edge);
        }
    }
    activity update() override { return activity::busy; }

    static constexpr unsigned bytes = 128;  ///< of a request: two column accesses
    std::string text;

private:
    tlm::tlm_sync_enum take(tlm::tlm_generic_payload& answer, tlm::tlm_phase& phase,
                            sc_core::sc_time& delay) {
        return memory_.take(answer, phase, delay);
    }
    void ask(std::uint64_t edge) {
        random_ = random_ * 6364136223846793005U + 1442695040888963407U;
        const std::uint64_t draw = random_ >> 33;
        const bool writes = draw % 3 == 0;
        protocol::memory_transaction& asked = *pool_.make();
        asked.prepare(writes ? protocol::memory_kind::write_back : protocol::memory_kind::load,
                      first_ + draw / 8 % 128 * bytes, bytes);
        if (writes) asked.get_data_ptr()[5] = static_cast<std::uint8_t>(edge);
        ++under_way_;
        if (memory_.send(asked)) memory_.answer_later(asked);
    }

    protocol::memory_pool pool_;
    protocol::base_initiator memory_;
    const std::uint64_t seed_;
    const std::uint64_t first_;  ///< channels share no address
    std::uint64_t random_;
    int under_way_ = 0;
};

struct late_channels {
    static constexpr std::uint32_t channels = 4;

    late_channels(unsigned threads, std::uint64_t seed, std::uint64_t core_mhz)
        : core("core", frequency::megahertz(core_mhz), {&control}) {
        memory_controller_configuration c = gf100();
        c.front_latency = 9, c.back_latency = 7, c.queue = 8;
        for (std::uint32_t i = 0; i < channels; ++i) {
            const std::string number = std::to_string(i);
            initiators.push_back(
                std::make_unique<busy_initiator>(("initiator_" + number).c_str(), core, i));
            controllers.push_back(std::make_unique<memory_controller>(
                ("controller_" + number).c_str(), clock, c, channel_addresses{},
                tlm_slots<request_scheduler_traits>(clock, status), status));
            initiators[i]->socket.bind(controllers[i]->request_socket);
            controllers[i]->dram_socket.bind(memory.channel_sockets[i]);
        }
        if (threads == 1) return;
        threads_ = std::make_unique<crew>(crew::settings{threads, seed});
        for (const auto& each : initiators) threads_->share(*each, 10);
        for (const auto& each : controllers) {
            each->respond_ahead();
            threads_->share(*each, *each, 2);
        }
        control.edges().hire(threads_.get());
    }
    void collect() {
        statistics all;
        for (std::uint32_t i = 0; i < channels; ++i) {
            controllers[i]->collect(all, "controller." + std::to_string(i));
        }
        counts += to_csv(all);
    }
    std::string run() {
        control.run_ahead();
        control.look_at(100'000, [this, due = std::uint64_t{100'000}]() mutable {
            collect();
            return due += 133'300;
        });
        run_limits limits;
        limits.max_time = sc_core::sc_time(600, sc_core::SC_NS);
        control.run(limits);
        collect();
        std::string all = status.text() + counts;
        for (const auto& each : initiators) all += "\n" + each->text;
        return all;
    }

    run_status status;
    run_control control{status};
    clock_domain core;
    clock_domain clock{"clock", frequency::megahertz(1300), {&control}};
    dram memory{"memory", channels};
    std::vector<std::unique_ptr<busy_initiator>> initiators;
    std::vector<std::unique_ptr<memory_controller>> controllers;
    std::unique_ptr<crew> threads_;
    std::string counts;
};

std::string late_channels_run(unsigned threads, std::uint64_t seed, std::uint64_t core_mhz) {
    const process_result result = run_in_child([&](std::string& output) {
        late_channels machine(threads, seed, core_mhz);
        output = machine.run();
        return threads > 1 && core_mhz > 600 && machine.threads_->late_instants() < 10 ? 99 : 0;
    });
    EXPECT_EQ(result.exit_code, 0) << threads << " threads, seed " << seed;
    return result.output;
}

TEST(memory_controller_late, nobody_can_tell) {
    for (const std::uint64_t core_mhz : {706U, 650U, 300U}) {  // 650: edges of both clocks coincide
        const std::string one = late_channels_run(1, 0, core_mhz);
        EXPECT_NE(one.find('!'), std::string::npos) << "credits run out";
        EXPECT_GT(one.size(), 10'000U);
        for (const unsigned threads : {2U, 3U}) {
            EXPECT_EQ(one, late_channels_run(threads, threads, core_mhz)) << threads << " threads";
        }
    }
}

}  // namespace
}  // namespace heddle
