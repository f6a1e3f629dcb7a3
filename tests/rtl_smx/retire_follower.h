// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/iss/lockstep.h"
#include "tests/rtl_smx/rtl_core.h"

namespace heddle::rtl_smx {

/// Tells the lock-step simulation what the retire port says. It keeps registers of its own, of what
/// the records have written to them, and checks what the simulation doesn't look at: numbers,
/// words, and that a warp goes on where its last record says.
class retire_follower {
public:
    using reporter = std::function<void(error_kind, const std::string&)>;

    /// `legal` judges accesses to global memory.
    retire_follower(iss::lockstep& reference, unsigned warps, std::uint32_t private_bytes,
                    line_memory::access_rule legal, reporter report)
        : reference_(reference),
          legal_(std::move(legal)),
          report_(std::move(report)),
          warps_(warps),
          private_bytes_(private_bytes) {}

    void launched(const prepared_launch& launch) { launches_.push_back(&launch); }
    void follow(const retire_record& record);

    [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }

private:
    struct followed_warp {
        std::uint64_t n = 0;
        std::uint32_t pc = 0, lanes = 0, live = 0;
        std::vector<row> registers = std::vector<row>(32);
        // The access under way:
        std::uint64_t access = 0;
        std::uint32_t missing = 0;
        bool refused = false;  ///< a fault has to come of it
    };

    void begin(const retire_record& record);
    void step(const retire_record& record);
    void data(const retire_record& record);
    [[nodiscard]] bool all_legal(const retire_record& record, const isa::instruction& i) const;
    void wrong(const retire_record& record, const std::string& what);
    [[nodiscard]] const prepared_launch* launch_of(const retire_record& record) const;

    iss::lockstep& reference_;
    line_memory::access_rule legal_;
    reporter report_;
    std::vector<followed_warp> warps_;
    std::vector<const prepared_launch*> launches_;
    std::uint32_t private_bytes_;
    std::uint64_t steps_ = 0;
};

}  // namespace heddle::rtl_smx
