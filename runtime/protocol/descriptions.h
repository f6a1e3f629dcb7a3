// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// What answers say of the device and of its programs.
namespace heddle::runtime {

/// The machine as programs see it.
struct device_description {
    std::uint32_t version = 0;  ///< protocol_version
    std::string heddle;         ///< version of Heddle
    std::string name;
    bool timed = false;
    std::uint32_t warp_size = 0;
    std::uint32_t units = 0;  ///< SMXs
    std::uint32_t core_khz = 0;
    std::uint32_t max_threads = 0;  ///< of a block
    std::uint32_t shared_bytes = 0;
    std::uint32_t unit_threads = 0;    ///< that an SMX holds
    std::uint32_t unit_blocks = 0;     ///< that an SMX holds
    std::uint32_t unit_registers = 0;  ///< of an SMX
    std::uint32_t cache_bytes = 0;
    std::uint32_t cache_line = 0;
    std::uint64_t memory_bytes = 0;
    std::uint32_t memory_khz = 0;
    std::uint32_t bus_bits = 0;  ///< of all memory channels
    bool double_precision = false;
    template <class F>
    void fields(F& f) {
        f(version, heddle, name, timed, warp_size, units, core_khz, max_threads, shared_bytes,
          unit_threads, unit_blocks, unit_registers, cache_bytes, cache_line, memory_bytes,
          memory_khz, bus_bits, double_precision);
    }
};

enum class argument_kind : std::uint8_t { integer, floating, pointer, aggregate, local_pointer };

enum class address_space : std::uint8_t { private_memory, global, constant, local };

struct parameter_description {
    std::string name, type;
    argument_kind what = argument_kind::integer;
    std::uint32_t offset = 0, size = 0;  ///< in the parameter buffer
    // As OpenCL C has them (program::opencl_parameter).
    address_space space = address_space::private_memory;
    std::string access, qualifiers, base_type;
    template <class F>
    void fields(F& f) {
        f(name, type, what, offset, size, space, access, qualifiers, base_type);
    }
};

struct kernel_description {
    std::string name;
    std::vector<parameter_description> parameters;
    std::uint32_t static_shared_bytes = 0;
    std::uint32_t private_bytes = 0;
    std::uint32_t registers = 0;    ///< of a thread
    std::uint32_t max_threads = 0;  ///< of a block of this kernel
    std::array<std::uint32_t, 3> required_block{};
    template <class F>
    void fields(F& f) {
        f(name, parameters, static_shared_bytes, private_bytes, registers, max_threads,
          required_block[0], required_block[1], required_block[2]);
    }
};

/// A global variable of a program.
struct variable_description {
    std::string name;
    std::uint32_t address = 0, bytes = 0;
    template <class F>
    void fields(F& f) {
        f(name, address, bytes);
    }
};

}  // namespace heddle::runtime
