// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/compile.h"

#include <filesystem>

#include "models/base/error.h"
#include "models/base/output_file.h"
#include "models/program/link_steps.h"
#include "models/program/toolchain.h"
#include "models/program/work_folder.h"

namespace heddle::program {

namespace {

namespace fs = std::filesystem;

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
          folder_(options.keep_temporaries),
          link_(options, tools_, folder_, result_.diagnostics) {}

    compile_result run() {
        for (std::size_t i = 0; i < sources_.size(); ++i) compile_source(i);
        const auto bytes = link_.link(sources_.front());
        result_.kernels = link_.kernels();
        result_.program = image::load(bytes.data(), bytes.size(), output_);
        write_file(output_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        if (!options_.dependency_file.empty()) write_dependencies();
        if (options_.keep_temporaries) {
            result_.diagnostics += "intermediate files: " + folder_.file("") + "\n";
        }
        return std::move(result_);
    }

private:
    void run_step(const std::vector<std::string>& command, const std::string& source) {
        result_.diagnostics += run_tool(tools_, command, "compiling " + source);
    }

    void compile_source(std::size_t index) {
        const std::string& source = sources_[index];
        const source_language language = language_of(source);
        std::error_code error;
        if (!fs::is_regular_file(source, error)) {
            throw configuration_error(source + ": no such source file");
        }
        auto command = compiler_command(tools_, options_, language);
        if (!options_.dependency_file.empty() && source[source.size() - 1] != 's') {
            dependency_files_.push_back(folder_.file(std::to_string(index) + ".d"));
            command.insert(command.end(), {"-MMD", "-MF", dependency_files_.back()});
        }
        const std::string stem = folder_.file(std::to_string(index));
        const std::string object = stem + ".o";
        if (language == source_language::opencl) {
            // The built-ins (opencl/) are linked in before optimization.
            command.insert(command.end(), {"-emit-llvm", "-S", source, "-o", stem + ".ll"});
            run_step(command, source);
            link_.add_opencl(stem + ".ll", source);
            return;
        }
        if (language == source_language::assembly) {
            command.insert(command.end(), {"-c", source, "-o", object});
            run_step(command, source);
            link_.add_object(object);
            return;
        }
        command.insert(command.end(), {"-emit-llvm", "-c", source, "-o", stem + ".bc"});
        run_step(command, source);
        // Nobody executes this object: it only has the signatures.
        compile_options quickly = options_;
        quickly.optimization = 0;
        auto back_end = compiler_command(tools_, quickly, source_language::llvm_ir);
        back_end.insert(back_end.end(), {"-c", stem + ".bc", "-o", object});
        run_step(back_end, source);
        link_.add_inlined(stem + ".bc", object);
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

    const std::vector<std::string>& sources_;
    const std::string& output_;
    const compile_options& options_;
    toolchain tools_;
    work_folder folder_;
    compile_result result_;
    link_steps link_;
    std::vector<std::string> dependency_files_;
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
