// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/calls/packed_arguments.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "models/base/error.h"

namespace heddle::library {
namespace {

using what_kind = launch_argument::kind;

[[noreturn]] void refuse(const program::kernel& kernel, std::size_t index,
                         const std::string& reason) {
    const program::kernel_parameter& parameter = kernel.parameters[index];
    throw configuration_error(fmt::format("launch of kernel '{}': argument {} ('{}', {}): {}",
                                          kernel.name, index, parameter.name, parameter.type,
                                          reason));
}

/// An argument as the kernel's parameter wants it.
class packed_argument {
public:
    packed_argument(const program::kernel& kernel, std::size_t index, const heddle_argument& from)
        : kernel_(kernel), index_(index) {
        switch (from.kind) {
            case HEDDLE_INTEGER:
                put_integer(from.value.integer < 0, static_cast<std::uint64_t>(from.value.integer));
                return;
            case HEDDLE_UNSIGNED:
                put_integer(false, from.value.natural);
                return;
            case HEDDLE_FLOATING:
                put_floating(from.value.floating);
                return;
            case HEDDLE_POINTER:
                put(what_kind::pointer, &from.value.pointer, sizeof from.value.pointer);
                return;
            case HEDDLE_LOCAL_POINTER:
                put(what_kind::local_memory, &from.bytes, sizeof from.bytes);
                return;
            case HEDDLE_STRUCT:
                if (from.value.data == nullptr) refuse(kernel, index, "its data is NULL");
                what_ = what_kind::aggregate;
                size_ = from.bytes;
                data_ = from.value.data;
                return;
            default:
                refuse(kernel, index, fmt::format("kind {} is none of heddle_kind", from.kind));
        }
    }

    [[nodiscard]] launch_argument get() const noexcept {
        return {what_, size_, data_ != nullptr ? data_ : bytes_};
    }

private:
    [[nodiscard]] const program::kernel_parameter& parameter() const noexcept {
        return kernel_.parameters[index_];
    }
    [[nodiscard]] bool takes(program::kernel_parameter::kind what) const noexcept {
        return parameter().what == what;
    }
    void put(what_kind what, const void* value, std::size_t size) {
        what_ = what;
        size_ = size;
        std::memcpy(bytes_, value, size);
    }

    void put_integer(bool negative, std::uint64_t value) {
        // A number without a point may be meant for a parameter that has one.
        if (takes(program::kernel_parameter::kind::floating)) {
            put_floating(negative ? static_cast<double>(static_cast<std::int64_t>(value))
                                  : static_cast<double>(value));
            return;
        }
        const unsigned bits = 8 * parameter().size;
        put(what_kind::integer, &value, sizeof value);  // little-endian, as the device
        if (!takes(program::kernel_parameter::kind::integer)) return;  // another error says it
        const bool is_signed = parameter().is_signed;
        const std::uint64_t highest = ~std::uint64_t{0} >> (64 - bits + (is_signed ? 1 : 0));
        const bool fits = negative ? is_signed && ~value <= highest : value <= highest;
        if (!fits) {
            const std::string text = negative ? fmt::format("{}", static_cast<std::int64_t>(value))
                                              : fmt::format("{}", value);
            refuse(kernel_, index_,
                   fmt::format("{} is out of range; legal: {} to {}", text,
                               is_signed ? fmt::format("-{}", highest + 1) : "0", highest));
        }
        size_ = parameter().size;
    }

    void put_floating(double value) {
        if (takes(program::kernel_parameter::kind::floating) && parameter().size == sizeof(float)) {
            const auto rounded = static_cast<float>(value);
            put(what_kind::floating, &rounded, sizeof rounded);
        } else {
            put(what_kind::floating, &value, sizeof value);
        }
    }

    const program::kernel& kernel_;
    std::size_t index_;
    what_kind what_ = what_kind::integer;
    std::size_t size_ = 0;
    const void* data_ = nullptr;  ///< null: bytes_
    std::byte bytes_[sizeof(std::uint64_t)] = {};
};

}  // namespace

std::vector<std::byte> packed_arguments(const program::kernel& kernel, launch_shape& shape,
                                        const heddle_argument* arguments, std::size_t count) {
    if (count != kernel.parameters.size()) return pack_arguments(kernel, shape, nullptr, count);
    std::vector<packed_argument> packed;
    packed.reserve(count);
    std::vector<launch_argument> list;
    for (std::size_t i = 0; i < count; ++i) {
        list.push_back(packed.emplace_back(kernel, i, arguments[i]).get());
    }
    return pack_arguments(kernel, shape, list.data(), count);
}

}  // namespace heddle::library
