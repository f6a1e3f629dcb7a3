// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/dram/memory_store.h"
#include "models/base/flat_memory.h"

namespace heddle {

/// The DRAM chips behind the memory controllers: what they hold. All channels share one 4 GiB
/// store, which takes host memory only where it is touched; the controllers keep the time.
///
/// Sockets: channel_sockets[i], plain base protocol. An access is performed in the call:
/// nb_transport_fw answers TLM_COMPLETED, b_transport adds nothing to the delay, transport_dbg is
/// uncounted. No DMI.
/// Illegal: addresses beyond 4 GiB (ADDRESS_ERROR), streaming (BURST_ERROR), byte enables without
/// length (BYTE_ENABLE_ERROR): nothing is read or written.
class dram final : public sc_core::sc_module {
public:
    static constexpr std::uint64_t bytes = std::uint64_t{1} << 32;
    using channel_socket = tlm::tlm_target_socket<32>;

    sc_core::sc_vector<channel_socket> channel_sockets;

    dram(const sc_core::sc_module_name& name, std::uint32_t channels);
    ~dram() override;

    /// Where this computer keeps the bytes, from address 0 on.
    [[nodiscard]] const std::byte* data() const noexcept { return store_.data(); }
    /// All channels added.
    [[nodiscard]] memory_traffic traffic() const noexcept;

private:
    class channel;

    flat_memory store_;
    std::vector<std::unique_ptr<channel>> channels_;
};

}  // namespace heddle
