// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "hw/protocol/protocol_checker.h"

namespace heddle::protocol::testing {

using sc_core::SC_NS;
using sc_core::sc_time;

/// Collects warnings and errors instead of printing or throwing; one at a time.
class report_catcher {
public:
    struct report {
        std::string id, text;
    };

    report_catcher() {
        list().clear();
        sc_core::sc_report_handler::set_handler(&handle);
    }
    ~report_catcher() { sc_core::sc_report_handler::set_handler(nullptr); }
    report_catcher(const report_catcher&) = delete;
    report_catcher& operator=(const report_catcher&) = delete;

    [[nodiscard]] static const std::vector<report>& reports() { return list(); }
    [[nodiscard]] static std::vector<std::string> ids() {
        std::vector<std::string> all;
        for (const report& r : list()) {
            all.push_back(r.id);
        }
        return all;
    }
    static std::string text() {
        std::string all;
        for (const report& r : list()) {
            all += r.id + ": " + r.text + "\n";
        }
        return all;
    }

private:
    static std::vector<report>& list() {
        static std::vector<report> all;
        return all;
    }
    static void handle(const sc_core::sc_report& r, const sc_core::sc_actions& actions) {
        if (r.get_severity() >= sc_core::SC_WARNING) {
            list().push_back({r.get_msg_type(), r.get_msg()});
        } else {
            sc_core::sc_report_handler::default_handler(r, actions);
        }
    }
};

/// The initiator's end of a link; what it answers on the backward path is up to the test.
template <typename Link, unsigned Width = 32>
struct scripted_initiator : sc_core::sc_module, tlm::tlm_bw_transport_if<Link> {
    using payload = typename Link::tlm_payload_type;
    using phase = typename Link::tlm_phase_type;

    tlm::tlm_initiator_socket<Width, Link> socket{"socket"};
    std::function<tlm::tlm_sync_enum(payload&, phase&, sc_time&)> on_backward =
        [](payload&, phase&, sc_time&) { return tlm::TLM_ACCEPTED; };
    std::vector<std::pair<sc_dt::uint64, sc_dt::uint64>> invalidated;

    explicit scripted_initiator(const sc_core::sc_module_name& name) : sc_module(name) {
        socket.bind(static_cast<tlm::tlm_bw_transport_if<Link>&>(*this));
    }
    tlm::tlm_sync_enum nb_transport_bw(payload& p, phase& ph, sc_time& t) override {
        return on_backward(p, ph, t);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
        invalidated.emplace_back(first, last);
    }
};

/// The target's end of a link.
template <typename Link, unsigned Width = 32>
struct scripted_target : sc_core::sc_module, tlm::tlm_fw_transport_if<Link> {
    using payload = typename Link::tlm_payload_type;
    using phase = typename Link::tlm_phase_type;

    tlm::tlm_target_socket<Width, Link> socket{"socket"};
    std::function<tlm::tlm_sync_enum(payload&, phase&, sc_time&)> on_forward =
        [](payload&, phase&, sc_time&) { return tlm::TLM_ACCEPTED; };
    std::function<void(payload&, sc_time&)> on_blocking = [](payload&, sc_time&) {};
    std::function<bool(payload&, tlm::tlm_dmi&)> on_dmi = [](payload&, tlm::tlm_dmi&) {
        return false;
    };
    std::function<unsigned(payload&)> on_debug = [](payload&) { return 0U; };

    explicit scripted_target(const sc_core::sc_module_name& name) : sc_module(name) {
        socket.bind(static_cast<tlm::tlm_fw_transport_if<Link>&>(*this));
    }
    tlm::tlm_sync_enum nb_transport_fw(payload& p, phase& ph, sc_time& t) override {
        return on_forward(p, ph, t);
    }
    void b_transport(payload& p, sc_time& t) override { on_blocking(p, t); }
    bool get_direct_mem_ptr(payload& p, tlm::tlm_dmi& dmi) override { return on_dmi(p, dmi); }
    unsigned transport_dbg(payload& p) override { return on_debug(p); }
};

/// Initiator - checker - target, elaborated; the test makes the calls.
template <typename Link>
struct checked_link {
    using payload = typename Link::tlm_payload_type;
    using phase = typename Link::tlm_phase_type;

    report_catcher catcher;
    scripted_initiator<Link> initiator{"initiator"};
    protocol_checker<Link> checker{"checker"};
    scripted_target<Link> target{"target"};

    checked_link() {
        initiator.socket.bind(checker.target_socket);
        checker.initiator_socket.bind(target.socket);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }

    tlm::tlm_sync_enum forward(payload& p, phase ph, sc_time t = sc_core::SC_ZERO_TIME) {
        return initiator.socket->nb_transport_fw(p, ph, t);
    }
    tlm::tlm_sync_enum backward(payload& p, phase ph, sc_time t = sc_core::SC_ZERO_TIME) {
        return target.socket->nb_transport_bw(p, ph, t);
    }
    void blocking(payload& p) {
        sc_time t = sc_core::SC_ZERO_TIME;
        initiator.socket->b_transport(p, t);
    }
    /// What the next forward (backward) call is answered.
    void target_answers(tlm::tlm_sync_enum status, phase ph, sc_time t = sc_core::SC_ZERO_TIME) {
        target.on_forward = [=](payload&, phase& p, sc_time& time) {
            if (status == tlm::TLM_UPDATED) {
                p = ph;
            }
            time += t;
            return status;
        };
    }
    void initiator_answers(tlm::tlm_sync_enum status, phase ph) {
        initiator.on_backward = [=](payload&, phase& p, sc_time&) {
            if (status == tlm::TLM_UPDATED) {
                p = ph;
            }
            return status;
        };
    }
    static void wait(double ns) { sc_core::sc_start(ns, SC_NS); }

    void expect_clean() {
        EXPECT_TRUE(report_catcher::reports().empty()) << report_catcher::text();
    }
    /// Exactly this rule, once.
    void expect(const char* id) {
        EXPECT_EQ(report_catcher::ids(), std::vector<std::string>{id}) << report_catcher::text();
    }
};

}  // namespace heddle::protocol::testing
