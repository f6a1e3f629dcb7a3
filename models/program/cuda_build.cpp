// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/cuda_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "models/base/data_folders.h"
#include "models/base/error.h"
#include "models/base/output_file.h"
#include "models/program/inline_ptx.h"
#include "models/program/object_sections.h"

namespace heddle::program {
namespace {

constexpr std::string_view end_mark = "HEDDLEOB";
constexpr std::size_t end_bytes = 16;  ///< two sizes and the mark

/// The machine, as compiler_command() names it to the driver. The driver can't be asked to compile
/// CUDA for it.
constexpr const char* target[] = {
    "-triple", "riscv32-unknown-unknown-elf", "-target-cpu", "generic-rv32", "-target-abi", "ilp32",
    "-target-feature", "+m", "-target-feature", "+a", "-target-feature", "+zmmul",
    "-target-feature", "+zicond", "-target-feature", "+zicsr", "-target-feature", "+zfinx",
    "-target-feature", "-relax",
    // Types and macros of the host, which the same headers are read for.
    "-aux-triple", "i386-pc-linux-gnu"};

void append(std::string& to, std::uint32_t number) {
    to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

}  // namespace

cuda_build::cuda_build(const compile_options& how, const toolchain& tools,
                       const work_folder& folder)
    : how_(how), tools_(tools), folder_(folder) {}

std::vector<std::string> cuda_build::command(const cuda_source& source,
                                             const std::string& output) const {
    std::vector<std::string> words{tools_.compiler, "-cc1"};
    const auto add = [&](std::initializer_list<const char*> more) {
        words.insert(words.end(), more.begin(), more.end());
    };
    words.insert(words.end(), std::begin(target), std::end(target));
    add({"-x", "cuda", "-fcuda-is-device", "-fcuda-allow-variadic-functions",
         "-target-sdk-version=12.5", "-ffake-address-space-map", "-fgnuc-version=4.2.1",
         "-fdeclspec", "-fcxx-exceptions", "-fexceptions", "-fno-threadsafe-statics",
         "-mrelocation-model", "static", "-debug-info-kind=standalone", "-dwarf-version=5",
         // As compiler_command() has them.
         "-fno-finite-loops", "-fno-jump-tables", "-fno-builtin-printf",
         // Casts of floats to integers saturate, as CUDA's do.
         "-fno-strict-float-cast-overflow", "-ffunction-sections", "-fdata-sections",
         // The host half warns.
         "-w"});
    words.emplace_back(source.debug ? "-O0" : "-O2");
    for (unsigned n = source.most_registers; n != 0 && n < 32; ++n) {
        words.insert(words.end(), {"-target-feature", "+reserve-x" + std::to_string(n)});
    }
    words.insert(words.end(), {"-fpass-plugin=" + tools_.pass, "-mlink-builtin-bitcode",
                               tools_.cuda_builtins, "-emit-llvm-bc"});
    words.emplace_back(how_.contract_floating_point ? "-ffp-contract=fast" : "-ffp-contract=off");
    if (source.fast_math) words.emplace_back("-fgpu-approx-transcendentals");
    if (!source.unit.empty()) add({"-fgpu-rdc"});
    if (!source.unit.empty()) words.push_back("-cuid=" + source.unit);
    words.insert(words.end(), source.options.begin(), source.options.end());
    // One value: what the machine claims to be (docs/cuda_device.md).
    add({"-U__CUDA_ARCH__", "-D__CUDA_ARCH__=610"});
    words.insert(words.end(), source.system_folders.begin(), source.system_folders.end());
    words.insert(words.end(), {"-o", output, source.file});
    return words;
}

std::string cuda_build::compile(const cuda_source& source) {
    const std::string output = folder_.file("device" + std::to_string(compiled_++) + ".bc");
    const std::string what = "compiling the device code of " + source.file;
    try {
        run_tool(tools_, command(source, output), what);
    } catch (const tool_failure& failure) {
        if (!is_about_inline_ptx(failure.said())) throw;
        compile_translated(source, output);
    }
    return output;
}

/// PTX in asm statements is found by failing: most sources have none.
void cuda_build::compile_translated(const cuda_source& source, const std::string& output) {
    const std::string preprocessed = output + ".pp", translated = output + ".cui";
    cuda_source with_functions = source;
    with_functions.options.insert(with_functions.options.end(), {"-include", "heddle_cuda/ptx.h"});
    std::vector<std::string> words = command(with_functions, preprocessed);
    std::replace(words.begin(), words.end(), std::string("-emit-llvm-bc"), std::string("-E"));
    run_tool(tools_, words, "preprocessing " + source.file);
    write_file(translated, replace_inline_ptx(read_file<std::string>(preprocessed)));
    cuda_source rest = source;
    rest.file = translated;
    rest.options.clear();
    for (const std::string& each : source.options) {
        if (each.rfind("-std=", 0) == 0 || each.rfind("-W", 0) == 0) rest.options.push_back(each);
    }
    words = command(rest, output);
    *(std::find(words.begin(), words.end(), "-x") + 1) = "cuda-cpp-output";
    run_tool(tools_, words, "compiling the device code of " + source.file);
}

std::optional<std::vector<std::uint8_t>> cuda_build::link(const std::vector<std::string>& bitcode,
                                                          const std::string& name) {
    std::string warnings;  // of code that was compiled with -w
    link_steps steps(how_, tools_, folder_, warnings);
    compile_options quickly = how_;
    quickly.optimization = 0;
    bool has_kernel = false;
    for (std::size_t i = 0; i < bitcode.size(); ++i) {
        // Nobody executes these objects: they have the signatures.
        const std::string object = folder_.file("signatures" + std::to_string(i) + ".o");
        auto back_end = compiler_command(tools_, quickly, source_language::llvm_ir);
        back_end.insert(back_end.end(),
                        {"-w", "-fno-caret-diagnostics", "-c", bitcode[i], "-o", object});
        run_tool(tools_, back_end, "compiling the device code of " + name);
        has_kernel |= !object_sections(read_file<std::string>(object), object)
                           .contents(".text.kernel")
                           .empty();
        steps.add_inlined(bitcode[i], object);
    }
    if (!has_kernel) return std::nullopt;
    steps.let_host_copy();
    std::vector<std::uint8_t> made = steps.link(name);
    const auto object = read_file<std::string>(steps.object());
    std::string end;
    append(end, static_cast<std::uint32_t>(made.size()));
    append(end, static_cast<std::uint32_t>(object.size()));
    end += end_mark;
    made.insert(made.end(), object.begin(), object.end());
    made.insert(made.end(), end.begin(), end.end());
    return made;
}

std::string with_cuda_head(cuda_payload kind, std::string_view payload) {
    std::string bytes(cuda_magic);
    append(bytes, static_cast<std::uint32_t>(kind));
    append(bytes, static_cast<std::uint32_t>(payload.size()));
    bytes += payload;
    return bytes;
}

bool is_cuda_program(std::string_view payload) {
    return payload.size() >= end_bytes && payload.substr(payload.size() - 8) == end_mark;
}

std::vector<std::uint8_t> place_cuda_program(std::string_view payload, const std::string& name,
                                             const compile_options& how) {
    const auto refuse = [&]() -> configuration_error {
        return configuration_error(name + ": no device program of `heddle nvcc`");
    };
    if (!is_cuda_program(payload)) throw refuse();
    const std::size_t end = payload.size() - end_bytes;
    const std::uint64_t executable = number_at(payload, end), object = number_at(payload, end + 4);
    if (executable + object != end) throw refuse();
    const program_place usual;
    if (how.place.code == usual.code && how.place.data == usual.data) {
        return {payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(executable)};
    }
    const toolchain tools = find_toolchain(how);
    const work_folder folder(how.keep_temporaries);
    const std::string file = folder.file("program.o");
    write_file(file, payload.substr(executable, object));
    std::string warnings;
    return link_steps(how, tools, folder, warnings).link_again(file, name);
}

}  // namespace heddle::program
