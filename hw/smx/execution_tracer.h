// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/protocol/warp_issue.h"
#include "hw/smx/execution_observer.h"

namespace heddle {

struct smx_waves;

/// Shows in the waveform what an SMX issues. The observer of an SMX that is traced; it passes
/// everything on to the next one.
class execution_tracer final : public execution_observer {
public:
    explicit execution_tracer(smx_waves& waves) : waves_(waves) {}

    /// Null: nobody.
    void follow(execution_observer* next) noexcept { next_ = next; }

    void block_started(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots) override;
    void block_ended(std::uint64_t edge, const protocol::block_dispatch& dispatch) override;
    void executed(const issued_instruction& issued, const register_file& registers) override;
    void accessed(const issued_instruction& issued, const memory_instruction& access) override;
    void loaded(std::uint64_t edge, unsigned warp, std::uint64_t number, isa::lane_mask lanes,
                const std::uint32_t* values) override;
    void completed(std::uint64_t edge, unsigned warp, std::uint64_t number,
                   const register_file& registers) override;
    void writes_drained(std::uint64_t edge, unsigned warp) override;
    void fenced(std::uint64_t edge, unsigned warp) override;

private:
    void show(const issued_instruction& issued);

    smx_waves& waves_;
    execution_observer* next_ = nullptr;
    std::array<std::uint32_t, protocol::maximum_warps> block_{};  ///< of each warp slot
};

}  // namespace heddle
