// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Arguments of a kernel (--arg), one a line.
#include <cctype>
#include <sstream>
#include <string>
#include <vector>

#include "command/run/program_arguments.h"
#include "models/base/error.h"
#include "models/iss/simulator.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace heddle;

/// A kernel with a parameter of each kind.
program::kernel every_kind() {
    using kind = program::kernel_parameter::kind;
    program::kernel made;
    made.name = "every_kind";
    made.parameters = {{"n", "unsigned int", kind::integer, 0, 4},
                       {"c", "char", kind::integer, 4, 1},
                       {"x", "float", kind::floating, 8, 4},
                       {"d", "double", kind::floating, 16, 8},
                       {"in", "const float *", kind::pointer, 24, 4},
                       {"pair", "struct pair", kind::aggregate, 28, 8},
                       {"local", "__local int *", kind::local_pointer, 36, 4}};
    made.parameter_bytes = 40;
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
    static const char* const legal[] = {"1", "2", "0.5", "2.5", "in:f32[4]", "0x1", "16"};
    texts.resize(std::min(texts.size(), kernel.parameters.size()));
    for (std::size_t n = texts.size(); n < kernel.parameters.size(); ++n) texts.push_back(legal[n]);
    for (const std::string& text : texts) {
        if (text.find('[') != std::string::npos && asks_for_much(text)) return 0;
    }
    iss::functional_simulator target{machine_configuration()};
    try {
        const command::program_arguments arguments(kernel, texts, target, 1);
        for (const command::argument_buffer& buffer : arguments.buffers()) {
            std::vector<std::byte> bytes(buffer.bytes());
            target.read(bytes.data(), buffer.address, bytes.size());
            (void)buffer.preview(bytes);
        }
        launch_shape shape;
        (void)arguments.pack(kernel, shape);
    } catch (const configuration_error&) {
    }
    return 0;
}
