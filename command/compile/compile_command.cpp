// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/compile/compile_command.h"

#include <csignal>
#include <cstdio>

#include "models/base/text_table.h"

namespace heddle::command {

void compile(const compile_request& request) {
    std::signal(SIGPIPE, SIG_IGN);  // a reader of the output that goes away is an error to report
    const program::compile_result result =
        program::compile(request.sources, request.output, request.options);
    std::fputs(result.diagnostics.c_str(), stderr);
    using column = text_table::column;
    text_table table({column{"kernel"}, column{"parameters"},
                      column{"registers", text_table::align::right},
                      column{"shared bytes", text_table::align::right},
                      column{"stack bytes", text_table::align::right}});
    for (const program::kernel& kernel : result.program->kernels()) {
        std::string parameters;
        for (const program::kernel_parameter& parameter : kernel.parameters) {
            if (!parameters.empty()) parameters += ", ";
            parameters += parameter.type + " " + parameter.name;
        }
        table.add_row({kernel.name, parameters, std::to_string(kernel.registers),
                       std::to_string(kernel.static_shared_bytes),
                       kernel.stack_bytes ? std::to_string(*kernel.stack_bytes) : "unbounded"});
    }
    std::fputs((request.output + "\n" + table.str()).c_str(), stdout);
}

}  // namespace heddle::command
