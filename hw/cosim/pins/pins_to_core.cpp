// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/pins_to_core.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "hw/base/report_error.h"
#include "hw/cosim/pins/core_atomics.h"
#include "hw/cosim/pins/distributor_pins.h"
#include "models/base/bits.h"
#include "models/program/image.h"

namespace heddle::pins {

using protocol::block_dispatch;
using protocol::block_phase;
using protocol::memory_kind;
using protocol::memory_phase;

namespace {

/// Null if no kernel begins there.
const program::kernel* kernel_at(const program::image& image, std::uint32_t pc) {
    const auto& all = image.kernels();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.entry == pc; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

pins_to_core::pins_to_core(const sc_core::sc_module_name& name, pin_clock& clock, core_pins& pins,
                           sm_id id, const program_table& programs, const stalls& held)
    : sc_module(name),
      clocked(clock.domain(), sc_module::name()),
      pin_part(clock),
      block_socket("block_socket"),
      memory_socket("memory_socket"),
      programs_(programs),
      id_(id),
      dispatch_(pins.dispatch, held.dispatch),
      done_(pins.done, held.done),
      fetch_(pins.fetch, held.fetch),
      line_(pins.line, held.line),
      request_(pins.request, held.request),
      response_(pins.response, held.response),
      launches_(std::string(sc_module::name()) + ".launches"),
      blocks_(std::string(sc_module::name()) + ".blocks"),
      slots_(protocol::maximum_warps),
      starts_(*this, 2),
      ends_(*this, protocol::maximum_warps),
      requests_(*this, capacity + 1),
      data_(capacity + 1),
      fetches_(capacity + 1) {
    block_socket.register_nb_transport_bw(this, &pins_to_core::take_answer);
    memory_socket.register_nb_transport_fw(this, &pins_to_core::take_request);
}

tlm::tlm_sync_enum pins_to_core::take_answer(block_dispatch& block, block_phase& phase,
                                             sc_core::sc_time&) {
    const bool started = phase == block_phase::started;
    if (!(started ? starts_.push(true) : ends_.push(block_ptr(&block)))) {
        report("more answers than blocks were dispatched");
    }
    return started ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum pins_to_core::take_request(payload& request, memory_phase& phase,
                                              sc_core::sc_time&) {
    if (phase != memory_phase::begin_request || protocol::access_of(request) == nullptr ||
        !requests_.push(&request)) {
        report("an illegal phase, or a request before the last one was accepted");
        return tlm::TLM_ACCEPTED;
    }
    ++held_;
    if (room_ == 0) {
        withheld_ = &request;
        return tlm::TLM_ACCEPTED;
    }
    --room_;
    phase = memory_phase::end_request;
    return tlm::TLM_UPDATED;
}

void pins_to_core::clock_edge() {
    // (1) what the SMX has answered and asked
    while (starts_.ready() != nullptr) starting_ = !starts_.pop();
    sort_requests();
    // (2) what moves at this edge
    if (const block_pins* const pins = dispatch_.taken()) dispatch(*pins);
    if (const code_line_pins* const pins = line_.taken()) take_line(*pins);
    if (const core_response_pins* const pins = response_.taken()) take_response(*pins);
    if (withheld_ != nullptr && held_ <= capacity) {
        memory_phase phase = memory_phase::end_request;
        sc_core::sc_time delay;
        (void)memory_socket->nb_transport_bw(*std::exchange(withheld_, nullptr), phase, delay);
    }
    // (3) a block that has ended, a line, a request
    done_.clock_edge([this](block_end_pins& pins) { return drive_end(pins); });
    fetch_.clock_edge([this](fetch_pins& pins) { return drive_fetch(pins); });
    request_.clock_edge([this](core_request_pins& pins) { return drive_request(pins); });
    dispatch_.offer(!starting_);
    line_.offer(true);
    response_.offer(true);
    room_ = capacity - std::min(held_, capacity);
}

void pins_to_core::dispatch(const block_pins& pins) {
    const auto slot = std::find(slots_.begin(), slots_.end(), block_ptr());
    const auto read = [](const auto& x, const auto& y, const auto& z) {
        return dim3{x.read(), y.read(), z.read()};
    };
    pool_ptr<protocol::kernel_launch> launch = launches_.make();
    const held_program* const of = programs_.at(pins.entry_pc.read());
    const program::kernel* const kernel =
        of == nullptr ? nullptr : kernel_at(*of->image, pins.entry_pc.read());
    if (slot == slots_.end() || kernel == nullptr) {
        return report("a block without a kernel, or without room");
    }
    launch->launch = launch_of(pins.launch.read());
    launch->program = of;
    launch->kernel = kernel;
    launch->kernel_number = of->counted(*kernel).number;
    launch->kernel_name = of->counted(*kernel).label;
    launch->entry_pc = pins.entry_pc.read();
    launch->grid = read(pins.grid_x, pins.grid_y, pins.grid_z);
    launch->block = read(pins.block_x, pins.block_y, pins.block_z);
    launch->parameter_address = pins.parameters.read();
    launch->parameter_bytes = kernel->parameter_bytes;
    launch->per_block.threads = static_cast<std::uint32_t>(launch->block.count());
    launch->per_block.shared_bytes = pins.shared_bytes.read();
    launch->dynamic_shared_bytes = pins.dynamic_bytes.read();
    launch->offset = read(pins.offset_x, pins.offset_y, pins.offset_z);
    launch->dimensions = pins.dimensions.read();
    block_ptr block = blocks_.make();
    block->launch = launch->launch;
    block->kernel = std::move(launch);
    block->block = pins.block.read();
    block->position = read(pins.index_x, pins.index_y, pins.index_z);
    block->context = protocol::context_id(pins.region.read());
    block->sm = id_;
    block->slot = block_slot(static_cast<std::uint32_t>(slot - slots_.begin()));
    block->invalidate_l1 = pins.first.read();
    *slot = block;
    block_phase phase = block_phase::dispatch;
    sc_core::sc_time delay;
    starting_ = block_socket->nb_transport_fw(*block, phase, delay) != tlm::TLM_UPDATED;
}

bool pins_to_core::runs(launch_id launch) const {
    return std::any_of(slots_.begin(), slots_.end(),
                       [&](const block_ptr& each) { return each && each->launch == launch; });
}

bool pins_to_core::drive_end(block_end_pins& pins) {
    if (ends_.ready() == nullptr) return false;
    const launch_id launch = (*ends_.ready())->launch;
    // A line that is under way is asked for by a launch that is here.
    if (fetching_ && protocol::access_of(*fetches_.front())->launch == launch) return false;
    const block_ptr block = ends_.pop();
    pins.launch.write(launch.value());
    pins.block.write(block->block);
    if (ended_) ended_(block->launch, block->block, block->warp_instructions);
    slots_[block->slot.value()].reset();
    return true;
}

void pins_to_core::sort_requests() {
    while (requests_.ready() != nullptr) {
        payload* const request = requests_.pop();
        const bool code = protocol::access_of(*request)->kind == memory_kind::instruction_fetch;
        (code ? fetches_ : data_).push(request);
    }
}

bool pins_to_core::drive_fetch(fetch_pins& pins) {
    if (fetching_ || fetches_.empty()) return false;
    payload& request = *fetches_.front();
    const launch_id launch = protocol::access_of(request)->launch;
    if (!runs(launch)) {
        // Asked for ahead of an end: nobody waits for it any more.
        fetches_.pop();
        fetched_ = 0;
        answer(request);
        return false;
    }
    fetching_ = true;
    pins.launch.write(launch.value());
    pins.address.write(static_cast<std::uint32_t>(request.get_address()) + fetched_);
    return true;
}

void pins_to_core::take_line(const code_line_pins& pins) {
    if (!std::exchange(fetching_, false)) return report("a line that nobody has asked for");
    payload& request = *fetches_.front();
    const auto& words = pins.words.read();
    for (std::uint32_t n = 0; n < code_line_words && fetched_ < request.get_data_length(); ++n) {
        const auto word = static_cast<std::uint32_t>(words.get_word(static_cast<int>(n)));
        std::memcpy(request.get_data_ptr() + fetched_, &word, 4);
        fetched_ += 4;
    }
    if (fetched_ < request.get_data_length()) return;
    fetches_.pop();
    fetched_ = 0;
    answer(request);
}

bool pins_to_core::drive_request(core_request_pins& pins) {
    const auto id = std::find(by_id_.begin(), by_id_.end(), nullptr);
    if (data_.empty() || id == by_id_.end()) return false;
    payload& request = *data_.pop();
    *id = &request;
    const protocol::memory_access& access = *protocol::access_of(request);
    const auto offset = static_cast<std::uint32_t>(request.get_address() % line_bytes);
    const bool write = request.is_write();
    pins.id.write(static_cast<std::uint32_t>(id - by_id_.begin()));
    pins.launch.write(access.kind == memory_kind::write_back ? 0 : access.launch.value());
    pins.address.write(static_cast<std::uint32_t>(request.get_address()) - offset);
    pins.warp.write(static_cast<std::uint32_t>(access.warp.value()));
    if (access.kind == memory_kind::atomic) {
        drive_atomics(access, offset, pins);
        return true;
    }
    pins.kind.write(
        static_cast<std::uint32_t>(write ? core_request_kind::write : core_request_kind::read));
    line_beat::mask_bits mask;
    for (std::uint32_t byte = 0; byte < request.get_data_length(); ++byte) {
        if (access.byte_enabled(byte)) mask.set_bit(static_cast<int>(offset + byte), sc_dt::Log_1);
    }
    pins.mask.write(mask);
    if (write) {
        std::array<unsigned char, line_bytes> bytes{};
        std::memcpy(bytes.data() + offset, request.get_data_ptr(), request.get_data_length());
        beat_.set_data(bytes.data());
        pins.data.write(beat_.data());
    }
    return true;
}

void pins_to_core::drive_atomics(const protocol::memory_access& access, std::uint32_t offset,
                                 core_request_pins& pins) {
    std::uint32_t lanes = 0;
    core_row operands;
    core_row compared;
    sc_dt::sc_bv<5 * core_lanes> words;
    for (unsigned n = 0; n < access.atomic_count; ++n) {
        const protocol::lane_atomic& each = access.atomics[n];
        const int lane = each.lane;
        lanes |= std::uint32_t{1} << lane;
        operands.set_word(lane, each.operand);
        compared.set_word(lane, each.compare);
        const std::uint32_t word = (offset + each.offset) / 4;
        for (int bit = 0; bit < 5; ++bit) {
            words.set_bit(5 * lane + bit, (word >> bit & 1) != 0 ? sc_dt::Log_1 : sc_dt::Log_0);
        }
    }
    pins.kind.write(static_cast<std::uint32_t>(core_request_kind::atomic));
    pins.op.write(core_code_of(access.operation));
    pins.lanes.write(lanes);
    pins.words.write(words);
    pins.data.write(operands);
    pins.compare.write(compared);
}

void pins_to_core::take_response(const core_response_pins& pins) {
    payload* const request = std::exchange(by_id_[pins.id.read()], nullptr);
    if (request == nullptr) {
        return report("response " + std::to_string(pins.id.read()) + " to no request");
    }
    protocol::memory_access& access = *protocol::access_of(*request);
    if (access.kind == memory_kind::atomic) {
        const core_row& found = pins.data.read();
        for (unsigned n = 0; n < access.atomic_count; ++n) {
            access.atomics[n].result =
                static_cast<std::uint32_t>(found.get_word(access.atomics[n].lane));
        }
    } else if (request->is_read()) {
        std::array<unsigned char, line_bytes> bytes;
        line_beat::get_data(pins.data.read(), bytes.data());
        std::memcpy(request->get_data_ptr(), bytes.data() + request->get_address() % line_bytes,
                    request->get_data_length());
    }
    if (pins.error.read()) request->set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    answer(*request);
}

void pins_to_core::answer(payload& request) {
    --held_;
    if (withheld_ == &request) withheld_ = nullptr;  // the answer says that it was accepted
    if (request.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
        request.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    memory_phase phase = memory_phase::begin_response;
    sc_core::sc_time delay;
    if (memory_socket->nb_transport_bw(request, phase, delay) != tlm::TLM_COMPLETED) {
        report("an answer is not taken; legal: TLM_COMPLETED");
    }
}

void pins_to_core::report(const std::string& what) const {
    report_error(pins_to_core_report::protocol, std::string(sc_module::name()) + ": " + what);
}

std::string pins_to_core::waiting_for() const {
    if (held_ == 0) return {};
    return std::to_string(held_) + " requests of the SMX without an answer";
}

}  // namespace heddle::pins
