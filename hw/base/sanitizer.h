// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>

namespace heddle {

/// SystemC tells the address sanitizer when it switches to and from the stack of an SC_THREAD, but
/// not where the main stack is, so exceptions after a simulation look like bad accesses. Call it
/// after sc_start(). Does nothing in other builds.
void restore_sanitizer_stack();

/// An object at the beginning of an SC_THREAD whose stack has `bytes`: while it lives, memory that
/// is referenced from that stack is no leak. A thread that has not ended at the end of a run is
/// never unwound and keeps its objects. Does nothing in other builds.
class sanitizer_stack_root {
public:
    explicit sanitizer_stack_root(std::size_t bytes);
    ~sanitizer_stack_root();
    sanitizer_stack_root(const sanitizer_stack_root&) = delete;
    sanitizer_stack_root& operator=(const sanitizer_stack_root&) = delete;

private:
    const char* begin_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace heddle
