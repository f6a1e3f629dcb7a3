// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "runtime/cuda/library/device_objects.h"

namespace {

using namespace heddle::cuda;

cudaError_t create(cudaEvent_t* event, unsigned flags) {
    return code_of([&] {
        constexpr unsigned legal =
            cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
        require(event != nullptr && (flags & ~legal) == 0, cudaErrorInvalidValue);
        require((flags & cudaEventInterprocess) == 0 || (flags & cudaEventDisableTiming) != 0,
                cudaErrorInvalidValue);
        require((flags & cudaEventInterprocess) == 0, cudaErrorNotSupported);
        device_objects& device = the_device();
        auto made = std::make_unique<CUevent_st>();
        made->flags = flags;
        *event = made.get();
        device.events[*event] = std::move(made);
    });
}

cudaError_t record(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return code_of([&] {
        device_objects& device = the_device();
        CUevent_st& found = device.event(event);
        const stream_ptr in = device.session.streams().find(stream);
        require((flags & ~unsigned{cudaEventRecordExternal}) == 0, cudaErrorInvalidValue);
        require(flags == 0, cudaErrorNotSupported);
        found.last = std::make_shared<heddle_cuda_record>();
        device.session.enqueue_record(in, found.last);
    });
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return create(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    return create(event, flags);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return record(event, stream, 0);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
    return record(event, stream, flags);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return code_of([&] {
        device_objects& device = the_device();
        const auto last = device.event(event).last;
        require(last == nullptr || device.session.query(*last), cudaErrorNotReady);
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return code_of([&] {
        device_objects& device = the_device();
        const auto last = device.event(event).last;
        if (last != nullptr) device.session.wait(*last);
    });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
    return code_of([&] {
        device_objects& device = the_device();
        require(ms != nullptr, cudaErrorInvalidValue);
        const CUevent_st& first = device.event(start);
        const CUevent_st& last = device.event(end);
        require(((first.flags | last.flags) & cudaEventDisableTiming) == 0 &&
                    first.last != nullptr && last.last != nullptr,
                cudaErrorInvalidResourceHandle);
        require(first.last->happened() && last.last->happened(), cudaErrorNotReady);
        const double begin = static_cast<double>(first.last->time());
        const double cycles = static_cast<double>(last.last->time()) - begin;
        *ms = static_cast<float>(cycles / std::max(1u, device.session.description().core_khz));
    });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return code_of([&] {
        device_objects& device = the_begun_device(cudaErrorInvalidResourceHandle);
        (void)device.event(event);
        device.events.erase(event);
    });
}

}  // extern "C"
