// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#ifdef HEDDLE_RTL_FAULTS
#include "Vsmx___024root.h"
#endif

namespace heddle::rtl_smx {

/// Switches one of the faults on that scripts/rtl_smx_faults has put into the RTL.
template <class Top>
void choose_fault(Top& top, unsigned fault) {
#ifdef HEDDLE_RTL_FAULTS
    top.rootp->__PVT__smx_fault__DOT__number = fault;
#else
    (void)top;
    (void)fault;
#endif
}

}  // namespace heddle::rtl_smx
