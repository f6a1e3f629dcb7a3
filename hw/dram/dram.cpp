// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/dram/dram.h"

#include "hw/protocol/base_access.h"

namespace heddle {

/// The target side of one channel.
class dram::channel final : public tlm::tlm_fw_transport_if<> {
public:
    channel(channel_socket& socket, memory_store store) : store_(store) {
        socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) override {
        if (phase != tlm::BEGIN_REQ) {
            return tlm::TLM_ACCEPTED;  // other protocols' phases are ignorable
        }
        store_.perform(payload, traffic_);
        return tlm::TLM_COMPLETED;
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
        store_.perform(payload, traffic_);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override {
        return protocol::deny_direct_memory(payload, dmi);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
        return store_.perform_debug(payload);
    }
    [[nodiscard]] const memory_traffic& traffic() const noexcept { return traffic_; }

private:
    memory_store store_;
    memory_traffic traffic_;
};

dram::dram(const sc_core::sc_module_name& name, std::uint32_t channels)
    : sc_module(name), channel_sockets("channel_socket", channels), store_(bytes) {
    const memory_store store(reinterpret_cast<std::uint8_t*>(store_.data()), bytes);
    for (std::uint32_t i = 0; i < channels; ++i) {
        channels_.push_back(std::make_unique<channel>(channel_sockets[i], store));
    }
}

dram::~dram() = default;

memory_traffic dram::traffic() const noexcept {
    memory_traffic sum;
    for (const auto& channel : channels_) sum += channel->traffic();
    return sum;
}

}  // namespace heddle
