// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/protocol/protocol_checker.h"
#include "hw/smx/lsu/load_store_unit.h"
#include "hw/smx/shared_memory/shared_memory.h"
#include "models/device/allocation_table.h"
#include "tb/lsu/memory_stub.h"

namespace heddle {

struct lsu_rig_options {
    load_store_configuration lsu;
    l1_data_cache_configuration l1d;
    constant_cache_configuration constant_cache;
    read_only_cache_configuration read_only_cache;
    shared_memory_configuration shared;
    memory_stub_options memory;
    unsigned lanes = 32;
    unsigned warps = 8;
    std::uint32_t private_bytes = 256;
    std::uint32_t shared_bytes = 16384;
    waveform* waves = nullptr;
    private_log* log = nullptr;
};

/// An SMX's memory side without an SMX: load-store unit with L1D, memory port and shared memory,
/// before a memory_stub, with a protocol checker on both links. Whoever stands in for the pipeline
/// supplies `step`, which may issue, and `listener`.
class lsu_rig : public sc_core::sc_module, public clocked, private memory_client {
public:
    /// What the pipeline would be told, with the edge at which it was.
    struct listener {
        std::function<void(const memory_flight&, isa::lane_mask, const std::uint32_t*)> loaded;
        std::function<void(const memory_flight&)> completed;
        std::function<void(access_owner)> drained;
    };

    lsu_rig(const sc_core::sc_module_name& name, clock_domain& domain,
            const lsu_rig_options& options);

    /// Once per edge at which the rig is awake; true: call again at the next edge.
    std::function<bool(lsu_rig&)> step;
    listener tell;

    allocation_table ranges{0x40000000, 0x10000000};
    memory_stub memory;
    shared_memory shared;
    protocol::protocol_checker<protocol::memory_link> memory_checker;
    protocol::protocol_checker<protocol::shared_link> shared_checker;

    [[nodiscard]] load_store_unit& unit() noexcept { return unit_; }
    [[nodiscard]] memory_port& port() noexcept { return port_; }
    [[nodiscard]] std::uint64_t edge() const { return domain().edge(); }
    [[nodiscard]] const lsu_rig_options& options() const noexcept { return options_; }

    /// Fills the next slot with an access of a warp, in place; only if unit().can_accept(). The
    /// warp is the group, and the owner.
    memory_instruction& prepare(const isa::instruction& i, warp_slot warp, isa::lane_mask lanes);

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

private:
    class shared_initiator final : public protocol::initiator_socket_base<protocol::shared_link>,
                                   private tlm::tlm_bw_transport_if<protocol::shared_link> {
    public:
        explicit shared_initiator(const char* name)
            : protocol::initiator_socket_base<protocol::shared_link>(name) {
            bind(static_cast<tlm::tlm_bw_transport_if<protocol::shared_link>&>(*this));
        }

    private:
        tlm::tlm_sync_enum nb_transport_bw(protocol::shared_access&, protocol::shared_phase&,
                                           sc_core::sc_time&) override {
            return tlm::TLM_COMPLETED;
        }
        void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    };

    tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& payload, protocol::memory_phase& phase,
                              sc_core::sc_time& delay) {
        return port_.nb_transport_bw(payload, phase, delay);
    }
    void loaded(const memory_flight& flight, isa::lane_mask lanes,
                const std::uint32_t* values) override;
    void completed(const memory_flight& flight) override;
    void writes_drained(access_owner owner) override;

    lsu_rig_options options_;
    protocol::initiator_socket_of<lsu_rig, protocol::memory_link> memory_socket_;
    shared_initiator shared_socket_;
    memory_port port_;
    load_store_unit unit_;
    bool busy_ = false;
};

/// Instruction of table entry `match` with a destination register, "lw x5, 0(x1)" and the like.
[[nodiscard]] inline isa::instruction access_instruction(std::uint32_t match, unsigned rd = 0) {
    return isa::decode(match | (1u << 15) | (rd << 7));
}
namespace encoding {
inline constexpr std::uint32_t lb = 0x00000003, lh = 0x00001003, lw = 0x00002003, lbu = 0x00004003,
                               lhu = 0x00005003, sb = 0x00000023, sh = 0x00001023, sw = 0x00002023,
                               ldcg_w = 0x0400200b, ldg_w = 0x2400200b, lr_w = 0x1000202f,
                               sc_w = 0x1800202f, amoadd_w = 0x0000202f, amocas_w = 0x2800202f,
                               amoxor_w = 0x2000202f, amoswap_w = 0x0800202f,
                               amominu_w = 0xc000202f, amofadd_w = 0x0000300b;
}

}  // namespace heddle
