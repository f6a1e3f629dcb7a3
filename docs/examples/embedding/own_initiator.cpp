// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// An initiator of our own in front of Heddle's memory side: writes lines, reads them back, and
// prints how long a read takes.
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <iostream>
#include <systemc>

#include "hw/base/has_process.h"
#include "hw/top/exchangeable_parts.h"
#include "hw/top/memory_side.h"
#include "models/base/configuration.h"
#include "models/base/data_folders.h"

namespace {

/// Lives as long as anybody has a reference to it.
class line_access final : public tlm::tlm_generic_payload, private tlm::tlm_mm_interface {
public:
    static constexpr unsigned bytes = 128;
    static line_access* make(tlm::tlm_command command, std::uint64_t address) {
        auto* const access = new line_access;
        access->set_mm(access);
        access->acquire();
        access->set_command(command);
        access->set_address(address);
        access->set_data_ptr(access->data.data());
        access->set_data_length(bytes);
        access->set_streaming_width(bytes);
        return access;
    }
    std::array<unsigned char, bytes> data{};

private:
    void free(tlm::tlm_generic_payload*) override { delete this; }
};

/// One access after the other, over the four phases of the base protocol.
class line_reader final : public sc_core::sc_module {
public:
    sc_core::sc_vector<tlm_utils::simple_initiator_socket<line_reader>> sockets;  ///< of channels

    HEDDLE_HAS_PROCESS(line_reader);
    line_reader(const sc_core::sc_module_name& name, const heddle::l2_configuration& l2)
        : sc_module(name), sockets("socket", l2.banks), channels_(l2.partition()) {
        for (auto& socket : sockets) {
            socket.register_nb_transport_bw(this, &line_reader::nb_transport_bw);
        }
        SC_THREAD(run);
    }
    [[nodiscard]] unsigned wrong() const { return wrong_; }

private:
    static constexpr unsigned lines = 8;

    void run() {
        for (unsigned i = 0; i < lines; ++i) {
            line_access* const write = line_access::make(tlm::TLM_WRITE_COMMAND, address(i));
            write->data.fill(static_cast<unsigned char>(i + 1));
            perform(*write);
            write->release();
        }
        for (unsigned i = 0; i < lines; ++i) {
            const sc_core::sc_time begin = sc_core::sc_time_stamp();
            line_access* const read = line_access::make(tlm::TLM_READ_COMMAND, address(i));
            perform(*read);
            std::cout << "read of line " << i << ": " << sc_core::sc_time_stamp() - begin << '\n';
            if (read->data[i] != i + 1) ++wrong_;
            read->release();
        }
        sc_core::sc_stop();
    }

    static std::uint64_t address(unsigned line) { return 4096 * line; }

    void perform(tlm::tlm_generic_payload& access) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        sockets[channels_.bank(access.get_address())]->nb_transport_fw(access, phase, delay);
        wait(answered_);
        if (!access.is_response_ok()) ++wrong_;
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
        answered_.notify(delay);  // BEGIN_RESP
        return tlm::TLM_COMPLETED;
    }

    const heddle::l2_partition channels_;
    sc_core::sc_event answered_;
    unsigned wrong_ = 0;
};

}  // namespace

int sc_main(int, char**) {
    heddle::gpu_configuration configuration;
    heddle::parameter_list parameters(configuration);
    heddle::load_configuration(parameters,
                               {"gk110", {}, {heddle::data_folders_in_use().configurations}});

    heddle::run_status status;
    heddle::clock_domain clock("dram_clock",
                               heddle::frequency::kilohertz(configuration.clock.dram));
    heddle::protocol::instrumentation links(true, nullptr);  // with a protocol checker on each link
    const heddle::exchangeable_parts parts;
    const heddle::slot_makers slots(parts, configuration.slots, 1, status, clock, clock, clock, {});
    heddle::memory_side memory(clock, configuration,
                               {status, slots.dram_scheduler, links, nullptr, true, {}});
    line_reader reader("reader", configuration.l2);
    for (std::uint32_t i = 0; i < memory.ports(); ++i) reader.sockets[i].bind(memory.port(i));

    sc_core::sc_start();
    std::cout << status.text() << reader.wrong() << " wrong\n";
    return reader.wrong() == 0 && status.kind() == heddle::error_kind::none ? 0 : 1;
}
