// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/calls/given.h"
#include "library/calls/handles.h"
#include "models/base/parameter.h"

namespace {

using namespace heddle;
using namespace heddle::library;

/// The texts live with the machine.
void show(machine& m, std::size_t index, heddle_parameter& into) {
    const parameter& found = m.parameters().parameters()[index];
    const machine::parameter_texts& texts = m.texts_of_parameters()[index];
    into.key = found.key.c_str();
    into.value = texts.value.c_str();
    into.default_value = texts.default_value.c_str();
    into.type = type_name(found.limits);
    into.legal = texts.legal.c_str();
    into.unit = found.unit.c_str();
    into.description = found.description.c_str();
    into.source = found.source.c_str();
}

}  // namespace

heddle_status heddle_parameter_count(heddle_machine* machine, size_t* count) {
    return call(__func__, machine, [&](library::machine& m) {
        given(count, "count") = m.parameters().parameters().size();
    });
}

heddle_status heddle_get_parameter(heddle_machine* machine, size_t index,
                                   heddle_parameter* parameter) {
    return call(__func__, machine, [&](library::machine& m) {
        heddle_parameter& into = given_struct(parameter, "parameter", "heddle_parameter");
        show(m, given_index(index, m.parameters().parameters().size(), "parameters"), into);
    });
}

heddle_status heddle_find_parameter(heddle_machine* machine, const char* key,
                                    heddle_parameter* parameter) {
    return call(__func__, machine, [&](library::machine& m) {
        heddle_parameter& into = given_struct(parameter, "parameter", "heddle_parameter");
        const std::string wanted = given_text(key, "key");
        const parameter_list& all = m.parameters();
        const heddle::parameter* const found = all.find(wanted);
        if (found == nullptr) {
            throw configuration_error(unknown_key_message(wanted, all.keys(), "'key'"));
        }
        show(m, static_cast<std::size_t>(found - all.parameters().data()), into);
    });
}
