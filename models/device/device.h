// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/base/dim3.h"
#include "models/base/strong_index.h"

namespace heddle {

namespace program {
class image;
struct kernel;
struct program_extent;
struct program_place;
}  // namespace program

using device_address = std::uint32_t;
using stream_id = strong_index<struct stream_id_tag>;
using event_id = strong_index<struct event_id_tag>;
using program_id = strong_index<struct program_id_tag>;
using launch_number = strong_index<struct launch_number_tag>;

class program_table;

/// A pointer that is valid on the device only: 32 bits, as the device sees it.
template <class T>
struct device_ptr {
    device_address address{0};
};

/// How a kernel is launched. Blocks and threads are counted as in CUDA.
struct launch_shape {
    dim3 grid;
    dim3 block;
    std::uint32_t dynamic_shared_bytes{0};
    stream_id stream{0};
    /// The launch starts with as many blocks as there is room for, and these may be ended and
    /// started while it runs: grid is the most that it wants (docs/cooperative_kernels.md).
    bool cooperative{false};
    /// Among launches that wait for room the highest goes first, then the one that came first.
    std::uint32_t priority{0};
    /// OpenCL's global offset: index of the first thread, as get_global_id() tells it.
    dim3 offset{0, 0, 0};
    /// As many as its host named, 1 to 3; 0: those with more than one thread.
    std::uint32_t dimensions{0};

    /// OpenCL's get_work_dim().
    [[nodiscard]] std::uint32_t work_dimensions() const noexcept {
        if (dimensions != 0) return dimensions;
        if (grid.z > 1 || block.z > 1) return 3;
        return grid.y > 1 || block.y > 1 ? 2 : 1;
    }
};

/// What a host program may ask of a device before it launches.
struct device_properties {
    std::string name;
    unsigned warp_size{32};
    unsigned smx_count{1};
    unsigned max_blocks_per_smx{1};
    unsigned max_threads_per_block{1024};
    std::uint32_t shared_bytes_per_block{0};
    std::uint32_t private_bytes_per_thread{0};
};

/// When what became of a launch, in core cycles. Nothing where it has not happened yet, and where
/// the device has no time: on the functional simulator, and for launches that are skipped.
struct launch_times {
    std::optional<std::uint64_t> queued;          ///< the call of launch()
    std::optional<std::uint64_t> first_dispatch;  ///< of a thread block to an SMX
    std::optional<std::uint64_t> end;             ///< the host hears that it has ended
};

/// The abstract device that host programs talk to. The functional simulator (models/iss) and the
/// timed machine (hw/host) implement it; workloads use nothing else.
///
/// Launches of one stream run in order; launches of different streams may run at the same time.
/// Stream 0 exists from the start. Every error is a run_error: wrong use of the interface is a
/// configuration_error at the call, a kernel's fault appears at the next call that waits.
class device {
public:
    device() = default;
    device(const device&) = delete;
    device& operator=(const device&) = delete;
    virtual ~device() = default;

    [[nodiscard]] virtual const device_properties& properties() const noexcept = 0;

    /// Makes a program's kernels known and places its code and global variables in memory, when
    /// all earlier launches have ended. A device holds any number of programs, each at addresses of
    /// its own (free_place()); an overlap with another program or an allocation is an
    /// error.
    virtual program_id load(std::shared_ptr<const program::image> image) = 0;
    /// Gives its addresses back. An error if a launch of one of its kernels has not ended.
    virtual void unload(program_id program) = 0;
    /// A place for a program of that extent: the lowest free code, and the lowest free addresses in
    /// the upper half of the heap, so that programs and buffers leave each other room. An error if
    /// there is none.
    [[nodiscard]] virtual program::program_place free_place(
        const program::program_extent& of) const = 0;
    /// The programs that are loaded.
    [[nodiscard]] virtual const program_table& programs() const noexcept = 0;
    /// A loaded program. An error if there is none of that id.
    [[nodiscard]] const program::image& image(program_id program) const;
    /// The only loaded program. An error if there is none, or several.
    [[nodiscard]] const program::image& image() const;

    /// Device memory, 256-byte aligned, zero-filled. The name appears in fault messages.
    virtual device_address allocate(std::uint64_t bytes, std::string_view name) = 0;
    /// An error if the address was not returned by allocate() or was released already.
    virtual void release(device_address address) = 0;

    /// Copies between host and device wait for all earlier launches.
    virtual void write(device_address to, const void* from, std::size_t bytes) = 0;
    virtual void read(void* to, device_address from, std::size_t bytes) = 0;
    virtual void fill(device_address to, std::uint8_t value, std::size_t bytes) = 0;

    /// Enqueues a grid. `parameters` is the kernel's parameter buffer (program::kernel has its
    /// layout); use launch() below, which packs and checks it. An error if the kernel is of no
    /// loaded program. Launches are numbered from 0.
    virtual launch_number launch(const program::kernel& kernel, const launch_shape& shape,
                                 const std::vector<std::byte>& parameters) = 0;
    /// As far as known. Takes no time. An error if there was no such launch.
    [[nodiscard]] virtual launch_times times(launch_number launch) const = 0;

    virtual stream_id create_stream() = 0;
    /// Marks the work enqueued so far in a stream; wait() returns when that work is done. Other
    /// streams go on.
    virtual event_id record(stream_id stream) = 0;
    virtual void wait(event_id event) = 0;
    /// What is launched in the stream from now on begins when that work is done. A device that
    /// can't hold launches back waits here.
    virtual void hold(stream_id stream, event_id event);
    /// Whether that work is done. Takes no time.
    [[nodiscard]] virtual bool finished(event_id event) = 0;
    virtual void synchronize() = 0;
    /// Where the text goes that kernels print; it comes when the host has waited for all launches.
    /// Standard output if this is never called; null: nowhere.
    virtual void print_to(std::function<void(std::string_view)> sink) = 0;
    /// Lets launches run until core cycle `cycle`, for launches at times of the host's own. Returns
    /// the cycle that it is then: `cycle`, or the present one if `cycle` has passed. The functional
    /// simulator, which has no time, counts the warp instructions of all launches instead, and
    /// returns at once when nothing is left to run. Launches that are skipped run to their end.
    virtual std::uint64_t wait_until(std::uint64_t cycle) = 0;

    /// The device's own time in core cycles; nothing where there is no time: on the functional
    /// simulator, and while launches are skipped.
    [[nodiscard]] virtual std::optional<std::uint64_t> clock() const = 0;
};

/// One argument of a launch, with what its C++ type says about it.
struct launch_argument {
    enum class kind { integer, floating, pointer, aggregate, local_memory };

    kind what;
    std::size_t size;  ///< bytes
    const void* data;
};

/// The argument of an OpenCL `__local` pointer: how many bytes of shared memory it points to.
struct local_argument {
    std::uint32_t bytes;
};

inline launch_argument make_argument(const local_argument& memory) noexcept {
    return {launch_argument::kind::local_memory, sizeof memory.bytes, &memory.bytes};
}

template <class T>
launch_argument make_argument(const T& value) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>,
                  "a launch argument is a number, a plain struct, or a device_ptr");
    constexpr auto what = std::is_floating_point_v<T> ? launch_argument::kind::floating
                          : std::is_integral_v<T> || std::is_enum_v<T>
                              ? launch_argument::kind::integer
                              : launch_argument::kind::aggregate;
    return {what, sizeof(T), &value};
}

template <class T>
launch_argument make_argument(const device_ptr<T>& pointer) noexcept {
    return {launch_argument::kind::pointer, sizeof pointer.address, &pointer.address};
}

/// Lays the arguments out as the kernel's parameter buffer. Number, size and kind of each must be
/// those of the kernel's own parameters; a configuration_error names the first that is not.
/// Shared memory for local_argument arguments is added to shape.dynamic_shared_bytes, behind what
/// is asked for there.
std::vector<std::byte> pack_arguments(const program::kernel& kernel, launch_shape& shape,
                                      const launch_argument* arguments, std::size_t count);

/// The named kernel of the loaded programs; "FILE:KERNEL" is the one of the program of that file. A
/// configuration_error if none has it, which lists the kernels there are, or several have it.
const program::kernel& find_kernel(const device& target, std::string_view name);
/// The named kernel of one program; a configuration_error lists its kernels.
const program::kernel& find_kernel(const device& target, program_id program, std::string_view name);

/// kernel<<<shape>>>(arguments...), with the arguments checked against the kernel's parameters.
template <class... Arguments>
launch_number launch(device& target, std::string_view kernel_name, launch_shape shape,
                     const Arguments&... arguments) {
    const std::array<launch_argument, sizeof...(Arguments)> list{make_argument(arguments)...};
    const program::kernel& kernel = find_kernel(target, kernel_name);
    const std::vector<std::byte> packed = pack_arguments(kernel, shape, list.data(), list.size());
    return target.launch(kernel, shape, packed);
}

/// Copies bytes to a variable of the only loaded program, from its start on, as CUDA's
/// cudaMemcpyToSymbol. A variable of C++ in a namespace has its mangled name. A configuration_error
/// if there is no such variable or it is smaller.
void write_symbol(device& target, std::string_view name, const void* from, std::size_t bytes);

/// Device memory for `size` elements of T, released with the object.
template <class T>
class device_buffer {
    static_assert(std::is_trivially_copyable_v<T>, "device memory holds plain values");

public:
    device_buffer(device& owner, std::size_t size, std::string_view name)
        : owner_(&owner), size_(size), pointer_{owner.allocate(size * sizeof(T), name)} {}
    device_buffer(device& owner, const std::vector<T>& values, std::string_view name)
        : device_buffer(owner, values.size(), name) {
        write(values);
    }
    device_buffer(const device_buffer&) = delete;
    device_buffer& operator=(const device_buffer&) = delete;
    device_buffer(device_buffer&& other) noexcept
        : owner_(std::exchange(other.owner_, nullptr)),
          size_(other.size_),
          pointer_(other.pointer_) {}
    device_buffer& operator=(device_buffer&&) = delete;
    ~device_buffer() {
        if (owner_ != nullptr) owner_->release(pointer_.address);
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(T); }
    [[nodiscard]] device_ptr<T> get() const noexcept { return pointer_; }

    void write(const std::vector<T>& values) {
        owner_->write(pointer_.address, values.data(), checked(values.size()) * sizeof(T));
    }
    [[nodiscard]] std::vector<T> read() const {
        std::vector<T> values(size_);
        owner_->read(values.data(), pointer_.address, bytes());
        return values;
    }

private:
    std::size_t checked(std::size_t count) const {
        if (count > size_) throw std::length_error("device_buffer: more values than elements");
        return count;
    }

    device* owner_;
    std::size_t size_;
    device_ptr<T> pointer_;
};

}  // namespace heddle
