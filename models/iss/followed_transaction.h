// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "models/base/bits.h"
#include "models/iss/transaction_words.h"
#include "models/iss/undefined_registers.h"
#include "models/iss/warp.h"

namespace heddle::iss {

/// The transactions of a warp's threads that the lock-step simulation follows: which lanes run,
/// have lost or have committed, and what has to be undone. It has a checkpoint of its own:
/// registers at tx.begin, and the old values of all words of shared and private memory that a lane
/// has written.
template <unsigned Lanes>
class followed_transaction {
public:
    using lane_mask = isa::lane_mask;

    /// Whether one of these lanes is between its first tx.begin and the commit of the last lane of
    /// its transaction.
    [[nodiscard]] bool active(lane_mask lanes) const noexcept { return (begun_ & lanes) != 0; }
    /// Lanes that have executed tx.begin, and are not behind it; where threads run apart.
    [[nodiscard]] lane_mask beginning() const noexcept { return beginning_; }
    /// Lanes in an attempt.
    [[nodiscard]] lane_mask running() const noexcept { return running_; }
    /// Lanes that have lost and not restarted. Their registers are anybody's.
    [[nodiscard]] lane_mask lost() const noexcept { return lost_; }

    void start(lane_mask lanes) noexcept {
        begun_ = lanes;
        running_ = lost_ = committed_ = beginning_ = 0;
    }
    /// A transaction beside those of other lanes, where threads run apart.
    void start_beside(lane_mask lanes) noexcept {
        begun_ |= lanes;
        beginning_ |= lanes;
    }

    /// Lanes are behind tx.begin.
    void begin(lane_mask lanes, const warp<Lanes>& w, const undefined_registers<Lanes>& undefined) {
        running_ |= lanes;
        beginning_ &= ~lanes;
        if (!saved_) saved_ = std::make_unique<checkpoint>();
        for (unsigned index = 0; index <= isa::register_count; ++index) {
            copy(saved_->x[index], w.registers.x[index], lanes);
        }
        copy(saved_->frm.data(), w.registers.rounding_modes(), lanes);
        saved_->undefined.copy(undefined, lanes);
        bits::for_each(lanes, [&](unsigned lane) {
            shared_[lane].clear();
            private_[lane].clear();
        });
    }

    /// A running lane is about to write.
    void keep_shared(unsigned lane, std::uint32_t word, std::uint32_t old) {
        shared_[lane].push_back({word, old, 0});
    }
    /// `index` of the warp's private words.
    void keep_private(unsigned lane, std::uint32_t index, std::uint32_t old, std::uint8_t written) {
        private_[lane].push_back({index, old, written});
    }

    /// Running lanes lose: their words of shared memory get their old values.
    void lose(lane_mask lanes, std::byte* shared) {
        running_ &= ~lanes;
        lost_ |= lanes;
        bits::for_each(lanes, [&](unsigned lane) {
            for (auto at = shared_[lane].rbegin(); at != shared_[lane].rend(); ++at) {
                std::memcpy(shared + std::size_t{at->index} * 4, &at->old, 4);
            }
            shared_[lane].clear();
        });
    }
    /// Lost lanes are as at tx.begin. `written`: defined bytes of the private words.
    void restart(lane_mask lanes, warp<Lanes>& w, undefined_registers<Lanes>& undefined,
                 std::uint8_t* written) {
        lost_ &= ~lanes;
        for (unsigned index = 0; index <= isa::register_count; ++index) {
            copy(w.registers.x[index], saved_->x[index], lanes);
        }
        std::array<std::uint8_t, Lanes> frm;
        std::memcpy(frm.data(), w.registers.rounding_modes(), Lanes);
        copy(frm.data(), saved_->frm.data(), lanes);
        w.registers.set_rounding_modes(frm.data());
        undefined.copy(saved_->undefined, lanes);
        bits::for_each(lanes, [&](unsigned lane) {
            for (auto at = private_[lane].rbegin(); at != private_[lane].rend(); ++at) {
                w.private_words[at->index] = at->old;
                written[at->index] = at->written;
            }
            private_[lane].clear();
        });
    }
    /// Running lanes commit, where threads run apart.
    void commit_beside(lane_mask lanes) noexcept {
        running_ &= ~lanes;
        begun_ &= ~lanes;
    }
    /// Running lanes commit; true if no lane is left.
    [[nodiscard]] bool commit(lane_mask lanes) noexcept {
        running_ &= ~lanes;
        committed_ |= lanes;
        if (committed_ != begun_) return false;
        begun_ = 0;
        return true;
    }

private:
    struct old_word {
        std::uint32_t index;
        std::uint32_t old;
        std::uint8_t written;
    };
    struct checkpoint {
        std::uint32_t x[isa::register_count + 1][Lanes];
        std::array<std::uint8_t, Lanes> frm;
        undefined_registers<Lanes> undefined;
    };

    template <class T>
    static void copy(T* to, const T* from, lane_mask lanes) noexcept {
        bits::for_each(lanes, [&](unsigned lane) { to[lane] = from[lane]; });
    }

    lane_mask begun_ = 0;  ///< all lanes of transactions; 0: there is none
    lane_mask running_ = 0;
    lane_mask lost_ = 0;
    lane_mask committed_ = 0;
    lane_mask beginning_ = 0;
    std::unique_ptr<checkpoint> saved_;
    std::array<std::vector<old_word>, Lanes> shared_;   ///< writes of each lane, oldest first
    std::array<std::vector<old_word>, Lanes> private_;  ///< likewise
};

}  // namespace heddle::iss
