// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/sanitizer.h"

#if defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

/// A host program that is cut off by an error keeps what it owns: its thread is never unwound.
extern "C" const char* __lsan_default_suppressions() {
    return "leak:sc_core::sc_thread_cor_fn\n";
}
#endif

namespace heddle {

void restore_sanitizer_stack() {
#if defined(__SANITIZE_ADDRESS__)
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* bottom = nullptr;
    size_t size = 0;
    pthread_attr_getstack(&attributes, &bottom, &size);
    pthread_attr_destroy(&attributes);
    void* fake_stack = nullptr;
    __sanitizer_start_switch_fiber(&fake_stack, bottom, size);
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

}  // namespace heddle
