// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/client/server.h"
#include "runtime/client/transfers.h"
#include "runtime/cuda/library/error.h"
#include "runtime/cuda/library/managed_memory.h"
#include "runtime/cuda/library/stream_table.h"

namespace heddle::cuda {

using to_host = runtime::host_box<void*>;
using from_host = runtime::host_box<const void*>;

/// A device server with the commands of all streams on it. Commands are kept until the program
/// waits, so that the program's own speed does not change a run. Then all are handed to the device
/// in the order in which they were enqueued: a command of CUDA waits for earlier ones only.
///
/// Every call needs the library's lock. Calls that talk to the server throw error when the device
/// is lost; its code is the one of all later calls.
class device_session {
public:
    /// The `number`-th of this process. Throws connection_error.
    explicit device_session(unsigned number);
    device_session(const device_session&) = delete;
    device_session& operator=(const device_session&) = delete;
    ~device_session() { close(); }

    [[nodiscard]] const runtime::device_description& description() const noexcept {
        return server_.description();
    }
    /// cudaSuccess while there is a device.
    [[nodiscard]] cudaError_t lost() const noexcept { return lost_; }
    [[nodiscard]] std::size_t kept_launches() const;
    void close() noexcept { server_.close(); }
    /// What the program and the server have both mapped.
    [[nodiscard]] int shared_file() const noexcept { return server_.shared_file(); }
    /// In a child of the process: it is the parent's.
    void forget() noexcept { server_.forget(); }

    /// Sends a request and waits for the answer. Throws runtime::request_refused.
    template <class Request>
    typename Request::answer call(const Request& request) {
        return guarded([&] { return server_.call(request); });
    }
    void write(const from_host& from, const runtime::memory_box& to,
               const runtime::box_extent& extent) {
        guarded([&] { runtime::write_box(server_, from, to, extent); });
    }
    void read(const to_host& to, const runtime::memory_box& from,
              const runtime::box_extent& extent) {
        guarded([&] { runtime::read_box(server_, to, from, extent); });
    }
    /// Memory of the device. Throws error(cudaErrorMemoryAllocation) if that is used up.
    std::uint32_t allocate(std::uint64_t bytes);
    /// Sends a request that the device can't refuse, without waiting.
    template <class Request>
    void post(const Request& request) {
        guarded([&] { server_.post(request, [](const std::string&) {}); });
    }

    [[nodiscard]] managed_memory& managed() noexcept { return managed_; }
    [[nodiscard]] stream_table& streams() noexcept { return streams_; }
    /// What it has enqueued goes on. Throws error(cudaErrorInvalidResourceHandle).
    void remove_stream(cudaStream_t handle);

    /// Keep a command.
    void enqueue_launch(const stream_ptr& in, runtime::launch_request request, bool alone);
    /// A command that takes no simulated time and comes after all launches before it. It keeps so
    /// many bytes of the program's: not without limit.
    void enqueue(const stream_ptr& in, std::function<void()> run, std::uint64_t bytes = 0);
    void enqueue_record(const stream_ptr& in, const std::shared_ptr<heddle_cuda_record>& record);
    void enqueue_wait(const stream_ptr& in, const std::shared_ptr<heddle_cuda_record>& record);
    /// The function is called when all before it in the stream has ended.
    void enqueue_call(const stream_ptr& in, std::function<void()> call);

    /// Hands all commands to the device.
    void submit();
    /// Hands on what is before the next function of the program that is to be called, and has it
    /// called, unless one has not returned: then the end of that one does the same.
    void submit_calls();
    /// Wait until all of a stream has ended, until all of all streams has, for a record.
    void wait(const stream_ptr& in);
    void wait_for_all();
    void wait(heddle_cuda_record& record);
    /// Whether it has; if not, the device runs for a while, so that a program that asks again and
    /// again goes on.
    bool query(const stream_ptr& in);
    bool query(heddle_cuda_record& record);

private:
    struct command {
        bool launch;
        std::function<void()> run;
    };

    template <class Call>
    auto guarded(const Call& call) -> decltype(call()) {
        try {
            return call();
        } catch (const runtime::connection_error& why) {
            lose(why);
        }
    }
    [[noreturn]] void lose(const runtime::connection_error& why);
    /// Runs one; what the device refuses is told to the next call that waits.
    void run(const command& next);
    /// Runs commands as long as the condition holds.
    template <class Condition>
    void run_waiting(const Condition& may_go_on);
    /// Throws the error of a launch that the device has refused.
    void tell_refused();
    /// Gives up the library's lock until functions of the program that were called have returned.
    void wait_for_calls();
    void begin_launch(CUstream_st& in, runtime::launch_request request, bool alone);
    void begin_call(CUstream_st& in, const std::function<void()>& call);
    void wait_for(const launch_set& launches);
    bool advance(const launch_set& launches);
    void find_ends();
    void take_ended();

    runtime::server server_;
    cudaError_t lost_ = cudaSuccess;
    managed_memory managed_;
    stream_table streams_;
    std::deque<command> waiting_;   ///< in order of enqueue
    std::uint64_t kept_bytes_ = 0;  ///< of the program's memory, with the commands
    bool submitting_ = false;
    bool measured_ = false;     ///< an event waits for a launch
    bool program_ran_ = false;  ///< since its managed memory was looked at
    unsigned kept_calls_ = 0;   ///< of functions of the program, among the commands
    unsigned calls_ = 0;        ///< functions of the program that have not returned
    std::uint64_t launches_ = 0;
    std::map<std::uint64_t, std::shared_ptr<heddle_cuda_launch>> open_;
    std::shared_ptr<heddle_cuda_launch> alone_;  ///< the last launch that runs alone
    cudaError_t refused_ = cudaSuccess;          ///< of a command, for the next call that waits
};

/// Waits for all launches. What the last wait or a launch that was refused had to say; throws if
/// the device is lost.
[[nodiscard]] cudaError_t wait_for_all_of(device_session& session);

}  // namespace heddle::cuda
