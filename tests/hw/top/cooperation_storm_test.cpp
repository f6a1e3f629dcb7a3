// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Cooperative kernels and tasks side by side while calls and answers of the cooperation links are
// late by random times: nothing is lost, in lock step with the functional simulator. Half of the
// runs take blocks away from cooperative kernels for tasks of higher priority.
#include <gmock/gmock.h>

#include <map>

#include "hw/base/has_process.h"
#include "hw/protocol/cooperation.h"
#include "hw/protocol/interposers.h"
#include "hw/protocol/link_observer.h"
#include "models/base/random.h"
#include "models/device/basic_device.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::Each;
using words = std::vector<std::uint32_t>;

/// Passes each call on after a random time.
class late_calls final : public protocol::link_observer<protocol::cooperation_link> {
    using base = protocol::link_observer<protocol::cooperation_link>;

public:
    HEDDLE_HAS_PROCESS(late_calls);
    late_calls(const sc_core::sc_module_name& name, std::uint64_t seed)
        : base(name), random_(seed, this->name()) {
        SC_METHOD(pass_on);
        this->dont_initialize();
        this->sensitive << due_;
    }

private:
    struct late_call {
        pool_ptr<protocol::cooperation_call> payload;
        phase_type phase;
    };

    tlm::tlm_sync_enum pass(protocol::path via, payload_type& payload, phase_type& phase,
                            sc_core::sc_time&) override {
        hold(payload, phase);
        return via == protocol::path::forward ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
    }
    void hold(payload_type& payload, phase_type phase) {
        const sc_core::sc_time late(static_cast<double>(random_.below(1500)), sc_core::SC_NS);
        held_.emplace(sc_core::sc_time_stamp() + late,
                      late_call{pool_ptr<protocol::cooperation_call>(&payload), phase});
        due_.notify(held_.begin()->first - sc_core::sc_time_stamp());
    }
    void pass_on() {
        while (!held_.empty() && held_.begin()->first <= sc_core::sc_time_stamp()) {
            late_call call = std::move(held_.begin()->second);
            held_.erase(held_.begin());
            sc_core::sc_time time;
            const bool forward = call.phase == protocol::cooperation_phase::request;
            (void)base::pass(forward ? protocol::path::forward : protocol::path::backward,
                             *call.payload, call.phase, time);
        }
        if (!held_.empty()) due_.notify(held_.begin()->first - sc_core::sc_time_stamp());
    }

    random_stream random_;
    std::multimap<sc_core::sc_time, late_call> held_;
    sc_core::sc_event due_;
};

launch_shape shape_of(std::uint32_t blocks, std::uint32_t threads, stream_id stream,
                      bool cooperative) {
    launch_shape shape{{blocks}, {threads}};
    shape.stream = stream;
    shape.cooperative = cooperative;
    return shape;
}

class cooperation_storm : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(seeds, cooperation_storm, testing::Range<std::uint64_t>(1, 25));

TEST_P(cooperation_storm, nothing_is_lost) {
    random_stream random(GetParam(), "cooperation_storm");
    protocol::interposers between;
    between.add<protocol::cooperation_link, 32>([](const std::string& link) {
        using chain = protocol::interposers::chain<protocol::cooperation_link>;
        return chain{std::make_shared<late_calls>((link + "_late").c_str(), GetParam())};
    });
    settings changes{"gpu.smx_count=3"};
    changes.push_back(GetParam() % 2 == 0 ? "coop.query_barrier=false" : "coop.query_barrier=true");
    const bool preempts = GetParam() > 12;
    if (preempts) changes.emplace_back("coop.preempt=true");
    timed_machine machine(configuration_of("tiny", changes), false, {}, &between);
    machine.run_well([&](device& gpu) {
        constexpr std::uint32_t rounds = 40;
        constexpr std::uint32_t n = 300;
        gpu.load(kernels_of("iss_cooperation"));
        const device_buffer<std::uint32_t> total(gpu, words(rounds), "total");
        const device_buffer<std::uint32_t> groups(gpu, rounds, "groups");
        const device_buffer<std::uint32_t> next(gpu, words(1), "next");
        const device_buffer<std::uint32_t> visits(gpu, words(n), "visits");
        const device_buffer<std::uint32_t> started(gpu, words(64), "started");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        const stream_id stealing = gpu.create_stream();
        const stream_id tasks = gpu.create_stream();
        launch(gpu, "coop_rounds",
               shape_of(static_cast<std::uint32_t>(random.below(9) + 1), 96, stream_id(0), true),
               500u, rounds, total.get(), groups.get());
        launch(gpu, "coop_steal",
               shape_of(static_cast<std::uint32_t>(random.below(9) + 1), 64, stealing, true), n,
               next.get(), visits.get(), started.get());
        const event_id first = gpu.record(stream_id(0));
        const event_id second = gpu.record(stealing);
        std::uint32_t blocks = 0;
        std::uint64_t time = gpu.wait_until(0);
        while (!gpu.finished(first) || !gpu.finished(second)) {
            launch_shape task =
                shape_of(static_cast<std::uint32_t>(random.below(8) + 1),
                         static_cast<std::uint32_t>(32 << random.below(4)), tasks, false);
            task.priority = static_cast<std::uint32_t>(random.below(2));
            blocks += task.grid.x;
            launch(gpu, "coop_task", task, done.get());
            gpu.wait(gpu.record(tasks));
            time = gpu.wait_until(time + 500 + random.below(4000));
        }
        EXPECT_THAT(visits.read(), Each(1u));
        EXPECT_THAT(done.read(), Each(blocks));
        const words sums = total.read();
        for (std::uint32_t r = 0; r < rounds; ++r) {
            EXPECT_EQ(sums[r], 500 * 499 / 2 + 500 * (1 + 3 * r)) << r;
        }
        EXPECT_EQ(dynamic_cast<basic_device&>(gpu).launches().size(), 0U);
    });
    EXPECT_EQ(machine.count("coop.launches"), 2U);
    EXPECT_EQ(preempts && machine.count("coop.preempt.blocks") == 0, false);
}

}  // namespace
}  // namespace heddle
