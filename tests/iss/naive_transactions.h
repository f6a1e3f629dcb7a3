// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/device/program_table.h"
#include "models/iss/lockstep.h"
#include "models/program/image.h"
#include "models/simt/reconvergence_stack.h"
#include "models/simt/thread_registers.h"

namespace heddle::iss {

/// Mistakes that the naive machine can make.
struct transaction_faults {
    bool misses_conflicts = false;   ///< everybody may read what others have written
    bool keeps_shared = false;       ///< lost lanes leave a word in shared memory
    bool keeps_private = false;      ///< restarted lanes keep their private memory
    bool keeps_registers = false;    ///< restarted lanes keep a register
    bool forgets_lane = false;       ///< a lost lane is not told of
    bool commits_lost = false;       ///< lost lanes are said to commit
    bool restarts_twice = false;     ///< lanes are said to restart that have not lost
    bool issues_for_nobody = false;  ///< an instruction after the first loss has no lanes
};

/// A machine without time that runs one warp of a kernel with transactions, and tells the lock-step
/// simulation of all that it does. Each lane of an access is a pass of its own. A lane that meets
/// another one's word loses, unless both read. Lost lanes start again together, and if the same
/// ones lose twice, the lowest alone.
class naive_transactions {
public:
    static constexpr unsigned lanes = 8;

    naive_transactions(const program::image& image, const std::string& kernel,
                       const transaction_faults& faults = {});
    /// To the end of the kernel, or of `limit` instructions.
    void run(unsigned limit = 100'000);

    [[nodiscard]] error_kind error() const noexcept { return error_; }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    [[nodiscard]] const std::vector<std::uint32_t>& shared() const noexcept { return shared_; }
    [[nodiscard]] unsigned losses() const noexcept { return losses_; }

private:
    struct old_word {
        std::vector<std::uint32_t>* memory;
        std::size_t index;
        std::uint32_t value;
    };

    void step();
    void transfer(const simt::transfer& to);
    void access(const isa::instruction& i);
    /// The word of a lane's access; the lane may lose at it.
    std::uint32_t* find(unsigned lane, std::uint32_t address, bool write);
    bool conflicts(unsigned lane, std::size_t word, bool write) const;
    void begin();
    void commit();
    void lose(isa::lane_mask lost);
    void restart();
    void tell(transaction_event what, isa::lane_mask which);
    void forget(unsigned lane);
    void finish(const isa::instruction& i);

    transaction_faults faults_;
    machine_configuration machine_;
    allocation_table ranges_{0x40000000, 1 << 20};
    error_kind error_ = error_kind::none;
    std::string text_;
    program_table programs_;
    prepared_launch launch_;
    std::unique_ptr<lockstep> check_;
    simt::thread_registers<lanes> registers_;
    simt::reconvergence_stack stack_;
    std::vector<std::uint32_t> shared_;
    std::vector<std::uint32_t> private_;  ///< words of lane 0, then those of lane 1, ...
    lockstep_step now_;

    isa::lane_mask begun_ = 0, running_ = 0, lost_ = 0, last_lost_ = 0, committed_ = 0;
    simt::thread_registers<lanes> saved_;
    std::vector<isa::lane_mask> readers_, writers_;     ///< by word
    std::array<std::vector<old_word>, lanes> written_;  ///< oldest first
    unsigned losses_ = 0;
};

}  // namespace heddle::iss
