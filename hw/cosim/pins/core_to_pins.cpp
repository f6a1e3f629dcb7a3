// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/core_to_pins.h"

#include <algorithm>
#include <utility>

#include "hw/base/report_error.h"
#include "hw/cosim/pins/distributor_pins.h"
#include "models/device/program_table.h"

namespace heddle::pins {

using protocol::block_dispatch;
using protocol::block_phase;
using protocol::memory_phase;

core_to_pins::core_to_pins(const sc_core::sc_module_name& name, pin_clock& clock, core_pins& pins,
                           sm_id id, const core_limits& limits, const stalls& held)
    : sc_module(name),
      clocked(clock.domain(), sc_module::name()),
      pin_part(clock),
      block_socket("block_socket"),
      memory_socket("memory_socket"),
      dispatch_(pins.dispatch, held.dispatch),
      done_(pins.done, held.done),
      fetch_(pins.fetch, held.fetch),
      line_(pins.line, held.line),
      request_(pins.request, held.request),
      response_(pins.response, held.response),
      dispatched_(*this, 2),
      memory_(*this, id, memory_socket, limits) {
    block_socket.register_nb_transport_fw(this, &core_to_pins::take_block);
    memory_socket.register_nb_transport_bw(this, &core_to_pins::take_answer);
}

tlm::tlm_sync_enum core_to_pins::take_block(block_dispatch& block, block_phase& phase,
                                            sc_core::sc_time&) {
    if (phase != block_phase::dispatch) {
        report("an SMX takes no phase but dispatch");
    } else if (block.resumed || block.origin.pc != 0 || block.groups != 0) {
        report("block " + std::to_string(block.block) +
               " comes with a state; legal behind pins: blocks of plain launches");
    } else if (!dispatched_.push(block_ptr(&block))) {
        report("a block is dispatched before the last one has started");
    }
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum core_to_pins::take_answer(tlm::tlm_generic_payload& payload, memory_phase& phase,
                                             sc_core::sc_time& delay) {
    return memory_.port().nb_transport_bw(payload, phase, delay);
}

void core_to_pins::clock_edge() {
    const std::uint64_t edge = domain().edge();
    // (1) what memory has answered
    memory_.port().receive(edge);
    if (memory_.take_line()) wanted_.here = true;
    // (2) a block that has moved, one that has ended
    if (dispatch_.moves()) tell(*std::exchange(on_pins_, {}), block_phase::started);
    if (const block_end_pins* const pins = done_.taken()) end(*pins);
    // (3) what the SMX asks memory for; one request goes out
    if (const core_request_pins* const pins = request_.taken()) request(*pins);
    if (line_.moves()) wanted_ = {};
    if (const fetch_pins* const pins = fetch_.taken()) fetch(*pins);
    memory_.port().transmit(edge);
    // (4) the next block, line and response
    dispatch_.clock_edge([this](block_pins& pins) { return drive_block(pins); });
    line_.clock_edge([this](code_line_pins& pins) { return drive_line(pins); });
    response_.clock_edge([this](core_response_pins& pins) { return memory_.drive(pins); });
    done_.offer(true);
    fetch_.offer(!wanted_.wanted);
    // The queues grow when their requests begin, so a full one is seen a clock later.
    request_.offer(memory_.under_way() < core_request_ids &&
                   memory_.port().can_send(memory_port::queue::data));
}

core_to_pins::block_ptr core_to_pins::running(launch_id launch, std::uint32_t block) const {
    const auto found = std::find_if(running_.begin(), running_.end(), [&](const block_ptr& each) {
        return each->launch == launch && each->block == block;
    });
    return found == running_.end() ? block_ptr() : *found;
}

const block_dispatch* core_to_pins::any_of(launch_id launch) const {
    const auto found = std::find_if(running_.begin(), running_.end(),
                                    [&](const block_ptr& each) { return each->launch == launch; });
    return found == running_.end() ? nullptr : found->get();
}

void core_to_pins::tell(block_dispatch& block, block_phase phase) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    (void)block_socket->nb_transport_bw(block, phase, delay);
}

void core_to_pins::end(const block_end_pins& pins) {
    const block_ptr block = running(launch_of(pins.launch.read()), pins.block.read());
    if (!block || block == on_pins_) {
        return report("block " + std::to_string(pins.block.read()) + " of launch " +
                      std::to_string(pins.launch.read()) + " ends, which is not there");
    }
    block->outcome = protocol::block_outcome::completed;
    if (counts_) block->warp_instructions = counts_(*block);
    running_.erase(std::find(running_.begin(), running_.end(), block));
    tell(*block, block_phase::done);
}

void core_to_pins::fetch(const fetch_pins& pins) {
    const block_dispatch* const of = any_of(launch_of(pins.launch.read()));
    if (of == nullptr) {
        return report("a line of instructions is asked for by launch " +
                      std::to_string(pins.launch.read()) + ", which has no block here");
    }
    wanted_ = {pins.address.read() / code_line_bytes * code_line_bytes, &of->kernel->kernel->code,
               of->kernel->program->image, true, false};
    const program::kernel_code& code = *wanted_.code;
    const std::uint32_t end = code.base + 4 * static_cast<std::uint32_t>(code.instructions.size());
    const bool exists = wanted_.address + code_line_bytes > code.base && wanted_.address < end;
    if (exists) {
        memory_.fetch(wanted_.address, *of);
    } else {
        wanted_.here = true;
    }
}

void core_to_pins::request(const core_request_pins& pins) {
    const auto kind = static_cast<core_request_kind>(pins.kind.read());
    const block_dispatch* const of = any_of(launch_of(pins.launch.read()));
    // What an L1 writes back is of no launch.
    const bool write_back = pins.launch.read() == 0 && kind == core_request_kind::write;
    if ((of != nullptr || write_back) && pins.address.read() % line_bytes == 0 &&
        kind <= core_request_kind::atomic) {
        return memory_.request(pins, of);
    }
    memory_.refuse(pins.id.read());
    report("a request of kind " + std::to_string(pins.kind.read()) + " for address " +
           std::to_string(pins.address.read()) + " by launch " +
           std::to_string(pins.launch.read()) +
           "; legal: kinds 0 to 2, a multiple of 128, a launch with a block here");
}

bool core_to_pins::drive_block(block_pins& pins) {
    if (dispatched_.ready() == nullptr) return false;
    on_pins_ = dispatched_.pop();
    running_.push_back(on_pins_);
    const block_dispatch& block = *on_pins_;
    const protocol::kernel_launch& launch = *block.kernel;
    const auto put = [](const dim3& from, auto& x, auto& y, auto& z) {
        x.write(from.x);
        y.write(from.y);
        z.write(from.z);
    };
    pins.launch.write(block.launch.value());
    pins.grid_id.write(block.launch.gridid());
    pins.block.write(block.block);
    pins.entry_pc.write(launch.entry_pc);
    pins.parameters.write(launch.parameter_address);
    put(block.position, pins.index_x, pins.index_y, pins.index_z);
    put(launch.block, pins.block_x, pins.block_y, pins.block_z);
    put(launch.grid, pins.grid_x, pins.grid_y, pins.grid_z);
    put(launch.offset, pins.offset_x, pins.offset_y, pins.offset_z);
    pins.dimensions.write(launch.dimensions);
    pins.shared_bytes.write(launch.per_block.shared_bytes);
    pins.dynamic_bytes.write(launch.dynamic_shared_bytes);
    pins.region.write(block.context.value());
    pins.first.write(block.invalidate_l1);
    return true;
}

bool core_to_pins::drive_line(code_line_pins& pins) {
    if (!wanted_.here) return false;
    wanted_.here = false;
    sc_dt::sc_bv<8 * code_line_bytes> words;
    sc_dt::sc_bv<8 * code_line_bytes> reconvergence;
    bool exists = false;
    for (std::uint32_t i = 0; i < code_line_words; ++i) {
        const std::uint32_t pc = wanted_.address + 4 * i;
        if (!wanted_.code->contains(pc)) continue;
        exists = true;
        words.set_word(static_cast<int>(i), wanted_.code->at(pc).raw);
        reconvergence.set_word(static_cast<int>(i),
                               wanted_.code->reconvergence[wanted_.code->index(pc)]);
    }
    pins.error.write(!exists);
    pins.words.write(words);
    pins.reconvergence.write(reconvergence);
    return true;
}

void core_to_pins::report(const std::string& what) const {
    report_error(core_to_pins_report::protocol, std::string(sc_module::name()) + ": " + what);
}

std::string core_to_pins::waiting_for() const {
    if (running_.empty() && dispatched_.empty()) return {};
    return std::to_string(running_.size() + dispatched_.size()) + " blocks behind the pins, " +
           std::to_string(memory_.under_way()) + " of their requests under way";
}

}  // namespace heddle::pins
