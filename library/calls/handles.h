// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "include/heddle/heddle.h"
#include "library/machine/machine.h"

namespace heddle::library {

/// A new handle, which no machine of the process ever had. Throws configuration_error for a timed
/// machine while there is another one.
[[nodiscard]] heddle_machine* admit(const machine_request& request);

/// Calls `work` with the machine of a handle, alone, and makes a status and a text of what it
/// throws. `function` begins the text where the caller is wrong. The handle may be anything.
heddle_status call(const char* function, const heddle_machine* handle,
                   const std::function<void(machine&)>& work) noexcept;
/// The same without a machine: the text is that of the calling thread.
heddle_status call(const char* function, const std::function<void()>& work) noexcept;
/// As call() with a machine, whose handle is no longer one afterwards.
heddle_status dismiss(const char* function, heddle_machine* handle,
                      const std::function<void(machine&)>& work) noexcept;

/// Text of the last failure.
[[nodiscard]] const char* text_of(const heddle_machine* handle) noexcept;

/// While it lives, this thread is in a function of the user's that the machine has called: calls
/// for the machine are errors, because they would wait for themselves.
class within_callback {
public:
    explicit within_callback(const machine& of) noexcept;
    ~within_callback();
    within_callback(const within_callback&) = delete;
    within_callback& operator=(const within_callback&) = delete;

private:
    const machine* outer_;
};

}  // namespace heddle::library
