// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/device_session.h"

#include <cstdio>
#include <iterator>
#include <new>
#include <utility>

#include "runtime/cuda/library/fault_code.h"
#include "runtime/cuda/library/library.h"

namespace heddle::cuda {
namespace {

constexpr std::uint64_t asked_cycles = 10'000;
/// Launches that the device holds. The program waits for half of them before it gets more, and for
/// all where there is no time: the functional simulator keeps what belongs to them until then.
constexpr std::size_t most_open = 128;

std::vector<std::uint64_t> numbers_of_open(const launch_set& launches) {
    std::vector<std::uint64_t> numbers;
    for (const auto& each : launches) {
        if (each->open) numbers.push_back(each->number);
    }
    return numbers;
}

}  // namespace

device_session::device_session(unsigned number) : server_(number) {}

std::size_t device_session::kept_launches() const {
    return static_cast<std::size_t>(std::count_if(waiting_.begin(), waiting_.end(),
                                                  [](const command& each) { return each.launch; }));
}

void device_session::lose(const runtime::connection_error& why) {
    if (lost_ == cudaSuccess) {
        lost_ = fault_code(why);
        // The server itself has said what a kernel has done.
        if (!why.is_told()) std::fprintf(stderr, "heddle: %s\n", why.what());
        waiting_.clear();
        kept_calls_ = 0;
        for (const auto& [number, launch] : open_) launch->open = false;
        open_.clear();
    }
    throw error(lost_);
}

std::uint32_t device_session::allocate(std::uint64_t bytes) {
    const runtime::allocate_request wanted{bytes, "cudaMalloc"};
    try {
        return call(wanted).address;
    } catch (const runtime::request_refused&) {
        throw error(cudaErrorMemoryAllocation);
    }
}

void device_session::remove_stream(cudaStream_t handle) {
    const stream_ptr gone = streams_.find(handle);
    require(gone != streams_.default_stream(), cudaErrorInvalidResourceHandle);
    submit();
    streams_.remove(gone);
}

void device_session::enqueue_launch(const stream_ptr& in, runtime::launch_request request,
                                    bool alone) {
    waiting_.push_back({true, [this, in, request = std::move(request), alone]() mutable {
                            begin_launch(*in, std::move(request), alone);
                        }});
}

void device_session::enqueue(const stream_ptr& in, std::function<void()> run, std::uint64_t bytes) {
    waiting_.push_back({false, [this, in, run = std::move(run)] {
                            find_ends();
                            run();
                            managed_.touched();
                            // It has waited for all launches: what follows begins after it.
                            take_ended();
                            in->tail.clear();
                        }});
    constexpr std::uint64_t most_kept = 64u << 20;
    kept_bytes_ += bytes;
    if (kept_bytes_ > most_kept) submit();
}

void device_session::enqueue_record(const stream_ptr& in,
                                    const std::shared_ptr<heddle_cuda_record>& record) {
    waiting_.push_back({false, [this, in, record] {
                            record->begun = true;
                            record->begin = server_.now();
                            record->waits = streams_.before(*in);
                            // Streams that wait for the default one wait for what it has waited
                            // for.
                            if (in == streams_.default_stream()) in->tail = record->waits;
                            measured_ = measured_ || !record->waits.empty();
                        }});
}

void device_session::enqueue_wait(const stream_ptr& in,
                                  const std::shared_ptr<heddle_cuda_record>& record) {
    waiting_.push_back({false, [in, record] { add(in->tail, record->waits); }});
}

void device_session::enqueue_call(const stream_ptr& in, std::function<void()> call) {
    waiting_.push_back({false, [this, in, call = std::move(call)] { begin_call(*in, call); }});
    ++kept_calls_;
}

void device_session::begin_launch(CUstream_st& in, runtime::launch_request request, bool alone) {
    if (!in.number) in.number = streams_.take_free_number();
    if (!in.number) in.number = call(runtime::create_stream_request{}).stream;
    if (open_.size() >= most_open) {
        const std::size_t last = description().timed ? most_open / 2 : most_open - 1;
        wait_for({std::next(open_.begin(), static_cast<std::ptrdiff_t>(last))->second});
    }
    // What ends before this one begins is to be found out before.
    if (measured_ && !description().timed && any_open(in.tail)) find_ends();
    launch_set earlier = streams_.before(in);
    if (alone_ != nullptr) add(earlier, {alone_});
    if (alone) {
        launch_set all;
        for (const auto& [number, launch] : open_) all.push_back(launch);
        add(earlier, all);
    }
    request.stream = *in.number;
    earlier.erase(std::remove_if(earlier.begin(), earlier.end(),
                                 [&](const auto& l) { return l->stream == *in.number; }),
                  earlier.end());
    request.after = numbers_of_open(earlier);
    request.priority = static_cast<std::uint32_t>(-in.priority);
    const auto made = std::make_shared<heddle_cuda_launch>();
    made->number = launches_++;
    made->stream = *in.number;
    open_[made->number] = made;
    in.tail = {made};
    if (alone) alone_ = made;
    managed_.touched();
    guarded([&] {
        server_.post(request, [this, made](const std::string& why) {
            std::fprintf(stderr, "heddle: %s\n", why.c_str());
            made->open = false;
            open_.erase(made->number);
            refused_ = cudaErrorLaunchOutOfResources;
        });
    });
}

void device_session::begin_call(CUstream_st& in, const std::function<void()>& call) {
    wait_for(streams_.before(in));
    managed_.to_program(*this);
    --kept_calls_;
    ++calls_;
    the_library().process.calls().add([this, call] {
        call();
        const library_lock lock;
        --calls_;
        program_ran_ = true;
        the_library().process.note_change();
        try {
            submit_calls();
        } catch (const std::exception&) {
            // The device is lost: the program's next call says so.
        }
    });
}

void device_session::submit_calls() {
    if (submitting_ || lost_ != cudaSuccess) return;
    run_waiting([this] { return kept_calls_ != 0 && calls_ == 0; });
}

void device_session::wait_for_calls() {
    while (calls_ != 0) the_library().process.wait_for_change();
}

void device_session::run(const command& next) {
    try {
        next.run();
    } catch (const error& caught) {
        require(lost_ == cudaSuccess, lost_);
        refused_ = caught.code();
    } catch (const runtime::request_refused& why) {
        std::fprintf(stderr, "heddle: %s\n", why.what());
        refused_ = cudaErrorInvalidValue;
    } catch (const std::bad_alloc&) {
        refused_ = cudaErrorMemoryAllocation;
    }
}

template <class Condition>
void device_session::run_waiting(const Condition& may_go_on) {
    submitting_ = true;
    program_ran_ = true;
    kept_bytes_ = 0;
    try {
        while (!waiting_.empty() && may_go_on()) {
            if (std::exchange(program_ran_, false)) managed_.to_device(*this);
            const command next = std::move(waiting_.front());
            waiting_.pop_front();
            run(next);
        }
    } catch (...) {
        submitting_ = false;
        the_library().process.note_change();
        if (lost_ != cudaSuccess) throw error(lost_);
        throw;
    }
    submitting_ = false;
    the_library().process.note_change();
    require(lost_ == cudaSuccess, lost_);
}

void device_session::submit() {
    while (submitting_) the_library().process.wait_for_change();
    run_waiting([this] {
        wait_for_calls();
        return true;
    });
}

void device_session::take_ended() {
    if (open_.empty()) return;
    for (const runtime::ended_launch& each : call(runtime::poll_request{}).ended) {
        const auto found = open_.find(each.launch);
        if (found == open_.end()) continue;
        found->second->open = false;
        found->second->ended = each.ended;
        open_.erase(found);
        managed_.touched();  // what it has written comes with the next wait
    }
}

void device_session::find_ends() {
    // Without time a launch's end is when the host finds out.
    if (description().timed || !measured_) return;
    while (!open_.empty()) {
        post(runtime::wait_request{{open_.begin()->first}});
        take_ended();
    }
    measured_ = false;
}

void device_session::wait_for(const launch_set& launches) {
    if (any_open(launches)) find_ends();
    const std::vector<std::uint64_t> numbers = numbers_of_open(launches);
    if (numbers.empty()) return;
    post(runtime::wait_request{numbers});  // take_ended() waits for its reply, too
    take_ended();
}

void device_session::tell_refused() {
    const cudaError_t refused = std::exchange(refused_, cudaSuccess);
    require(refused == cudaSuccess, refused);
}

void device_session::wait(const stream_ptr& in) {
    submit();
    wait_for_calls();
    wait_for(streams_.before(*in));
    managed_.to_program(*this);
    tell_refused();
}

void device_session::wait_for_all() {
    submit();
    wait_for_calls();
    launch_set all;
    for (const auto& [number, launch] : open_) all.push_back(launch);
    wait_for(all);
    managed_.to_program(*this);
    tell_refused();
}

void device_session::wait(heddle_cuda_record& record) {
    submit();
    wait_for_calls();
    wait_for(record.waits);
    managed_.to_program(*this);
    tell_refused();
}

bool device_session::advance(const launch_set& launches) {
    if (!any_open(launches)) return true;
    call(runtime::advance_request{asked_cycles});
    take_ended();
    return !any_open(launches);
}

bool device_session::query(const stream_ptr& in) {
    submit();
    wait_for_calls();
    if (!advance(streams_.before(*in))) return false;
    managed_.to_program(*this);
    tell_refused();
    return true;
}

bool device_session::query(heddle_cuda_record& record) {
    submit();
    wait_for_calls();
    if (!advance(record.waits)) return false;
    managed_.to_program(*this);
    tell_refused();
    return true;
}

cudaError_t wait_for_all_of(device_session& session) {
    try {
        session.wait_for_all();
        return cudaSuccess;
    } catch (const error& caught) {
        require(session.lost() == cudaSuccess, caught.code());
        return caught.code();
    }
}

}  // namespace heddle::cuda
