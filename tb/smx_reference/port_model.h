// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "hw/protocol/memory_access.h"
#include "hw/smx/lsu/load_store_configuration.h"

namespace heddle::smx_reference {

/// A request to memory.
struct request {
    protocol::memory_kind kind{};
    std::uint32_t address = 0;
    std::uint32_t length = 0;
    std::function<void()> answered;  ///< what its answer does
    std::uint64_t due = 0;           ///< edge at which it may begin
};

/// The SMX's end of the link to memory: docs/smx_rules.md, "(6) Blocks, and the port".
class port_model {
public:
    enum queue { data, instructions };

    explicit port_model(const load_store_configuration& configuration)
        : configuration_(configuration) {}

    [[nodiscard]] unsigned room(queue which) const {
        const std::size_t places = configuration_.request_queue + configuration_.request_latency;
        return static_cast<unsigned>(
            std::min(places - queues_[which].size(), configuration_.outstanding - unanswered_));
    }
    void send(queue which, request what, std::uint64_t edge) {
        what.due = edge + configuration_.request_latency;
        queues_[which].push_back(std::make_shared<request>(std::move(what)));
        ++unanswered_;
    }
    /// The request that begins at this edge, if one does.
    std::shared_ptr<request> begin(std::uint64_t edge) {
        if (on_link_ != nullptr) return nullptr;
        for (unsigned tries = 0; tries < 2; ++tries) {
            auto& from = queues_[turn_];
            turn_ = 1 - turn_;
            if (from.empty() || from.front()->due > edge) continue;
            on_link_ = from.front();
            from.pop_front();
            return on_link_;
        }
        return nullptr;
    }
    void credit() { on_link_ = nullptr; }
    void answer(const std::shared_ptr<request>& what) {
        if (what == on_link_) on_link_ = nullptr;
        --unanswered_;
        what->answered();
    }

private:
    load_store_configuration configuration_;
    std::deque<std::shared_ptr<request>> queues_[2];
    std::shared_ptr<request> on_link_;  ///< waits for the credit
    std::size_t unanswered_ = 0;
    unsigned turn_ = 0;
};

}  // namespace heddle::smx_reference
