// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/tm/transaction_masks.h"

namespace heddle {

void transaction_masks::begin(isa::lane_mask lanes) noexcept {
    *this = {};
    exec_ = lanes;
}

void transaction_masks::run_chosen(isa::lane_mask chosen) noexcept {
    exec_ = tcm_old_ = tcm_;
    chosen_ = chosen;
    tcm_ &= ~chosen;
    mcm_ = ~isa::lane_mask{0};  // only after the choice: it is what the choice looks at
}

transaction_masks::verdict transaction_masks::end_attempt(const serialization& choice) noexcept {
    if (tcm_ == 0) {
        exec_ = 0;
        return verdict::done;
    }
    const bool same = tcm_ == tcm_old_;
    if (mode_ == transaction_mode::wg_serial) {
        run_chosen(same ? choice.first(tcm_) : choice.choose(tcm_, mcm_));
    } else if (!same) {
        mode_ = transaction_mode::tx;
        run_chosen(tcm_);
    } else if (mode_ == transaction_mode::tx) {
        mode_ = transaction_mode::wf_serial;
        run_chosen(choice.choose(tcm_, mcm_));
    } else {
        return verdict::alone;
    }
    return verdict::again;
}

void transaction_masks::be_alone() noexcept {
    mode_ = transaction_mode::wg_serial;
    run_chosen(chosen_);
}

void transaction_masks::abort() noexcept {
    tcm_ |= exec_;
    tcm_old_ = 0;
}

void transaction_masks::restart() noexcept {
    mode_ = transaction_mode::tx;
    run_chosen(tcm_);
    tcm_old_ = 0;
}

}  // namespace heddle
