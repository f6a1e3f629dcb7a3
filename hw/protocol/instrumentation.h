// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/protocol/protocol_checker.h"
#include "hw/protocol/transaction_recorder.h"

namespace heddle::protocol {

/// Binds links, with a checker or a recorder in between if the run wants them. One object per
/// netlist; it owns the observers and outlives the simulation.
class instrumentation {
public:
    /// `trace` may be null: no recorders. It must outlive this object.
    instrumentation(bool check, trace_writer* trace) : check_(check), trace_(trace) {}

    /// Binds initiator -> [checker ->] [recorder ->] target. The observers become modules of the
    /// current hierarchy, called NAME_checker and NAME_recorder. Call it where the two blocks are
    /// instantiated, for every link that can be watched. `may_stay_open`: transactions may still be
    /// under way at the good end of a run, as write-backs of a cache.
    template <unsigned Width, typename Link, int N, sc_core::sc_port_policy P, int M,
              sc_core::sc_port_policy Q>
    void connect(tlm::tlm_base_initiator_socket<Width, tlm::tlm_fw_transport_if<Link>,
                                                tlm::tlm_bw_transport_if<Link>, N, P>& initiator,
                 tlm::tlm_base_target_socket<Width, tlm::tlm_fw_transport_if<Link>,
                                             tlm::tlm_bw_transport_if<Link>, M, Q>& target,
                 const std::string& name, bool may_stay_open = false) {
        link_observer<Link, Width>* last = nullptr;
        const auto insert = [&](auto& observer) {
            if (last == nullptr) {
                initiator.bind(observer.target_socket);
            } else {
                last->initiator_socket.bind(observer.target_socket);
            }
            last = &observer;
        };
        if (check_) {
            auto checker =
                std::make_shared<protocol_checker<Link, Width>>((name + "_checker").c_str());
            insert(*checker);
            if (!may_stay_open) lost_.emplace_back([checker] { checker->report_lost(); });
            open_.emplace_back([checker] {
                return std::make_pair(std::string(checker->name()), checker->open_transactions());
            });
        }
        if (trace_ != nullptr) {
            auto recorder = std::make_shared<transaction_recorder<Link, Width>>(
                (name + "_recorder").c_str(), *trace_, name);
            insert(*recorder);
            finish_.emplace_back([recorder] { recorder->finish(); });
        }
        if (last == nullptr) {
            initiator.bind(target);
        } else {
            last->initiator_socket.bind(target);
        }
    }

    /// At the good end of a run: whatever is under way on a checked link is lost.
    void report_lost() const {
        for (const auto& report : lost_) {
            report();
        }
    }
    /// For the watchdog: checked links and what is under way on them, since when.
    [[nodiscard]] std::vector<std::pair<std::string, std::vector<std::string>>> open_transactions()
        const {
        std::vector<std::pair<std::string, std::vector<std::string>>> all;
        for (const auto& open : open_) {
            all.push_back(open());
        }
        return all;
    }
    /// Hands the recorders' open transactions to the writer; before trace_writer::finish().
    void finish() const {
        for (const auto& finish : finish_) {
            finish();
        }
    }

private:
    bool check_;
    trace_writer* trace_;
    std::vector<std::function<void()>> lost_;
    std::vector<std::function<std::pair<std::string, std::vector<std::string>>()>> open_;
    std::vector<std::function<void()>> finish_;
};

}  // namespace heddle::protocol
