// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "runtime/server/service.h"
#include "runtime/server/shared_ranges.h"

namespace heddle::runtime {

/// The device while one program uses it.
class session {
public:
    /// What it shares with the service: memory with the program, and what kernels have printed.
    struct shared_state {
        std::byte* memory;
        int file;  ///< of the memory
        std::string& printed;
    };
    session(device& gpu, const machine_configuration& machine,
            const device_description& description, const shared_state& shared);

    /// The reply to one request. Throws connection_error for what is none, and run_error when the
    /// device has ended.
    std::vector<std::byte> answer(const std::vector<std::byte>& request);
    /// Whether a request may let time pass. Throws connection_error for what is none.
    [[nodiscard]] static bool takes_time(const std::vector<std::byte>& request);
    [[nodiscard]] bool has_open_launches() { return launches_.any_open(); }

private:
    template <class Request>
    void serve(wire_reader& in, wire_writer& out);

    device_description take(const hello_request&);
    address_answer take(const allocate_request&);
    nothing take(const release_request&);
    nothing take(const write_request&);
    nothing take(const read_request&);
    nothing take(const fill_request&);
    nothing take(const copy_request&);
    built_answer take(const build_request&);
    built_answer take(const link_request&);
    loaded_answer take(const load_request&);
    nothing take(const unload_request&);
    occupancy_answer take(const occupancy_request&);
    stream_answer take(const create_stream_request&);
    nothing take(const launch_request&);
    nothing take(const wait_request&);
    nothing take(const advance_request&);
    ended_answer take(const poll_request&);
    share_answer take(const share_request&);
    nothing take(const unshare_request&);
    nothing take(const exchange_request&);

    launch_number launch(const launch_request& request);
    [[nodiscard]] std::uint64_t now();

    device& gpu_;
    device_description description_;
    const shared_state shared_;
    program_store programs_;
    launch_log launches_;
    shared_ranges ranges_;
    std::uint64_t now_ = 0;
};

}  // namespace heddle::runtime
