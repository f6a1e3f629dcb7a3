// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/host_program.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "command/reported_errors.h"
#include "command/run/run_command.h"
#include "command/run_options.h"
#include "command/usage.h"
#include "models/base/data_folders.h"
#include "models/base/error.h"

namespace heddle::command {
namespace {

/// What --option and --input may say, for the end of --help.
std::string options_of(const workloads::workload& own) {
    const auto prepared = own.prepare();
    std::string text;
    for (const parameter& one : prepared->options().parameters()) {
        text += "  " + one.key + " = " + to_text(one.get()) + "  " + one.description + "\n";
    }
    if (!text.empty()) text = "Options of --option, with their defaults:\n" + text;
    if (own.default_input.empty()) return text;
    return text + "Input without --input: " + own.default_input + "\n";
}

void command_line(int argc, char** argv, const workloads::workload& own) {
    CLI::App app{own.description, own.name};
    run_request request;
    request.own = &own;
    request.what = own.name;
    request.typed.assign(argv, argv + argc);
    add_workload_options(app, request);
    app.get_option("--option")
        ->description("Change an option of the program, see below; may be\nrepeated");
    refuse_empty_values(app);
    app.footer(options_of(own));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // Help is an "error" with code 0; every other one is wrong usage.
        if (error.get_exit_code() != 0) throw configuration_error(usage_text(app, error));
        app.exit(error);
        return;
    }
    run(request, data_folders_in_use().configurations);
}

}  // namespace

/// libsystemc has a main() that calls this one. A host program has its own main(), and does not
/// have to know.
}  // namespace heddle::command

extern "C" [[gnu::weak]] int sc_main(int, char**) {
    return heddle::exit_code(heddle::error_kind::wrong_result);
}

namespace heddle::command {

int run_host_program(int argc, char** argv, const workloads::workload& own) {
    return reported_errors(own.name, [&] { command_line(argc, argv, own); });
}

}  // namespace heddle::command
