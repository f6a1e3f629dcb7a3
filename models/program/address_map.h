// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

/// The 32-bit address space that every thread sees. The linker script (device/heddle.ld) places a
/// program's sections by the same numbers; tests/program checks that they agree.
namespace heddle::program {

/// One window of the address map, [base, base + size).
struct address_window {
    const char* name;
    std::uint32_t base;
    std::uint32_t size;  ///< bytes
    const char* description;

    [[nodiscard]] constexpr bool contains(std::uint32_t address) const noexcept {
        return address - base < size;
    }
    /// Whether [address, address + bytes) lies within the window; bytes may be 0.
    [[nodiscard]] constexpr bool contains(std::uint32_t address,
                                          std::uint64_t bytes) const noexcept {
        return address >= base && std::uint64_t{address} - base + bytes <= size;
    }
};

inline constexpr address_window null_guard{"null guard", 0x00000000u, 0x00010000u,
                                           "no access is legal: catches null pointers"};
inline constexpr address_window code_window{"code", 0x00010000u, 0x0fff0000u,
                                            "instructions and read-only data"};
inline constexpr address_window shared_window{"shared", 0x10000000u, 0x10000000u,
                                              "shared memory of the thread's block"};
inline constexpr address_window private_window{
    "private", 0x20000000u, 0x10000000u,
    "stack of the thread; sp starts at base + size per thread"};
inline constexpr address_window heap_window{
    "heap", 0x40000000u, 0x80000000u, "global memory: variables of programs, and allocations"};
inline constexpr address_window reserve_window{
    "runtime reserve", 0xc0000000u, 0x40000000u,
    "parameter buffers, launch records, private backing store, spilled groups, contexts"};

/// Parts of the runtime reserve: the state of suspended blocks, and the parameter buffers of
/// launches by kernels. What lies before them is handed out by the host.
inline constexpr address_window saved_state{"saved state", 0xc8000000u, 0x08000000u,
                                            "contexts of suspended blocks"};
inline constexpr address_window launch_buffers{"launch buffers", 0xd0000000u, 0x10000000u,
                                               "parameter buffers of launches by kernels"};

/// Size of what an address may name.
inline constexpr std::uint64_t address_space_bytes = std::uint64_t{1} << 32;

/// Code of all programs that a device holds lies in the first so many bytes of the code window.
inline constexpr std::uint32_t most_code_bytes = 16u << 20;

/// Instructions are numbered from the start of the code window on, whichever program they are of.
constexpr std::uint32_t code_position(std::uint32_t pc) noexcept {
    return (pc - code_window.base) / 4;
}

/// All windows by ascending base. [0x30000000, 0x40000000) belongs to none.
inline constexpr std::array<address_window, 6> address_map{
    null_guard, code_window, shared_window, private_window, heap_window, reserve_window};

/// The window of an address, nullptr when it belongs to none.
constexpr const address_window* find_window(std::uint32_t address) noexcept {
    for (const auto& window : address_map) {
        if (window.contains(address)) {
            return &window;
        }
    }
    return nullptr;
}

/// Alignment of sp at a thread's start (RISC-V calling convention).
inline constexpr std::uint32_t stack_alignment = 16;
/// Dynamic shared memory starts at the static shared bytes rounded up to this.
inline constexpr std::uint32_t dynamic_shared_alignment = 16;

}  // namespace heddle::program
