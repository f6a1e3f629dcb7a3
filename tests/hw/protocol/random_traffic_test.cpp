// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "hw/base/has_process.h"
#include "hw/protocol/base_access.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/instrumentation.h"
#include "hw/protocol/kernel_launch.h"
#include "models/base/random.h"
#include "tests/hw/base/simulate.h"
#include "tests/hw/protocol/foreign_models.h"
#include "tests/hw/protocol/scripted_link.h"

/// Random traffic with random stalls: the checkers stay silent, the observers change nothing.
namespace heddle::protocol::testing {
namespace {

using generic_payload = tlm::tlm_generic_payload;

/// Set HEDDLE_SEED to repeat or to vary a run.
std::uint64_t seed() {
    static const std::uint64_t value = [] {
        const char* text = std::getenv("HEDDLE_SEED");
        const std::uint64_t chosen = text != nullptr ? std::strtoull(text, nullptr, 0) : 1;
        std::cout << "HEDDLE_SEED=" << chosen << '\n';
        return chosen;
    }();
    return value;
}

/// A file of this test program's process; the same one in its forks.
std::filesystem::path temporary(const char* name) {
    static const std::string prefix = "heddle_" + std::to_string(getpid()) + "_";
    return std::filesystem::path(::testing::TempDir()) / (prefix + name);
}

std::string contents(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

struct memory_phases {
    using types = memory_link;
    static constexpr auto begin_req = memory_phase::begin_request;
    static constexpr auto end_req = memory_phase::end_request;
    static constexpr auto begin_resp = memory_phase::begin_response;
    static constexpr auto end_resp = memory_phase::end_response;
};

struct owned_access : memory_access {
    void free() override { delete this; }
};

void add_access(tlm::tlm_generic_payload& p) {
    auto* access = new owned_access;
    access->kind = p.is_read() ? memory_kind::load : memory_kind::store;
    access->byte_mask[0] = 0xf;
    p.set_extension<memory_access>(access);
}

void add_nothing(tlm::tlm_generic_payload&) {}

/// One run of random traffic; returns the log of what the initiator did and saw, and when.
template <typename Phases>
std::string run_traffic(bool check, const char* trace_file, void (*decorate)(generic_payload&)) {
    constexpr unsigned transactions = 2000;
    report_catcher catcher;
    std::unique_ptr<trace_writer> trace;
    if (trace_file != nullptr) {
        trace = std::make_unique<trace_writer>(temporary(trace_file));
    }
    foreign::at_initiator<Phases> initiator("initiator", seed(), transactions);
    foreign::at_target<Phases> target("target", seed() + 1);
    instrumentation observers(check, trace.get());
    observers.connect(initiator.socket, target.socket, "link");
    initiator.decorate = decorate;
    simulate();
    observers.report_lost();
    observers.finish();
    if (trace) {
        trace->finish();
    }
    EXPECT_EQ(initiator.completed, transactions);
    EXPECT_EQ(initiator.mismatches, 0U);
    EXPECT_EQ(initiator.alive, 0U) << "somebody kept a payload";
    EXPECT_TRUE(report_catcher::reports().empty()) << report_catcher::text();
    return initiator.log.str();
}

/// The same run in a process of its own, because a simulation context is used once.
template <typename Phases>
std::string fork_traffic(bool check, const char* trace_file, void (*decorate)(generic_payload&)) {
    const std::filesystem::path log = temporary("traffic.log");
    const pid_t child = fork();
    if (child == 0) {
        std::ofstream(log) << run_traffic<Phases>(check, trace_file, decorate);
        _exit(::testing::Test::HasFailure() ? 1 : 0);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    return contents(log);
}

template <typename Phases>
void expect_transparent(void (*decorate)(generic_payload&)) {
    const std::string direct = fork_traffic<Phases>(false, nullptr, decorate);
    EXPECT_GT(direct.size(), 10000U);
    EXPECT_EQ(fork_traffic<Phases>(true, nullptr, decorate), direct);
    EXPECT_EQ(fork_traffic<Phases>(false, "first.json", decorate), direct);
    EXPECT_EQ(fork_traffic<Phases>(true, "second.json", decorate), direct);
    const std::string trace = contents(temporary("first.json"));
    EXPECT_EQ(contents(temporary("second.json")), trace) << "equal runs give equal bytes";
    unsigned slices = 0;
    const auto json = nlohmann::json::parse(trace);
    for (const auto& event : json["traceEvents"]) {
        if (event["ph"] == "X" && event.contains("args")) {
            ++slices;
        }
    }
    EXPECT_EQ(slices, 2000U);
    for (const char* name : {"traffic.log", "first.json", "second.json"}) {
        std::filesystem::remove(temporary(name));
    }
}

TEST(random_traffic, base_protocol_passes_checker_and_recorder) {
    expect_transparent<foreign::base_phases>(&add_nothing);
}

TEST(random_traffic, memory_link_passes_checker_and_recorder) {
    expect_transparent<memory_phases>(&add_access);
}

// ---- launches and blocks ----------------------------------------------------------------------

void begin_payload(kernel_launch& p, unsigned n) {
    p.launch = launch_id(n);
    p.kernel_name = "k";
}
void begin_payload(block_dispatch& p, unsigned n) {
    p.launch = launch_id(1);
    p.kernel->grid.x = 100000;
    p.position = {n, 0, 0};
    p.block = n;
}
void end_payload(kernel_launch& p) {
    p.outcome = launch_outcome::completed;
}
void end_payload(block_dispatch& p) {
    p.outcome = block_outcome::completed;
}
void give_kernel(kernel_launch&, pool<kernel_launch>&) {}
void give_kernel(block_dispatch& p, pool<kernel_launch>& kernels) {
    p.kernel = kernels.make();
}

/// Both ends of a three-phase link; the target accepts late and ends in random order.
template <typename Link>
struct three_phase_traffic : sc_core::sc_module {
    using payload = typename Link::tlm_payload_type;
    using phase = typename Link::tlm_phase_type;
    static constexpr unsigned count = 1000;

    pool<kernel_launch> kernels{"kernels"};
    pool<payload> payloads{"payloads"};
    scripted_initiator<Link> initiator{"initiator"};
    scripted_target<Link> target{"target"};
    random_stream random{seed(), "three_phase_traffic"};
    std::map<payload*, pool_ptr<payload>> held;     // by the initiator
    std::vector<pool_ptr<payload>> inbox, running;  // of the target
    bool credit = true;
    unsigned ended = 0;
    sc_core::sc_event credit_event, inbox_event;

    HEDDLE_HAS_PROCESS(three_phase_traffic);
    explicit three_phase_traffic(const sc_core::sc_module_name& name) : sc_module(name) {
        SC_THREAD(send);
        SC_THREAD(serve);
        initiator.on_backward = [this](payload& p, phase& ph, sc_time&) {
            if (static_cast<unsigned>(ph) == 1) {
                credit = true;
                credit_event.notify();
                return tlm::TLM_ACCEPTED;
            }
            ++ended;
            held.erase(&p);
            return tlm::TLM_COMPLETED;
        };
        target.on_forward = [this](payload& p, phase& ph, sc_time&) {
            const bool room = random.chance(0.3);
            (room ? running : inbox).emplace_back(&p);
            inbox_event.notify();
            if (!room) {
                return tlm::TLM_ACCEPTED;
            }
            ph = static_cast<phase>(1);
            return tlm::TLM_UPDATED;
        };
    }

    void send() {
        for (unsigned i = 1; i <= count; ++i) {
            while (!credit) {
                wait(credit_event);
            }
            auto p = payloads.make();
            give_kernel(*p, kernels);
            begin_payload(*p, i);
            held[p.get()] = p;
            phase ph = static_cast<phase>(0);
            sc_time t = sc_core::SC_ZERO_TIME;
            credit = initiator.socket->nb_transport_fw(*p, ph, t) == tlm::TLM_UPDATED;
            wait(foreign::stall(random));
        }
    }

    void serve() {
        for (;;) {
            while (inbox.empty() && running.empty()) {
                wait(inbox_event);
            }
            wait(foreign::stall(random));
            sc_time t = foreign::stall(random);
            if (!inbox.empty()) {
                phase ph = static_cast<phase>(1);
                running.push_back(std::move(inbox.back()));
                inbox.pop_back();
                sc_time zero;
                target.socket->nb_transport_bw(*running.back(), ph, zero);
            } else {
                const auto at = static_cast<std::ptrdiff_t>(random.below(running.size()));
                auto p = running[static_cast<std::size_t>(at)];
                running.erase(running.begin() + at);
                phase ph = static_cast<phase>(2);
                end_payload(*p);
                target.socket->nb_transport_bw(*p, ph, t);
            }
        }
    }
};

template <typename Link>
void expect_clean_traffic() {
    report_catcher catcher;
    trace_writer trace(temporary("three_phase.json"));
    three_phase_traffic<Link> traffic("traffic");
    instrumentation observers(true, &trace);
    observers.connect(traffic.initiator.socket, traffic.target.socket, "link");
    simulate();
    observers.report_lost();
    observers.finish();
    trace.finish();
    EXPECT_TRUE(report_catcher::reports().empty()) << report_catcher::text();
    EXPECT_EQ(traffic.ended, traffic.count);
    EXPECT_EQ(traffic.payloads.live(), 0U);
    const auto json = nlohmann::json::parse(contents(temporary("three_phase.json")));
    EXPECT_GT(json["traceEvents"].size(), 3 * traffic.count);
    std::filesystem::remove(temporary("three_phase.json"));
}

TEST(random_traffic, launches) {
    expect_clean_traffic<launch_link>();
}
TEST(random_traffic, kernel_dispatches) {
    expect_clean_traffic<kernel_dispatch_link>();
}
TEST(random_traffic, blocks) {
    expect_clean_traffic<block_link>();
}

// ---- loosely timed ----------------------------------------------------------------------------

struct lt_fixture {
    report_catcher catcher;
    trace_writer trace{temporary("lt.json")};
    scripted_initiator<base_link> initiator{"initiator"};
    scripted_target<base_link> target{"target"};
    instrumentation observers{true, &trace};
    tlm::tlm_generic_payload p;
    std::array<unsigned char, 8> data{1, 2, 3, 4, 5, 6, 7, 8};

    lt_fixture() {
        observers.connect(initiator.socket, target.socket, "link");
        p.set_write();
        p.set_address(0x100);
        p.set_data_ptr(data.data());
        p.set_data_length(8);
        p.set_streaming_width(8);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
};

TEST(loosely_timed, b_transport_keeps_annotation_and_data) {
    lt_fixture f;
    f.target.on_blocking = [](tlm::tlm_generic_payload& t, sc_time& time) {
        EXPECT_EQ(t.get_data_ptr()[7], 8);
        EXPECT_EQ(time, sc_time(3, SC_NS));
        time += sc_time(4, SC_NS);
        t.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    sc_time t(3, SC_NS);
    f.initiator.socket->b_transport(f.p, t);
    EXPECT_EQ(t, sc_time(7, SC_NS));
    f.observers.report_lost();
    f.observers.finish();
    f.trace.finish();
    EXPECT_TRUE(report_catcher::reports().empty()) << report_catcher::text();
    EXPECT_THAT(contents(temporary("lt.json")),
                ::testing::HasSubstr("\"ts\":0.003,\"dur\":0.004,\"args\":{\"command\":\"write\","
                                     "\"address\":\"0x100\",\"bytes\":8}"));
    std::filesystem::remove(temporary("lt.json"));
}

TEST(loosely_timed, dmi_is_granted_denied_and_invalidated_through_observers) {
    lt_fixture f;
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(f.initiator.socket->get_direct_mem_ptr(f.p, dmi));
    f.target.on_dmi = [&](tlm::tlm_generic_payload& t, tlm::tlm_dmi& d) {
        EXPECT_EQ(t.get_address(), 0x100U);
        d.set_dmi_ptr(f.data.data());
        d.set_start_address(0x100);
        d.set_end_address(0x107);
        d.allow_read_write();
        return true;
    };
    EXPECT_TRUE(f.initiator.socket->get_direct_mem_ptr(f.p, dmi));
    EXPECT_EQ(dmi.get_dmi_ptr(), f.data.data());
    EXPECT_EQ(dmi.get_end_address(), 0x107U);
    f.target.socket->invalidate_direct_mem_ptr(0x100, 0x103);
    ASSERT_EQ(f.initiator.invalidated.size(), 1U);
    EXPECT_EQ(f.initiator.invalidated[0].second, 0x103U);
}

TEST(loosely_timed, debug_transport_is_forwarded) {
    lt_fixture f;
    EXPECT_EQ(f.initiator.socket->transport_dbg(f.p), 0U);
    f.target.on_debug = [](tlm::tlm_generic_payload& t) {
        t.get_data_ptr()[0] = 99;
        return 5U;
    };
    EXPECT_EQ(f.initiator.socket->transport_dbg(f.p), 5U);
    EXPECT_EQ(f.data[0], 99);
    EXPECT_TRUE(report_catcher::reports().empty()) << report_catcher::text();
}

}  // namespace
}  // namespace heddle::protocol::testing
