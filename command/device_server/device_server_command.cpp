// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/device_server/device_server_command.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <exception>

#include "command/device_server/numbered_files.h"
#include "hw/top/gpu_configuration.h"
#include "models/base/error.h"
#include "models/device/launch_limits.h"
#include "models/program/address_map.h"
#include "runtime/server/service.h"

namespace heddle::command {
namespace {

runtime::device_description describe(const gpu_configuration& configuration,
                                     const device_server_request& served) {
    const run_request& request = served.run;
    runtime::device_description text;
    text.version = runtime::protocol_version;
    text.heddle = HEDDLE_VERSION;
    text.name = request.configuration.empty() ? "default" : request.configuration;
    text.timed = !request.functional;
    text.warp_size = configuration.machine.warp_size;
    text.units = configuration.machine.smx_count;
    text.core_khz = configuration.clock.core;
    text.max_threads = std::min(max_threads_per_block, configuration.machine.smx.max_threads);
    text.shared_bytes = configuration.machine.smx.shared_bytes;
    text.unit_threads = configuration.machine.smx.max_threads;
    text.unit_blocks = configuration.machine.smx.max_blocks;
    text.unit_registers = configuration.machine.smx.registers;
    text.cache_bytes = configuration.l2.size;
    text.cache_line = configuration.l2.line;
    text.memory_bytes = program::heap_window.size;
    // A data rate of two transfers a clock, as such figures are given.
    text.memory_khz = 2 * configuration.clock.dram;
    text.bus_bits = configuration.l2.banks * configuration.dram.access_granularity * 8 /
                    (4 * configuration.dram.timing.burst);
    text.double_precision = served.double_precision;
    return text;
}

void check_sockets() {
    struct stat socket {};
    struct stat shared {};
    if (::fstat(runtime::socket_descriptor, &socket) == 0 && S_ISSOCK(socket.st_mode) &&
        ::fstat(runtime::shared_descriptor, &shared) == 0 && S_ISREG(shared.st_mode)) {
        return;
    }
    throw configuration_error(
        "device-server: there is no program at the other end; start it by heddle opencl -- PROGRAM "
        "or heddle cuda -- PROGRAM");
}

/// The program waits for the socket's end when it ends itself. That comes with the end of this
/// process: all files and messages have been written then.
void keep_socket_open() {
    (void)::fcntl(runtime::socket_descriptor, F_DUPFD_CLOEXEC, 0);
}

/// Goes on as a child of nobody: a program that waits for all its children would wait for the
/// server, too. Whether this is the process that goes on.
bool leave_program() {
    const pid_t id = ::fork();
    if (id < 0) throw configuration_error("device-server: cannot fork");
    return id == 0;
}

}  // namespace

void serve_device(device_server_request request, const std::filesystem::path& configurations) {
    check_sockets();
    if (!leave_program()) return;
    keep_socket_open();
    runtime::channel peer{runtime::descriptor(runtime::socket_descriptor)};
    const runtime::shared_area shared{runtime::descriptor(runtime::shared_descriptor)};
    runtime::service service(peer, shared);
    try {
        if (!request.claims.empty()) request.number = claim_number(request.claims);
        number_files(request.run, request.number);
        request.run.guest = [&](device& gpu, const gpu_configuration& configuration) {
            try {
                service.serve(gpu, configuration.machine, describe(configuration, request));
            } catch (const runtime::connection_error& error) {
                throw configuration_error(std::string("device-server: ") + error.what());
            }
        };
        run(request.run, configurations);
    } catch (const run_error& error) {
        service.lost(error.what(), exit_code(error.kind()));
        throw;
    } catch (const std::exception& error) {
        service.lost(error.what(), exit_code(error_kind::wrong_result));
        throw;
    }
}

}  // namespace heddle::command
