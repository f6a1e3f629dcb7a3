// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/program/kernel.h"

namespace heddle::program {

/// A loadable piece of the program: code, read-only data, or initial global data.
struct segment {
    std::uint32_t address = 0;
    std::uint32_t size = 0;          ///< bytes in memory
    std::vector<std::uint8_t> data;  ///< ≤ size; the rest is zero
    bool executable = false;
    bool writable = false;
    bool constant = false;  ///< `__constant__` variables
};

/// A function or an object of the program.
struct symbol {
    std::string name;
    std::uint32_t address = 0;
    std::uint32_t size = 0;
    bool function = false;
};

/// A line of a source file.
struct source_line {
    std::string file;
    unsigned line = 0;  ///< 1-based
};

/// Where a PC comes from.
struct source_location {
    std::string file;      ///< empty when the line is not known
    unsigned line = 0;     ///< 1-based; 0 when not known
    std::string function;  ///< that the code lies in; demangled; empty when not known
    /// When file and line belong to inlined functions: the lines that call them, innermost first.
    /// The last one is a line of `function`.
    std::vector<source_line> inlined_at;

    /// "saxpy.cpp:12 in saxpy", "atomic.h:14, inlined at bfs.cpp:84 in bfs", "in saxpy", or ""
    /// when nothing is known.
    [[nodiscard]] std::string text() const;
};

/// A program for the device: a 32-bit RISC-V executable that `compile` (compile.h) or an
/// equivalent tool chain made. Immutable once loaded; cheap to share.
///
/// Cost: the analysis (control flow graph, post-dominators, registers, shared layout) runs once at
/// load, and every kernel holds a predecoded copy of the code (16 bytes an instruction).
class image {
public:
    /// Reads and checks an executable.
    /// Throws configuration_error naming the file and the reason when it is missing, truncated, not
    /// an ELF file, not RV32 little-endian, compiled for an extension or ABI that the machine
    /// lacks, has undefined symbols, segments that overlap each other or lie outside their
    /// window, no relocations, or no kernels.
    static image load(const std::string& path);
    /// The same from memory; name stands for the file in messages.
    static image load(const std::uint8_t* bytes, std::size_t size, const std::string& name);

    /// Name of the file as given to load().
    [[nodiscard]] const std::string& name() const;
    /// By ascending address; shared memory is not among them.
    [[nodiscard]] const std::vector<segment>& segments() const;
    /// By name, ascending.
    [[nodiscard]] const std::vector<kernel>& kernels() const;
    /// The code of every kernel, but for addresses of shared memory: those of the first kernel.
    [[nodiscard]] const kernel_code& code() const;
    /// nullptr when there is none of that name.
    [[nodiscard]] const kernel* find_kernel(std::string_view name) const;
    /// Throws configuration_error that lists the image's kernels when there is none of that name.
    [[nodiscard]] const kernel& get_kernel(std::string_view name) const;
    /// Kernel whose function or entry stub is at the address (device launches name the function);
    /// nullptr when there is none.
    [[nodiscard]] const kernel* kernel_at(std::uint32_t address) const;
    /// Functions and objects by ascending address, then name.
    [[nodiscard]] const std::vector<symbol>& symbols() const;
    [[nodiscard]] const symbol* find_symbol(std::string_view name) const;
    /// Symbol that contains the address, nullptr when none does.
    [[nodiscard]] const symbol* symbol_at(std::uint32_t address) const;
    /// Source file, line, inlined calls and function of a PC; what is not known stays empty.
    [[nodiscard]] source_location locate(std::uint32_t pc) const;

private:
    struct contents;
    explicit image(std::shared_ptr<const contents> contents) : contents_(std::move(contents)) {}
    std::shared_ptr<const contents> contents_;
};

}  // namespace heddle::program
