// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/opencl/find.h"
#include "runtime/opencl/pixel_rectangle.h"

namespace heddle::opencl {
namespace {

using colour = std::array<float, 4>;

/// A float as a whole number of `bits` bits, as write_imagef() rounds it.
std::uint32_t normalized(float value, unsigned bits, bool is_signed) {
    const unsigned steps = (1u << (is_signed ? bits - 1 : bits)) - 1;
    const float low = is_signed ? -1.0f : 0.0f;
    const float within = std::isnan(value) ? 0.0f : std::min(1.0f, std::max(low, value));
    const auto rounded = static_cast<std::int32_t>(
        std::nearbyint(static_cast<double>(within) * static_cast<double>(steps)));
    return static_cast<std::uint32_t>(rounded);
}

std::uint32_t half_of(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    const std::uint32_t sign = bits >> 16 & 0x8000;
    const float size = std::fabs(value);
    if (std::isnan(value)) return sign | 0x7e00;
    if (size >= 65520.0f) return sign | 0x7c00;
    if (size == 0) return sign;
    // The unit of the last place, which does not get smaller below the normal numbers.
    int exponent = 0;
    (void)std::frexp(size, &exponent);
    exponent = std::max(exponent, -13);
    const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(size, 11 - exponent)));
    // Ten bits of them; the eleventh counts into the exponent.
    return sign | (units + (static_cast<std::uint32_t>(exponent + 13) << 10));
}

std::uint32_t as_bits(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// One channel of a pixel and its bytes.
struct channel {
    std::uint32_t bits;
    std::size_t bytes;
};

/// `given`: four numbers of 32 bits, floats where kernels read the type as floats.
channel convert(cl_channel_type type, std::uint32_t given) {
    float real = 0;
    std::memcpy(&real, &given, sizeof real);
    const auto whole = static_cast<std::int32_t>(given);
    switch (type) {
        case CL_SNORM_INT8:
            return {normalized(real, 8, true), 1};
        case CL_SNORM_INT16:
            return {normalized(real, 16, true), 2};
        case CL_UNORM_INT8:
            return {normalized(real, 8, false), 1};
        case CL_UNORM_INT16:
            return {normalized(real, 16, false), 2};
        case CL_SIGNED_INT8:
            return {static_cast<std::uint32_t>(std::clamp(whole, -128, 127)), 1};
        case CL_SIGNED_INT16:
            return {static_cast<std::uint32_t>(std::clamp(whole, -32768, 32767)), 2};
        case CL_UNSIGNED_INT8:
            return {std::min(given, 255u), 1};
        case CL_UNSIGNED_INT16:
            return {std::min(given, 65535u), 2};
        case CL_HALF_FLOAT:
            return {half_of(real), 2};
        case CL_FLOAT:
            return {as_bits(real), 4};
        default:  // of 32 bits
            return {given, 4};
    }
}

/// Which of red, green, blue and alpha a pixel has, in order.
std::vector<unsigned> channels_of(cl_channel_order order) {
    switch (order) {
        case CL_A:
            return {3};
        case CL_RG:
            return {0, 1};
        case CL_RA:
            return {0, 3};
        case CL_RGBA:
            return {0, 1, 2, 3};
        case CL_BGRA:
            return {2, 1, 0, 3};
        case CL_ARGB:
            return {3, 0, 1, 2};
        default:
            return {0};
    }
}

std::vector<std::byte> pixel_of(const cl_image_format& format, const void* fill) {
    std::array<std::uint32_t, 4> given{};
    std::memcpy(given.data(), fill, sizeof given);
    std::vector<std::byte> pixel;
    const auto add = [&](std::uint32_t bits, std::size_t bytes) {
        const auto* const begin = reinterpret_cast<const std::byte*>(&bits);
        pixel.insert(pixel.end(), begin, begin + bytes);
    };
    colour real{};
    std::memcpy(real.data(), fill, sizeof real);
    const auto packed = [&](unsigned red, unsigned green, unsigned blue) {
        return normalized(real[0], red, false) << (green + blue) |
               normalized(real[1], green, false) << blue | normalized(real[2], blue, false);
    };
    switch (format.image_channel_data_type) {
        case CL_UNORM_SHORT_565:
            add(packed(5, 6, 5), 2);
            return pixel;
        case CL_UNORM_SHORT_555:
            add(packed(5, 5, 5), 2);
            return pixel;
        case CL_UNORM_INT_101010:
            add(packed(10, 10, 10), 4);
            return pixel;
        default:
            break;
    }
    for (const unsigned each : channels_of(format.image_channel_order)) {
        const channel made = convert(format.image_channel_data_type, given[each]);
        add(made.bits, made.bytes);
    }
    return pixel;
}

}  // namespace

cl_int clEnqueueFillImage(cl_command_queue queue, cl_mem handle, const void* fill,
                          const size_t* origin, const size_t* region, cl_uint count,
                          const cl_event* list, cl_event* event) {
    return code_of([&] {
        enqueued what;
        what.queue = find(queue);
        const pixel_rectangle to = pixel_rectangle_of(handle, origin, region);
        require(to.memory->context == what.queue->context, CL_INVALID_CONTEXT);
        require(fill != nullptr, CL_INVALID_VALUE);
        what.type = CL_COMMAND_FILL_IMAGE;
        what.after = find_wait_list(*what.queue->context, count, list);
        what.event = event;
        runtime::fill_request all;
        all.pattern = pixel_of(to.memory->image->format, fill);
        all.to = to.box();
        all.extent = {to.row, to.rows, 1};
        enqueue(std::move(what),
                [to, all](device_session& device, _cl_event&) { device.call(all); });
    });
}

}  // namespace heddle::opencl
