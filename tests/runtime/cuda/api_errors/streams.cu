// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Streams and events, and what every call says of a device that is lost.
#include "tests/runtime/cuda/kit.h"

__global__ void write_to(int* where) { *where = 1; }

static void count_call(void* count) {
    ++*(int*)count;
}
static void count_callback(cudaStream_t, cudaError_t status, void* count) {
    if (status == cudaSuccess) ++*(int*)count;
}

CASE(streams) {
    cudaStream_t stream = nullptr, gone = nullptr;
    int priority = 9, count = 0;
    unsigned flags = 9;
    unsigned long long id = 0, other_id = 0;
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusActive;
    GOOD(cudaStreamCreate(&gone));
    GOOD(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, 7));
    GOOD(cudaStreamGetPriority(stream, &priority));
    THAT(priority == 0);  // the nearest that there is
    GOOD(cudaStreamGetFlags(stream, &flags));
    THAT(flags == cudaStreamDefault);
    GOOD(cudaStreamGetId(stream, &id));
    GOOD(cudaStreamGetId(gone, &other_id));
    THAT(id != other_id);
    GOOD(cudaStreamIsCapturing(stream, &capture));
    THAT(capture == cudaStreamCaptureStatusNone);
    GOOD(cudaLaunchHostFunc(stream, count_call, &count));
    GOOD(cudaStreamAddCallback(stream, count_callback, &count, 0));
    GOOD(cudaStreamSynchronize(stream));
    THAT(count == 2);
    GOOD(cudaStreamQuery(stream));
    FAILS(cudaErrorInvalidValue, cudaStreamCreateWithFlags(null<cudaStream_t>(), 0));
    FAILS(cudaErrorInvalidValue, cudaStreamCreateWithPriority(null<cudaStream_t>(), 0, 0));
    FAILS(cudaErrorInvalidValue, cudaStreamCreateWithPriority(&stream, 2, 0));
    FAILS(cudaErrorInvalidValue, cudaStreamGetPriority(stream, null<int>()));
    FAILS(cudaErrorInvalidValue, cudaStreamGetFlags(stream, null<unsigned>()));
    FAILS(cudaErrorInvalidValue, cudaStreamGetId(stream, null<unsigned long long>()));
    FAILS(cudaErrorInvalidValue, cudaStreamIsCapturing(stream, null<cudaStreamCaptureStatus>()));
    FAILS(cudaErrorInvalidValue, cudaStreamAddCallback(stream, count_callback, &count, 1));
    GOOD(cudaStreamDestroy(gone));
    for (const cudaStream_t wrong : {gone, no_stream}) {
        FAILS(cudaErrorInvalidResourceHandle, cudaStreamGetPriority(wrong, &priority));
        FAILS(cudaErrorInvalidResourceHandle, cudaStreamGetFlags(wrong, &flags));
        FAILS(cudaErrorInvalidResourceHandle, cudaStreamGetId(wrong, &id));
        FAILS(cudaErrorInvalidResourceHandle, cudaStreamIsCapturing(wrong, &capture));
        FAILS(cudaErrorInvalidResourceHandle, cudaLaunchHostFunc(wrong, count_call, &count));
        FAILS(cudaErrorInvalidResourceHandle, cudaStreamAddCallback(wrong, count_callback, &count, 0));
        FAILS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(wrong));
        FAILS(cudaErrorInvalidResourceHandle, cudaStreamQuery(wrong));
        FAILS(cudaErrorInvalidResourceHandle, cudaStreamDestroy(wrong));
    }
    THAT(count == 2);
    GOOD(cudaStreamDestroy(stream));
}

CASE(events) {
    cudaEvent_t event = nullptr, silent = nullptr, gone = nullptr;
    float ms = -1;
    GOOD(cudaEventCreate(&event));
    GOOD(cudaEventCreate(&gone));
    GOOD(cudaEventCreateWithFlags(&silent, cudaEventBlockingSync | cudaEventDisableTiming));
    GOOD(cudaEventRecordWithFlags(event, 0, cudaEventRecordDefault));
    GOOD(cudaEventRecord(silent, 0));
    GOOD(cudaStreamWaitEvent(0, silent, 0));
    GOOD(cudaEventSynchronize(silent));
    GOOD(cudaEventSynchronize(event));
    GOOD(cudaEventQuery(event));
    GOOD(cudaEventElapsedTime(&ms, event, event));
    THAT(ms == 0);
    FAILS(cudaErrorInvalidValue, cudaEventCreate(null<cudaEvent_t>()));
    FAILS(cudaErrorInvalidValue, cudaEventCreateWithFlags(null<cudaEvent_t>(), 0));
    FAILS(cudaErrorInvalidValue, cudaEventCreateWithFlags(&gone, 8));
    FAILS(cudaErrorInvalidValue, cudaEventRecordWithFlags(event, 0, 2));
    FAILS(cudaErrorInvalidValue, cudaStreamWaitEvent(0, event, 2));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(no_stream, event, 0));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventRecordWithFlags(event, no_stream, 0));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, gone, event));  // no record
    FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, event, gone));
    GOOD(cudaEventDestroy(gone));
    for (const cudaEvent_t wrong : {gone, no_event, (cudaEvent_t) nullptr}) {
        FAILS(cudaErrorInvalidResourceHandle, cudaEventRecord(wrong, 0));
        FAILS(cudaErrorInvalidResourceHandle, cudaEventRecordWithFlags(wrong, 0, 0));
        FAILS(cudaErrorInvalidResourceHandle, cudaEventQuery(wrong));
        FAILS(cudaErrorInvalidResourceHandle, cudaEventSynchronize(wrong));
        FAILS(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(0, wrong, 0));
        FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, wrong, event));
        FAILS(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, event, wrong));
        FAILS(cudaErrorInvalidResourceHandle, cudaEventDestroy(wrong));
    }
    GOOD(cudaEventDestroy(event));
    GOOD(cudaEventDestroy(silent));
}

CASE(what_has_not_happened) {
    cudaEvent_t event = nullptr;
    int *d = nullptr, h = 0;
    GOOD(cudaMalloc(&d, 4));
    GOOD(cudaEventCreate(&event));
    write_to<<<1, 1>>>(d);
    GOOD(cudaEventRecord(event));
    GOOD(cudaEventSynchronize(event));
    GOOD(cudaEventQuery(event));
    GOOD(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
    THAT(h == 1);
    GOOD(cudaEventDestroy(event));
    GOOD(cudaFree(d));
}

CASE(a_lost_device_answers_all_alike) {
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    int* d = nullptr;
    int h = 0;
    float ms = 0;
    GOOD(cudaStreamCreate(&stream));
    GOOD(cudaEventCreate(&event));
    GOOD(cudaMalloc(&d, 4));
    write_to<<<1, 1, 0, stream>>>((int*)0x10);
    GOOD(cudaEventRecord(event, stream));
    GIVES(cudaErrorIllegalAddress, cudaStreamSynchronize(stream));
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    GIVES(cudaErrorIllegalAddress, cudaThreadSynchronize());
    GIVES(cudaErrorIllegalAddress, cudaStreamQuery(stream));
    GIVES(cudaErrorIllegalAddress, cudaEventSynchronize(event));
    GIVES(cudaErrorIllegalAddress, cudaEventQuery(event));
    GIVES(cudaErrorIllegalAddress, cudaEventRecord(event, stream));
    GIVES(cudaErrorIllegalAddress, cudaEventElapsedTime(&ms, event, event));
    GIVES(cudaErrorIllegalAddress, cudaMalloc(&d, 4));
    GIVES(cudaErrorIllegalAddress, cudaFree(d));
    GIVES(cudaErrorIllegalAddress, cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorIllegalAddress, cudaMemset(d, 0, 4));
    GIVES(cudaErrorIllegalAddress, cudaStreamCreate(&stream));
    GIVES(cudaErrorIllegalAddress, cudaGetLastError());
    GIVES(cudaErrorIllegalAddress, cudaPeekAtLastError());  // it stays
    int n = 7;
    GOOD(cudaGetDeviceCount(&n));
    GOOD(cudaDeviceReset());
    GOOD(cudaGetLastError());
    GOOD(cudaMalloc(&d, 4));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamQuery(stream));
    FAILS(cudaErrorInvalidResourceHandle, cudaEventQuery(event));
    GOOD(cudaFree(d));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
