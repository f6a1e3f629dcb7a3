// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/sanitizer.h"

#if defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif

namespace heddle {

#if defined(__SANITIZE_ADDRESS__)

void restore_sanitizer_stack() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* bottom = nullptr;
    size_t size = 0;
    pthread_attr_getstack(&attributes, &bottom, &size);
    pthread_attr_destroy(&attributes);
    void* fake_stack = nullptr;
    __sanitizer_start_switch_fiber(&fake_stack, bottom, size);
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

sanitizer_stack_root::sanitizer_stack_root(std::size_t bytes) {
    // From below the frame of the thread's function, which is one of the first, to the stack's
    // end; the sanitizer skips what is not mapped.
    constexpr std::size_t above = 4096;
    const char* const here = static_cast<const char*>(__builtin_frame_address(0));
    begin_ = here + above - bytes;
    size_ = bytes;
    __lsan_register_root_region(begin_, size_);
    // The place may have been the stack of a thread of another simulation, which was never unwound:
    // what the sanitizer knows of its frames is of the past.
    __asan_unpoison_memory_region(begin_, static_cast<std::size_t>(here - begin_));
}

sanitizer_stack_root::~sanitizer_stack_root() {
    __lsan_unregister_root_region(begin_, size_);
}

#else

void restore_sanitizer_stack() {}
sanitizer_stack_root::sanitizer_stack_root(std::size_t) {}
sanitizer_stack_root::~sanitizer_stack_root() = default;

#endif

}  // namespace heddle
