// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/device.h"

#include <fmt/format.h>

#include <cstring>

#include "models/base/error.h"
#include "models/base/round_up.h"
#include "models/device/find_variable.h"
#include "models/device/program_table.h"
#include "models/program/address_map.h"
#include "models/program/image.h"

namespace heddle {
namespace {

using parameter_kind = program::kernel_parameter::kind;

const char* kind_name(launch_argument::kind kind) {
    switch (kind) {
        case launch_argument::kind::integer:
            return "integer";
        case launch_argument::kind::floating:
            return "floating-point number";
        case launch_argument::kind::pointer:
            return "device pointer";
        case launch_argument::kind::aggregate:
            return "struct";
        case launch_argument::kind::local_memory:
            return "size of local memory";
    }
    return "?";
}

launch_argument::kind expected_kind(parameter_kind kind) {
    switch (kind) {
        case parameter_kind::integer:
            return launch_argument::kind::integer;
        case parameter_kind::floating:
            return launch_argument::kind::floating;
        case parameter_kind::pointer:
            return launch_argument::kind::pointer;
        case parameter_kind::aggregate:
            return launch_argument::kind::aggregate;
        case parameter_kind::local_pointer:
            return launch_argument::kind::local_memory;
    }
    return launch_argument::kind::aggregate;
}

void check_argument(const program::kernel& kernel, std::size_t index,
                    const launch_argument& argument) {
    const program::kernel_parameter& parameter = kernel.parameters[index];
    const launch_argument::kind expected = expected_kind(parameter.what);
    if (argument.what == expected && argument.size == parameter.size) return;
    throw configuration_error(fmt::format(
        "launch of kernel '{}': argument {} is a {} of {} bytes, but parameter '{}' ({}) takes a "
        "{} of {} bytes",
        kernel.name, index, kind_name(argument.what), argument.size, parameter.name, parameter.type,
        kind_name(expected), parameter.size));
}

}  // namespace

void device::hold(stream_id, event_id event) {
    wait(event);
}

std::vector<std::byte> pack_arguments(const program::kernel& kernel, launch_shape& shape,
                                      const launch_argument* arguments, std::size_t count) {
    if (count != kernel.parameters.size()) {
        throw configuration_error(
            fmt::format("launch of kernel '{}': {} arguments, but it has {} "
                        "parameters",
                        kernel.name, count, kernel.parameters.size()));
    }
    using program::dynamic_shared_alignment;
    std::vector<std::byte> buffer(kernel.parameter_bytes);
    for (std::size_t i = 0; i < count; ++i) {
        check_argument(kernel, i, arguments[i]);
        const program::kernel_parameter& parameter = kernel.parameters[i];
        std::byte* const place = buffer.data() + parameter.offset;
        if (parameter.what != parameter_kind::local_pointer) {
            std::memcpy(place, arguments[i].data, parameter.size);
            continue;
        }
        std::uint32_t bytes = 0;
        std::memcpy(&bytes, arguments[i].data, sizeof bytes);
        const std::uint64_t dynamic =
            round_up(shape.dynamic_shared_bytes, dynamic_shared_alignment);
        const auto address = static_cast<std::uint32_t>(
            program::shared_window.base +
            round_up(kernel.static_shared_bytes, dynamic_shared_alignment) + dynamic);
        std::memcpy(place, &address, sizeof address);
        shape.dynamic_shared_bytes = static_cast<std::uint32_t>(dynamic + bytes);
    }
    return buffer;
}

const program::image& device::image(program_id program) const {
    return *programs().get(program).image;
}

const program::image& device::image() const {
    return *programs().only().image;
}

const program::kernel& find_kernel(const device& target, std::string_view name) {
    return target.programs().find_kernel(name);
}

const program::kernel& find_kernel(const device& target, program_id program,
                                   std::string_view name) {
    return target.image(program).get_kernel(name);
}

void write_symbol(device& target, std::string_view name, const void* from, std::size_t bytes) {
    const program::symbol& found = find_variable(target.programs(), name);
    if (bytes > found.size) {
        throw configuration_error(fmt::format("write of {} bytes to variable '{}', which has {}",
                                              bytes, found.name, found.size));
    }
    target.write(found.address, from, bytes);
}

}  // namespace heddle
