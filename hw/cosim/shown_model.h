// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/base/slot_trace.h"
#include "hw/cosim/port_table.h"
#include "hw/cosim/rtl_model.h"

namespace heddle::cosim {

/// RTL whose ports a waveform shows, as PATH.ports.NAME: their values when the part was asked,
/// and inputs also as they are at a clock edge. Edges take no time, so that `clk`, `rst_n` and
/// `enable` can't be shown as levels: PATH.edges.enabled, .idle and .reset count them.
class shown_model final : public rtl_model {
public:
    shown_model(std::unique_ptr<rtl_model> rtl, slot_view& view, const std::string& path,
                const std::vector<port_shape>& ports)
        : rtl_(std::move(rtl)), inputs_(rtl_->inputs()), view_(view) {
        std::size_t next[2] = {};
        for (const port_shape& port : ports) {
            std::size_t& at = next[static_cast<std::size_t>(port.way)];
            ports_.push_back({port.way, at, port.bits(),
                              view.declare_bits(path + ".ports." + port.name, port.bits())});
            at += port.bits();
        }
        for (edges* const each : {&enabled_, &idle_, &reset_}) {
            each->handle = view.declare_number(path + ".edges." + each->name);
        }
    }

    std::uint32_t* inputs() noexcept override { return rtl_->inputs(); }
    const std::uint32_t* outputs() const noexcept override { return rtl_->outputs(); }
    void evaluate() override {
        rtl_->evaluate();
        for (const shown_port& port : ports_) show(port);
    }
    void clock() override {
        // Inputs that matter at the edge only may have come after the evaluation.
        for (const shown_port& port : ports_) {
            if (port.way == port_direction::input) show(port);
        }
        count(enabled_);
        rtl_->clock();
    }
    void idle_clock() override {
        count(idle_);
        rtl_->idle_clock();
    }
    void reset() override {
        count(reset_);
        rtl_->reset();
    }
    [[nodiscard]] bool free_running() const noexcept override { return rtl_->free_running(); }

private:
    struct shown_port {
        port_direction way;
        std::size_t at;
        unsigned bits;
        slot_view::handle handle;
    };

    /// Rising edges of `clk`.
    struct edges {
        const char* name;
        std::uint64_t count = 0;
        slot_view::handle handle = 0;
    };

    void count(edges& these) { view_.set_number(these.handle, ++these.count); }
    void show(const shown_port& port) {
        constexpr unsigned word_bits = 64;
        const std::uint32_t* const from =
            port.way == port_direction::input ? inputs_ : rtl_->outputs();
        value_.clear();
        for (unsigned done = 0; done < port.bits; done += word_bits) {
            value_.push_back(get_bits(from, port.at + done, std::min(word_bits, port.bits - done)));
        }
        view_.set_bits(port.handle, value_.data());
    }

    std::unique_ptr<rtl_model> rtl_;
    /// Who asks a traced_model for its inputs announces new ones, so it is asked once.
    const std::uint32_t* const inputs_;
    slot_view& view_;
    std::vector<shown_port> ports_;
    std::vector<std::uint64_t> value_;
    edges enabled_{"enabled"}, idle_{"idle"}, reset_{"reset"};
};

}  // namespace heddle::cosim
