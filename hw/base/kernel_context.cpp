// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/kernel_context.h"

namespace heddle {
namespace {

/// SystemC makes the process's own kernel when somebody asks for it.
sc_core::sc_simcontext* present_kernel() {
    (void)sc_core::sc_get_status();
    return sc_core::sc_curr_simcontext;
}

void enter(sc_core::sc_simcontext* kernel) {
    sc_core::sc_curr_simcontext = kernel;
    sc_core::sc_default_global_context = kernel;
}

}  // namespace

kernel_context::kernel_context()
    : outer_(present_kernel()), own_(std::make_unique<sc_core::sc_simcontext>()) {
    enter(own_.get());
}

kernel_context::~kernel_context() {
    enter(outer_);
}

}  // namespace heddle
