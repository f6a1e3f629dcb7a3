// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/nvcc/nvcc_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>

#include "command/nvcc/device_link.h"
#include "command/nvcc/double_report.h"
#include "command/nvcc/host_compiler.h"
#include "command/nvcc/nvcc_options.h"
#include "models/base/error.h"
#include "models/base/output_file.h"
#include "models/program/cuda_build.h"
#include "models/program/image.h"

namespace heddle::command {
namespace {

namespace fs = std::filesystem;
using program::cuda_payload, program::run_tool;

/// For scripts that look for "release", and for CMake, which takes a compiler for nvcc by the words
/// behind "takes the place of".
constexpr const char* version_text = "heddle " HEDDLE_VERSION
                                     " nvcc takes the place of\n"
                                     "nvcc: NVIDIA (R) Cuda compiler driver\n"
                                     "Cuda compilation tools, release 12.5, V12.5.40\n"
                                     "Build heddle_" HEDDLE_VERSION "\n";

/// The steps of one command line.
class compilation {
public:
    explicit compilation(const nvcc_request& request)
        : request_(request),
          how_(options_of(request)),
          tools_(program::find_toolchain(how_)),
          folder_(request.keep),
          host_(request, tools_),
          device_(how_, tools_, folder_) {}

    void run() {
        check_output();
        switch (request_.phase) {
            case nvcc_phase::preprocess:
            case nvcc_phase::depend:
                for (const std::string& source : request_.sources) preprocess(source);
                break;
            case nvcc_phase::device:
                for (const std::string& source : request_.sources) make_device(source);
                break;
            case nvcc_phase::objects:
                for (const std::string& source : request_.sources) {
                    make_object(source, output_of(source, ".o"));
                }
                break;
            case nvcc_phase::device_link:
                link_device(make_objects(),
                            request_.output.empty() ? "a_dlink.o" : request_.output);
                break;
            case nvcc_phase::archive:
                make_archive(make_objects());
                break;
            default:
                make_program(make_objects());
        }
        if (request_.keep) {
            std::fprintf(stderr, "nvcc: intermediate files: %s\n", folder_.file("").c_str());
        }
    }

private:
    /// An output that is also read would be gone after a mistake in it.
    void check_output() const {
        if (request_.output.empty()) return;
        const auto refuse = [&](const std::string& input) {
            if (input.empty() || input[0] == '-' || !same_file(input, request_.output)) return;
            throw configuration_error("nvcc: cannot write '" + request_.output +
                                      "': it is an input");
        };
        for (const std::string& each : request_.sources) refuse(each);
        for (const std::string& each : request_.link_words) refuse(each);
    }

    static program::compile_options options_of(const nvcc_request& request) {
        program::compile_options how;
        how.optimization = request.device_debug ? 0 : 2;
        how.contract_floating_point = request.contract;
        how.keep_temporaries = request.keep;
        return how;
    }

    void show(const std::vector<std::string>& command) const {
        if (!request_.show_commands) return;
        std::string line = "#$";
        for (const std::string& word : command) {
            const bool plain = word.find_first_of(" \"'\\$") == std::string::npos;
            line += plain ? " " + word : " \"" + word + "\"";
        }
        std::fprintf(stderr, "%s\n", line.c_str());
    }

    /// A command of the host's half. Warnings are printed.
    void step(const std::vector<std::string>& command, const std::string& what) {
        show(command);
        if (request_.dry_run) return;
        std::fputs(run_tool(tools_, command, what).c_str(), stderr);
    }

    /// In the current folder.
    [[nodiscard]] std::string output_of(const std::string& source, const char* extension) const {
        if (request_.output.empty()) {
            return (fs::path(request_.output_folder) / fs::path(source).filename())
                .replace_extension(extension)
                .string();
        }
        if (request_.sources.size() > 1) {
            throw configuration_error(
                fmt::format("nvcc: -o {} for {} sources; legal: one source, or no -o",
                            request_.output, request_.sources.size()));
        }
        return request_.output;
    }

    [[nodiscard]] program::cuda_source device_source(const std::string& source) {
        if (folders_.empty()) folders_ = host_.system_folders();
        program::cuda_source made;
        made.file = source;
        made.options = host_.both_halves();
        made.system_folders = folders_;
        made.fast_math = request_.fast_math;
        made.debug = request_.device_debug;
        made.most_registers = request_.most_registers;
        if (request_.relocatable) made.unit = unit_of(source);
        return made;
    }

    /// The same in both halves, and another one in another file.
    [[nodiscard]] std::string unit_of(const std::string& source) const {
        std::uint64_t hash = 0xcbf29ce484222325U;
        std::string name = fs::absolute(source).lexically_normal().string() + request_.output;
        for (const std::string& each : request_.preprocessor) name += each;
        for (const char c : name) {
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
        }
        return fmt::format("{:016x}", hash);
    }

    /// The bitcode of a source's device half; empty with -dryrun.
    std::string compile_device(const std::string& source) {
        const program::cuda_source made = device_source(source);
        show(device_.command(made, folder_.file("device.bc")));
        return request_.dry_run ? "" : device_.compile(made);
    }

    /// What the host object embeds, with its head; empty: no kernel.
    std::string device_file(const std::string& source) {
        const std::string bitcode = compile_device(source);
        const std::string file = folder_.file("embedded" + std::to_string(objects_) + ".bin");
        if (request_.dry_run) return file;
        if (request_.relocatable) {
            write_file(file, program::with_cuda_head(cuda_payload::part,
                                                     program::read_file<std::string>(bitcode)));
            return file;
        }
        const auto linked = link_bitcode({bitcode}, source);
        if (!linked) return "";
        write_file(file, program::with_cuda_head(
                             cuda_payload::program,
                             {reinterpret_cast<const char*>(linked->data()), linked->size()}));
        return file;
    }

    std::optional<std::vector<std::uint8_t>> link_bitcode(const std::vector<std::string>& bitcode,
                                                          const std::string& name) {
        auto linked = device_.link(bitcode, name);
        if (linked && (request_.report_kernels || request_.warn_double)) report(*linked, name);
        return linked;
    }

    /// Kernels in the manner of ptxas -v.
    void report(const std::vector<std::uint8_t>& linked, const std::string& name) const {
        const auto image = program::image::load(linked.data(), linked.size(), name);
        if (request_.warn_double) std::fputs(double_report(image).c_str(), stderr);
        if (!request_.report_kernels) return;
        for (const program::kernel& kernel : image.kernels()) {
            std::fprintf(
                stderr,
                "ptxas info    : Compiling entry function '%s' for 'sm_61'\n"
                "ptxas info    : Used %u registers, %u bytes smem, %s stack bytes%s\n",
                kernel.name.c_str(), kernel.registers, kernel.static_shared_bytes,
                kernel.stack_bytes ? std::to_string(*kernel.stack_bytes).c_str() : "unbounded",
                kernel.most_threads
                    ? fmt::format(", at most {} threads", *kernel.most_threads).c_str()
                    : "");
        }
    }

    void check(const std::string& source) const {
        std::error_code error;
        if (!fs::is_regular_file(source, error)) {
            throw configuration_error("nvcc: " + source + ": no such source file");
        }
    }

    void make_object(const std::string& source, const std::string& output) {
        check(source);
        const std::string device = host_.is_cuda(source) ? device_file(source) : "";
        auto command = host_.compile(source, device);
        const std::vector<std::string>& rules = request_.dependencies;
        command.insert(command.end(), rules.begin(), rules.end());
        if (!rules.empty() && request_.phase == nvcc_phase::program &&
            std::find(rules.begin(), rules.end(), "-MF") == rules.end()) {
            // The object goes away: the rule is beside the program, and about it.
            command.insert(command.end(),
                           {"-MF", fs::path(source).filename().replace_extension(".d").string(),
                            "-MT", request_.output.empty() ? "a.out" : request_.output});
        }
        if (host_.is_cuda(source) && request_.relocatable) {
            command.insert(command.end(), {"-Xclang", "-cuid=" + unit_of(source)});
        }
        command.insert(command.end(), {"-c", source, "-o", output});
        step(command, "compiling " + source);
        ++objects_;
    }

    /// The words of the link, with an object for each source.
    std::vector<std::string> make_objects() {
        std::vector<std::string> words;
        std::size_t next = 0;
        for (const std::string& word : request_.link_words) {
            words.push_back(word);
            if (!word.empty()) continue;
            const std::string& source = request_.sources[next];
            words.back() =
                folder_.file(fmt::format("{}_{}.o", fs::path(source).stem().string(), next));
            ++next;
            make_object(source, words.back());
        }
        if (words.empty()) throw configuration_error("nvcc: no input file");
        return words;
    }

    void preprocess(const std::string& source) {
        check(source);
        auto command = host_.compile(source, "");
        const std::string output =
            request_.output.empty() ? folder_.file("preprocessed") : request_.output;
        command.insert(command.end(),
                       {request_.phase == nvcc_phase::depend ? request_.depend_option : "-E",
                        source, "-o", output});
        command.insert(command.end(), request_.dependencies.begin(), request_.dependencies.end());
        step(command, "preprocessing " + source);
        if (!request_.output.empty() || request_.dry_run) return;
        const auto text = program::read_file<std::string>(output);
        std::fwrite(text.data(), 1, text.size(), stdout);
    }

    void make_device(const std::string& source) {
        check(source);
        const std::string output = output_of(source, request_.device_extension.c_str());
        const std::string bitcode = compile_device(source);
        if (request_.dry_run) return;
        const auto linked = link_bitcode({bitcode}, source);
        if (!linked) throw configuration_error(source + ": defines no kernel (__global__)");
        write_file(output, {reinterpret_cast<const char*>(linked->data()), linked->size()});
    }

    /// Links the device halves that objects bring for that. True: there are some.
    bool link_device(const std::vector<std::string>& words, const std::string& output) {
        if (request_.dry_run) return false;
        const device_parts parts = find_device_parts(words);
        if (parts.registrations.empty() && request_.phase != nvcc_phase::device_link) return false;
        std::vector<std::string> bitcode;
        for (const std::string& part : parts.bitcode) {
            bitcode.push_back(folder_.file(fmt::format("part{}.bc", bitcode.size())));
            write_file(bitcode.back(), part);
        }
        const auto linked = link_bitcode(bitcode, output);
        const std::string blob = folder_.file("linked.bin"), stub = folder_.file("registrations.c");
        std::string payload;
        if (linked) payload.assign(linked->begin(), linked->end());
        write_file(blob, program::with_cuda_head(cuda_payload::program, payload));
        write_file(stub, registration_source(parts.registrations, blob));
        step({tools_.compiler, "-m32", "-O1", "-fPIC", "-x", "c", "-c", stub, "-o", output},
             "compiling the registrations of device code");
        return true;
    }

    void make_program(std::vector<std::string> words) {
        const std::string output = request_.output.empty() ? "a.out" : request_.output;
        const std::string registrations = folder_.file("registrations.o");
        if (link_device(words, registrations)) words.insert(words.begin(), registrations);
        step(host_.link(words, output), "linking " + output);
    }

    void make_archive(const std::vector<std::string>& words) {
        const std::string output = request_.output.empty() ? "a.a" : request_.output;
        const std::string made = folder_.file("archive.a");
        std::vector<std::string> command{"ar", "rcs", made};
        for (const std::string& word : words) {
            if (word[0] != '-') command.push_back(word);
        }
        step(command, "making the archive " + output);
        if (!request_.dry_run) write_file(output, program::read_file<std::string>(made));
    }

    const nvcc_request& request_;
    program::compile_options how_;
    program::toolchain tools_;
    program::work_folder folder_;
    host_compiler host_;
    program::cuda_build device_;
    std::vector<std::string> folders_;
    unsigned objects_ = 0;
};

}  // namespace

int nvcc(const std::vector<std::string>& words) {
    // Before anything that may be wrong: CMake asks with a file that is not there.
    if (asks_for_commands(words)) std::fputs(host_compiler::announcement().c_str(), stderr);
    const nvcc_request request = read_nvcc_options(words);
    if (request.phase == nvcc_phase::version || request.phase == nvcc_phase::help) {
        const std::string text = request.phase == nvcc_phase::version ? version_text : nvcc_help();
        std::fputs(text.c_str(), stdout);
        return 0;
    }
    if (request.link_words.empty()) {
        throw configuration_error("nvcc: no input file; `heddle nvcc --help` shows the usage");
    }
    for (const std::string& warning : request.warnings) {
        std::fprintf(stderr, "%s\n", warning.c_str());
    }
    try {
        compilation(request).run();
    } catch (const program::tool_failure& failure) {
        // Compilers say where and why; a name in front of that is in the way of tools that read it.
        std::fputs(failure.said().c_str(), stderr);
        if (failure.said().find("reference to __global__ function '") != std::string::npos) {
            std::fputs(
                "nvcc: kernels can't launch kernels by <<<>>> here; those of Heddle's own form "
                "launch others by heddle/launch.h (docs/cuda_device.md)\n",
                stderr);
        }
        return exit_code(failure.kind());
    }
    return 0;
}

}  // namespace heddle::command
