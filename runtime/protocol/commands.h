// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/protocol/boxes.h"
#include "runtime/protocol/descriptions.h"

/// What a program's runtime asks of `heddle device-server`, and what it answers. The runtime
/// sends a request, the server one reply to each, in order.
namespace heddle::runtime {

/// First in every greeting: both ends are of one build.
inline constexpr std::uint32_t protocol_version = 3;

/// Numbers of the file descriptors that a server is started with.
inline constexpr int socket_descriptor = 3;
inline constexpr int shared_descriptor = 4;
/// Data of copies are in a file that both have mapped; a larger copy takes several requests.
inline constexpr std::size_t shared_bytes = std::size_t{16} << 20;
/// Behind them a page of the device has its place in the file, if the program has it, too.
[[nodiscard]] inline constexpr std::int64_t shared_offset(std::uint32_t address) {
    return static_cast<std::int64_t>(shared_bytes) + address;
}

enum class request_kind : std::uint32_t {
    hello,
    allocate,
    release,
    write,
    read,
    fill,
    copy,
    build,
    link,
    load,
    unload,
    occupancy,
    create_stream,
    launch,
    wait,
    advance,
    poll,
    share,
    unshare,
    exchange,
};

/// How the server took a request.
enum class reply_status : std::uint8_t {
    done,
    refused,  ///< nothing happened; the device goes on
    lost,     ///< the run has ended, and the device with it
};

/// In front of every answer.
struct reply_head {
    reply_status status = reply_status::done;
    std::string message;     ///< why it was refused or is lost
    std::uint32_t code = 0;  ///< of a device that is lost: the exit code of its run
    std::string printed;     ///< by kernels, since the last reply
    std::uint64_t now = 0;   ///< core cycles; warp instructions where there is no time
    template <class F>
    void fields(F& f) {
        f(status, message, code, printed, now);
    }
};

struct nothing {
    template <class F>
    void fields(F&) {}
};

struct hello_request {
    static constexpr request_kind kind = request_kind::hello;
    using answer = device_description;
    std::uint32_t version = protocol_version;
    template <class F>
    void fields(F& f) {
        f(version);
    }
};

struct address_answer {
    std::uint32_t address = 0;
    template <class F>
    void fields(F& f) {
        f(address);
    }
};

struct allocate_request {
    static constexpr request_kind kind = request_kind::allocate;
    using answer = address_answer;
    std::uint64_t bytes = 0;
    std::string name;
    template <class F>
    void fields(F& f) {
        f(bytes, name);
    }
};

struct release_request {
    static constexpr request_kind kind = request_kind::release;
    using answer = nothing;
    std::uint32_t address = 0;
    template <class F>
    void fields(F& f) {
        f(address);
    }
};

/// From the shared file's begin, where rows are packed.
struct write_request {
    static constexpr request_kind kind = request_kind::write;
    using answer = nothing;
    memory_box to;
    box_extent extent;
    template <class F>
    void fields(F& f) {
        f(to, extent);
    }
};

struct read_request {
    static constexpr request_kind kind = request_kind::read;
    using answer = nothing;
    memory_box from;
    box_extent extent;
    template <class F>
    void fields(F& f) {
        f(from, extent);
    }
};

struct fill_request {
    static constexpr request_kind kind = request_kind::fill;
    using answer = nothing;
    memory_box to;
    box_extent extent;  ///< each row of which is whole patterns
    std::vector<std::byte> pattern;
    template <class F>
    void fields(F& f) {
        f(to, extent, pattern);
    }
};

struct copy_request {
    static constexpr request_kind kind = request_kind::copy;
    using answer = nothing;
    memory_box from, to;
    box_extent extent;
    template <class F>
    void fields(F& f) {
        f(from, to, extent);
    }
};

struct share_answer {
    bool direct = false;  ///< exchange_request is not needed
    template <class F>
    void fields(F& f) {
        f(direct);
    }
};

/// The program has these bytes of device memory in the file, at shared_offset(). `keep`: with what
/// the device has there, else zeros.
struct share_request {
    static constexpr request_kind kind = request_kind::share;
    using answer = share_answer;
    std::uint32_t address = 0;
    std::uint64_t bytes = 0;
    bool keep = false;
    template <class F>
    void fields(F& f) {
        f(address, bytes, keep);
    }
};

struct unshare_request {
    static constexpr request_kind kind = request_kind::unshare;
    using answer = nothing;
    std::uint32_t address = 0;
    template <class F>
    void fields(F& f) {
        f(address);
    }
};

/// Of all shared ranges: what the device has written goes to the program, or what the program has
/// changed to the device.
struct exchange_request {
    static constexpr request_kind kind = request_kind::exchange;
    using answer = nothing;
    bool to_program = false;
    template <class F>
    void fields(F& f) {
        f(to_program);
    }
};

struct named_text {
    std::string name, text;
    template <class F>
    void fields(F& f) {
        f(name, text);
    }
};

/// What a compiler or linker made, or why not.
struct built_answer {
    bool good = false;
    bool invalid_options = false;
    std::string log;
    std::vector<std::byte> binary;
    template <class F>
    void fields(F& f) {
        f(good, invalid_options, log, binary);
    }
};

/// OpenCL C to a program (an ELF file), or to an object for link_request.
struct build_request {
    static constexpr request_kind kind = request_kind::build;
    using answer = built_answer;
    std::string source;
    std::vector<named_text> headers;
    std::string options;  ///< as the program has them
    bool object = false;
    template <class F>
    void fields(F& f) {
        f(source, headers, options, object);
    }
};

struct link_request {
    static constexpr request_kind kind = request_kind::link;
    using answer = built_answer;
    std::vector<std::vector<std::byte>> objects;
    bool library = false;  ///< an object again
    template <class F>
    void fields(F& f) {
        f(objects, library);
    }
};

struct loaded_answer {
    std::uint32_t program = 0;
    std::vector<kernel_description> kernels;
    std::vector<variable_description> variables;
    template <class F>
    void fields(F& f) {
        f(program, kernels, variables);
    }
};

struct load_request {
    static constexpr request_kind kind = request_kind::load;
    using answer = loaded_answer;
    std::string name;
    std::vector<std::byte> binary;
    template <class F>
    void fields(F& f) {
        f(name, binary);
    }
};

struct unload_request {
    static constexpr request_kind kind = request_kind::unload;
    using answer = nothing;
    std::uint32_t program = 0;
    template <class F>
    void fields(F& f) {
        f(program);
    }
};

/// How many blocks of a kernel an SMX holds at once.
struct occupancy_answer {
    std::uint32_t blocks = 0;
    template <class F>
    void fields(F& f) {
        f(blocks);
    }
};

struct occupancy_request {
    static constexpr request_kind kind = request_kind::occupancy;
    using answer = occupancy_answer;
    std::uint32_t program = 0, kernel = 0, threads = 0, dynamic_shared_bytes = 0;
    template <class F>
    void fields(F& f) {
        f(program, kernel, threads, dynamic_shared_bytes);
    }
};

struct stream_answer {
    std::uint32_t stream = 0;
    template <class F>
    void fields(F& f) {
        f(stream);
    }
};

struct create_stream_request {
    static constexpr request_kind kind = request_kind::create_stream;
    using answer = stream_answer;
    template <class F>
    void fields(F&) {}
};

/// Launches are counted from 0 on, those that are refused too: both ends know the numbers.
struct launch_request {
    static constexpr request_kind kind = request_kind::launch;
    using answer = nothing;
    std::uint32_t program = 0, kernel = 0, stream = 0;
    std::uint32_t dimensions = 1;
    std::uint32_t dynamic_shared_bytes = 0;  ///< beside those of __local pointers
    std::uint32_t priority = 0;              ///< as of launch_shape
    bool cooperative = false;                ///< as of launch_shape
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1}, offset{};
    /// One a parameter; of a __local pointer its bytes as a 32-bit number.
    std::vector<std::vector<std::byte>> arguments;
    std::vector<std::uint64_t> after;  ///< launches of other streams that must have ended
    template <class F>
    void fields(F& f) {
        f(program, kernel, stream, dimensions, dynamic_shared_bytes, priority, cooperative, grid[0],
          grid[1], grid[2], block[0], block[1], block[2], offset[0], offset[1], offset[2],
          arguments, after);
    }
};

/// Lets time pass until these launches have ended.
struct wait_request {
    static constexpr request_kind kind = request_kind::wait;
    using answer = nothing;
    std::vector<std::uint64_t> launches;
    template <class F>
    void fields(F& f) {
        f(launches);
    }
};

struct advance_request {
    static constexpr request_kind kind = request_kind::advance;
    using answer = nothing;
    std::uint64_t cycles = 0;
    template <class F>
    void fields(F& f) {
        f(cycles);
    }
};

struct ended_launch {
    std::uint64_t launch = 0, submitted = 0, started = 0, ended = 0;  ///< times as in reply_head
    template <class F>
    void fields(F& f) {
        f(launch, submitted, started, ended);
    }
};

struct ended_answer {
    std::vector<ended_launch> ended;
    template <class F>
    void fields(F& f) {
        f(ended);
    }
};

/// Launches that have ended and were not told before.
struct poll_request {
    static constexpr request_kind kind = request_kind::poll;
    using answer = ended_answer;
    template <class F>
    void fields(F&) {}
};

}  // namespace heddle::runtime
