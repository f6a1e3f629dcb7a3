// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "hw/base/has_process.h"
#include "hw/base/pool.h"
#include "hw/protocol/interposers.h"
#include "hw/protocol/protocol_checker.h"
#include "tb/link_faults/fault_plan.h"
#include "tb/link_faults/payload_bits.h"

namespace heddle::link_faults {

/// Parity bits under way on a link, by payload: what the sender has put there.
using parity_bits = std::map<std::pair<const void*, protocol::path>, std::deque<std::uint64_t>>;

/// One end of a link whose calls carry parity bits: the sender's end makes them, the receiver's end
/// compares them. A call without parity bits has come twice.
template <class Link>
class parity_end final : public protocol::link_observer<Link> {
    using base = protocol::link_observer<Link>;

public:
    using typename base::payload_type;
    using typename base::phase_type;

    /// `sends`: the way on which this end is the sender.
    parity_end(const sc_core::sc_module_name& name, protocol::path sends,
               std::shared_ptr<parity_bits> bits)
        : base(name), sends_(sends), bits_(std::move(bits)) {}

protected:
    tlm::tlm_sync_enum pass(protocol::path via, payload_type& payload, phase_type& phase,
                            sc_core::sc_time& time) override {
        compare(payload, via);
        return base::pass(via, payload, phase, time);
    }
    void b_transport(payload_type& payload, sc_core::sc_time& time) override {
        compare(payload, protocol::path::forward);
        base::b_transport(payload, time);
        compare(payload, protocol::path::backward);
    }

private:
    void compare(payload_type& payload, protocol::path via) {
        auto& sent = (*bits_)[{&payload, via}];
        if (via == sends_) return sent.push_back(parity_of(payload));
        if (sent.empty()) {
            SC_REPORT_ERROR("heddle/protocol/parity",
                            (std::string(this->name()) + ": a call that nobody has sent").c_str());
            return;
        }
        const std::uint64_t wanted = sent.front();
        sent.pop_front();
        if (wanted == parity_of(payload)) return;
        SC_REPORT_ERROR(
            "heddle/protocol/parity",
            (std::string(this->name()) + ": the payload has changed on its way").c_str());
    }

    const protocol::path sends_;
    std::shared_ptr<parity_bits> bits_;
};

/// Keeps a payload alive that is late.
template <class Payload>
struct late_reference {
    explicit late_reference(Payload& p) : held(&p) {}
    pool_ptr<Payload> held;
};
template <>
struct late_reference<tlm::tlm_generic_payload> {
    explicit late_reference(tlm::tlm_generic_payload& p) : payload(&p) {
        if (p.has_mm()) p.acquire();
    }
    ~late_reference() {
        if (payload->has_mm()) payload->release();
    }
    late_reference(const late_reference&) = delete;
    late_reference& operator=(const late_reference&) = delete;
    tlm::tlm_generic_payload* payload;
};
/// One object for the whole run.
template <>
struct late_reference<protocol::warp_cycle> {
    explicit late_reference(protocol::warp_cycle&) {}
};

template <>
struct late_reference<protocol::thread_turn> {
    explicit late_reference(protocol::thread_turn&) {}
};

/// Does the fault of a plan to its link: loses a call, makes it late, makes it twice, or changes a
/// bit of its payload.
template <class Link>
class fault_injector final : public protocol::link_observer<Link> {
    using base = protocol::link_observer<Link>;

public:
    using typename base::payload_type;
    using typename base::phase_type;
    HEDDLE_HAS_PROCESS(fault_injector);

    /// `link`: its hierarchical name.
    fault_injector(const sc_core::sc_module_name& name, std::string link, fault_plan& plan,
                   std::shared_ptr<parity_bits> bits)
        : base(name), link_(std::move(link)), plan_(plan), bits_(std::move(bits)) {
        SC_METHOD(arrive_late);
        this->dont_initialize();
        this->sensitive << late_;
    }

protected:
    tlm::tlm_sync_enum pass(protocol::path via, payload_type& payload, phase_type& phase,
                            sc_core::sc_time& time) override {
        switch (plan_.next(link_, via)) {
            case fault_kind::drop:
                return tlm::TLM_ACCEPTED;
            case fault_kind::delay:
                late_payload_ = &payload;
                late_phase_ = phase;
                late_via_ = via;
                held_ = std::make_unique<late_reference<payload_type>>(payload);
                late_.notify(lost_time());
                return tlm::TLM_ACCEPTED;
            case fault_kind::duplicate: {
                phase_type again = phase;
                sc_core::sc_time again_time = time;
                const tlm::tlm_sync_enum answer = base::pass(via, payload, phase, time);
                (void)base::pass(via, payload, again, again_time);
                return answer;
            }
            case fault_kind::corrupt:
                corrupt(payload, plan_.planned().choice);
                break;
            case fault_kind::none:
                break;
        }
        return base::pass(via, payload, phase, time);
    }
    void b_transport(payload_type& payload, sc_core::sc_time& time) override {
        const fault_kind kind = plan_.next(link_, protocol::path::forward);
        if (kind == fault_kind::drop) return;
        if (kind == fault_kind::corrupt) corrupt(payload, plan_.planned().choice);
        if (kind == fault_kind::delay) time += lost_time();
        base::b_transport(payload, time);
        if (kind == fault_kind::duplicate) base::b_transport(payload, time);
    }

private:
    [[nodiscard]] sc_core::sc_time lost_time() const {
        return sc_core::sc_time::from_value(plan_.planned().choice);
    }
    /// The late call. Who sent it has been told that the answer comes later.
    void arrive_late() {
        sc_core::sc_time time;
        phase_type phase = late_phase_;
        if (base::pass(late_via_, *late_payload_, phase, time) == tlm::TLM_UPDATED) {
            const protocol::path back = late_via_ == protocol::path::forward
                                            ? protocol::path::backward
                                            : protocol::path::forward;
            (*bits_)[{late_payload_, back}].push_back(parity_of(*late_payload_));
            (void)base::pass(back, *late_payload_, phase, time);
        }
        held_.reset();
    }

    const std::string link_;
    fault_plan& plan_;
    std::shared_ptr<parity_bits> bits_;
    sc_core::sc_event late_;
    payload_type* late_payload_ = nullptr;
    phase_type late_phase_{};
    protocol::path late_via_{};
    std::unique_ptr<late_reference<payload_type>> held_;
};

/// Puts into every link of one type: parity bits, the injector, a second protocol checker, parity
/// bits.
template <class Link>
void add_faulty_links(protocol::interposers& to, fault_plan& plan) {
    to.add<Link, 32>([&plan](const std::string& link) {
        const auto bits = std::make_shared<parity_bits>();
        const auto name = [&](const char* part) { return link + "_" + part; };
        auto near =
            std::make_shared<parity_end<Link>>(name("near").c_str(), protocol::path::forward, bits);
        std::string path = near->name();
        path.resize(path.size() - std::string("_near").size());
        auto broken =
            std::make_shared<fault_injector<Link>>(name("fault").c_str(), path, plan, bits);
        auto checker =
            std::make_shared<protocol::protocol_checker<Link>>(name("far_checker").c_str());
        auto far =
            std::make_shared<parity_end<Link>>(name("far").c_str(), protocol::path::backward, bits);
        return protocol::interposers::chain<Link>{near, broken, checker, far};
    });
}

}  // namespace heddle::link_faults
