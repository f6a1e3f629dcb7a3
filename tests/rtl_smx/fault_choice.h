// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#ifdef HEDDLE_RTL_FAULTS
#include "Vsmx_smx_fault.h"
#endif

namespace heddle::rtl_smx {

/// Switches one of the faults on that make_faulty.py has put into the RTL.
template <class Top>
void choose_fault(Top& top, unsigned fault) {
#ifdef HEDDLE_RTL_FAULTS
    top.smx_fault->number = fault;
#else
    (void)top;
    (void)fault;
#endif
}

}  // namespace heddle::rtl_smx
