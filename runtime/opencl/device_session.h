// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "runtime/client/server.h"
#include "runtime/opencl/objects.h"

namespace heddle::opencl {

/// A command of a queue that the device has not heard of.
struct command {
    std::shared_ptr<_cl_event> event;
    std::vector<std::shared_ptr<_cl_event>> after;
    /// Hands it to the device. What takes simulated time sets the event's launches.
    std::function<void(device_session&, _cl_event&)> run;
};

/// A device server with the commands of all queues on it. Commands are kept until the program
/// waits: the program's own speed does not change a run. Then all that can begin are handed on in
/// the order in which they were enqueued.
///
/// Every call needs the library's lock. Those that talk to the server throw
/// error(CL_OUT_OF_RESOURCES) when the device is lost; all commands then end with that status, and
/// the contexts hear why.
class device_session {
public:
    /// The `number`-th of this process. Throws connection_error.
    explicit device_session(unsigned number) : server_(number) {}
    device_session(const device_session&) = delete;
    device_session& operator=(const device_session&) = delete;
    ~device_session() { close(); }

    [[nodiscard]] const runtime::device_description& description() const noexcept {
        return server_.description();
    }
    [[nodiscard]] bool is_lost() const noexcept { return lost_; }
    void add_context(const std::shared_ptr<_cl_context>& context);
    /// Launches that are kept.
    [[nodiscard]] std::size_t kept_launches() const;
    /// Ends it with the process.
    void close() noexcept;
    /// In a child of the process: it is lost.
    void forget() noexcept;

    /// Sends a request and waits for the answer. Throws runtime::request_refused.
    template <class Request>
    typename Request::answer call(const Request& request) {
        try {
            return server_.call(request);
        } catch (const runtime::connection_error& why) {
            lose(why.what());
        }
    }
    void write(const void* from, std::uint64_t from_row, std::uint64_t from_slice,
               const runtime::memory_box& to, const runtime::box_extent& extent);
    void read(void* to, std::uint64_t to_row, std::uint64_t to_slice,
              const runtime::memory_box& from, const runtime::box_extent& extent);
    /// Enqueues a launch; the event ends with it. A launch that the device refuses ends the event
    /// with CL_OUT_OF_RESOURCES.
    void launch(const runtime::launch_request& request, _cl_event& event);
    /// A stream of the device, and back when its queue is gone.
    std::uint32_t take_stream();
    void return_stream(std::uint32_t stream) { free_streams_.push_back(stream); }
    /// Memory of the device. Throws error(CL_MEM_OBJECT_ALLOCATION_FAILURE) if that is used up.
    std::uint32_t allocate(std::uint64_t bytes, const std::string& name);
    void release(std::uint32_t address) noexcept;
    void unload(std::uint32_t program) noexcept;

    /// Keeps a command; its event is CL_QUEUED. In order of the queue.
    void enqueue(command added);
    /// Waits until the event has happened, whatever it needs.
    void wait(const std::shared_ptr<_cl_event>& event);
    /// The same, unless it needs an event of the program that has not happened.
    void advance_to(const std::shared_ptr<_cl_event>& event);
    /// Lets happen what the program has asked to hear of.
    void advance_to_callbacks();
    /// Waits for all commands of a queue.
    void finish(_cl_command_queue& queue);
    /// Hears which launches have ended. No time passes.
    void take_ended();
    /// Lets the device run for a while: a program that asks again and again goes on.
    void advance();
    /// The event, of a user or a command, ends so; its callbacks are called.
    void end(_cl_event& event, cl_int status);
    /// The device's time in nanoseconds.
    [[nodiscard]] std::uint64_t nanoseconds(std::uint64_t cycles) const noexcept;

private:
    /// Hands on all commands that can begin.
    void submit();
    void begin(command& started);
    void set_status(_cl_event& event, cl_int status);
    [[noreturn]] void lose(const std::string& why);
    void end_all() noexcept;

    runtime::server server_;
    bool lost_ = false;
    std::vector<std::weak_ptr<_cl_context>> contexts_;
    std::vector<std::uint32_t> free_streams_;
    std::deque<command> waiting_;                      ///< in order of enqueue
    std::vector<std::shared_ptr<_cl_event>> running_;  ///< with launches that may not have ended
    std::uint64_t launches_ = 0;                       ///< so far
    std::unordered_set<std::uint64_t> open_;           ///< launches that may not have ended
};

}  // namespace heddle::opencl
