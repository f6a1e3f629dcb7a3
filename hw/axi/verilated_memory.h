// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/axi/memory_pins.h"
#include "hw/axi/rtl_memory.h"

namespace heddle::axi {

/// The SystemC module that Verilator makes of axi_memory.sv for a width, with its memory.
template <unsigned Width, class Model>
class verilated_memory final : public sc_core::sc_module,
                               public pins::pin_part,
                               public rtl_memory,
                               private tlm::tlm_fw_transport_if<>,
                               private tlm::tlm_bw_transport_if<> {
public:
    verilated_memory(const sc_core::sc_module_name& name, pins::pin_clock& clock,
                     axi_pins<Width>& bus, std::uint32_t seed)
        : sc_module(name), pin_part(clock) {
        memory_socket_.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
        debug_socket_.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
        pins_.seed.write(seed);
        model_.clk(clock.clk);
        model_.rst_n(clock.rst_n);
        model_.seed(pins_.seed);
        bus.bind(model_);
        model_.idle(pins_.idle);
        model_.mem_read(pins_.read);
        model_.mem_raddr(pins_.raddr);
        model_.mem_rdata(pins_.rdata);
        model_.mem_write(pins_.write);
        model_.mem_waddr(pins_.waddr);
        model_.mem_wdata(pins_.wdata);
        model_.mem_wstrb(pins_.wstrb);
    }
    ~verilated_memory() override { model_.final(); }

    tlm::tlm_initiator_socket<32>& memory_socket() override { return memory_socket_; }
    tlm::tlm_target_socket<32>& debug_socket() override { return debug_socket_; }
    const sc_core::sc_signal_in_if<bool>& idle() const override { return pins_.idle; }

    void clock_edge() override {
        if (pins_.write.read()) {
            get_lanes(pins_.wdata.read(), data_);
            const std::uint64_t strobe = pins_.wstrb.read();
            for (unsigned i = 0; i < bytes; ++i) enables_[i] = (strobe >> i & 1) != 0 ? 0xff : 0;
            perform(tlm::TLM_WRITE_COMMAND, pins_.waddr.read(), enables_.data());
        }
        if (pins_.read.read()) {
            perform(tlm::TLM_READ_COMMAND, pins_.raddr.read(), nullptr);
            put_lanes(scratch_, data_);
            pins_.rdata.write(scratch_);
        }
    }

private:
    static constexpr unsigned bytes = Width / 8;
    using payload = tlm::tlm_generic_payload;
    using word = pins::pin_value<Width>;

    void perform(tlm::tlm_command command, std::uint64_t address, std::uint8_t* enables) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        beat_.set_command(command);
        beat_.set_address(address);
        beat_.set_data_ptr(data_.data());
        beat_.set_data_length(bytes);
        beat_.set_streaming_width(bytes);
        beat_.set_byte_enable_ptr(enables);
        beat_.set_byte_enable_length(enables == nullptr ? 0 : bytes);
        beat_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        memory_socket_->b_transport(beat_, delay);
    }

    tlm::tlm_sync_enum nb_transport_fw(payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
        return tlm::TLM_ACCEPTED;  // the bridge sends none
    }
    void b_transport(payload& request, sc_core::sc_time& delay) override {
        memory_socket_->b_transport(request, delay);
    }
    bool get_direct_mem_ptr(payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(payload& request) override {
        return memory_socket_->transport_dbg(request);
    }
    tlm::tlm_sync_enum nb_transport_bw(payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
        return tlm::TLM_ACCEPTED;  // b_transport has none
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {
        // no DMI is asked for
    }

    tlm::tlm_initiator_socket<32> memory_socket_{"memory_socket"};
    tlm::tlm_target_socket<32> debug_socket_{"debug_socket"};
    Model model_{"rtl"};
    memory_side_pins<Width> pins_;
    payload beat_;
    lanes data_{}, enables_{};
    word scratch_{};
};

}  // namespace heddle::axi
