// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::cuda {

/// Which program an executable's object has brought along: its place in the registry.
using binary_id = std::size_t;

/// A kernel, variable or texture of a program, by its name on the device.
struct registered {
    binary_id binary = 0;
    std::string name;
    std::size_t bytes = 0;       ///< of a variable
    bool normalized = false;     ///< of a texture reference: it is read as normalized float
    const void* host = nullptr;  ///< its stub or variable in the program
};

/// A variable that the host's code reads and writes by a pointer.
struct managed_variable {
    binary_id binary = 0;
    std::string name;
    std::size_t bytes = 0;  ///< the device has whole pages for it
    void** pointer = nullptr;
    void* shadow = nullptr;  ///< where it points while there is no device
};

/// What the program has registered, before main() and when it opens a shared library: nothing of it
/// is on a device yet.
class registry {
public:
    /// The program behind clang's wrapper. Nothing is read yet.
    binary_id add(const void* fat_binary);
    /// With all that belongs to it: its shared library is closed.
    void remove(binary_id binary);
    [[nodiscard]] bool has(binary_id binary) const { return binaries_.at(binary) != nullptr; }
    void add_kernel(binary_id binary, const void* stub, const char* name) {
        kernels_[stub] = {binary, name, 0, false, stub};
    }
    void add_variable(binary_id binary, const void* host, const char* name, std::size_t bytes) {
        variables_[host] = {binary, name, bytes, false, host};
    }
    void add_texture(binary_id binary, const void* host, const char* name, bool normalized) {
        textures_[host] = {binary, name, 0, normalized, host};
    }
    void add_managed(managed_variable made) { managed_.push_back(std::move(made)); }
    [[nodiscard]] const std::vector<managed_variable>& managed() const noexcept { return managed_; }
    void add_surface(binary_id binary, const void* host, const char* name) {
        surfaces_[host] = {binary, name, 0, false, host};
    }
    /// Null if it is none. Variables and textures are found by their addresses, and by the
    /// addresses of their names.
    [[nodiscard]] const registered* find_kernel(const void* stub) const;
    [[nodiscard]] const registered* find_variable(const void* host) const;
    [[nodiscard]] const registered* find_texture(const void* host) const;
    [[nodiscard]] const registered* find_surface(const void* host) const;
    /// Of the kernels' heap of malloc(), the largest of all programs; 0: no kernel has one.
    [[nodiscard]] std::size_t heap_bytes() const;
    /// The executable of a program. Throws error(cudaErrorInvalidKernelImage) where it is none of
    /// `heddle nvcc`'s.
    [[nodiscard]] std::vector<std::byte> executable(binary_id binary) const;

private:
    using table = std::unordered_map<const void*, registered>;
    std::vector<const void*> binaries_;  ///< null: removed
    table kernels_, variables_, textures_, surfaces_;
    std::vector<managed_variable> managed_;
};

/// Bytes of a program with its head, as the head says.
[[nodiscard]] std::uint64_t bytes_with_head(const void* image);

/// The executable behind the head of `heddle nvcc`, or an ELF file itself. Throws
/// error(cudaErrorInvalidKernelImage).
[[nodiscard]] std::vector<std::byte> executable_at(const void* image);

}  // namespace heddle::cuda
