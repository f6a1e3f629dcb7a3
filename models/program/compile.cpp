// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/compile.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/base/error.h"
#include "models/base/output_file.h"
#include "models/program/address_map.h"
#include "models/program/elf_file.h"
#include "models/program/kernel_signature.h"
#include "models/program/process.h"
#include "models/program/shared_objects_check.h"
#include "models/program/toolchain.h"

namespace heddle::program {

namespace {

namespace fs = std::filesystem;

/// A folder for intermediate files, removed at the end unless it is to be kept.
class work_folder {
public:
    explicit work_folder(bool keep) : keep_(keep) {
        std::string pattern = (fs::temp_directory_path() / "heddle-compile-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw configuration_error("can't make a temporary folder like " + pattern + ": " +
                                      std::strerror(errno));
        }
        path_ = pattern;
    }
    work_folder(const work_folder&) = delete;
    work_folder& operator=(const work_folder&) = delete;
    ~work_folder() {
        std::error_code error;
        if (!keep_) fs::remove_all(path_, error);
    }
    [[nodiscard]] std::string file(const std::string& name) const {
        return (path_ / name).string();
    }

private:
    fs::path path_;
    bool keep_;
};

template <typename Container>
Container read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return Container{std::istreambuf_iterator<char>(in), {}};
}

/// An output that is also read would be gone after a mistake in it.
void check_outputs(const std::vector<std::string>& sources, const std::string& output,
                   const compile_options& options) {
    const std::string& dependencies = options.dependency_file;
    for (const std::string& source : sources) {
        for (const std::string& written : {output, dependencies}) {
            if (!written.empty() && same_file(source, written)) {
                throw configuration_error("cannot write '" + written +
                                          "': it is a source of this program");
            }
        }
    }
    if (is_source_or_header(output)) {
        throw configuration_error("cannot write '" + output +
                                  "': it has the name of a source; give a name like k.elf");
    }
    if (!dependencies.empty() && same_file(output, dependencies)) {
        throw configuration_error("cannot write '" + output +
                                  "': it is also the file of dependencies");
    }
}

/// One compilation: the steps of compile() in order.
class driver {
public:
    driver(const std::vector<std::string>& sources, const std::string& output,
           const compile_options& options)
        : sources_(sources),
          output_(output),
          options_(options),
          tools_(find_toolchain(options)),
          folder_(options.keep_temporaries) {}

    compile_result run() {
        for (std::size_t i = 0; i < sources_.size(); ++i) compile_source(i);
        add_stubs();
        link_program();
        if (!options_.dependency_file.empty()) write_dependencies();
        if (options_.keep_temporaries) {
            result_.diagnostics += "intermediate files: " + folder_.file("") + "\n";
        }
        return std::move(result_);
    }

private:
    /// Runs a tool; its complaints go to the diagnostics, or into the error if it fails.
    void run_tool(const std::vector<std::string>& command, const std::string& what,
                  const std::string& input = "/dev/null") {
        const auto ended = run_process(command, input);
        if (ended.status == 0) {
            result_.diagnostics += ended.output;
            return;
        }
        throw configuration_error(what + " failed (" + command.front() + ", status " +
                                  std::to_string(ended.status) + "):\n" + ended.output +
                                  library_hint(ended.output));
    }

    [[nodiscard]] std::string library_hint(const std::string& complaint) const {
        if (!tools_.libgcc.empty() || complaint.find("undefined symbol: __") == std::string::npos) {
            return "";
        }
        return "64-bit division and double arithmetic come from libgcc, which is not installed: "
               "apt-get install gcc-riscv64-unknown-elf\n";
    }

    std::vector<std::string> command_for(source_language language) const {
        return compiler_command(tools_, options_, language);
    }

    void compile_source(std::size_t index) {
        const std::string& source = sources_[index];
        const source_language language = language_of(source);
        std::error_code error;
        if (!fs::is_regular_file(source, error)) {
            throw configuration_error(source + ": no such source file");
        }
        auto command = command_for(language);
        if (!options_.dependency_file.empty() && source[source.size() - 1] != 's') {
            dependency_files_.push_back(folder_.file(std::to_string(index) + ".d"));
            command.insert(command.end(), {"-MMD", "-MF", dependency_files_.back()});
        }
        const std::string stem = folder_.file(std::to_string(index));
        if (language == source_language::opencl) {
            compile_opencl(std::move(command), source, stem);
            return;
        }
        objects_.push_back(stem + ".o");
        if (language == source_language::assembly) {
            command.insert(command.end(), {"-c", source, "-o", objects_.back()});
            run_tool(command, "compiling " + source);
            return;
        }
        inlined_.push_back({stem + ".bc", objects_.back()});
        command.insert(command.end(), {"-emit-llvm", "-c", source, "-o", inlined_.back().bitcode});
        run_tool(command, "compiling " + source);
        // Nobody executes this object: it only has the signatures.
        compile_options quickly = options_;
        quickly.optimization = 0;
        auto back_end = compiler_command(tools_, quickly, source_language::llvm_ir);
        back_end.insert(back_end.end(), {"-c", inlined_.back().bitcode, "-o", objects_.back()});
        run_tool(back_end, "compiling " + source);
    }

    /// OpenCL goes by way of IR: the built-ins (opencl/) are linked in before optimization, and
    /// only the IR tells which pointers are __local.
    void compile_opencl(std::vector<std::string> command, const std::string& source,
                        const std::string& stem) {
        command.insert(command.end(),
                       {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", tools_.opencl_builtins,
                        "-emit-llvm", "-S", source, "-o", stem + ".ll"});
        run_tool(command, "compiling " + source);
        const auto ir = read_file<std::string>(stem + ".ll");
        locals_.merge(read_local_pointers(ir));
        blocks_.merge(read_required_blocks(ir));
        objects_.push_back(stem + ".cl.o");
        auto back_end = command_for(source_language::llvm_ir);
        back_end.insert(back_end.end(), {"-c", stem + ".ll", "-o", objects_.back()});
        run_tool(back_end, "compiling " + source);
    }

    std::vector<std::string> link_command(const std::string& output) const {
        std::vector<std::string> command{tools_.linker,
                                         "-T",
                                         tools_.device + "/device/heddle.ld",
                                         "--emit-relocs",
                                         "--no-relax",
                                         "--nmagic",
                                         "--entry=" + std::to_string(code_window.base),
                                         "-o",
                                         output};
        command.insert(command.end(), objects_.begin(), objects_.end());
        return command;
    }

    /// Links once without stubs to read the kernels' parameters from relocated debug information,
    /// then adds the stubs' object. The compiler of the stubs takes in the C and C++ sources as IR,
    /// so that it can inline their kernels; their own objects are left out. OpenCL objects stay.
    void add_stubs() {
        const std::string probe = folder_.file("probe.elf");
        auto command = link_command(probe);
        command.push_back("--unresolved-symbols=ignore-all");
        run_tool(command, "linking");
        const auto file =
            elf_file::parse(read_file<std::vector<std::uint8_t>>(probe), sources_.front());
        const auto kernels = kernel_functions(file);
        if (kernels.empty()) {
            throw configuration_error(sources_.front() +
                                      ": defines no kernel; mark one __global__ (C++) or "
                                      "__kernel (OpenCL C)");
        }
        for (const auto& [name, address] : kernels) result_.kernels.push_back(name);
        auto signatures = read_signatures(file, kernels, locals_);
        for (kernel_signature& each : signatures) {
            const auto required = blocks_.find(each.entry.name);
            if (required != blocks_.end()) each.entry.required_block = required->second;
        }
        const std::string source = folder_.file("stubs.c");
        write_file(source, stub_source(signatures) + "#include \"" + tools_.device +
                               "/device/runtime.c\"\n");
        // By way of standard input: no temporary name gets into the program.
        auto stubs = command_for(source_language::c);
        for (const inlined_source& each : inlined_) {
            stubs.insert(stubs.end(), {"-Xclang", "-mlink-bitcode-file", "-Xclang", each.bitcode});
            objects_.erase(std::find(objects_.begin(), objects_.end(), each.object));
        }
        objects_.insert(objects_.begin(), folder_.file("stubs.o"));
        stubs.insert(stubs.end(), {"-c", "-", "-o", objects_.front()});
        run_tool(stubs, "compiling the entry stubs", source);
    }

    void link_program() {
        const std::string linked = folder_.file("program.elf");
        auto command = link_command(linked);
        // Taken in only if the program calls them: they need libgcc, whose debug information stays.
        command.insert(command.end(), {"--gc-sections", "--start-lib", tools_.soft_math,
                                       tools_.print, "--end-lib"});
        if (!tools_.libgcc.empty()) command.push_back(tools_.libgcc);
        run_tool(command, "linking");
        const auto bytes = read_file<std::vector<std::uint8_t>>(linked);
        check_shared_objects(elf_file::parse(bytes, output_));
        result_.program = image::load(bytes.data(), bytes.size(), output_);
        write_file(output_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }

    void write_dependencies() const {
        std::string text = output_ + ":";
        for (const auto& path : dependency_files_) {
            const auto rule = read_file<std::string>(path);
            const auto colon = rule.find(": ");
            if (colon == std::string::npos) continue;
            text += " " + rule.substr(colon + 2);
            while (!text.empty() && text.back() == '\n') text.pop_back();
        }
        write_file(options_.dependency_file, text + "\n");
    }

    /// A C or C++ source as IR and as the object made of it.
    struct inlined_source {
        std::string bitcode, object;
    };

    const std::vector<std::string>& sources_;
    const std::string& output_;
    const compile_options& options_;
    toolchain tools_;
    work_folder folder_;
    compile_result result_;
    std::vector<std::string> objects_;
    std::vector<inlined_source> inlined_;
    std::vector<std::string> dependency_files_;
    local_pointers locals_;
    required_blocks blocks_;
};

}  // namespace

compile_result compile(const std::vector<std::string>& sources, const std::string& output,
                       const compile_options& options) {
    if (sources.empty()) throw configuration_error("no source file to compile");
    for (const auto& source : sources) language_of(source);
    check_outputs(sources, output, options);
    return driver(sources, output, options).run();
}

}  // namespace heddle::program
