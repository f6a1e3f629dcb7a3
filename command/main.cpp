// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The `heddle` command: reads the command line, nothing else.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <string>

#include "command/compare/compare_command.h"
#include "command/compile/compile_command.h"
#include "command/run/run_command.h"
#include "command/studies/feasibility_command.h"
#include "command/studies/limit_study_command.h"
#include "command/sweep/sweep_arguments.h"
#include "command/usage.h"
#include "models/base/data_folders.h"
#include "models/base/error.h"
#include "models/base/output_file.h"
#include "models/workloads/launch_mode.h"

namespace {

using namespace heddle;

/// Configurations that NAME refers to.
const std::filesystem::path& configurations = data_folders_in_use().configurations;

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

/// An option that may be given several times, with one value each.
void add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                  const std::string& type, const std::string& description) {
    app.add_option(name, values, description)
        ->take_all()
        ->allow_extra_args(false)
        ->type_name(type)
        ->expected(1);
}

constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

void add_records(CLI::App& run, command::record_options& records) {
    const std::string group = "Timed machine: records";
    run.add_option("--series", records.series_file, "Write a row of statistics for each interval")
        ->type_name("FILE.csv|FILE.json")
        ->group(group);
    run.add_option(
           "--interval", records.interval,
           "Core cycles of an interval of --series and\n--thread-progress; 1000 if not given")
        ->type_name("N")
        ->check(command::whole_number(any_number))
        ->group(group);
    run.add_option("--blocks", records.blocks_file,
                   "Write where and when each thread block was dispatched,\nstarted and ended")
        ->type_name("FILE.csv")
        ->group(group);
    run.add_option("--launches", records.launches_file,
                   "Write when each launch ran and how much it executed")
        ->type_name("FILE.csv")
        ->group(group);
    add_repeated(
        run, "--show", records.shown_tables, "VIEW",
        "Print a table below the summary: cpi, kernels,\nlatency, launches, smxs; may be repeated");
    run.get_option("--show")->group(group);
}

void add_run(CLI::App& app, command::run_request& request) {
    CLI::App* const run = app.add_subcommand("run", "Run a workload, or a kernel of an ELF file");
    // Scripts put defaults in front of what their users add.
    run->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    run->add_option("what", request.what, "Workload (heddle list workloads) or ELF file")
        ->type_name("WORKLOAD|FILE.elf")
        ->required();
    run->add_option("--config", request.configuration, "Configuration (heddle list configs)")
        ->type_name("NAME|FILE.toml");
    add_repeated(*run, "--set", request.settings, "KEY=VALUE",
                 "Change a parameter (heddle list parameters); may be repeated");
    run->add_option("--seed", request.seed, "Seed of all random inputs; 1 if not given")
        ->type_name("N")
        ->check(command::whole_number(any_number));
    run->add_option("--stats", request.statistics_file, "Write all statistics")
        ->type_name("FILE.json|FILE.csv");

    run->add_flag("--functional", request.functional,
                  "Use the functional simulator: no time, much faster");

    run->add_flag_callback(
        "--progress", [&] { request.timed.show_progress = true; },
        "Show the progress on standard error: on a terminal one\nline that is rewritten (the "
        "default there), else a\nline every ten seconds");
    run->add_flag_callback(
        "--no-progress", [&] { request.timed.show_progress = false; }, "Show no progress");

    const std::string timed = "Timed machine";
    run->add_option("--max-cycles", request.timed.max_cycles,
                    "End the run after N core cycles, with partial results")
        ->type_name("N")
        ->check(command::whole_number(any_number))
        ->group(timed);
    run->add_option("--skip-kernels", request.timed.skip_launches,
                    "Run the first N launches on the functional simulator,\nwithout time")
        ->type_name("N")
        ->check(command::whole_number(any_number))
        ->group(timed);
    run->add_flag("--check", request.timed.follow.check,
                  "Compare every instruction with the functional\nsimulator, which runs in step")
        ->group(timed);
    run->add_flag("--check-links", request.timed.check_links, "Check the protocol of every link")
        ->group(timed);
    run->add_flag("--no-sleep", request.timed.no_sleep,
                  "Run idle parts, too: the same results, slower")
        ->group(timed);

    const std::string traces = "Timed machine: looking inside";
    run->add_option("--vcd", request.timed.traces.waveform_file,
                    "Write a waveform and, for GTKWave, FILE.gtkw")
        ->type_name("FILE.vcd[.gz]|FILE.fst")
        ->group(traces);
    add_repeated(*run, "--trace-scope", request.timed.traces.scopes, "GLOB",
                 "What waveform and timeline show, for example gpu.smx_*;\nmay be repeated");
    run->get_option("--trace-scope")->group(traces);
    run->add_option("--trace-cycles", request.timed.traces.cycles,
                    "Show only these core cycles: 1000:2000, 1000: or :2000")
        ->type_name("FROM:TO")
        ->group(traces);
    run->add_option("--timeline,--transactions", request.timed.traces.timeline_file,
                    "Write a timeline for ui.perfetto.dev")
        ->type_name("FILE.json[.gz]")
        ->group(traces);

    run->add_option("--retire", request.timed.follow.retire_file,
                    "Write each instruction of each warp, with values")
        ->type_name("FILE[.gz]")
        ->group(traces);
    add_repeated(*run, "--retire-scope", request.timed.follow.retire_scopes, "KEY=N[-M],...",
                 "Warps that --retire follows, for example\nsmx=0,block=3; keys smx launch block "
                 "warp; may be\nrepeated; all if not given");
    run->get_option("--retire-scope")->group(traces);
    run->add_option("--thread-progress", request.timed.follow.thread_progress_file,
                    "Write how many instructions each thread of SMX 0\nissued in each interval")
        ->type_name("FILE.csv|FILE.json")
        ->group(traces);
    run->add_option("--slot-trace", request.timed.traces.slot_file,
                    "Write the ports of the RTL in a slot, for an RTL\nsimulator (scripts/replay)")
        ->type_name("FILE[.gz]")
        ->group(traces);
    run->add_option("--rtl-vcd", request.timed.traces.rtl_file,
                    "Write the signals inside of the RTL in a slot")
        ->type_name("FILE.vcd")
        ->group(traces);
    run->add_option("--link-trace", request.timed.traces.link_file,
                    "Write the messages of links as text, for\ntestbenches of RTL "
                    "(scripts/replay)")
        ->type_name("FILE[.gz]")
        ->group(traces);
    add_repeated(*run, "--link-trace-scope", request.timed.traces.link_scopes, "GLOB",
                 "Links that --link-trace writes, for example\ngpu.smx_0.memory; may be repeated; "
                 "all if not given");
    run->get_option("--link-trace-scope")->group(traces);
    add_records(*run, request.timed.records);

    const std::string workload = "Workloads";
    run->add_flag("--golden", request.golden,
                  "Compare results byte by byte with the functional simulator")
        ->group(workload);
    run->add_option("--input", request.input, "Input, for example kronecker:scale=14,degree=16")
        ->type_name("FILE|GENERATOR:ARGS")
        ->group(workload);
    run->add_option("--mode", request.mode,
                    "Who does work that threads find:\n" + workloads::mode_text())
        ->type_name("MODE")
        ->group(workload);
    add_repeated(*run, "--option", request.options, "KEY=VALUE",
                 "Change an option of the workload (heddle list\nworkloads); may be repeated");
    run->get_option("--option")->group(workload);

    const std::string file = "Kernels of ELF files";
    run->add_option("--kernel", request.kernel, "The kernel to launch, if there are several")
        ->type_name("NAME")
        ->group(file);
    run->add_option("--grid", request.grid, "Blocks; 1 if not given")
        ->type_name("X[,Y[,Z]]")
        ->group(file);
    run->add_option("--block", request.block, "Threads in a block; 32 if not given")
        ->type_name("X[,Y[,Z]]")
        ->group(file);
    run->add_option("--shared", request.dynamic_shared_bytes,
                    "Dynamic shared memory of a block in bytes; 0 if not\ngiven")
        ->type_name("BYTES")
        ->check(command::whole_number(std::numeric_limits<std::uint32_t>::max()))
        ->group(file);
    run->add_flag("--cooperative", request.cooperative,
                  "Launch it cooperatively: with as many blocks as\nthere is room for, which may "
                  "change while it runs")
        ->group(file);
    add_repeated(*run, "--arg", request.arguments, "VALUE",
                 "The kernel's arguments in order, one --arg each:\na number, or for a pointer "
                 "null or NAME:TYPE[COUNT][=INIT]\nTYPE: i8 u8 i16 u16 i32 u32 f32\n"
                 "INIT: a number, iota (0 1 2 ...) or random (integers from 0\nto 255, floats "
                 "from 0 to 1, by --seed); 0 if not given");
    run->get_option("--arg")->group(file);
    command::refuse_empty_values(*run);
    run->callback([&] { command::run(request, configurations); });
}

void add_list(CLI::App& app, std::string& topic, bool& as_json) {
    CLI::App* const list =
        app.add_subcommand("list", "List workloads, configs, statistics or parameters");
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
        add_repeated(*add, "--set", settings, "KEY=VALUE", "Change a parameter; may be repeated");
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
    add_repeated(*compile, "-I", request.options.include_directories, "DIR",
                 "Include directory; may be repeated");
    add_repeated(*compile, "-D", request.options.definitions, "NAME[=VALUE]",
                 "Macro; may be repeated");
    compile->add_flag("!--no-contract", request.options.contract_floating_point,
                      "Round a*b and a*b+c separately");
    compile->callback([&] { command::compile(request); });
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
    add_repeated(*study, "--set", request.settings, "KEY=VALUE",
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

int command_line(int argc, char** argv) {
    CLI::App app{"Heddle: a transaction-level model of a GPU"};
    app.require_subcommand(1);
    app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
    command::run_request run;
    command::compile_request compile;
    std::string topic;
    std::string compared[2];
    std::string traces;
    command::feasibility_request feasibility;
    std::string configuration;
    std::vector<std::string> settings;
    std::string drawing;
    std::string validated;
    bool as_json = false;
    add_run(app, run);
    add_list(app, topic, as_json);
    add_describe(app, configuration, settings, as_json, drawing);
    add_compile(app, compile);
    add_compare(app, compared[0], compared[1], as_json);
    add_limit_study(app, traces, as_json);
    add_feasibility(app, feasibility, as_json);
    command::add_sweep(app);
    command::add_validate(app, validated, configurations);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // Help and version are "errors" with code 0; every other one is wrong usage.
        if (error.get_exit_code() != 0) {
            throw configuration_error(command::usage_text(app, error));
        }
        app.exit(error);
    }
    if (std::fflush(stdout) == 0) return 0;
    throw configuration_error(std::string("cannot write to standard output: ") +
                              std::strerror(errno));
}

}  // namespace

/// libsystemc has a main() that calls this one; ours takes its place, which saves the banner.
extern "C" int sc_main(int, char**) {
    return exit_code(error_kind::wrong_result);
}

int main(int argc, char** argv) {
    // A file that reaches its limit is an error with a message, as a full disk is.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return command_line(argc, argv);
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
