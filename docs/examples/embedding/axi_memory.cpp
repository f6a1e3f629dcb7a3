// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A memory of our own at the pins of AXI4, behind Heddle's bridge: an initiator writes and reads
// lines over it. A checker of the rules of AXI4 watches the pins.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <iostream>
#include <systemc>
#include <vector>

#include "hw/axi/axi_checker.h"
#include "hw/axi/axi_manager.h"
#include "hw/base/has_process.h"

namespace {

/// 64 KiB behind a bus of 64 bits: one read and one write at a time, each beat in a clock.
class own_memory final : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"}, rst_n{"rst_n"};
    sc_core::sc_in<bool> aw_valid{"aw_valid"}, w_valid{"w_valid"}, w_last{"w_last"};
    sc_core::sc_in<bool> b_ready{"b_ready"}, ar_valid{"ar_valid"}, r_ready{"r_ready"};
    sc_core::sc_in<std::uint32_t> aw_id{"aw_id"}, aw_len{"aw_len"}, aw_size{"aw_size"};
    sc_core::sc_in<std::uint32_t> aw_burst{"aw_burst"}, w_strb{"w_strb"};
    sc_core::sc_in<std::uint32_t> ar_id{"ar_id"}, ar_len{"ar_len"}, ar_size{"ar_size"};
    sc_core::sc_in<std::uint32_t> ar_burst{"ar_burst"};
    sc_core::sc_in<std::uint64_t> aw_addr{"aw_addr"}, ar_addr{"ar_addr"}, w_data{"w_data"};
    sc_core::sc_out<bool> aw_ready{"aw_ready"}, w_ready{"w_ready"}, b_valid{"b_valid"};
    sc_core::sc_out<bool> ar_ready{"ar_ready"}, r_valid{"r_valid"}, r_last{"r_last"};
    sc_core::sc_out<std::uint32_t> b_id{"b_id"}, b_resp{"b_resp"}, r_id{"r_id"}, r_resp{"r_resp"};
    sc_core::sc_out<std::uint64_t> r_data{"r_data"};
    tlm_utils::simple_target_socket<own_memory> debug_socket{"debug_socket"};

    HEDDLE_HAS_PROCESS(own_memory);
    explicit own_memory(const sc_core::sc_module_name& name) : sc_module(name), words_(8192) {
        SC_METHOD(clock);
        sensitive << clk.pos();
        dont_initialize();
        debug_socket.register_transport_dbg(this, &own_memory::transport_dbg);
        debug_socket.register_b_transport(this, &own_memory::b_transport);
    }
    unsigned beats = 0;

private:
    /// Everything that is read here is as it was before the edge.
    void clock() {
        if (!rst_n) return;
        write();
        read();
    }
    void write() {
        if (b_valid && b_ready) b_valid = false;
        if (aw_valid && aw_ready) {
            write_word_ = aw_addr / 8;
            b_id = aw_id;
            aw_ready = false;
            w_ready = true;
        } else if (w_valid && w_ready) {
            ++beats;
            const std::uint64_t data = w_data;
            for (unsigned i = 0; i < 8; ++i) {
                if ((w_strb >> i & 1) != 0) byte(8 * write_word_ + i) = data >> 8 * i & 0xff;
            }
            ++write_word_;
            if (w_last) {
                w_ready = false;
                b_valid = true;
            }
        } else {
            aw_ready = !b_valid && !w_ready;
        }
    }
    void read() {
        if (ar_valid && ar_ready) {
            read_word_ = ar_addr / 8;
            beats_left_ = ar_len + 1;
            r_id = ar_id;
            ar_ready = false;
        } else if (beats_left_ == 0) {
            ar_ready = !r_valid;
        }
        if (r_valid && !r_ready) return;
        r_valid = beats_left_ != 0;
        if (beats_left_ == 0) return;
        ++beats;
        r_data = words_[read_word_++ % words_.size()];
        r_last = --beats_left_ == 0;
    }

    unsigned char& byte(std::uint64_t address) {
        return reinterpret_cast<unsigned char*>(words_.data())[address % (8 * words_.size())];
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& access) {
        for (unsigned i = 0; i < access.get_data_length(); ++i) {
            unsigned char& there = byte(access.get_address() + i);
            unsigned char& here = access.get_data_ptr()[i];
            (access.is_write() ? there : here) = access.is_write() ? here : there;
        }
        access.set_response_status(tlm::TLM_OK_RESPONSE);
        return access.get_data_length();
    }
    void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time&) { transport_dbg(access); }

    std::vector<std::uint64_t> words_;
    std::uint64_t write_word_ = 0, read_word_ = 0;
    std::uint32_t beats_left_ = 0;
};

/// One access after the other, over the four phases of the base protocol.
class initiator final : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<initiator> socket{"socket"};

    HEDDLE_HAS_PROCESS(initiator);
    explicit initiator(const sc_core::sc_module_name& name) : sc_module(name) {
        socket.register_nb_transport_bw(this, &initiator::nb_transport_bw);
        SC_THREAD(run);
    }
    unsigned wrong = 0;

private:
    /// Lives as long as anybody has a reference to it.
    struct line final : tlm::tlm_generic_payload, tlm::tlm_mm_interface {
        line(tlm::tlm_command command, std::uint64_t address) {
            set_mm(this);
            acquire();
            set_command(command);
            set_address(address);
            set_data_ptr(data);
            set_data_length(sizeof data);
            set_streaming_width(sizeof data);
        }
        void free(tlm::tlm_generic_payload*) override { delete this; }
        unsigned char data[128] = {};
    };

    void run() {
        for (unsigned char i = 0; i < 8; ++i) {
            auto& write = *new line(tlm::TLM_WRITE_COMMAND, 4096U * i + 4000);  // over 4 KB, too
            std::memset(write.data, i + 1, sizeof write.data);
            perform(write);
            write.release();
        }
        for (unsigned i = 0; i < 8; ++i) {
            auto& read = *new line(tlm::TLM_READ_COMMAND, 4096U * i + 4000);
            perform(read);
            for (const unsigned char byte : read.data) wrong += byte == i + 1 ? 0 : 1;
            read.release();
        }
        sc_core::sc_stop();
    }
    void perform(tlm::tlm_generic_payload& access) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        socket->nb_transport_fw(access, phase, delay);
        wait(answered_);
        if (!access.is_response_ok()) ++wrong;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
        answered_.notify(delay);  // BEGIN_RESP
        return tlm::TLM_COMPLETED;
    }

    sc_core::sc_event answered_;
};

}  // namespace

int sc_main(int, char**) {
    heddle::clock_domain domain("clock", heddle::frequency::megahertz(1000));
    heddle::pins::pin_clock clock("pin_clock", domain);  // clk and rst_n
    heddle::axi::axi_pins<64> bus("bus");
    // Before the bridge: it hears of each edge first, and names the rule that is broken.
    heddle::axi::axi_checker checker("bus", clock, bus, 64, 1000);
    heddle::axi::axi_manager bridge("bridge", clock, bus, {});
    own_memory memory("memory");
    memory.clk(clock.clk);
    memory.rst_n(clock.rst_n);
    bus.bind(memory);
    initiator source("initiator");
    source.socket.bind(bridge.request_socket);
    bridge.debug_socket.bind(memory.debug_socket);

    sc_core::sc_start();
    checker.finish();
    std::cout << checker.answered() << " bursts of " << memory.beats << " beats in "
              << domain.edge_count() << " clocks, " << source.wrong << " wrong\n";
    return source.wrong == 0 && checker.answered() == 32 ? 0 : 1;
}
