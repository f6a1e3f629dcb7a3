// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/protocol/interposers.h"
#include "hw/protocol/link_trace.h"
#include "hw/protocol/protocol_checker.h"
#include "hw/protocol/slice_recorder.h"
#include "hw/protocol/timeline_recorder.h"

namespace heddle::protocol {

/// The names of a link. A text stands for one.
struct link_name {
    link_name(const char* link) : link(link) {}             // NOLINT(google-explicit-constructor)
    link_name(std::string link) : link(std::move(link)) {}  // NOLINT(google-explicit-constructor)
    /// The track of the link in a timeline is `track` of the block with the hierarchical name
    /// `owner`.
    link_name(std::string link, std::string owner, std::string track)
        : link(std::move(link)), owner(std::move(owner)), track(std::move(track)) {}

    [[nodiscard]] std::string track_path() const {
        return owner.empty() ? link : owner + "." + track;
    }

    std::string link;
    std::string owner;
    std::string track;
};

/// Binds links. If the run wants it, a checker or a recorder is bound in between. There is one
/// object per netlist. It owns the observers and outlives the simulation.
class instrumentation {
public:
    /// `trace` may be null: no recorders. `between` may be null: nothing else in the links.
    /// `messages` may be null: no link trace. All must outlive this object.
    instrumentation(bool check, trace_writer* trace, const interposers* between = nullptr,
                    link_trace* messages = nullptr)
        : check_(check), trace_(trace), between_(between), messages_(messages) {}

    /// Binds initiator -> [checker ->] [recorder ->] [message recorder ->] [interposers ->] target.
    /// The observers become modules of the current hierarchy, called LINK_checker, LINK_recorder
    /// and LINK_messages. Call it where the two blocks are instantiated, for every link that can be
    /// watched; in a link trace a link has the name of its track. `may_stay_open`:
    /// transactions may still be under way at the good end of a run, for example write-backs of a
    /// cache.
    template <unsigned Width, typename Link, int N, sc_core::sc_port_policy P, int M,
              sc_core::sc_port_policy Q>
    void connect(tlm::tlm_base_initiator_socket<Width, tlm::tlm_fw_transport_if<Link>,
                                                tlm::tlm_bw_transport_if<Link>, N, P>& initiator,
                 tlm::tlm_base_target_socket<Width, tlm::tlm_fw_transport_if<Link>,
                                             tlm::tlm_bw_transport_if<Link>, M, Q>& target,
                 const link_name& name, bool may_stay_open = false) {
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
                std::make_shared<protocol_checker<Link, Width>>((name.link + "_checker").c_str());
            insert(*checker);
            if (!may_stay_open) lost_.emplace_back([checker] { checker->report_lost(); });
            open_.emplace_back([checker] {
                return std::make_pair(std::string(checker->name()), checker->open_transactions());
            });
        }
        if (trace_ != nullptr && trace_->selects(name.track_path())) {
            using recorder_type = timeline_recorder<Link, Width>;
            const std::string module = name.link + "_recorder";
            auto recorder =
                name.owner.empty()
                    ? std::make_shared<recorder_type>(module.c_str(), *trace_, name.link)
                    : std::make_shared<recorder_type>(module.c_str(), *trace_, name.owner,
                                                      name.track);
            insert(*recorder);
            finish_.emplace_back([recorder] { recorder->finish(); });
        }
        if (messages_ != nullptr && messages_->selects(name.track_path())) {
            auto recorder = std::make_shared<message_recorder<Link, Width>>(
                (name.link + "_messages").c_str(), *messages_, name.track_path());
            insert(*recorder);
            kept_.push_back(recorder);
        }
        if (between_ != nullptr) {
            for (const auto& each : between_->make<Link, Width>(name.link)) {
                insert(*each);
                kept_.push_back(each);
            }
        }
        if (last == nullptr) {
            initiator.bind(target);
        } else {
            last->initiator_socket.bind(target);
        }
    }

    /// The track `track` of a block, for slices that the block itself writes; null if the track is
    /// not selected.
    [[nodiscard]] slice_recorder* slices(const std::string& owner, const std::string& track,
                                         std::string_view category) {
        if (trace_ == nullptr || !trace_->selects(owner + "." + track)) return nullptr;
        auto recorder = std::make_shared<slice_recorder>(*trace_, owner, track, category);
        finish_.emplace_back([recorder] { recorder->finish(); });
        return recorder.get();
    }

    /// Call it at the good end of a run: a transaction that is under way on a checked link then is
    /// lost, and reported.
    void report_lost() const {
        for (const auto& report : lost_) {
            report();
        }
    }
    /// For the watchdog: checked links, and their transactions under way with the time since when.
    [[nodiscard]] std::vector<std::pair<std::string, std::vector<std::string>>> open_transactions()
        const {
        std::vector<std::pair<std::string, std::vector<std::string>>> all;
        for (const auto& open : open_) {
            all.push_back(open());
        }
        return all;
    }
    /// Writes the recorders' open transactions; call it before trace_writer::finish().
    void finish() const {
        for (const auto& finish : finish_) {
            finish();
        }
    }

private:
    bool check_;
    trace_writer* trace_;
    const interposers* between_;
    link_trace* messages_;
    std::vector<std::shared_ptr<void>> kept_;  ///< what was put into the links
    std::vector<std::function<void()>> lost_;
    std::vector<std::function<std::pair<std::string, std::vector<std::string>>()>> open_;
    std::vector<std::function<void()>> finish_;
};

}  // namespace heddle::protocol
