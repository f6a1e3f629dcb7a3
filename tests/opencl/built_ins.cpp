// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/opencl/built_ins.h"

#include "models/base/machine_configuration.h"
#include "models/program/image.h"
#include "tests/program/compiled_program.h"

namespace heddle::opencl::test {

std::string type_name(const std::string& scalar, unsigned width) {
    return width == 1 ? scalar : scalar + std::to_string(width);
}

std::string load(const std::string& name, unsigned width) {
    return width == 1 ? name + "[i]" : "vload" + std::to_string(width) + "(i, " + name + ")";
}

std::string store(const std::string& value, const std::string& name, unsigned width) {
    return width == 1 ? name + "[i] = " + value + ";"
                      : "vstore" + std::to_string(width) + "(" + value + ", i, " + name + ");";
}

std::string kernel_text(const std::string& name, const std::string& out,
                        const std::vector<std::string>& in, unsigned width,
                        const std::string& expression) {
    std::string parameters = "global " + out + "* out";
    std::string values;
    for (std::size_t n = 0; n < in.size(); ++n) {
        const std::string argument(1, static_cast<char>('a' + n));
        parameters += ", global const " + in[n] + "* " + argument;
        values += type_name(in[n], width) + " " + static_cast<char>('A' + n) + " = " +
                  load(argument, width) + "; ";
    }
    return "kernel void " + name + "(" + parameters + ") { size_t i = get_global_id(0); " + values +
           store(expression, "out", width) + " }\n";
}

built_ins::built_ins(const std::string& text) {
    machine_configuration machine;
    machine.smx_count = 2;
    gpu_ = std::make_unique<iss::functional_simulator>(machine);
    gpu_->load(std::make_shared<program::image>(
        program::image::load(program::test::compile_text(text, "kernel.cl"))));
}

}  // namespace heddle::opencl::test
