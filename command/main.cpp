// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The `heddle` command: reads the command line, nothing else.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "command/compare/compare_command.h"
#include "command/compile/compile_command.h"
#include "command/device_server/device_server_command.h"
#include "command/guest/guest_program.h"
#include "command/nvcc/nvcc_command.h"
#include "command/random/random_command.h"
#include "command/report/report_command.h"
#include "command/reported_errors.h"
#include "command/run/run_command.h"
#include "command/run_options.h"
#include "command/script.h"
#include "command/studies/feasibility_command.h"
#include "command/studies/limit_study_command.h"
#include "command/sweep/sweep_arguments.h"
#include "command/usage.h"
#include "models/base/data_folders.h"
#include "models/base/error.h"
#include "models/base/output_file.h"

namespace {

using namespace heddle;

/// Configurations that NAME refers to.
const std::filesystem::path& configurations = data_folders_in_use().configurations;

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void add_list(CLI::App& app, std::string& topic, bool& as_json) {
    CLI::App* const list =
        app.add_subcommand("list", "List workloads, configs, statistics, parameters or formations");
    list->add_option("topic", topic, "workloads, configs, statistics, parameters or formations")
        ->type_name("TOPIC")
        ->required();
    list->add_flag("--json", as_json, "Machine-readable");
    list->callback([&] { print(command::list(topic, as_json, configurations)); });
}

void add_describe(CLI::App& app, std::string& name, std::vector<std::string>& settings,
                  bool& as_json, std::string& file) {
    CLI::App* const describe = app.add_subcommand(
        "describe", "Show a configuration, its latencies, credits, areas or netlist");
    describe->require_subcommand(1);
    const auto add_what = [&](const char* topic, const char* text) {
        CLI::App* const add = describe->add_subcommand(topic, text);
        add->add_option("name", name, "The configuration")->type_name("NAME|FILE.toml")->required();
        command::add_repeated(*add, "--set", settings, "KEY=VALUE",
                              "Change a parameter; may be repeated");
        return add;
    };
    const auto add_topic = [&](const char* topic, const char* text, auto description) {
        CLI::App* const add = add_what(topic, text);
        add->add_flag("--json", as_json, "Machine-readable");
        add->callback([&name, &settings, &as_json, description] {
            print(description(name, settings, as_json, configurations));
        });
    };
    add_topic("config", "Show a configuration, key by key", command::describe_configuration);
    add_topic("latency",
              "Show the core cycles of a load that meets no other\nload, by level and stage",
              command::describe_latency);
    add_topic("credits",
              "Show the queues, buffers and miss registers on the way to\nmemory, and what their "
              "bandwidth needs",
              command::describe_credits);
    add_topic(
        "area",
        "Show the storage and area of dynamic warp formation, of\ndynamic thread block launch "
        "and of transactional memory,\nbeside their papers",
        command::describe_area);
    CLI::App* const drawn = add_what("netlist",
                                     "Draw the modules of the machine and the links between them,\n"
                                     "as a graph for Graphviz (dot -Tsvg)");
    drawn->add_option("-o,--output", file, "The file to write; standard output if not given")
        ->type_name("FILE.dot");
    drawn->callback([&] {
        const std::string text = command::describe_netlist(name, settings, configurations);
        if (file.empty()) return print(text);
        write_file(file, text);
    });
}

void add_compile(CLI::App& app, command::compile_request& request) {
    CLI::App* const compile =
        app.add_subcommand("compile", "Compile device sources (C++, OpenCL C) to an ELF file");
    compile->add_option("files", request.sources, "Sources: .cpp .cl .c .S")
        ->type_name("FILE")
        ->required();
    compile->add_option("-o,--output", request.output, "The ELF file to write")
        ->type_name("FILE.elf")
        ->required();
    compile->add_option("-O", request.options.optimization, "Optimisation; 2 if not given")
        ->type_name("LEVEL")
        ->check(CLI::Range(0, 3));
    command::add_repeated(*compile, "-I", request.options.include_directories, "DIR",
                          "Include directory; may be repeated");
    command::add_repeated(*compile, "-D", request.options.definitions, "NAME[=VALUE]",
                          "Macro; may be repeated");
    compile->add_flag_callback(
        "--no-contract", [&request] { request.options.contract_floating_point = false; },
        "Round a*b and a*b+c separately");
    compile->add_option("--code-at", request.options.place.code,
                        "Address of the code, for a program beside others; 0x10000 if not given");
    compile->add_option("--data-at", request.options.place.data,
                        "Address of the global variables, likewise; 0x40000000 if not given");
    compile->add_flag_callback(
        "--no-double", [&request] { request.options.double_precision = false; },
        "OpenCL C: no type double; constants like 0.5 are floats");
    compile->callback([&] { command::compile(request); });
}

void add_random(CLI::App& app, command::random_request& request) {
    CLI::App* const random =
        app.add_subcommand("random", "Write a program of random divergent kernels");
    random->add_option("--seed", request.seed, "Names the program; 1 if not given")->type_name("N");
    random->add_option("--kernels", request.kernels, "How many kernels; 1 if not given")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    random
        ->add_option("-o,--output", request.output,
                     "The source file to write; standard output if not given")
        ->type_name("FILE");
    random->add_flag("--opencl", request.opencl, "Kernels in OpenCL C");
    random->add_flag("--atomics", request.atomics, "Atomics on global memory, too");
    random->add_option("--shrink", request.shrink, "Cut the kernel down while COMMAND FILE fails")
        ->type_name("COMMAND");
    random->callback([&] { command::random(request); });
}

void add_compare(CLI::App& app, std::string& a, std::string& b, bool& as_json) {
    CLI::App* const compare =
        app.add_subcommand("compare", "Show the differences between the statistics of two runs");
    compare->add_option("a", a, "Statistics of one run (heddle run --stats)")
        ->type_name("A.json")
        ->required();
    compare->add_option("b", b, "Statistics of the other run")->type_name("B.json")->required();
    compare->add_flag("--json", as_json, "Machine-readable");
    compare->callback([&] { print(command::compare(a, b, as_json)); });
}

void add_limit_study(CLI::App& app, std::string& file, bool& as_json) {
    CLI::App* const study = app.add_subcommand(
        "limit_study", "Show what other reconvergence points could save, from traces");
    study->add_option("file", file, "Traces of a run (heddle run --retire)")
        ->type_name("FILE[.gz]")
        ->required();
    study->add_flag("--json", as_json, "Machine-readable");
    study->callback([&] { print(command::limit_study(file, as_json)); });
}

void add_feasibility(CLI::App& app, command::feasibility_request& request, bool& as_json) {
    CLI::App* const study = app.add_subcommand(
        "tm_feasibility", "Show which mechanisms of transactional memory a kernel can use");
    study->add_option("program", request.program, "The program: a workload or a compiled file")
        ->type_name("WORKLOAD|FILE.elf")
        ->required();
    study->add_option("--config", request.configuration, "The machine; si if not given")
        ->type_name("NAME|FILE.toml");
    command::add_repeated(*study, "--set", request.settings, "KEY=VALUE",
                          "Change a parameter; may be repeated");
    study->add_option("--block", request.threads, "Threads of a block; 256 if not given")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    study
        ->add_option("--shared", request.dynamic_shared_bytes,
                     "Bytes of dynamic shared memory of a block; 0 if not given")
        ->type_name("N");
    study->add_flag("--json", as_json, "Machine-readable");
    study->callback([&] { print(command::tm_feasibility(request, as_json, configurations)); });
}

/// The options are those of the script, which also shows the help.
void add_report(CLI::App& app) {
    CLI::App* const report =
        app.add_subcommand("report", "Write a page about runs, a sweep or a paper: one HTML file");
    report->set_help_flag();
    report->prefix_command();
    report->callback([report] { command::report(report->remaining()); });
}

/// The options are those of the script, which also shows the help.
void add_why(CLI::App& app) {
    CLI::App* const why = app.add_subcommand(
        "why", "Measure what limits a program on a machine: what if a part were ideal?");
    why->set_help_flag();
    why->prefix_command();
    why->callback([why] { command::become_script("why", why->remaining()); });
}

/// The options are nvcc's, which also shows the help.
void add_nvcc(CLI::App& app, int& code) {
    CLI::App* const nvcc =
        app.add_subcommand("nvcc", "Compile and link CUDA programs, with the options of nvcc");
    nvcc->set_help_flag();
    nvcc->prefix_command();
    nvcc->callback([nvcc, &code] { code = command::nvcc(nvcc->remaining()); });
}

/// A debugger would need the program's compiled kernels before there are any.
void add_guest_options(CLI::App& options, command::run_request& request, bool& double_precision) {
    command::add_device_options(options, request);
    options.add_flag_callback(
        "--no-double", [&double_precision] { double_precision = false; },
        "The device has no double precision (cl_khr_fp64)");
    options.remove_option(options.get_option("--gdb"));
    command::refuse_empty_values(options);
}

/// Started by runtime libraries, not by users: not in the help.
void add_device_server(CLI::App& app, command::device_server_request& request) {
    CLI::App* const server = app.add_subcommand("device-server", "Serve a program with a device");
    server->group("");
    server->add_option("--program", request.run.what, "Name of the program");
    server->add_option("--number", request.number, "Which device of its process it is");
    server->add_option("--claims", request.claims, "Folder of the numbers of several processes");
    add_guest_options(*server, request.run, request.double_precision);
    server->callback([&request] { command::serve_device(request, configurations); });
}

/// `run`: what runs the program.
void add_guest(CLI::App& app, const char* name, const char* text, command::guest_request& request,
               decltype(command::run_opencl)& run, int& code) {
    CLI::App* const guest = app.add_subcommand(name, text);
    add_guest_options(*guest, request.run, request.double_precision);
    guest->callback([&] {
        command::split_command_line(request.run.typed, request);
        code = run(request, configurations);
    });
}

/// Returns the exit code of a command that ends as another program does; 0 of others.
int command_line(int argc, char** argv) {
    CLI::App app{"Heddle: a transaction-level model of a GPU", "heddle"};
    app.require_subcommand(1);
    app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
    command::run_request run;
    run.typed.assign(argv, argv + argc);
    command::run_request debugged = run;
    command::device_server_request served;
    served.run.typed = run.typed;
    command::guest_request opencl;
    opencl.run.typed = run.typed;
    opencl.run.guest = [](device&, const gpu_configuration&) {};
    command::guest_request cuda = opencl;
    int code = 0;
    command::compile_request compile;
    command::random_request random;
    std::string topic;
    std::string compared[2];
    std::string traces;
    command::feasibility_request feasibility;
    std::string configuration;
    std::vector<std::string> settings;
    std::string drawing;
    std::string validated;
    bool as_json = false;
    command::add_run(app, run, configurations);
    command::add_gdb(app, debugged, configurations);
    add_list(app, topic, as_json);
    add_describe(app, configuration, settings, as_json, drawing);
    add_compile(app, compile);
    add_nvcc(app, code);
    add_compare(app, compared[0], compared[1], as_json);
    add_random(app, random);
    add_report(app);
    add_why(app);
    add_limit_study(app, traces, as_json);
    add_feasibility(app, feasibility, as_json);
    add_guest(app, "opencl",
              "Run an OpenCL program: heddle opencl [OPTIONS] -- PROGRAM\n[ARGUMENTS]", opencl,
              command::run_opencl, code);
    add_guest(app, "cuda", "Run a CUDA program: heddle cuda [OPTIONS] -- PROGRAM [ARGUMENTS]", cuda,
              command::run_cuda, code);
    add_device_server(app, served);
    command::add_sweep(app);
    command::add_validate(app, validated, configurations);
    try {
        const std::vector<std::string> words =
            command::without_program(command::join_golden_values(argc, argv));
        std::vector<const char*> pointers;
        for (const std::string& word : words) pointers.push_back(word.c_str());
        app.parse(static_cast<int>(pointers.size()), pointers.data());
    } catch (const CLI::ParseError& error) {
        // Help and version are "errors" with code 0; every other one is wrong usage.
        if (error.get_exit_code() != 0) {
            throw configuration_error(command::usage_text(app, error));
        }
        app.exit(error);
    }
    return code;
}

}  // namespace

/// libsystemc has a main() that calls this one; ours takes its place, which saves the banner.
extern "C" int sc_main(int, char**) {
    return exit_code(error_kind::wrong_result);
}

int main(int argc, char** argv) {
    int code = 0;
    const int reported =
        command::reported_errors("heddle", [&] { code = command_line(argc, argv); });
    return reported != 0 ? reported : code;
}
