// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/sweep/sweep_arguments.h"

#include <cstdio>

#include "command/script.h"
#include "command/sweep/validate_command.h"

namespace heddle::command {

void add_sweep(CLI::App& app) {
    CLI::App* const added =
        app.add_subcommand("sweep", "Run all points of a space of parameters, options and inputs");
    added->set_help_flag();  // the script has its own
    added->prefix_command();
    added->callback([added] { become_script("sweep", added->remaining()); });
}

void add_validate(CLI::App& app, std::string& file, const std::filesystem::path& configurations) {
    CLI::App* const added = app.add_subcommand(
        "validate", "Check the settings of many runs without running them, for scripts");
    added
        ->add_option("file", file,
                     "A line of JSON for each run, with keys what, config, set,\noption, input and "
                     "mode; - is standard input")
        ->type_name("FILE")
        ->required();
    added->callback([&] {
        const std::string answers = validate_file(file, configurations);
        std::fwrite(answers.data(), 1, answers.size(), stdout);
    });
}

}  // namespace heddle::command
