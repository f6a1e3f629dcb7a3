// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <limits>

#include "runtime/cuda/library/device_objects.h"

namespace {

using namespace heddle::cuda;

constexpr std::uint64_t pitch_alignment = 512;

std::uint64_t rounded(std::uint64_t value, std::uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

void* allocate(device_objects& device, std::uint64_t bytes, memory_kind kind, unsigned flags) {
    require(bytes <= std::numeric_limits<std::uint32_t>::max(), cudaErrorMemoryAllocation);
    return pointer_to(device.memory.allocate(bytes, kind, flags));
}

/// Rows of `width` bytes; nothing of them is nothing allocated.
cudaPitchedPtr allocate_rows(std::uint64_t width, std::uint64_t rows) {
    const std::uint64_t pitch = rounded(width, pitch_alignment);
    void* const made = pitch == 0 || rows == 0
                           ? nullptr
                           : allocate(the_device(), pitch * rows, memory_kind::linear, 0);
    return {made, static_cast<size_t>(pitch), static_cast<size_t>(width),
            static_cast<size_t>(rows)};
}

/// A format of 1, 2 or 4 equal channels.
void check(const cudaChannelFormatDesc& format) {
    const bool two = format.y != 0, four = format.z != 0 || format.w != 0;
    require(format.f >= cudaChannelFormatKindSigned && format.f <= cudaChannelFormatKindFloat &&
                (format.x == 8 || format.x == 16 || format.x == 32) &&
                (!two || format.y == format.x) &&
                (!four || (format.z == format.x && format.w == format.x && two)) &&
                (format.f != cudaChannelFormatKindFloat || format.x != 8),
            cudaErrorInvalidChannelDescriptor);
}

cudaArray_t make_array(const cudaChannelFormatDesc* format, const cudaExtent& extent,
                       unsigned flags) {
    require(format != nullptr, cudaErrorInvalidValue);
    check(*format);
    require((flags & (cudaArrayCubemap | cudaArrayTextureGather)) == 0, cudaErrorNotSupported);
    require((flags & ~unsigned{cudaArraySurfaceLoadStore | cudaArrayLayered}) == 0,
            cudaErrorInvalidValue);
    const bool layered = (flags & cudaArrayLayered) != 0;
    constexpr std::size_t most_deep = 16384;  // as cudaDeviceProp has it
    const std::size_t most = extent.depth == 0 ? 65536 : layered ? 32768 : most_deep;
    require(extent.width != 0 && extent.width <= most && extent.height <= most &&
                extent.depth <= (layered ? 2048 : most_deep) &&
                (layered ? extent.depth != 0 : extent.height != 0 || extent.depth == 0),
            cudaErrorInvalidValue);
    device_objects& device = the_device();
    auto made = std::make_unique<cudaArray>();
    made->format = *format;
    made->extent = extent;
    made->flags = flags;
    const std::uint64_t pitch = rounded(std::uint64_t{extent.width} * made->element_bytes(), 32);
    const std::uint64_t bytes = pitch * made->rows() * made->slices();
    require(bytes <= std::numeric_limits<std::uint32_t>::max(), cudaErrorMemoryAllocation);
    made->pitch = static_cast<std::uint32_t>(pitch);
    made->address = device.memory.allocate(bytes, memory_kind::array, flags);
    cudaArray* const handle = made.get();
    device.arrays[handle] = std::move(made);
    return handle;
}

constexpr unsigned host_flags =
    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;

/// Kernels take its addresses, whatever its flags are.
void* allocate_host(std::size_t bytes, unsigned flags) {
    require((flags & ~host_flags) == 0, cudaErrorInvalidValue);
    if (bytes == 0) return nullptr;
    return allocate(the_device(), bytes, memory_kind::page_locked, flags);
}

const device_block* page_locked_block(const device_objects& device, const void* pointer) {
    const device_block* const block = device.memory.find(address_of(pointer), 1);
    return block != nullptr && block->kind == memory_kind::page_locked ? block : nullptr;
}

/// Of cudaMallocManaged() or a managed variable.
bool is_managed(device_objects& device, const void* pointer, size_t count) {
    const std::uint32_t address = address_of(pointer);
    const device_block* const block = device.memory.find(address, count);
    if (block != nullptr) return block->kind == memory_kind::managed;
    return device.programs.variable_at(address, count) != nullptr &&
           device.session.managed().has(address);
}

/// What of managed memory a hint is for: nothing is done with hints.
void check_managed(const void* pointer, size_t count) {
    require(count != 0 && is_managed(the_device(), pointer, count), cudaErrorInvalidValue);
}

void check_place(int device) {
    require(device == 0 || device == cudaCpuDeviceId, cudaErrorInvalidDevice);
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** devPtr, size_t size) {
    return code_of([&] {
        require(devPtr != nullptr, cudaErrorInvalidValue);
        device_objects& device = the_device();
        *devPtr = size == 0 ? nullptr : allocate(device, size, memory_kind::linear, 0);
    });
}

cudaError_t cudaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height) {
    return code_of([&] {
        require(devPtr != nullptr && pitch != nullptr, cudaErrorInvalidValue);
        const cudaPitchedPtr made = allocate_rows(width, height);
        *devPtr = made.ptr;
        *pitch = made.pitch;
    });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitchedDevPtr, cudaExtent extent) {
    return code_of([&] {
        require(pitchedDevPtr != nullptr, cudaErrorInvalidValue);
        *pitchedDevPtr = allocate_rows(extent.width, std::uint64_t{extent.height} * extent.depth);
        pitchedDevPtr->ysize = extent.height;
    });
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned int flags) {
    return code_of([&] {
        require(array != nullptr, cudaErrorInvalidValue);
        *array = make_array(desc, {width, height, 0}, flags);
    });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                              cudaExtent extent, unsigned int flags) {
    return code_of([&] {
        require(array != nullptr, cudaErrorInvalidValue);
        *array = make_array(desc, extent, flags);
    });
}

cudaError_t cudaMallocManaged(void** devPtr, size_t size, unsigned int flags) {
    return code_of([&] {
        require(devPtr != nullptr && size != 0 &&
                    (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost),
                cudaErrorInvalidValue);
        *devPtr = allocate(the_device(), size, memory_kind::managed, 0);
    });
}

cudaError_t cudaMallocAsync(void** devPtr, size_t size, cudaStream_t stream) {
    return code_of([&] {
        require(devPtr != nullptr && size != 0, cudaErrorInvalidValue);
        device_objects& device = the_device();
        (void)device.session.streams().find(stream);
        *devPtr = allocate(device, size, memory_kind::linear, 0);
    });
}

cudaError_t cudaFree(void* devPtr) {
    return code_of([&] {
        if (devPtr == nullptr) {
            (void)the_device();  // programs begin it so
            return;
        }
        device_objects& device = the_begun_device(cudaErrorInvalidValue);
        device.memory.release(address_of(devPtr), memory_kind::linear);
    });
}

cudaError_t cudaFreeAsync(void* devPtr, cudaStream_t stream) {
    return code_of([&] {
        device_objects& device = the_device();
        (void)device.session.streams().find(stream);
        require(devPtr != nullptr, cudaErrorInvalidValue);
        device.memory.release(address_of(devPtr), memory_kind::linear);
    });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    return code_of([&] {
        if (array == nullptr) return;
        device_objects& device = the_begun_device(cudaErrorInvalidResourceHandle);
        device.memory.release(device.array(array).address, memory_kind::array);
        device.arrays.erase(array);
    });
}

cudaError_t cudaMallocHost(void** ptr, size_t size) {
    return cudaHostAlloc(ptr, size, cudaHostAllocDefault);
}

cudaError_t cudaHostAlloc(void** pHost, size_t size, unsigned int flags) {
    return code_of([&] {
        require(pHost != nullptr, cudaErrorInvalidValue);
        *pHost = allocate_host(size, flags);
    });
}

cudaError_t cudaFreeHost(void* ptr) {
    return code_of([&] {
        if (ptr == nullptr) return;
        // It went with the device that had it.
        if (the_library().device == nullptr) return;
        the_device().memory.release(address_of(ptr), memory_kind::page_locked);
    });
}

cudaError_t cudaHostRegister(void* ptr, size_t size, unsigned int flags) {
    return code_of([&] {
        require(ptr != nullptr && size != 0, cudaErrorInvalidValue);
        require((flags & ~(cudaHostRegisterPortable | cudaHostRegisterMapped |
                           cudaHostRegisterIoMemory | cudaHostRegisterReadOnly)) == 0,
                cudaErrorInvalidValue);
        require((flags & (cudaHostRegisterMapped | cudaHostRegisterIoMemory |
                          cudaHostRegisterReadOnly)) == 0,
                cudaErrorNotSupported);
        (void)the_device();
        the_library().host.add(ptr, size, flags);
    });
}

cudaError_t cudaHostUnregister(void* ptr) {
    return code_of([&] {
        require(ptr != nullptr, cudaErrorInvalidValue);
        the_device().session.submit();
        the_library().host.remove(ptr);
    });
}

cudaError_t cudaHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags) {
    return code_of([&] {
        require(pDevice != nullptr && flags == 0, cudaErrorInvalidValue);
        require(page_locked_block(the_device(), pHost) != nullptr, cudaErrorInvalidValue);
        *pDevice = pHost;
    });
}

cudaError_t cudaHostGetFlags(unsigned int* pFlags, void* pHost) {
    return code_of([&] {
        require(pFlags != nullptr, cudaErrorInvalidValue);
        if (const device_block* const block = page_locked_block(the_device(), pHost)) {
            *pFlags = block->flags;
            return;
        }
        const auto found = the_library().host.find(pHost);
        require(found.begin != nullptr, cudaErrorInvalidValue);
        *pFlags = found.what.flags;
    });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    return code_of([&] {
        require(free != nullptr && total != nullptr, cudaErrorInvalidValue);
        device_objects& device = the_device();
        const std::uint64_t all = device.session.description().memory_bytes;
        *total = static_cast<size_t>(all);
        *free = static_cast<size_t>(all - std::min(all, device.memory.allocated()));
    });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
    return code_of([&] {
        const cudaArray& found = the_device().array(array);
        if (desc != nullptr) *desc = found.format;
        if (extent != nullptr) *extent = found.extent;
        if (flags != nullptr) *flags = found.flags;
    });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
    return code_of([&] {
        require(desc != nullptr, cudaErrorInvalidValue);
        *desc = the_device().array(array).format;
    });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* ptr) {
    return code_of([&] {
        require(attributes != nullptr, cudaErrorInvalidValue);
        device_objects& device = the_device();
        auto* const pointer = const_cast<void*>(ptr);
        *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, pointer};
        const std::uint32_t address = address_of(ptr);
        if (page_locked_block(device, ptr) != nullptr) {
            *attributes = {cudaMemoryTypeHost, 0, pointer, pointer};
        } else if (is_managed(device, ptr, 1)) {
            *attributes = {cudaMemoryTypeManaged, 0, pointer, pointer};
        } else if (device.owns(address, 1)) {
            *attributes = {cudaMemoryTypeDevice, 0, pointer, nullptr};
        } else if (the_library().host.find(ptr).begin != nullptr) {
            *attributes = {cudaMemoryTypeHost, 0, nullptr, pointer};
        }
    });
}

cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, int dstDevice,
                                 cudaStream_t stream) {
    return code_of([&] {
        check_place(dstDevice);
        (void)the_device().session.streams().find(stream);
        check_managed(devPtr, count);
    });
}

cudaError_t cudaMemAdvise(const void* devPtr, size_t count, cudaMemoryAdvise advice, int device) {
    return code_of([&] {
        require(advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy,
                cudaErrorInvalidValue);
        check_place(device);
        check_managed(devPtr, count);
    });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* devPtr, size_t length,
                                     unsigned int flags) {
    return code_of([&] {
        device_objects& device = the_device();
        (void)device.session.streams().find(stream);
        require(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost ||
                    flags == cudaMemAttachSingle,
                cudaErrorInvalidValue);
        check_managed(devPtr, std::max<size_t>(length, 1));
    });
}

}  // extern "C"
