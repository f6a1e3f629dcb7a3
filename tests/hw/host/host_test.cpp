// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The host module between a scripted KMU and a scripted memory; edge k lies at k ns.
#include "hw/host/host.h"

#include <gmock/gmock.h>

#include <map>
#include <stdexcept>

#include "hw/base/report_handler.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using protocol::kernel_launch;
using protocol::launch_phase;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

/// Plays the KMU: takes each request after `accept_after` edges and completes it `runs_for` edges
/// later. With accept_after 0 it accepts in the call.
class scripted_kmu : public clocked {
public:
    explicit scripted_kmu(clock_domain& domain) : clocked(domain, "kmu") {
        link.on_forward = [this](kernel_launch& launch, launch_phase& phase, sc_core::sc_time&) {
            EXPECT_EQ(phase, launch_phase::request);
            EXPECT_FALSE(requested_) << "a second request before the first was accepted";
            requests.emplace_back(this->domain().edge(), launch.launch.value());
            const std::uint64_t now = this->domain().edge();
            if (accept_after == 0) {
                complete_at_.emplace(now + runs_for, &launch);
                phase = launch_phase::accepted;
                return tlm::TLM_UPDATED;
            }
            requested_ = pool_ptr<kernel_launch>(&launch);
            accept_at_ = now + accept_after;
            return tlm::TLM_ACCEPTED;
        };
    }

    void evaluate() override {
        const std::uint64_t now = domain().edge();
        if (requested_ && now >= accept_at_) {
            const pool_ptr<kernel_launch> launch = std::move(requested_);
            requested_ = {};
            complete_at_.emplace(now + runs_for, launch);
            answer(*launch, launch_phase::accepted);
        }
        while (!complete_at_.empty() && complete_at_.begin()->first <= now) {
            const pool_ptr<kernel_launch> launch = complete_at_.begin()->second;
            complete_at_.erase(complete_at_.begin());
            answer(*launch, launch_phase::completed);
        }
    }
    activity update() override { return activity::busy; }

    void answer(kernel_launch& launch, launch_phase phase) {
        sc_core::sc_time delay;
        (void)link.socket->nb_transport_bw(launch, phase, delay);
    }

    protocol::testing::scripted_target<protocol::launch_link> link{"kmu_link"};
    std::uint64_t accept_after = 1;
    std::uint64_t runs_for = 10;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> requests;  ///< edge, launch

private:
    pool_ptr<kernel_launch> requested_;
    std::uint64_t accept_at_ = 0;
    std::multimap<std::uint64_t, pool_ptr<kernel_launch>> complete_at_;
};

class host_test : public testing::Test {
protected:
    host_test() {
        processor.launch_socket.bind(kmu.link.socket);
        processor.memory_socket.bind(memory.socket);
    }
    error_kind run(const host::program& program) {
        processor.set_program(program);
        run_limits limits;
        limits.max_cycles = 10'000;
        limits.cycle_domain = &core;
        return control.run(limits);
    }
    void submit(std::uint32_t number) {
        pool_ptr<kernel_launch> launch = processor.launches().make();
        launch->launch = protocol::launch_id(number);
        processor.submit(std::move(launch));
    }
    static void pass(double edges) { sc_core::wait(edges, sc_core::SC_NS); }

    run_status status;
    report_handler reports{status};
    run_control control{status};
    clock_domain core{"core", frequency::megahertz(1000), {&control, false}};
    host processor{"host", core, control};
    scripted_kmu kmu{core};
    protocol::testing::scripted_target<protocol::memory_link> memory{"memory"};
};

TEST_F(host_test, launches_leave_in_order_one_at_a_time) {
    kmu.accept_after = 4;
    EXPECT_EQ(run([&] {
                  for (std::uint32_t i = 1; i <= 3; ++i) submit(i);
                  EXPECT_FALSE(processor.idle());
                  processor.wait_until_idle();
                  EXPECT_TRUE(processor.idle());
              }),
              error_kind::none)
        << status.text();
    // Accepted 4 edges after the request; the host sees that at the next edge and goes on.
    ASSERT_EQ(kmu.requests.size(), 3U);
    const std::uint64_t first = kmu.requests[0].first;
    EXPECT_THAT(kmu.requests, ElementsAre(Pair(first, 1), Pair(first + 5, 2), Pair(first + 10, 3)));
}

TEST_F(host_test, a_target_with_room_takes_one_each_cycle) {
    kmu.accept_after = 0;
    EXPECT_EQ(run([&] {
                  for (std::uint32_t i = 1; i <= 3; ++i) submit(i);
                  processor.wait_until_idle();
              }),
              error_kind::none)
        << status.text();
    ASSERT_EQ(kmu.requests.size(), 3U);
    EXPECT_EQ(kmu.requests[1].first, kmu.requests[0].first + 1);
    EXPECT_EQ(kmu.requests[2].first, kmu.requests[0].first + 2);
}

TEST_F(host_test, counts_the_gaps_between_launches_apart) {
    std::vector<std::uint64_t> busy;
    std::vector<std::uint64_t> gaps;
    EXPECT_EQ(run([&] {
                  for (std::uint32_t i = 1; i <= 3; ++i) {
                      pass(100);
                      submit(i);
                      pass(5);
                      busy.push_back(processor.busy_cycles());  // of a span that has not ended
                      processor.wait_until_idle();
                      busy.push_back(processor.busy_cycles());
                      gaps.push_back(processor.gap_cycles());
                      pass(50);
                      EXPECT_EQ(processor.busy_cycles(), busy.back());
                  }
              }),
              error_kind::none)
        << status.text();
    const std::uint64_t span = busy[1];  // all launches take as long
    EXPECT_GT(span, kmu.runs_for);
    EXPECT_LT(span, kmu.runs_for + 6);
    EXPECT_THAT(busy, ElementsAre(5, span, span + 5, 2 * span, 2 * span + 5, 3 * span));
    EXPECT_GE(gaps[0], 100U);
    EXPECT_EQ(gaps[1] - gaps[0], gaps[2] - gaps[1]);
    EXPECT_NEAR(static_cast<double>(gaps[1] - gaps[0]), 150, 1);
}

TEST_F(host_test, tells_what_it_waits_for) {
    kmu.accept_after = 1'000'000;
    EXPECT_EQ(run([&] {
                  submit(1);
                  submit(2);
                  processor.wait_until_idle();
              }),
              error_kind::no_progress);
    EXPECT_THAT(status.text(),
                HasSubstr("host: 2 launches to complete, one of them to be accepted"));
}

TEST_F(host_test, an_error_of_the_program_is_the_run_s) {
    EXPECT_EQ(run([] { throw run_error(error_kind::kernel_fault, "as it was said"); }),
              error_kind::kernel_fault);
    EXPECT_THAT(status.messages(), ElementsAre("as it was said"));
}

TEST_F(host_test, a_program_without_memory_is_refused) {
    EXPECT_EQ(run([] { throw std::bad_alloc(); }), error_kind::configuration);
    EXPECT_THAT(status.messages(), ElementsAre("the host is out of memory"));
}

TEST_F(host_test, any_other_exception_keeps_its_words) {
    EXPECT_EQ(run([] { throw std::length_error("too long"); }), error_kind::wrong_result);
    EXPECT_THAT(status.messages(), ElementsAre("the host program failed: too long"));
}

TEST_F(host_test, copies_are_split_where_they_are_long_and_take_no_time) {
    std::map<std::uint64_t, std::uint8_t> contents;
    std::vector<std::pair<std::uint64_t, unsigned>> accesses;
    memory.on_debug = [&](auto& access) {
        accesses.emplace_back(access.get_address(), access.get_data_length());
        for (unsigned i = 0; i < access.get_data_length(); ++i) {
            std::uint8_t& byte = contents[access.get_address() + i];
            std::uint8_t& data = access.get_data_ptr()[i];
            if (access.is_write())
                byte = data;
            else
                data = byte;
        }
        access.set_response_status(tlm::TLM_OK_RESPONSE);
        return access.get_data_length();
    };
    constexpr unsigned longest = 1U << 20;
    std::vector<std::uint8_t> written(longest + 300);
    for (std::size_t i = 0; i < written.size(); ++i) written[i] = static_cast<std::uint8_t>(i * 7);
    std::vector<std::uint8_t> read(written.size());
    EXPECT_EQ(run([&] {
                  const auto before = sc_core::sc_time_stamp();
                  processor.copy(tlm::TLM_WRITE_COMMAND, 1000, written.data(), written.size());
                  processor.copy(tlm::TLM_READ_COMMAND, 1000, read.data(), read.size());
                  processor.copy(tlm::TLM_READ_COMMAND, 1000, read.data(), 0);
                  EXPECT_EQ(sc_core::sc_time_stamp(), before);
              }),
              error_kind::none)
        << status.text();
    EXPECT_EQ(read, written);
    EXPECT_THAT(accesses, ElementsAre(Pair(1000, longest), Pair(1000 + longest, 300),
                                      Pair(1000, longest), Pair(1000 + longest, 300)));
}

TEST_F(host_test, a_copy_that_is_refused_violates_an_invariant) {
    std::uint8_t byte = 0;
    EXPECT_EQ(run([&] { processor.copy(tlm::TLM_READ_COMMAND, 4096, &byte, 1); }),
              error_kind::wrong_result);
    EXPECT_THAT(status.text(), HasSubstr("host: debug access to 1 bytes at 4096"));
}

TEST_F(host_test, a_request_on_the_backward_path_is_reported) {
    EXPECT_EQ(run([&] {
                  const pool_ptr<kernel_launch> launch = processor.launches().make();
                  kmu.answer(*launch, launch_phase::request);
              }),
              error_kind::wrong_result);
    EXPECT_THAT(status.text(), HasSubstr("heddle/host/phase"));
}

}  // namespace
}  // namespace heddle
