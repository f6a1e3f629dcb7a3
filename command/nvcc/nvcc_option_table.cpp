// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/nvcc/nvcc_option_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "command/nvcc/nvcc_ignored_options.h"
#include "command/nvcc/words_of_others.h"
#include "models/base/error.h"
#include "models/program/cuda_build.h"
#include "models/program/opencl_build.h"

namespace heddle::command {
namespace {

/// Takes what has no meaning for this machine.
void ignore_option(nvcc_request&, const std::string&) {}

auto phase_option(nvcc_phase phase) {
    return [phase](nvcc_request& r, const std::string&) { r.phase = phase; };
}

auto device_option(const char* extension) {
    return [extension](nvcc_request& r, const std::string&) {
        r.phase = nvcc_phase::device;
        r.device_extension = extension;
    };
}

auto flag_option(bool nvcc_request::*member) {
    return [member](nvcc_request& r, const std::string&) { r.*member = true; };
}

/// For both halves, behind its option.
auto preprocessor_option(const char* option) {
    const bool apart = std::string_view(option).size() > 2;
    return [option, apart](nvcc_request& r, const std::string& text) {
        for (const std::string& each :
             apart || option[1] == 'I' ? comma_list(text) : std::vector{text}) {
            if (!apart) {
                r.preprocessor.push_back(option + each);
            } else {
                r.preprocessor.insert(r.preprocessor.end(), {option, each});
            }
        }
    };
}

auto host_option(const char* option) {
    return [option](nvcc_request& r, const std::string& text) { r.host.push_back(option + text); };
}

auto dependency_option(const char* option, bool has_value) {
    return [option, has_value](nvcc_request& r, const std::string& text) {
        r.dependencies.emplace_back(option);
        if (has_value) r.dependencies.push_back(text);
    };
}

void set_depend(nvcc_request& r, const char* option) {
    r.phase = nvcc_phase::depend;
    r.depend_option = option;
}

bool truth_of(const char* option, const std::string& text) {
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    throw configuration_error(std::string("nvcc: ") + option + "=" + text + "; legal: true, false");
}

void set_relocatable(nvcc_request& r, const std::string& text) {
    r.relocatable = truth_of("-rdc", text);
}

void set_standard(nvcc_request& r, const std::string& text) {
    static constexpr std::array known{"c++03", "c++11", "c++14", "c++17", "c++20"};
    if (std::find(known.begin(), known.end(), text) == known.end()) {
        throw configuration_error("nvcc: -std=" + text +
                                  "; legal: c++03, c++11, c++14, c++17, c++20");
    }
    // The headers of the device half need C++11.
    r.standard = "-std=" + (text == "c++03" ? "c++11" : text);
    if (text == "c++03") r.warnings.emplace_back("nvcc: -std=c++03 is compiled as c++11");
}

void set_registers(nvcc_request& r, const std::string& text) {
    unsigned count = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, count);
    if (read.ec != std::errc() || read.ptr != end) {
        throw configuration_error("nvcc: -maxrregcount=" + text + "; legal: a number of registers");
    }
    constexpr unsigned fewest = program::cuda_source::fewest_registers;
    if (count != 0 && count < fewest) {
        r.warnings.push_back("nvcc: -maxrregcount=" + text + " is taken as " +
                             std::to_string(fewest) + ": calls pass arguments in the first " +
                             std::to_string(fewest));
    }
    r.most_registers = count == 0 ? 0 : std::max(count, fewest);
}

void set_language(nvcc_request& r, const std::string& text) {
    if (text != "cu" && text != "c" && text != "c++") {
        throw configuration_error("nvcc: -x " + text + "; legal: cu, c, c++");
    }
    r.all_cuda = text == "cu";
}

void set_optimization(nvcc_request& r, const std::string& level) {
    const std::string text = level == "4" || level == "fast" ? "3" : level;
    if (text.size() != 1 || (text != "s" && (text[0] < '0' || text[0] > '3'))) {
        throw configuration_error("nvcc: -O" + text + "; legal: -O0, -O1, -O2, -O3, -Os");
    }
    r.host.push_back("-O" + text);
}

void set_machine(nvcc_request& r, const std::string& text) {
    if (text == "64") {
        r.warnings.emplace_back(
            "nvcc: -m64 is not taken: the device has 32-bit addresses, so that the host half has "
            "them, too");
    } else if (text.rfind("arch=", 0) == 0 || text.rfind("tune=", 0) == 0) {
        r.warnings.push_back("nvcc: -m" + text + " is left out");
    } else if (text != "32") {
        throw configuration_error("nvcc: -m" + text + "; legal: 32, 64");
    }
}

/// Makefiles write several options in one word, with commas or blanks between them: nvcc gives them
/// to a shell.
std::vector<std::string> words_of_others(const std::string& text) {
    std::vector<std::string> all;
    for (const std::string& each : comma_list(text)) {
        const auto words = program::option_words(each);
        if (!words) throw configuration_error("nvcc: a quotation mark is not closed: " + text);
        all.insert(all.end(), words->begin(), words->end());
    }
    return all;
}

void take_host_words(nvcc_request& r, const std::string& text) {
    const std::vector<std::string> words = words_of_others(text);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (leave_out_host_word(r, word)) continue;
        const std::string option = word.substr(0, 2);
        // What the preprocessor takes is for both halves.
        const bool read = option == "-D" || option == "-I" || option == "-U";
        std::vector<std::string>& to = read ? r.preprocessor : r.host;
        to.push_back(word);
        if (read && word.size() == 2 && i + 1 < words.size()) to.back() += words[++i];
    }
}

void take_linker_words(nvcc_request& r, const std::string& text) {
    for (const std::string& each : words_of_others(text)) {
        r.link_words.insert(r.link_words.end(), {"-Xlinker", each});
    }
}

/// Only -v has a meaning: there is no assembler of that kind.
void take_assembler_words(nvcc_request& r, const std::string& text) {
    for (const std::string& each : comma_list(text)) {
        r.report_kernels |= each == "-v" || each == "--verbose";
    }
}

void take_library(nvcc_request& r, const std::string& text) {
    // curand: its functions for kernels are a header's. nvToolsExt: marks for a profiler.
    static constexpr std::array own{"cudart",    "cudart_static", "cuda",
                                    "cudadevrt", "curand",        "nvToolsExt"};
    for (const std::string& each : comma_list(text)) {
        if (std::find(own.begin(), own.end(), each) == own.end()) {
            r.link_words.push_back("-l" + (each == "omp" ? "gomp" : each));
        }
    }
}

void take_library_folder(nvcc_request& r, const std::string& text) {
    for (const std::string& each : comma_list(text)) r.link_words.push_back("-L" + each);
}

std::vector<nvcc_option> make_table() {
    return {
        {{"-o", "--output-file"},
         nvcc_value::joined,
         [](nvcc_request& r, const std::string& text) { r.output = text; },
         "the file to write"},
        {{"-odir", "--output-directory"},
         nvcc_value::separate,
         [](nvcc_request& r, const std::string& text) { r.output_folder = text; },
         "the folder of outputs that -o does not name"},
        {{"-c", "--compile"},
         nvcc_value::none,
         phase_option(nvcc_phase::objects),
         "compile to objects"},
        {{"-dc", "--device-c"},
         nvcc_value::none,
         [](nvcc_request& r, const std::string&) {
             r.phase = nvcc_phase::objects;
             r.relocatable = true;
         },
         "-c -rdc=true"},
        {{"-dw", "--device-w"},
         nvcc_value::none,
         phase_option(nvcc_phase::objects),
         "-c -rdc=false"},
        {{"-cubin", "--cubin"},
         nvcc_value::none,
         device_option(".cubin"),
         "the device program alone"},
        {{"-fatbin", "--fatbin"}, nvcc_value::none, device_option(".fatbin"), "the same"},
        {{"-ptx", "--ptx"},
         nvcc_value::none,
         device_option(".ptx"),
         "the same, for cuModuleLoad() and heddle run"},
        {{"--device-only"}, nvcc_value::none, device_option(".elf"), "the same"},
        {{"-dlink", "--device-link"},
         nvcc_value::none,
         phase_option(nvcc_phase::device_link),
         "link the device code of objects that were compiled with -dc"},
        {{"-lib", "--lib"},
         nvcc_value::none,
         phase_option(nvcc_phase::archive),
         "an archive of objects"},
        {{"-E", "--preprocess"},
         nvcc_value::none,
         phase_option(nvcc_phase::preprocess),
         "preprocess the host half"},
        {{"-M", "--generate-dependencies"},
         nvcc_value::none,
         [](nvcc_request& r, const std::string&) { set_depend(r, "-M"); },
         "a rule for make"},
        {{"-MM", "--generate-nonsystem-dependencies"},
         nvcc_value::none,
         [](nvcc_request& r, const std::string&) { set_depend(r, "-MM"); },
         "the same without system headers"},
        {{"-MD", "--generate-dependencies-with-compile"},
         nvcc_value::none,
         dependency_option("-MD", false),
         "-M while compiling"},
        {{"-MMD", "--generate-nonsystem-dependencies-with-compile"},
         nvcc_value::none,
         dependency_option("-MMD", false),
         "-MM while compiling"},
        {{"-MF", "--dependency-output"},
         nvcc_value::separate,
         dependency_option("-MF", true),
         "where the rule goes"},
        {{"-MT", "--dependency-target-name"},
         nvcc_value::separate,
         dependency_option("-MT", true),
         "what the rule makes"},
        {{"-MP", "--generate-dependency-targets"},
         nvcc_value::none,
         dependency_option("-MP", false),
         "a rule for each header, too"},
        {{"-I", "--include-path"},
         nvcc_value::joined,
         preprocessor_option("-I"),
         "folder of headers"},
        {{"-isystem", "--system-include"},
         nvcc_value::joined,
         preprocessor_option("-isystem"),
         "folder of headers without warnings"},
        {{"-include", "--pre-include"},
         nvcc_value::separate,
         preprocessor_option("-include"),
         "header in front of the source"},
        {{"-D", "--define-macro"}, nvcc_value::joined, preprocessor_option("-D"), "macro"},
        {{"-U", "--undefine-macro"}, nvcc_value::joined, preprocessor_option("-U"), "no macro"},
        {{"-l", "--library"}, nvcc_value::joined, take_library, "library"},
        {{"-L", "--library-path"}, nvcc_value::joined, take_library_folder, "folder of libraries"},
        {{"-O", "--optimize"},
         nvcc_value::joined,
         set_optimization,
         "optimization of the host half; device code has -O2"},
        {{"-g", "--debug"},
         nvcc_value::none,
         host_option("-g"),
         "debug information of the host half"},
        {{"-pg", "--profile"},
         nvcc_value::none,
         host_option("-pg"),
         "gprof's profile of the host half"},
        {{"-G", "--device-debug"},
         nvcc_value::none,
         flag_option(&nvcc_request::device_debug),
         "device code without optimization"},
        {{"-std", "--std"}, nvcc_value::separate, set_standard, "c++11, c++14, c++17, c++20"},
        {{"-x", "--x"}, nvcc_value::separate, set_language, "cu: every source is CUDA"},
        {{"-Xcompiler", "--compiler-options"},
         nvcc_value::separate,
         take_host_words,
         "options of the host's compiler, with commas between them"},
        {{"-Xlinker", "--linker-options"},
         nvcc_value::separate,
         take_linker_words,
         "options of the linker, likewise"},
        {{"-Xptxas", "--ptxas-options"},
         nvcc_value::separate,
         take_assembler_words,
         "-v: what each kernel uses"},
        {{"-res-usage", "--resource-usage"},
         nvcc_value::none,
         flag_option(&nvcc_request::report_kernels),
         "the same"},
        {{"-Wdouble", "--warn-double"},
         nvcc_value::none,
         flag_option(&nvcc_request::warn_double),
         "warn of kernels that compute in double precision, and of the lines"},
        {{"-rdc", "--relocatable-device-code"},
         nvcc_value::separate,
         set_relocatable,
         "true: device code is linked over files"},
        {{"-use_fast_math", "--use_fast_math"},
         nvcc_value::none,
         flag_option(&nvcc_request::fast_math),
         "sinf and others by the special-function unit"},
        {{"-maxrregcount", "--maxrregcount"},
         nvcc_value::separate,
         set_registers,
         "registers of a thread at most: 18 to 31"},
        {{"-fmad", "--fmad"},
         nvcc_value::separate,
         [](nvcc_request& r, const std::string& text) { r.contract = truth_of("-fmad", text); },
         "false: a*b+c stays two roundings"},
        {{"-shared", "--shared"},
         nvcc_value::none,
         flag_option(&nvcc_request::shared),
         "a shared library"},
        {{"-w", "--disable-warnings"}, nvcc_value::none, host_option("-w"), "no warnings"},
        {{"-Werror", "--Werror"},
         nvcc_value::separate,
         [](nvcc_request& r, const std::string& text) {
             if (text.find("all-warnings") != std::string::npos) r.host.emplace_back("-Werror");
         },
         "all-warnings: they are errors"},
        {{"-m", "--machine"}, nvcc_value::joined, set_machine, "32"},
        {{"-keep", "--keep", "-save-temps", "--save-temps"},
         nvcc_value::none,
         flag_option(&nvcc_request::keep),
         "leave the intermediate files"},
        {{"-v", "--verbose"},
         nvcc_value::none,
         flag_option(&nvcc_request::show_commands),
         "show the commands"},
        {{"-dryrun", "--dryrun"},
         nvcc_value::none,
         [](nvcc_request& r, const std::string&) { r.dry_run = r.show_commands = true; },
         "only show them"},
        {{"-V", "--version"}, nvcc_value::none, phase_option(nvcc_phase::version), "the version"},
        {{"-h", "--help"}, nvcc_value::none, phase_option(nvcc_phase::help), "this text"},
        {{"-extended-lambda", "--extended-lambda", "-expt-extended-lambda",
          "--expt-extended-lambda"},
         nvcc_value::none,
         [](nvcc_request& r, const std::string&) {
             r.preprocessor.emplace_back("-D__CUDACC_EXTENDED_LAMBDA__");
         },
         ""},
        {{std::begin(nvcc_ignored_values), std::end(nvcc_ignored_values)},
         nvcc_value::separate,
         ignore_option,
         ""},
        {{std::begin(nvcc_ignored_flags), std::end(nvcc_ignored_flags)},
         nvcc_value::none,
         ignore_option,
         ""},
    };
}

}  // namespace

const std::vector<nvcc_option>& nvcc_option_table() {
    static const std::vector<nvcc_option> table = make_table();
    return table;
}

std::vector<std::string> comma_list(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    std::string part;
    // A backslash keeps the comma behind it.
    for (std::string piece; std::getline(in, piece, ',');) {
        part += piece;
        if (!part.empty() && part.back() == '\\') {
            part.back() = ',';
            continue;
        }
        if (!part.empty()) parts.push_back(part);
        part.clear();
    }
    if (!part.empty()) parts.push_back(part);
    return parts;
}

}  // namespace heddle::command
