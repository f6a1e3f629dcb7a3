// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/device_objects.h"
#include "runtime/cuda/library/properties.h"

namespace {

using namespace heddle::cuda;

cudaError_t create(cudaStream_t* stream, unsigned flags, int priority) {
    return code_of([&] {
        require(stream != nullptr && (flags & ~unsigned{cudaStreamNonBlocking}) == 0,
                cudaErrorInvalidValue);
        // Others become the nearest legal one, as CUDA has it.
        const int legal = std::max(greatest_priority, std::min(priority, 0));
        *stream = the_device().session.streams().add(flags, legal);
    });
}

/// The function has begun, or waits for a later stop only, when the call returns: programs wait for
/// what it does by means that the library does not know.
void call_after(cudaStream_t stream, const std::function<void()>& call) {
    device_session& session = the_device().session;
    session.enqueue_call(session.streams().find(stream), [call] {
        this_thread().in_call = true;
        call();
    });
    session.submit_calls();
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return create(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    return create(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
    return create(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return code_of(
        [&] { the_begun_device(cudaErrorInvalidResourceHandle).session.remove_stream(stream); });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return code_of([&] {
        device_session& session = the_device().session;
        session.wait(session.streams().find(stream));
    });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return code_of([&] {
        device_session& session = the_device().session;
        require(session.query(session.streams().find(stream)), cudaErrorNotReady);
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
    return code_of([&] {
        device_objects& device = the_device();
        const stream_ptr in = device.session.streams().find(stream);
        require((flags & ~unsigned{cudaEventWaitExternal}) == 0, cudaErrorInvalidValue);
        require(flags == 0, cudaErrorNotSupported);
        const auto& record = device.event(event).last;
        if (record != nullptr) device.session.enqueue_wait(in, record);
    });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData) {
    return code_of([&] {
        require(fn != nullptr, cudaErrorInvalidValue);
        call_after(stream, [=] { fn(userData); });
    });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* userData, unsigned int flags) {
    return code_of([&] {
        require(callback != nullptr && flags == 0, cudaErrorInvalidValue);
        call_after(stream, [=] { callback(stream, cudaSuccess, userData); });
    });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
    return code_of([&] { put(flags, the_device().session.streams().find(stream)->flags); });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    return code_of([&] { put(priority, the_device().session.streams().find(stream)->priority); });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* streamId) {
    return code_of([&] { put(streamId, the_device().session.streams().find(stream)->id); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return code_of([&] {
        (void)the_device().session.streams().find(stream);
        put(status, cudaStreamCaptureStatusNone);
    });
}

}  // extern "C"
