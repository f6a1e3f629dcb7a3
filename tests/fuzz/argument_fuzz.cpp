// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Arguments of a kernel (--arg), one a line.
#include <cctype>
#include <sstream>
#include <string>
#include <vector>

#include "command/run/data/program_arguments.h"
#include "models/base/error.h"
#include "models/iss/simulator.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace heddle;

/// A kernel with a parameter of each kind but structs, which come from files.
program::kernel every_kind() {
    using kind = program::kernel_parameter::kind;
    using program::layout_field;
    const program::value_layout pair{8,
                                     {{"a", layout_field::kind::floating, 0, 4, 1},
                                      {"b", layout_field::kind::signed_integer, 4, 1, 3}}};
    program::kernel made;
    made.name = "every_kind";
    made.parameters = {{"n", "unsigned int", kind::integer, 0, 4, false, {}, {}},
                       {"c", "char", kind::integer, 4, 1, false, {}, {}},
                       {"x", "float", kind::floating, 8, 4, false, {}, {}},
                       {"d", "double", kind::floating, 16, 8, false, {}, {}},
                       {"in", "const float *", kind::pointer, 24, 4, false, {}, {}},
                       {"pairs", "pair *", kind::pointer, 28, 4, false, pair, {}},
                       {"local", "__local int *", kind::local_pointer, 32, 4, false, {}, {}}};
    made.parameter_bytes = 36;
    return made;
}

/// A buffer of a million elements teaches nothing, and is slow.
bool asks_for_much(const std::string& text) {
    std::size_t digits = 0;
    for (const char c : text) {
        digits = std::isxdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0;
        if (digits > 5) return true;
    }
    return false;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const program::kernel kernel = every_kind();
    std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
    std::vector<std::string> texts;
    for (std::string line; std::getline(lines, line);) texts.push_back(line);
    // What comes after the kernel's parameters is not looked at: the rest are defaults.
    static const char* const legal[] = {"1", "2", "0.5", "2.5", "in:f32[4]", "pairs:record[2]",
                                        "16"};
    texts.resize(std::min(texts.size(), kernel.parameters.size()));
    for (std::size_t n = texts.size(); n < kernel.parameters.size(); ++n) texts.push_back(legal[n]);
    std::vector<command::located_text> arguments_of_user;
    for (const std::string& text : texts) {
        if (text.find('[') != std::string::npos && asks_for_much(text)) return 0;
        if (text.find('@') != std::string::npos) return 0;  // the host's files
        arguments_of_user.push_back({text, "--arg " + text});
    }
    iss::functional_simulator target{machine_configuration()};
    try {
        command::argument_buffers buffers;
        const command::program_arguments arguments(kernel, arguments_of_user,
                                                   command::buffer_naming::defined, "", buffers);
        buffers.make(target, 1);
        for (const command::argument_buffer& buffer : buffers.all()) {
            std::vector<std::byte> bytes(buffer.bytes());
            target.read(bytes.data(), buffer.address, bytes.size());
            (void)buffer.preview(bytes);
        }
        launch_shape shape;
        (void)arguments.pack(kernel, shape, buffers);
    } catch (const configuration_error&) {
    }
    return 0;
}
