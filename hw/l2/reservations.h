// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <unordered_map>

#include "models/base/strong_index.h"

namespace heddle {

/// Reservations of lr.w and sc.w at one L2 bank (RISC-V unprivileged ISA, Zalrsc): at most one per
/// thread (SMX, number in the SMX), on one word; any write to the word breaks it.
///
/// A bank knows its own addresses only: a thread that reserves words of two banks holds both.
/// Constant cost; nothing is looked up while no word is reserved.
class reservations {
public:
    void reserve(sm_id sm, unsigned thread, std::uint64_t word);
    /// Ends the thread's reservation; whether it was one of this word and unbroken.
    [[nodiscard]] bool release(sm_id sm, unsigned thread, std::uint64_t word);
    /// A write to this word.
    void broken(std::uint64_t word) {
        if (!words_.empty()) {
            words_.erase(word);
        }
    }
    [[nodiscard]] bool empty() const noexcept { return words_.empty(); }

private:
    struct held {
        std::uint64_t word = 0;
        std::uint64_t version = 0;
    };

    std::unordered_map<std::uint64_t, held> threads_;
    /// Reserved words; the version tells a word that was broken and reserved again.
    std::unordered_map<std::uint64_t, std::uint64_t> words_;
    std::uint64_t versions_ = 0;
};

}  // namespace heddle
