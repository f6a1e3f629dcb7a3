// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/device_session.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "runtime/client/transfers.h"
#include "runtime/opencl/api.h"

namespace heddle::opencl {
namespace {

bool is_launch(const _cl_event& event) {
    return event.type == CL_COMMAND_NDRANGE_KERNEL || event.type == CL_COMMAND_TASK;
}

void insert(std::vector<std::uint64_t>& into, const std::vector<std::uint64_t>& more) {
    for (const std::uint64_t each : more) {
        if (std::find(into.begin(), into.end(), each) == into.end()) into.push_back(each);
    }
}

}  // namespace

void device_session::add_context(const std::shared_ptr<_cl_context>& context) {
    contexts_.erase(std::remove_if(contexts_.begin(), contexts_.end(),
                                   [](const auto& each) { return each.expired(); }),
                    contexts_.end());
    contexts_.push_back(context);
}

std::size_t device_session::kept_launches() const {
    return static_cast<std::size_t>(
        std::count_if(waiting_.begin(), waiting_.end(),
                      [](const command& each) { return is_launch(*each.event); }));
}

void device_session::close() noexcept {
    server_.close();
    lost_ = true;
}

void device_session::forget() noexcept {
    server_.forget();
    lost_ = true;
    // They are the parent's to call.
    for (const auto& event : running_) event->callbacks.clear();
    for (const command& each : waiting_) each.event->callbacks.clear();
    end_all();
}

void device_session::lose(const std::string& why) {
    if (!std::exchange(lost_, true)) {
        end_all();
        for (const auto& each : contexts_) {
            const auto context = each.lock();
            if (context == nullptr || !context->notify) continue;
            the_library().after_call.push_back(
                [notify = context->notify, why] { notify(why.c_str()); });
        }
    }
    throw error(CL_OUT_OF_RESOURCES);
}

void device_session::end_all() noexcept {
    const auto waiting = std::exchange(waiting_, {});
    const auto running = std::exchange(running_, {});
    for (const auto& event : running) end(*event, CL_OUT_OF_RESOURCES);
    for (const command& each : waiting) end(*each.event, CL_OUT_OF_RESOURCES);
}

void device_session::write(const void* from, std::uint64_t from_row, std::uint64_t from_slice,
                           const runtime::memory_box& to, const runtime::box_extent& extent) {
    try {
        runtime::write_box(server_, {from, from_row, from_slice}, to, extent);
    } catch (const runtime::connection_error& why) {
        lose(why.what());
    }
}

void device_session::read(void* to, std::uint64_t to_row, std::uint64_t to_slice,
                          const runtime::memory_box& from, const runtime::box_extent& extent) {
    try {
        runtime::read_box(server_, {to, to_row, to_slice}, from, extent);
    } catch (const runtime::connection_error& why) {
        lose(why.what());
    }
}

void device_session::launch(const runtime::launch_request& request, _cl_event& event) {
    const std::uint64_t number = launches_++;
    event.launches = {number};
    open_.insert(number);
    const std::weak_ptr<_cl_event> refused = running_.back();  // begin() has put it there
    try {
        server_.post(request, [this, number, refused](const std::string& why) {
            open_.erase(number);
            const auto ended = refused.lock();
            if (ended == nullptr) return;
            end(*ended, CL_OUT_OF_RESOURCES);
            if (!ended->context->notify) return;
            the_library().after_call.push_back(
                [notify = ended->context->notify, why] { notify(why.c_str()); });
        });
    } catch (const runtime::connection_error& why) {
        lose(why.what());
    }
}

std::uint32_t device_session::take_stream() {
    if (free_streams_.empty()) return call(runtime::create_stream_request{}).stream;
    const std::uint32_t stream = free_streams_.back();
    free_streams_.pop_back();
    return stream;
}

std::uint32_t device_session::allocate(std::uint64_t bytes, const std::string& name) {
    const runtime::allocate_request wanted{bytes, name};
    try {
        return call(wanted).address;
    } catch (const runtime::request_refused&) {
        // What the program has released may be in use still.
    }
    submit();
    call(runtime::wait_request{{open_.begin(), open_.end()}});
    take_ended();
    try {
        return call(wanted).address;
    } catch (const runtime::request_refused&) {
        throw error(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
}

void device_session::release(std::uint32_t address) noexcept {
    if (lost_) return;
    try {
        server_.post(runtime::release_request{address}, [](const std::string&) {});
    } catch (const std::exception&) {
        // The next call that talks to the server finds out.
    }
}

void device_session::unload(std::uint32_t program) noexcept {
    if (lost_) return;
    try {
        server_.post(runtime::unload_request{program}, [](const std::string&) {});
    } catch (const std::exception&) {
        // Likewise.
    }
}

void device_session::enqueue(command added) {
    require(!lost_, CL_OUT_OF_RESOURCES);
    added.event->queued = server_.now();
    added.event->queue->last_command = added.event;
    waiting_.push_back(std::move(added));
}

void device_session::submit() {
    for (bool again = true; again;) {
        again = false;
        std::unordered_set<const _cl_command_queue*> held;
        std::deque<command> left;
        auto all = std::exchange(waiting_, {});
        for (command& each : all) {
            if (lost_) {
                end(*each.event, CL_OUT_OF_RESOURCES);
                continue;
            }
            const bool waits = held.count(each.event->queue.get()) != 0 ||
                               std::any_of(each.after.begin(), each.after.end(),
                                           [](const auto& event) { return event->is_open(); });
            if (waits) {
                held.insert(each.event->queue.get());
                left.push_back(std::move(each));
                continue;
            }
            again = true;
            try {
                begin(each);
            } catch (const error& failed) {
                end(*each.event, failed.code());
            } catch (const runtime::request_refused&) {
                end(*each.event, CL_OUT_OF_RESOURCES);
            }
        }
        again = again && !left.empty();
        waiting_ = std::move(left);
    }
    require(!lost_, CL_OUT_OF_RESOURCES);
}

void device_session::begin(command& started) {
    _cl_event& event = *started.event;
    _cl_command_queue& queue = *event.queue;
    event.submitted = event.started = event.ended = server_.now();
    for (const auto& earlier : started.after) {
        if (earlier->status < CL_COMPLETE) {
            return end(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        }
        if (earlier->queue.get() != &queue) insert(queue.barrier, earlier->launches);
    }
    set_status(event, CL_SUBMITTED);
    running_.push_back(started.event);
    started.run(*this, event);
    if (event.status <= CL_COMPLETE) {  // refused, and heard already
        running_.pop_back();
        return;
    }
    auto& open = event.launches;
    open.erase(std::remove_if(open.begin(), open.end(),
                              [this](std::uint64_t each) { return open_.count(each) == 0; }),
               open.end());
    if (!event.launches.empty()) return;
    running_.pop_back();
    event.started = event.ended = server_.now();
    end(event, CL_COMPLETE);
}

void device_session::take_ended() {
    if (running_.empty()) return;
    const runtime::ended_answer answer = call(runtime::poll_request{});
    std::unordered_map<std::uint64_t, runtime::ended_launch> ended;
    for (const runtime::ended_launch& each : answer.ended) {
        ended.emplace(each.launch, each);
        open_.erase(each.launch);
    }
    std::vector<std::shared_ptr<_cl_event>> left;
    for (const auto& event : std::exchange(running_, {})) {
        if (event->status <= CL_COMPLETE) continue;  // refused
        auto& open = event->launches;
        for (std::size_t i = open.size(); i-- > 0;) {
            if (open_.count(open[i]) != 0) continue;
            const auto found = ended.find(open[i]);
            if (found != ended.end()) {
                if (is_launch(*event)) {
                    event->submitted = found->second.submitted;
                    event->started = found->second.started;
                }
                event->ended = std::max(event->ended, found->second.ended);
            }
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
        }
        if (open.empty()) {
            end(*event, CL_COMPLETE);
        } else {
            left.push_back(event);
        }
    }
    running_ = std::move(left);
}

void device_session::wait(const std::shared_ptr<_cl_event>& event) {
    while (event->status > CL_COMPLETE) {
        submit();
        if (event->is_open()) {
            the_library().process.wait_for_change();
            require(!lost_, CL_OUT_OF_RESOURCES);
            continue;
        }
        if (event->status > CL_COMPLETE) call(runtime::wait_request{event->launches});
        take_ended();
    }
}

void device_session::advance_to(const std::shared_ptr<_cl_event>& event) {
    submit();
    if (!event->is_open()) wait(event);
}

void device_session::advance_to_callbacks() {
    std::vector<std::shared_ptr<_cl_event>> heard;
    for (const command& each : waiting_) {
        if (!each.event->callbacks.empty()) heard.push_back(each.event);
    }
    for (const auto& event : heard) advance_to(event);
}

void device_session::finish(_cl_command_queue& queue) {
    if (const auto last = queue.last_command.lock()) wait(last);
    require(!lost_, CL_OUT_OF_RESOURCES);
}

void device_session::advance() {
    constexpr std::uint64_t cycles = 10'000;
    submit();
    if (running_.empty()) return;
    call(runtime::advance_request{cycles});
    take_ended();
}

void device_session::set_status(_cl_event& event, cl_int status) {
    event.status = status;
    auto& callbacks = event.callbacks;
    for (std::size_t i = 0; i < callbacks.size();) {
        if (callbacks[i].at < status) {
            ++i;
            continue;
        }
        the_library().process.calls().add([call = callbacks[i].call, status] { call(status); });
        callbacks.erase(callbacks.begin() + static_cast<std::ptrdiff_t>(i));
    }
    the_library().process.note_change();
}

void device_session::end(_cl_event& event, cl_int status) {
    event.launches.clear();
    set_status(event, status);
}

std::uint64_t device_session::nanoseconds(std::uint64_t cycles) const noexcept {
    constexpr std::uint64_t unit = 1'000'000;
    const std::uint64_t khz = std::max<std::uint32_t>(1, description().core_khz);
    return cycles / khz * unit + cycles % khz * unit / khz;
}

}  // namespace heddle::opencl
