// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/link_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/error.h"
#include "models/base/output_file.h"
#include "models/program/address_map.h"
#include "models/program/elf_file.h"
#include "models/program/shared_objects_check.h"

namespace heddle::program {
namespace {

void check_place(const program_place& place) {
    const auto check = [](const char* what, std::uint32_t address, const address_window& window,
                          std::uint32_t bytes) {
        if (address % program_place::alignment == 0 && window.contains(address) &&
            address - window.base < bytes) {
            return;
        }
        throw configuration_error(fmt::format(
            "a program can't have its {} at 0x{:08x}; legal: multiples of {} from 0x{:08x} to "
            "0x{:08x}",
            what, address, program_place::alignment, window.base,
            std::uint64_t{window.base} + bytes - program_place::alignment));
    };
    check("code", place.code, code_window, most_code_bytes);
    check("variables", place.data, heap_window, heap_window.size);
}

}  // namespace

link_steps::link_steps(const compile_options& options, const toolchain& tools,
                       const work_folder& folder, std::string& diagnostics)
    : options_(options), tools_(tools), folder_(folder), diagnostics_(diagnostics) {
    check_place(options.place);
}

void link_steps::add_inlined(const std::string& bitcode, const std::string& object) {
    inlined_.push_back({bitcode, object});
    objects_.push_back(object);
}

/// Only the IR tells which pointers are __local.
void link_steps::add_opencl(const std::string& ir_file, const std::string& source) {
    const auto ir = read_file<std::string>(ir_file);
    parameters_.merge(read_opencl_parameters(ir));
    blocks_.merge(read_required_blocks(ir));
    objects_.push_back(ir_file.substr(0, ir_file.rfind('.')) + ".cl.o");
    auto back_end = compiler_command(tools_, options_, source_language::llvm_ir);
    back_end.insert(back_end.end(), {"-c", ir_file, "-o", objects_.back()});
    run(back_end, "compiling " + source);
}

std::vector<std::string> link_steps::link_command(const std::string& output) const {
    std::vector<std::string> command{tools_.linker,
                                     "-T",
                                     tools_.device + "/device/heddle.ld",
                                     "--emit-relocs",
                                     "--no-relax",
                                     "--nmagic",
                                     "--entry=" + std::to_string(options_.place.code),
                                     "-o",
                                     output};
    const auto place = [&](const char* symbol, std::uint32_t address, std::uint32_t usual) {
        if (address == usual) return;
        command.push_back("--defsym=" + std::string(symbol) + "=" + std::to_string(address));
    };
    place("heddle_code_place", options_.place.code, code_window.base);
    place("heddle_data_place", options_.place.data, heap_window.base);
    command.insert(command.end(), objects_.begin(), objects_.end());
    return command;
}

/// Links once without stubs to read the kernels' parameters from relocated debug information,
/// then adds the stubs' object. The compiler of the stubs takes in the C and C++ sources as IR,
/// so that it can inline their kernels; their own objects are left out. OpenCL objects stay.
void link_steps::add_stubs(const std::string& name) {
    const std::string probe = folder_.file("probe.elf");
    auto command = link_command(probe);
    command.push_back("--unresolved-symbols=ignore-all");
    run(command, "linking");
    const auto file = elf_file::parse(read_file<std::vector<std::uint8_t>>(probe), name);
    const auto kernels = kernel_functions(file);
    if (kernels.empty()) {
        throw configuration_error(name +
                                  ": defines no kernel; mark one __global__ (C++) or "
                                  "__kernel (OpenCL C)");
    }
    for (const auto& [kernel, address] : kernels) kernels_.push_back(kernel);
    auto signatures = read_signatures(file, kernels, parameters_, host_copies_);
    const launch_bounds bounds = read_launch_bounds(file);
    for (kernel_signature& each : signatures) {
        const auto required = blocks_.find(each.entry.name);
        if (required != blocks_.end()) each.entry.required_block = required->second;
        const auto bound = bounds.find(each.entry.name);
        if (bound != bounds.end()) each.entry.most_threads = bound->second;
    }
    const std::string source = folder_.file("stubs.c");
    write_file(source,
               stub_source(signatures) + "#include \"" + tools_.device + "/device/runtime.c\"\n");
    // By way of standard input: no temporary name gets into the program.
    auto stubs = compiler_command(tools_, options_, source_language::c);
    for (const inlined_source& each : inlined_) {
        stubs.insert(stubs.end(), {"-Xclang", "-mlink-bitcode-file", "-Xclang", each.bitcode});
        objects_.erase(std::find(objects_.begin(), objects_.end(), each.object));
    }
    objects_.insert(objects_.begin(), folder_.file("stubs.o"));
    stubs.insert(stubs.end(), {"-c", "-", "-o", objects_.front()});
    run(stubs, "compiling the entry stubs", source);
}

std::vector<std::uint8_t> link_steps::link(const std::string& name) {
    add_stubs(name);
    return link_objects(name);
}

std::vector<std::uint8_t> link_steps::link_again(const std::string& object,
                                                 const std::string& name) {
    objects_ = {object};
    return link_objects(name);
}

std::vector<std::uint8_t> link_steps::link_objects(const std::string& name) {
    const std::string linked = folder_.file("program.elf");
    auto command = link_command(linked);
    // Taken in only if the program calls them: they need libgcc, whose debug information stays.
    command.insert(command.end(),
                   {"--gc-sections", "--start-lib", tools_.soft_math, tools_.print, "--end-lib"});
    if (!tools_.libgcc.empty()) command.push_back(tools_.libgcc);
    run(command, "linking");
    auto bytes = read_file<std::vector<std::uint8_t>>(linked);
    check_shared_objects(elf_file::parse(bytes, name));
    return bytes;
}

}  // namespace heddle::program
