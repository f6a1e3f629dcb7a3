// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/session.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/base/error.h"

namespace heddle::runtime {
namespace {

/// Calls `each(address in device memory, place among the packed rows, bytes)` for as few parts as
/// there are.
template <class Call>
void for_parts(const memory_box& box, const box_extent& extent, const Call& each) {
    const std::uint64_t slice = extent.bytes * extent.rows;
    const bool whole_rows = extent.rows == 1 || box.row_pitch == extent.bytes;
    const bool whole = whole_rows && (extent.slices == 1 || box.slice_pitch == slice);
    if (whole) return each(box.address, std::uint64_t{0}, slice * extent.slices);
    for (std::uint64_t z = 0; z < extent.slices; ++z) {
        const std::uint64_t base = box.address + z * box.slice_pitch;
        if (whole_rows) {
            each(static_cast<std::uint32_t>(base), z * slice, slice);
            continue;
        }
        for (std::uint64_t y = 0; y < extent.rows; ++y) {
            each(static_cast<std::uint32_t>(base + y * box.row_pitch), z * slice + y * extent.bytes,
                 extent.bytes);
        }
    }
}

std::uint64_t packed_bytes(const box_extent& extent) {
    return extent.bytes * extent.rows * extent.slices;
}

void check_fits(const box_extent& extent) {
    if (packed_bytes(extent) <= shared_bytes) return;
    throw configuration_error("a copy of " + std::to_string(packed_bytes(extent)) +
                              " bytes; legal: " + std::to_string(shared_bytes));
}

launch_argument::kind launch_kind_of(program::kernel_parameter::kind what) noexcept {
    using kind = program::kernel_parameter::kind;
    switch (what) {
        case kind::integer:
            return launch_argument::kind::integer;
        case kind::floating:
            return launch_argument::kind::floating;
        case kind::pointer:
            return launch_argument::kind::pointer;
        case kind::aggregate:
            return launch_argument::kind::aggregate;
        case kind::local_pointer:
            return launch_argument::kind::local_memory;
    }
    return launch_argument::kind::aggregate;
}

dim3 to_dim3(const std::array<std::uint32_t, 3>& values) {
    return {values[0], values[1], values[2]};
}

}  // namespace

session::session(device& gpu, const machine_configuration& machine,
                 const device_description& description, const shared_state& shared)
    : gpu_(gpu),
      description_(description),
      shared_(shared),
      programs_(gpu, machine, description.double_precision),
      launches_(gpu),
      ranges_(gpu, shared.file) {}

std::uint64_t session::now() {
    // Without time warp instructions are counted instead; skipped launches have neither.
    const auto cycles = gpu_.clock();
    now_ = std::max(now_, cycles ? *cycles : gpu_.wait_until(0));
    return now_;
}

template <class Request>
void session::serve(wire_reader& in, wire_writer& out) {
    Request request;
    request.fields(in);
    if (!in.at_end()) throw connection_error("a message is too long for its kind");
    reply_head head;
    typename Request::answer answer;
    try {
        answer = take(request);
    } catch (const configuration_error& error) {
        head.status = reply_status::refused;
        head.message = error.what();
    }
    head.now = now();
    if (!description_.timed) launches_.note_ended(head.now);
    head.printed = std::exchange(shared_.printed, std::string());
    out(head, answer);
}

std::vector<std::byte> session::answer(const std::vector<std::byte>& request) {
    wire_reader in(request);
    wire_writer out;
    request_kind kind{};
    in(kind);
    switch (kind) {
        case request_kind::hello:
            serve<hello_request>(in, out);
            break;
        case request_kind::allocate:
            serve<allocate_request>(in, out);
            break;
        case request_kind::release:
            serve<release_request>(in, out);
            break;
        case request_kind::write:
            serve<write_request>(in, out);
            break;
        case request_kind::read:
            serve<read_request>(in, out);
            break;
        case request_kind::fill:
            serve<fill_request>(in, out);
            break;
        case request_kind::copy:
            serve<copy_request>(in, out);
            break;
        case request_kind::build:
            serve<build_request>(in, out);
            break;
        case request_kind::link:
            serve<link_request>(in, out);
            break;
        case request_kind::load:
            serve<load_request>(in, out);
            break;
        case request_kind::unload:
            serve<unload_request>(in, out);
            break;
        case request_kind::occupancy:
            serve<occupancy_request>(in, out);
            break;
        case request_kind::create_stream:
            serve<create_stream_request>(in, out);
            break;
        case request_kind::launch:
            serve<launch_request>(in, out);
            break;
        case request_kind::wait:
            serve<wait_request>(in, out);
            break;
        case request_kind::advance:
            serve<advance_request>(in, out);
            break;
        case request_kind::poll:
            serve<poll_request>(in, out);
            break;
        case request_kind::share:
            serve<share_request>(in, out);
            break;
        case request_kind::unshare:
            serve<unshare_request>(in, out);
            break;
        case request_kind::exchange:
            serve<exchange_request>(in, out);
            break;
        default:
            throw connection_error("a message of an unknown kind");
    }
    return out.bytes();
}

bool session::takes_time(const std::vector<std::byte>& request) {
    wire_reader in(request);
    request_kind kind{};
    in(kind);
    return kind != request_kind::release && kind != request_kind::unload &&
           kind != request_kind::unshare && kind != request_kind::exchange;
}

device_description session::take(const hello_request& request) {
    if (request.version != protocol_version) {
        throw configuration_error(
            "the runtime library and heddle are of different versions; a program that heddle nvcc "
            "has linked has to be linked again");
    }
    return description_;
}

address_answer session::take(const allocate_request& request) {
    return {gpu_.allocate(request.bytes, request.name)};
}

nothing session::take(const release_request& request) {
    gpu_.release(request.address);
    return {};
}

nothing session::take(const write_request& request) {
    check_fits(request.extent);
    for_parts(request.to, request.extent,
              [&](std::uint32_t address, std::uint64_t at, std::uint64_t bytes) {
                  gpu_.write(address, shared_.memory + at, bytes);
              });
    return {};
}

nothing session::take(const read_request& request) {
    check_fits(request.extent);
    for_parts(request.from, request.extent,
              [&](std::uint32_t address, std::uint64_t at, std::uint64_t bytes) {
                  gpu_.read(shared_.memory + at, address, bytes);
              });
    return {};
}

nothing session::take(const fill_request& request) {
    const std::size_t unit = request.pattern.size();
    if (unit == 0 || request.extent.bytes % unit != 0) {
        throw configuration_error("a fill of " + std::to_string(request.extent.bytes) +
                                  " bytes with a pattern of " + std::to_string(unit));
    }
    const std::uint64_t most = request.extent.bytes * request.extent.rows;
    const std::uint64_t units = std::min<std::uint64_t>(most, 65536) / unit;
    std::vector<std::byte> block(std::max<std::uint64_t>(units, 1) * unit);
    for (std::size_t at = 0; at < block.size(); at += unit) {
        std::copy(request.pattern.begin(), request.pattern.end(),
                  block.begin() + static_cast<std::ptrdiff_t>(at));
    }
    for_parts(request.to, request.extent,
              [&](std::uint32_t address, std::uint64_t, std::uint64_t bytes) {
                  for (std::uint64_t at = 0; at < bytes; at += block.size()) {
                      gpu_.write(static_cast<std::uint32_t>(address + at), block.data(),
                                 std::min<std::uint64_t>(block.size(), bytes - at));
                  }
              });
    return {};
}

nothing session::take(const copy_request& request) {
    std::vector<std::byte> packed(packed_bytes(request.extent));
    for_parts(request.from, request.extent,
              [&](std::uint32_t address, std::uint64_t at, std::uint64_t bytes) {
                  gpu_.read(packed.data() + at, address, bytes);
              });
    for_parts(request.to, request.extent,
              [&](std::uint32_t address, std::uint64_t at, std::uint64_t bytes) {
                  gpu_.write(address, packed.data() + at, bytes);
              });
    return {};
}

built_answer session::take(const build_request& request) {
    return programs_.build(request);
}

built_answer session::take(const link_request& request) {
    return programs_.link(request);
}

loaded_answer session::take(const load_request& request) {
    return programs_.load(request);
}

nothing session::take(const unload_request& request) {
    programs_.unload(request.program);
    return {};
}

occupancy_answer session::take(const occupancy_request& request) {
    return {programs_.blocks_per_unit(request)};
}

stream_answer session::take(const create_stream_request&) {
    return {static_cast<std::uint32_t>(gpu_.create_stream().value())};
}

launch_number session::launch(const launch_request& request) {
    const program::kernel& kernel = programs_.kernel(request.program, request.kernel);
    launch_shape shape;
    shape.grid = to_dim3(request.grid);
    shape.block = to_dim3(request.block);
    shape.offset = to_dim3(request.offset);
    shape.dimensions = request.dimensions;
    shape.stream = stream_id(request.stream);
    shape.dynamic_shared_bytes = request.dynamic_shared_bytes;
    shape.priority = request.priority;
    shape.cooperative = request.cooperative;
    std::vector<launch_argument> arguments;
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
        const auto& bytes = request.arguments[i];
        const auto what = i < kernel.parameters.size() ? launch_kind_of(kernel.parameters[i].what)
                                                       : launch_argument::kind::aggregate;
        arguments.push_back({what, bytes.size(), bytes.data()});
    }
    const auto packed = pack_arguments(kernel, shape, arguments.data(), arguments.size());
    return gpu_.launch(kernel, shape, packed);
}

nothing session::take(const launch_request& request) {
    // What goes wrong meanwhile is the earlier launches' fault, and the device's end.
    for (const std::uint64_t earlier : request.after) {
        launches_.hold(stream_id(request.stream), earlier);
    }
    const std::uint64_t begin = now();
    launch_number number;
    try {
        number = launch(request);
    } catch (const run_error& error) {
        launches_.add_refused();
        if (error.kind() == error_kind::interrupted) throw;
        throw configuration_error(error.what());
    }
    launches_.add(number, stream_id(request.stream), begin);
    return {};
}

nothing session::take(const wait_request& request) {
    for (const std::uint64_t launch : request.launches) launches_.wait(launch);
    // What kernels print is shown when the device has come to rest.
    if (!launches_.any_open()) gpu_.synchronize();
    programs_.settle();
    return {};
}

nothing session::take(const advance_request& request) {
    (void)gpu_.wait_until(now() + request.cycles);
    return {};
}

ended_answer session::take(const poll_request&) {
    return {launches_.take_ended(now())};
}

share_answer session::take(const share_request& request) {
    ranges_.add(request.address, request.bytes, request.keep);
    return {ranges_.direct()};
}

nothing session::take(const unshare_request& request) {
    ranges_.remove(request.address);
    return {};
}

nothing session::take(const exchange_request& request) {
    if (request.to_program) {
        ranges_.to_program();
    } else {
        ranges_.to_device();
    }
    return {};
}

}  // namespace heddle::runtime
