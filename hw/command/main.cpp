// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The `heddle` command: reads the command line, nothing else.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "hw/command/compile_command.h"
#include "hw/command/extent.h"
#include "hw/command/run_command.h"
#include "models/base/error.h"

namespace {

using namespace heddle;

/// Configurations that NAME refers to.
const std::filesystem::path configurations = HEDDLE_CONFIGURATION_DIRECTORY;

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void add_run(CLI::App& app, command::run_request& request, std::string& grid, std::string& block,
             int& result) {
    CLI::App* const run = app.add_subcommand("run", "Run a workload, or a kernel of an ELF file");
    // Scripts put defaults in front of what their users add.
    run->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    run->add_option("what", request.what, "Workload (see 'heddle list workloads') or ELF file")
        ->required();
    run->add_option("--config", request.configuration, "Configuration: NAME or FILE.toml");
    run->add_option("--set", request.settings, "Change a parameter: key=value")
        ->take_all()
        ->allow_extra_args(false);
    run->add_option("--input", request.input, "Input: FILE or GENERATOR:key=value,...");
    run->add_option("--option", request.options, "Change an option of the workload: key=value")
        ->take_all()
        ->allow_extra_args(false);
    run->add_option("--seed", request.seed, "Seed of all random inputs");
    run->add_option("--stats", request.statistics_file, "Write all statistics: FILE.json or .csv");
    run->add_option("--kernel", request.kernel, "ELF file: the kernel to launch");
    run->add_option("--grid", grid, "ELF file: blocks, X[,Y[,Z]]");
    run->add_option("--block", block, "ELF file: threads per block, X[,Y[,Z]]");
    run->add_option("--shared", request.dynamic_shared_bytes,
                    "ELF file: bytes of dynamic shared memory per block");
    run->add_option("--arg", request.arguments,
                    "ELF file: next argument; a number, or for a pointer NAME:TYPE[COUNT][=INIT] "
                    "with TYPE i8 u8 i16 u16 i32 u32 f32 and INIT a number, iota or random")
        ->take_all()
        ->allow_extra_args(false);
    run->callback([&] {
        request.grid = command::parse_extent("--grid", grid);
        request.block = command::parse_extent("--block", block);
        result = command::run(request, configurations);
    });
}

void add_list(CLI::App& app, std::string& topic, bool& as_json) {
    CLI::App* const list = app.add_subcommand("list", "List what there is");
    list->add_option("topic", topic, "workloads, configs, statistics or parameters")->required();
    list->add_flag("--json", as_json, "Machine-readable");
    list->callback([&] { print(command::list(topic, as_json, configurations)); });
}

void add_describe(CLI::App& app, std::string& name, std::vector<std::string>& settings,
                  bool& as_json) {
    CLI::App* const describe = app.add_subcommand("describe", "Show one thing in full");
    describe->require_subcommand(1);
    CLI::App* const config = describe->add_subcommand("config", "A configuration, key by key");
    config->add_option("name", name, "NAME or FILE.toml")->required();
    config->add_option("--set", settings, "Change a parameter: key=value")
        ->take_all()
        ->allow_extra_args(false);
    config->add_flag("--json", as_json, "Machine-readable");
    config->callback(
        [&] { print(command::describe_configuration(name, settings, as_json, configurations)); });
}

void add_compile(CLI::App& app, command::compile_request& request) {
    CLI::App* const compile =
        app.add_subcommand("compile", "Compile device sources (C++, OpenCL C) to an ELF file");
    compile->add_option("files", request.sources, "Sources: .cpp .cl .c .S")->required();
    compile->add_option("-o,--output", request.output, "The ELF file to write")->required();
    compile->add_option("-O", request.options.optimization, "Optimisation level, 0 to 3");
    compile->add_option("-I", request.options.include_directories, "Include directory")
        ->take_all()
        ->allow_extra_args(false);
    compile->add_option("-D", request.options.definitions, "Macro: NAME or NAME=value")
        ->take_all()
        ->allow_extra_args(false);
    compile->add_flag("!--no-contract", request.options.contract_floating_point,
                      "Keep a*b+c two roundings");
    compile->callback([&] { command::compile(request); });
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Heddle: a transaction-level model of a GPU"};
    app.require_subcommand(1);
    app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
    int result = 0;
    command::run_request run;
    command::compile_request compile;
    std::string grid = "1";
    std::string block = "32";
    std::string topic;
    std::string configuration;
    std::vector<std::string> settings;
    bool as_json = false;
    add_run(app, run, grid, block, result);
    add_list(app, topic, as_json);
    add_describe(app, configuration, settings, as_json);
    add_compile(app, compile);
    try {
        app.parse(argc, argv);
        return result;
    } catch (const CLI::ParseError& error) {
        // Help and version are "errors" with code 0; every other one is wrong usage.
        return app.exit(error) == 0 ? 0 : exit_code(error_kind::configuration);
    } catch (const run_error& error) {
        std::fprintf(stderr, "heddle: %s\n", error.what());
        return exit_code(error.kind());
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "heddle: the host is out of memory\n");
        return exit_code(error_kind::configuration);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "heddle: internal error: %s\n", error.what());
        return exit_code(error_kind::wrong_result);
    }
}
