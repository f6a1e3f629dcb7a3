// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <vector>

#include "library/calls/given.h"
#include "library/calls/handles.h"
#include "models/device/find_variable.h"
#include "models/device/program_table.h"
#include "models/program/image.h"

namespace {

using namespace heddle;
using namespace heddle::library;
using parameter_kind = program::kernel_parameter::kind;

heddle_kind kind_of(parameter_kind kind) {
    switch (kind) {
        case parameter_kind::integer:
            return HEDDLE_INTEGER;
        case parameter_kind::floating:
            return HEDDLE_FLOATING;
        case parameter_kind::pointer:
            return HEDDLE_POINTER;
        case parameter_kind::aggregate:
            return HEDDLE_STRUCT;
        case parameter_kind::local_pointer:
            return HEDDLE_LOCAL_POINTER;
    }
    return HEDDLE_STRUCT;
}

struct named_kernel {
    const program::kernel* kernel;
    const program::image* program;
};

/// In the order of the programs' loads, of a program by name.
std::vector<named_kernel> all_kernels(library::machine& m) {
    std::vector<named_kernel> all;
    for (const auto& [id, held] : m.programs().held()) {
        for (const program::kernel& k : held->image->kernels()) {
            all.push_back({&k, held->image.get()});
        }
    }
    return all;
}

named_kernel kernel_at(library::machine& m, size_t index) {
    const std::vector<named_kernel> all = all_kernels(m);
    return all[given_index(index, all.size(), "kernels")];
}

void show(const program::kernel& found, heddle_kernel& into) {
    into.name = found.name.c_str();
    into.parameter_count = found.parameters.size();
    into.registers = found.registers;
    into.shared_bytes = found.static_shared_bytes;
    const dim3 block = found.required_block.value_or(dim3{0, 0, 0});
    into.block[0] = block.x;
    into.block[1] = block.y;
    into.block[2] = block.z;
}

}  // namespace

heddle_status heddle_load(heddle_machine* machine, const char* file) {
    return call(__func__, machine, [&](library::machine& m) { m.load(given_text(file, "file")); });
}

heddle_status heddle_unload(heddle_machine* machine, const char* file) {
    return call(__func__, machine,
                [&](library::machine& m) { m.unload(given_text(file, "file")); });
}

heddle_status heddle_diagnostics(heddle_machine* machine, const char** text) {
    return call(__func__, machine,
                [&](library::machine& m) { given(text, "text") = m.diagnostics().c_str(); });
}

heddle_status heddle_kernel_count(heddle_machine* machine, size_t* count) {
    return call(__func__, machine,
                [&](library::machine& m) { given(count, "count") = all_kernels(m).size(); });
}

heddle_status heddle_get_kernel(heddle_machine* machine, size_t index, heddle_kernel* kernel) {
    return call(__func__, machine, [&](library::machine& m) {
        heddle_kernel& into = given_struct(kernel, "kernel", "heddle_kernel");
        show(*kernel_at(m, index).kernel, into);
    });
}

heddle_status heddle_get_kernel_program(heddle_machine* machine, size_t index, const char** name) {
    return call(__func__, machine, [&](library::machine& m) {
        given(name, "name") = kernel_at(m, index).program->name().c_str();
    });
}

heddle_status heddle_find_kernel(heddle_machine* machine, const char* name, heddle_kernel* kernel) {
    return call(__func__, machine, [&](library::machine& m) {
        heddle_kernel& into = given_struct(kernel, "kernel", "heddle_kernel");
        show(m.programs().find_kernel(given_text(name, "name")), into);
    });
}

heddle_status heddle_get_kernel_parameter(heddle_machine* machine, const char* kernel, size_t index,
                                          heddle_kernel_parameter* parameter) {
    return call(__func__, machine, [&](library::machine& m) {
        heddle_kernel_parameter& into =
            given_struct(parameter, "parameter", "heddle_kernel_parameter");
        const program::kernel& of = m.programs().find_kernel(given_text(kernel, "kernel"));
        const program::kernel_parameter& found =
            of.parameters[given_index(index, of.parameters.size(), "parameters")];
        into.name = found.name.c_str();
        into.type = found.type.c_str();
        into.kind = kind_of(found.what);
        into.bytes = found.size;
        into.is_signed = found.is_signed ? 1 : 0;
    });
}

heddle_status heddle_find_variable(heddle_machine* machine, const char* name, uint32_t* address,
                                   uint32_t* bytes) {
    return call(__func__, machine, [&](library::machine& m) {
        const program::symbol& found = find_variable(m.programs(), given_text(name, "name"));
        given(address, "address") = found.address;
        given(bytes, "bytes") = found.size;
    });
}
