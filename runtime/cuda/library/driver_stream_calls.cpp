// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/driver.h"

namespace {

using namespace heddle::cuda;

/// A callback of the driver API as one of the runtime's.
struct driver_callback {
    CUstreamCallback call;
    void* data;
};

void call_driver_callback(cudaStream_t stream, cudaError_t status, void* data) {
    const std::unique_ptr<driver_callback> callback(static_cast<driver_callback*>(data));
    callback->call(stream, driver_code(status), callback->data);
}

}  // namespace

extern "C" {

CUresult cuStreamCreate(CUstream* phStream, unsigned int Flags) {
    return in_context([&] { return cudaStreamCreateWithFlags(phStream, Flags); });
}

CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags, int priority) {
    return in_context([&] { return cudaStreamCreateWithPriority(phStream, flags, priority); });
}

CUresult cuStreamDestroy(CUstream hStream) {
    return in_context([&] { return cudaStreamDestroy(hStream); });
}

CUresult cuStreamSynchronize(CUstream hStream) {
    return in_context([&] { return cudaStreamSynchronize(hStream); });
}

CUresult cuStreamQuery(CUstream hStream) {
    return in_context([&] { return cudaStreamQuery(hStream); });
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags) {
    return in_context([&] { return cudaStreamWaitEvent(hStream, hEvent, Flags); });
}

CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData,
                             unsigned int flags) {
    return in_context([&] {
        if (callback == nullptr) return cudaErrorInvalidValue;
        auto made = std::make_unique<driver_callback>(driver_callback{callback, userData});
        const cudaError_t code =
            cudaStreamAddCallback(hStream, call_driver_callback, made.get(), flags);
        if (code == cudaSuccess) (void)made.release();
        return code;
    });
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned int* flags) {
    return in_context([&] { return cudaStreamGetFlags(hStream, flags); });
}

CUresult cuStreamGetPriority(CUstream hStream, int* priority) {
    return in_context([&] { return cudaStreamGetPriority(hStream, priority); });
}

CUresult cuEventCreate(CUevent* phEvent, unsigned int Flags) {
    return in_context([&] { return cudaEventCreateWithFlags(phEvent, Flags); });
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream) {
    return in_context([&] { return cudaEventRecord(hEvent, hStream); });
}

CUresult cuEventQuery(CUevent hEvent) {
    return in_context([&] { return cudaEventQuery(hEvent); });
}

CUresult cuEventSynchronize(CUevent hEvent) {
    return in_context([&] { return cudaEventSynchronize(hEvent); });
}

CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
    return in_context([&] { return cudaEventElapsedTime(pMilliseconds, hStart, hEnd); });
}

CUresult cuEventDestroy(CUevent hEvent) {
    return in_context([&] { return cudaEventDestroy(hEvent); });
}

}  // extern "C"
