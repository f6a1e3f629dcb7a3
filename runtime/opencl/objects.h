// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/opencl/library.h"
#include "runtime/protocol/commands.h"

namespace heddle::opencl {

/// A program on the device; it goes with its last user.
struct loaded_program {
    std::shared_ptr<device_session> device;
    std::uint32_t number = 0;
    std::vector<runtime::kernel_description> kernels;

    ~loaded_program();
};

/// Memory of the host with the contents of a buffer, while parts of it are mapped.
class host_mirror {
public:
    host_mirror(std::size_t bytes, void* given);
    host_mirror(const host_mirror&) = delete;
    host_mirror& operator=(const host_mirror&) = delete;
    ~host_mirror();

    [[nodiscard]] std::byte* data() const noexcept { return data_; }

private:
    std::byte* data_;
    bool owned_;
};

/// A part of a buffer or an image that the program has mapped.
struct mapping {
    std::byte* pointer = nullptr;
    std::uint64_t host_pitch = 0;
    runtime::memory_box place;
    runtime::box_extent extent;
    bool writes = false;
    /// Its bytes as they were sent to the device, where several parts begin at its pointer: which
    /// of them an unmapping means is not known, so that it may have to be sent again.
    std::shared_ptr<std::vector<std::byte>> sent;
};

/// What a memory object has that is an image.
struct image_shape {
    cl_image_format format{};
    std::size_t pixel = 0;  ///< bytes
    std::size_t width = 0, height = 0;
    std::size_t host_pitch = 0;    ///< of the rows in the host's memory
    std::uint32_t descriptor = 0;  ///< its address; kernels read it

    [[nodiscard]] std::size_t row_bytes() const noexcept { return width * pixel; }
};

using user_function = std::function<void()>;

}  // namespace heddle::opencl

// OpenCL's headers name these types. The loader's table comes first in each.

struct _cl_platform_id : heddle::opencl::object {};
struct _cl_device_id : heddle::opencl::object {};

struct _cl_context : heddle::opencl::object {
    std::shared_ptr<heddle::opencl::device_session> device;
    std::vector<cl_context_properties> properties;
    std::function<void(const char*)> notify;
    unsigned buffers = 0;  ///< so far, for their names
};

struct _cl_command_queue : heddle::opencl::object {
    std::shared_ptr<_cl_context> context;
    cl_command_queue_properties properties = 0;
    std::uint32_t stream = 0;
    std::vector<std::uint64_t> barrier;     ///< launches that the next ones wait for
    std::vector<std::uint64_t> last;        ///< the last launch, if there is one
    std::weak_ptr<_cl_event> last_command;  ///< in order; the device holds it until it has ended

    ~_cl_command_queue();
};

struct _cl_mem : heddle::opencl::object {
    std::shared_ptr<_cl_context> context;
    cl_mem_flags flags = 0;
    std::size_t size = 0;
    std::uint32_t address = 0;
    void* host_pointer = nullptr;                        ///< CL_MEM_USE_HOST_PTR
    std::shared_ptr<_cl_mem> parent;                     ///< of a sub-buffer
    std::size_t origin = 0;                              ///< in it
    std::unique_ptr<heddle::opencl::image_shape> image;  ///< null: a buffer
    std::unique_ptr<heddle::opencl::host_mirror> mirror;
    std::vector<heddle::opencl::mapping> mappings;
    std::vector<heddle::opencl::user_function> destructors;

    ~_cl_mem();
    /// Where the host's copy of its first byte is.
    std::byte* host_data();
};

struct _cl_sampler : heddle::opencl::object {
    std::shared_ptr<_cl_context> context;
    std::uint32_t bits = 0;  ///< as kernels have it
    cl_bool normalized = CL_FALSE;
    cl_addressing_mode addressing = CL_ADDRESS_NONE;
    cl_filter_mode filter = CL_FILTER_NEAREST;
};

struct _cl_program : heddle::opencl::object {
    std::shared_ptr<_cl_context> context;
    std::string source;
    bool has_source = false;
    std::string options, log;
    cl_build_status status = CL_BUILD_NONE;
    cl_program_binary_type binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
    std::vector<std::byte> binary;
    std::shared_ptr<heddle::opencl::loaded_program> loaded;    ///< once it is built
    std::shared_ptr<heddle::opencl::loaded_program> prepared;  ///< of a binary, until then
    unsigned kernels = 0;                                      ///< attached
};

struct _cl_kernel : heddle::opencl::object {
    struct argument {
        bool set = false;
        std::vector<std::byte> bytes;
        bool is_memory = false;
        std::weak_ptr<_cl_mem> memory;  ///< kernels keep none alive
    };

    std::shared_ptr<_cl_program> program;
    std::shared_ptr<heddle::opencl::loaded_program> loaded;
    std::uint32_t number = 0;  ///< among its kernels
    std::vector<argument> arguments;

    ~_cl_kernel() {
        if (program != nullptr) --program->kernels;
    }
    [[nodiscard]] const heddle::runtime::kernel_description& description() const {
        return loaded->kernels[number];
    }
    /// Of a work-group, with the arguments that are set.
    [[nodiscard]] std::uint64_t local_bytes() const;
};

struct _cl_event : heddle::opencl::object {
    struct callback {
        cl_int at;
        std::function<void(cl_int)> call;
    };

    std::shared_ptr<_cl_context> context;
    std::shared_ptr<_cl_command_queue> queue;  ///< null: a user event
    cl_command_type type = CL_COMMAND_USER;
    cl_int status = CL_QUEUED;
    /// Core cycles.
    std::uint64_t queued = 0, submitted = 0, started = 0, ended = 0;
    std::vector<std::uint64_t> launches;  ///< that it ends with
    std::vector<callback> callbacks;

    /// Whether nobody knows yet when it will happen.
    [[nodiscard]] bool is_open() const noexcept {
        return queue == nullptr ? status > CL_COMPLETE : status == CL_QUEUED;
    }
};
