// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "command/run/device_run.h"
#include "library/machine/errand.h"

namespace heddle::library {

/// A device with what runs and measures it. It lives on one thread, from construction to
/// destruction.
class measured_device {
public:
    virtual ~measured_device() = default;

    /// Runs the host program on the device, until it returns or the run breaks off.
    virtual void execute(const command::host_program& program) = 0;
    /// From within the program, as heddle_run_until().
    [[nodiscard]] virtual std::uint64_t run_until(device& machine, std::uint64_t cycle) = 0;
    /// From within the program: lets launches run while `wanted` holds and any is open.
    virtual void run_while(device& machine, const std::function<bool()>& wanted) = 0;
    /// Throws what the run has to say against going on: of a copy that failed, only its status
    /// tells.
    virtual void check() const = 0;
    /// What has been measured so far, with all statistics.
    [[nodiscard]] virtual command::device_run measured() = 0;
    /// After execute(), once: completes the files. Returns why the run broke off.
    [[nodiscard]] virtual std::optional<run_error> finish() = 0;
};

/// A measured device in a thread of its own, which works only while a call waits for it.
class session {
public:
    using maker = std::function<std::unique_ptr<measured_device>()>;
    using poll = std::function<bool()>;

    /// Makes the device, in its thread. Throws what its constructor throws.
    explicit session(maker make);
    /// Gives up launches that have not ended. close() says what could not be written.
    ~session();
    session(const session&) = delete;
    session& operator=(const session&) = delete;

    /// Does something with the device. Throws what it throws, or why the run broke off within it
    /// or before.
    void use(const std::function<void(device&)>& work, const poll& asked);
    /// Lets launches run until a cycle. Returns the cycle that it is then.
    [[nodiscard]] std::uint64_t run_until(std::uint64_t cycle, const poll& asked);
    /// Lets launches run while `wanted` holds, which is asked in the device's thread.
    void run_while(const std::function<bool()>& wanted, const poll& asked);
    /// What has been measured so far; also after the run.
    [[nodiscard]] command::device_run measured();
    /// Waits for all launches, ends the run and completes the files. Later calls do nothing.
    void finish(const poll& asked);
    /// The same without waiting.
    void close();
    /// It ended with finish(), and well.
    [[nodiscard]] bool ended_well() const noexcept { return over_ && !broke_off_; }

private:
    void live(const maker& make);
    errand_desk desk_;
    std::unique_ptr<measured_device> device_;  ///< of the thread
    // Written by the thread while a call waits for it:
    bool over_ = false;
    std::optional<run_error> broke_off_;
    std::thread thread_;
};

}  // namespace heddle::library
