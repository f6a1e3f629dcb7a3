// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/cosim/pins/core_checker.h"
#include "hw/cosim/pins/core_follower.h"
#include "hw/cosim/pins/core_to_pins.h"
#include "models/device/program_table.h"
#include "models/program/compile.h"
#include "models/program/image.h"
#include "tests/base/temporary_directory.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle::pins {

using protocol::block_dispatch;
using protocol::block_phase;
using protocol::memory_phase;
using protocol::testing::report_catcher;

/// Does what a test says at each edge.
class edge_script final : public pin_part {
public:
    explicit edge_script(pin_clock& clock) : pin_part(clock), domain_(clock.domain()) {}
    void clock_edge() override {
        const std::uint64_t edge = domain_.edge();
        for (const auto& [when, what] : steps_) {
            if (when == edge) what();
        }
    }
    void at(std::uint64_t edge, std::function<void()> what) {
        steps_.emplace_back(edge, std::move(what));
    }

private:
    const clock_domain& domain_;
    std::vector<std::pair<std::uint64_t, std::function<void()>>> steps_;
};

/// Edge k lies at k ns. `seen` at edge n is driven at edge n - 1.
struct pin_bench {
    static void run_to(std::uint64_t edge) {
        const sc_core::sc_time end(static_cast<double>(edge * 1000 + 700), sc_core::SC_PS);
        sc_core::sc_start(end - sc_core::sc_time_stamp());
    }
    /// A beat that moves at edge `n`.
    template <class Payload>
    void beat(std::uint64_t n, pin_channel<Payload>& channel,
              const std::function<void(Payload&)>& fill) {
        script.at(n - 1, [&channel, fill] {
            fill(channel.payload);
            channel.valid.write(true);
            channel.ready.write(true);
        });
        script.at(n, [&channel] {
            channel.valid.write(false);
            channel.ready.write(false);
        });
    }

    report_catcher catcher;
    clock_domain core{"core", frequency::megahertz(1000)};
    pin_clock clock{"clock", core};
    core_pins pins;
    edge_script script{clock};
};

/// A kernel whose threads store their index and one that loads it, on an SMX whose pins the test
/// drives.
struct driven_core : pin_bench {
    driven_core() {
        const temporary_directory files;
        const std::string file = files / "k.elf";
        program::compile({files.write("k.cpp",
                                      "#include <heddle.h>\n"
                                      "__global__ void k(volatile unsigned* p) {\n"
                                      "    while (*p < threadIdx.x) *p += 1;\n}\n")},
                         file);
        image = std::make_shared<program::image>(program::image::load(file));
        program = &programs.add(image);
        ranges.place({data, 256, true, "data"});
        ranges.place({constants, 64, false, "constants"});
        scheduler.socket.bind(front.block_socket);
        front.memory_socket.bind(memory.socket);
        scheduler.on_backward = [this](block_dispatch& b, block_phase& phase, sc_core::sc_time&) {
            (phase == block_phase::started ? started : done).emplace_back(core.edge(), b.block);
            return phase == block_phase::started ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
        memory.on_forward = [this](tlm::tlm_generic_payload& p, memory_phase&, sc_core::sc_time&) {
            requests.push_back(&p);
            sent.push_back(core.edge());
            p.set_response_status(tlm::TLM_OK_RESPONSE);
            if (on_request) on_request(p, *protocol::access_of(p));
            return tlm::TLM_COMPLETED;
        };
        run_to(4);
    }
    void dispatch(std::uint32_t index, std::uint32_t threads) {
        const pool_ptr<protocol::kernel_launch> launch = launches.make();
        launch->launch = launch_id(3);
        launch->program = program;
        launch->kernel = &kernel();
        launch->entry_pc = kernel().entry;
        launch->grid = {2, 1, 1};
        launch->block = {threads, 1, 1};
        launch->parameter_address = constants;
        launch->per_block.shared_bytes = 40;
        launch->dynamic_shared_bytes = 8;
        blocks.push_back(dispatches.make());
        block_dispatch& block = *blocks.back();
        block.launch = launch_id(3);
        block.kernel = launch;
        block.block = index;
        block.position = {index, 0, 0};
        block.context = protocol::context_id(6);
        block.invalidate_l1 = true;
        block_phase phase = block_phase::dispatch;
        sc_core::sc_time delay;
        EXPECT_EQ(scheduler.socket->nb_transport_fw(block, phase, delay), tlm::TLM_ACCEPTED);
    }
    [[nodiscard]] const program::kernel& kernel() const { return image->kernels()[0]; }
    [[nodiscard]] std::uint32_t word(std::uint32_t pc) const { return kernel().code.at(pc).raw; }

    /// One request, which moves at this edge or soon after.
    void request(std::uint64_t edge, const std::function<void(core_request_pins&)>& fill) {
        script.at(edge - 1, [this, fill] {
            fill(pins.request.payload);
            pins.request.valid.write(true);
        });
        script.at(edge, [this] { pins.request.valid.write(false); });
    }
    /// A record that is sampled at `edge`: a first step of warp 0 that is right, changed by `fill`.
    void retire(std::uint64_t edge, core_record::kind kind,
                const std::function<void(retire_pins&)>& fill = {}) {
        script.at(edge - 1, [this, kind, fill] {
            retire_pins& r = pins.retire;
            const bool step = kind == core_record::kind::step;
            r.valid.write(true);
            r.kind.write(static_cast<std::uint32_t>(kind));
            r.launch.write(3);
            r.slot.write(
                kind == core_record::kind::block_begin || kind == core_record::kind::block_end ? 1
                                                                                               : 2);
            r.block.write(0);
            r.warp.write(0);
            r.n.write(1);
            r.pc.write(kernel().entry);
            r.word.write(word(kernel().entry));
            r.lanes.write(step ? 0xffffffff : 0xc);  // warp slots 2 and 3 begin
            r.live.write(0xffffffff);
            r.next_lanes.write(0xffffffff);
            r.next_pc.write(kernel().entry + 4);
            r.rd.write(kind == core_record::kind::data ? first().rd : 0);
            r.known.write(0xffffffff);
            r.fault.write(0);
            core_row row;
            for (int lane = 0; lane < 32; ++lane) row.set_word(lane, constants);
            r.address.write(row);
            if (fill) fill(r);
        });
        script.at(edge, [this] { pins.retire.valid.write(false); });
    }
    [[nodiscard]] const isa::instruction& first() const { return kernel().code.at(kernel().entry); }
    void begin() {
        script.at(8, [this] { pins.dispatch.ready.write(true); });
        dispatch(0, 64);
        retire(12, core_record::kind::block_begin);
    }
    std::string report_after(core_record::kind kind,
                             const std::function<void(retire_pins&)>& fill) {
        begin();
        retire(16, kind, fill);
        run_to(20);
        return status.text();
    }

    static constexpr std::uint32_t data = 0x40000000;
    static constexpr std::uint32_t constants = 0xc0000000;
    std::shared_ptr<const program::image> image;
    program_table programs;
    const held_program* program = nullptr;
    machine_configuration machine;
    allocation_table ranges{data, 0x1000};
    run_status status;
    protocol::testing::scripted_initiator<protocol::block_link> scheduler{"scheduler"};
    protocol::testing::scripted_target<protocol::memory_link> memory{"memory"};
    core_to_pins front{"front", clock, pins, sm_id(5), {ranges, 0xff000000}};
    core_follower follower{clock, pins.retire, front, {sm_id(5), machine_of(), 2, ranges, status}};
    core_checker checker{"core", clock, pins, 100, {16, 16384}};
    pool<protocol::kernel_launch> launches{"launches"};
    pool<block_dispatch> dispatches{"dispatches"};
    std::vector<pool_ptr<block_dispatch>> blocks;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> started, done;
    std::vector<tlm::tlm_generic_payload*> requests;
    std::vector<std::uint64_t> sent;
    std::function<void(tlm::tlm_generic_payload&, protocol::memory_access&)> on_request;

private:
    const machine_configuration& machine_of() {
        machine.warp_size = 32;
        machine.smx_count = 1;
        machine.smx.max_threads = 512;
        machine.smx.private_bytes = 8192;
        return machine;
    }
};

}  // namespace heddle::pins
