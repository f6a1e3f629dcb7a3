// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/calls/handles.h"

#include <pthread.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "models/base/attention.h"
#include "models/base/error.h"
#include "models/base/output_file.h"

namespace heddle::library {
namespace {

struct admitted {
    explicit admitted(const machine_request& request) : mine(request) {}

    machine mine;
    std::mutex mutex;  ///< of `mine`, `error` and `closed`
    std::string error;
    bool closed = false;
};

/// The machines of the process. Handles are numbers in the form of addresses, so that one is never
/// given twice and a machine that is closed is not taken for another one.
struct register_of_machines {
    std::mutex mutex;
    std::map<const heddle_machine*, std::shared_ptr<admitted>> open;
    std::uintptr_t next = 0;
    bool timed = false;  ///< there is a timed machine, or it is being made
};

/// It is never destroyed: threads of machines that nobody has closed may use it until the process
/// is gone. What forks has copies of the machines, but not their threads: in the child they are no
/// machines, and are left as they are. A timed one keeps its place there, because SystemC was left
/// within its simulation.
register_of_machines& all() {
    static auto* const machines = [] {
        pthread_atfork([] { all().mutex.lock(); }, [] { all().mutex.unlock(); },
                       [] {
                           static auto* const of_parent = new decltype(register_of_machines::open);
                           of_parent->merge(all().open);
                           all().mutex.unlock();
                       });
        return new register_of_machines;
    }();
    return *machines;
}

thread_local std::string error_without_machine;
thread_local const machine* calling_back = nullptr;

std::shared_ptr<admitted> find(const heddle_machine* handle) {
    const std::lock_guard lock(all().mutex);
    const auto found = all().open.find(handle);
    if (found != all().open.end()) return found->second;
    throw configuration_error(handle == nullptr ? "the machine is NULL"
                                                : "the machine is closed, or never was one");
}

heddle_status status_of(error_kind kind) noexcept {
    switch (kind) {
        case error_kind::none:
            return HEDDLE_OK;
        case error_kind::wrong_result:
            return HEDDLE_WRONG_RESULT;
        case error_kind::configuration:
            return HEDDLE_USAGE;
        case error_kind::kernel_fault:
            return HEDDLE_KERNEL_FAULT;
        case error_kind::no_progress:
            return HEDDLE_NO_PROGRESS;
        case error_kind::interrupted:
            return HEDDLE_INTERRUPTED;
    }
    return HEDDLE_FAILED;
}

/// Runs `work`; leaves the text in `error`.
template <class Work>
heddle_status answered(const char* function, std::string& error, const Work& work) noexcept {
    try {
        try {
            error.clear();
            work();
            return HEDDLE_OK;
        } catch (const run_error& failure) {
            const bool of_caller = failure.kind() == error_kind::configuration;
            error = (of_caller ? std::string(function) + ": " : std::string()) + failure.what();
            return status_of(failure.kind());
        } catch (const std::bad_alloc&) {
            error = "out of memory";
        } catch (const std::exception& failure) {
            error = std::string(function) + ": failed within the library: " + failure.what();
        } catch (...) {
            error = std::string(function) + ": failed within the library";
        }
    } catch (...) {  // no memory for the text
        error.clear();
    }
    return HEDDLE_FAILED;
}

/// A SystemC kernel simulates one netlist.
void take_timed_place() {
    const std::lock_guard lock(all().mutex);
    if (all().timed) {
        throw configuration_error(
            "there is a timed machine in this process already, or was one in its parent at fork(); "
            "close it first (heddle_close), or make this one functional or in another process");
    }
    all().timed = true;
}

void leave_timed_place() {
    const std::lock_guard lock(all().mutex);
    all().timed = false;
}

}  // namespace

heddle_machine* admit(const machine_request& request) {
    // What a process that ends without heddle_close() was writing is of no use.
    static const int registered = std::atexit([] { remove_unfinished_files(); });
    (void)registered;
    if (!request.functional) take_timed_place();
    try {
        auto made = std::make_shared<admitted>(request);
        attention::take(attention::interrupt);
        const std::lock_guard lock(all().mutex);
        constexpr std::uintptr_t distance = 16;  // as of objects
        all().next += distance;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): nobody follows it
        auto* const handle = reinterpret_cast<heddle_machine*>(all().next);
        all().open.emplace(handle, std::move(made));
        return handle;
    } catch (...) {
        if (!request.functional) leave_timed_place();
        throw;
    }
}

heddle_status call(const char* function, const heddle_machine* handle,
                   const borrowed_work<machine>& work) noexcept {
    std::shared_ptr<admitted> found;
    const heddle_status known = call(function, [&] {
        found = find(handle);
        if (calling_back != &found->mine) return;
        throw configuration_error(
            "called from a function that this machine has called; legal: return from it first");
    });
    if (known != HEDDLE_OK) return known;
    const std::lock_guard lock(found->mutex);
    return answered(function, found->error, [&] {
        if (found->closed) throw configuration_error("the machine is closed");
        work(found->mine);
    });
}

heddle_status call(const char* function, const borrowed_work<>& work) noexcept {
    return answered(function, error_without_machine, work);
}

heddle_status dismiss(const char* function, heddle_machine* handle,
                      const borrowed_work<machine>& work) noexcept {
    std::shared_ptr<admitted> found;
    const heddle_status known = call(function, [&] {
        found = find(handle);
        if (calling_back == &found->mine) {
            throw configuration_error("called from a function that this machine has called");
        }
    });
    if (known != HEDDLE_OK) return known;
    const std::lock_guard lock(found->mutex);
    if (std::exchange(found->closed, true)) {
        return call(function, [] { throw configuration_error("the machine is closed"); });
    }
    const heddle_status status = call(function, [&] { work(found->mine); });
    if (!found->mine.functional()) leave_timed_place();
    const std::lock_guard all_lock(all().mutex);
    all().open.erase(handle);
    return status;
}

const char* text_of(const heddle_machine* handle) noexcept {
    const std::lock_guard lock(all().mutex);
    const auto found = all().open.find(handle);
    // The machine's own text: its string changes with the next call for the machine only.
    return found != all().open.end() ? found->second->error.c_str() : error_without_machine.c_str();
}

within_callback::within_callback(const machine& of) noexcept
    : outer_(std::exchange(calling_back, &of)) {}

within_callback::~within_callback() {
    calling_back = outer_;
}

}  // namespace heddle::library
