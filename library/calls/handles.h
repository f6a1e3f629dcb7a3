// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "include/heddle/heddle.h"
#include "library/machine/machine.h"

namespace heddle::library {

/// What the caller wants. Throws configuration_error for options that can't be.
[[nodiscard]] machine_request request_of(const heddle_options* options);
/// A new handle, which no machine of the process ever had. Throws configuration_error for a timed
/// machine while there is another one.
[[nodiscard]] heddle_machine* admit(const machine_request& request);

/// A function object that outlives the call which it is given to. It is made without a heap, which
/// could throw where nothing catches.
template <class... Arguments>
class borrowed_work {
public:
    template <class Work>
    borrowed_work(const Work& work)  // NOLINT(google-explicit-constructor): a lambda stands for it
        : work_(&work), run_([](const void* object, Arguments&... arguments) {
              (*static_cast<const Work*>(object))(arguments...);
          }) {}

    void operator()(Arguments&... arguments) const { run_(work_, arguments...); }

private:
    const void* work_;
    void (*run_)(const void*, Arguments&...);
};

/// Calls `work` with the machine of a handle, alone, and makes a status and a text of what it
/// throws. `function` begins the text where the caller is wrong. The handle may be anything.
heddle_status call(const char* function, const heddle_machine* handle,
                   const borrowed_work<machine>& work) noexcept;
/// The same without a machine: the text is that of the calling thread.
heddle_status call(const char* function, const borrowed_work<>& work) noexcept;
/// As call() with a machine, whose handle is no longer one afterwards.
heddle_status dismiss(const char* function, heddle_machine* handle,
                      const borrowed_work<machine>& work) noexcept;

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
