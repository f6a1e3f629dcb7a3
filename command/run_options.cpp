// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run_options.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "command/usage.h"
#include "hw/base/crew.h"
#include "hw/base/host_cores.h"
#include "models/workloads/launch_mode.h"

namespace heddle::command {
namespace {

constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

void add_records(CLI::App& run, record_options& records) {
    const std::string group = "Timed machine: records";
    run.add_option("--series", records.series_file, "Write a row of statistics for each interval")
        ->type_name("FILE.csv|FILE.json")
        ->group(group);
    run.add_option(
           "--interval", records.interval,
           "Core cycles of an interval of --series and\n--thread-progress; 1000 if not given")
        ->type_name("N")
        ->check(whole_number(any_number))
        ->group(group);
    run.add_option("--blocks", records.blocks_file,
                   "Write where and when each thread block was dispatched,\nstarted and ended")
        ->type_name("FILE.csv")
        ->group(group);
    run.add_option("--launches", records.launches_file,
                   "Write when each launch ran and how much it executed")
        ->type_name("FILE.csv")
        ->group(group);
    run.add_option("--lines", records.lines_file,
                   "Write what each instruction cost: cycles by cause,\nlanes, accesses, its line")
        ->type_name("FILE.csv|FILE.json")
        ->group(group);
    add_repeated(run, "--show", records.shown_tables, "VIEW",
                 "Print a table below the summary: cpi, kernels,\nlatency, launches, lines, pcs, "
                 "smxs; may be repeated");
    run.get_option("--show")->group(group);
}

void add_threads(CLI::App& run, thread_options& threads) {
    const auto take = [&threads = threads.wanted](const std::string& text) {
        if (text == "auto") {
            threads = std::min(near_cores(), crew::most_threads);
            return;
        }
        unsigned number = 0;
        const char* const end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, number);
        if (error != std::errc() || rest != end || number == 0 || number > crew::most_threads) {
            throw CLI::ValidationError("--threads", "found '" + text +
                                                        "', expected auto or a number from 1 to " +
                                                        std::to_string(crew::most_threads));
        }
        threads = number;
    };
    run.add_option_function<std::string>(
           "--threads", take,
           "Threads of this computer that share the run; 1 if not\ngiven; auto: the cores of one "
           "last-level cache\n(docs/parallel.md)")
        ->type_name("N|auto");
    run.add_option("--thread-delays", threads.delay_seed,
                   "For tests of --threads: they wait at random, share most\ninstants, and are N "
                   "also where there are fewer cores; 0: not")
        ->type_name("SEED")
        ->check(whole_number(any_number));
}

void add_kernels(CLI::App& run, run_request& request) {
    const std::string file = "Kernels of ELF files";
    run.add_option("--kernel", request.kernel, "The kernel to launch, if there are several")
        ->type_name("NAME")
        ->group(file);
    run.add_option("--grid", request.grid, "Blocks; 1 if not given")
        ->type_name("X[,Y[,Z]]")
        ->group(file);
    run.add_option("--block", request.block, "Threads in a block; 32 if not given")
        ->type_name("X[,Y[,Z]]")
        ->group(file);
    run.add_option("--offset", request.offset,
                   "Index of the first thread, as get_global_id() of\nOpenCL C has it; 0 if not "
                   "given")
        ->type_name("X[,Y[,Z]]")
        ->group(file);
    run.add_option("--shared", request.dynamic_shared_bytes,
                   "Dynamic shared memory of a block in bytes; 0 if not\ngiven")
        ->type_name("BYTES")
        ->check(whole_number(std::numeric_limits<std::uint32_t>::max()))
        ->group(file);
    run.add_flag("--cooperative", request.cooperative,
                 "Launch it cooperatively: with as many blocks as\nthere is room for, which may "
                 "change while it runs")
        ->group(file);
    add_repeated(
        run, "--arg", request.arguments, "VALUE",
        "The kernel's arguments in order, one --arg each: a\nnumber, NAME=@FILE for a struct, or "
        "for a pointer null,\nNAME:TYPE[COUNT][=INIT] or NAME=@FILE.npy\nTYPE: i8 u8 i16 u16 i32 "
        "u32 i64 u64 f32 f64 bool, or\nrecord for the kernel's own struct\nINIT: a number, iota (0 "
        "1 2 ...), random (integers from\n0 to 255, floats from 0 to 1, by --seed) or @FILE "
        "(.npy,\n.csv, else raw bytes; COUNT may be left out); 0 if\nnot given");
    run.get_option("--arg")->group(file);
    add_repeated(run, "--save", request.saved, "NAME=FILE",
                 "Write a buffer after the run (.npy, .csv, else raw\nbytes); may be repeated");
    run.get_option("--save")->group(file);
    run.add_option("--tolerance", request.tolerance,
                   "How far real numbers may be from those of --golden\nNAME=FILE; exact if not "
                   "given")
        ->type_name("REL[,ABS]")
        ->group(file);
}

/// One option for two uses: a flag, or a flag with a value. CLI11 takes the value of a flag only
/// behind "=": join_golden_values() puts it there.
void add_golden(CLI::App& run, run_request& request) {
    const CLI::callback_t take = [&](const CLI::results_t& values) {
        for (const std::string& value : values) {
            if (value == "true" || value == "false") {
                request.golden = value == "true";
            } else if (value.find('=') != std::string::npos) {
                request.golden_files.push_back(value);
            } else {
                return false;
            }
        }
        return true;
    };
    run.add_option("--golden", take,
                   "Of a workload: compare results byte by byte with the\nfunctional simulator. "
                   "With NAME=FILE: compare a buffer of\na kernel of an ELF file; may be repeated")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->expected(0)
        ->type_name("[NAME=FILE]");
}

/// NAME=FILE; a program may have a path with "=", too.
bool names_a_buffer(const std::string& word) {
    const std::size_t equals = word.find('=');
    return equals != std::string::npos && equals != 0 && word[0] != '-' && word[0] != '.' &&
           word[0] != '/';
}

}  // namespace

void add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                  const std::string& type, const std::string& description) {
    app.add_option(name, values, description)
        ->take_all()
        ->allow_extra_args(false)
        ->type_name(type)
        ->expected(1);
}

void add_device_options(CLI::App& options, run_request& request) {
    // Scripts put defaults in front of what their users add.
    options.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    options.add_option("--config", request.configuration, "Configuration (heddle list configs)")
        ->type_name("NAME|FILE.toml");
    add_repeated(options, "--set", request.settings, "KEY=VALUE",
                 "Change a parameter (heddle list parameters); may be repeated");
    options.add_option("--seed", request.seed, "Seed of all random inputs; 1 if not given")
        ->type_name("N")
        ->check(whole_number(any_number));
    options.add_option("--stats", request.statistics_file, "Write all statistics")
        ->type_name("FILE.json|FILE.csv");
    options
        .add_option("--report", request.report_file, "Write a page about the run (heddle report)")
        ->type_name("FILE.html");

    options.add_flag("--functional", request.functional,
                     "Use the functional simulator: no time, much faster");
    add_threads(options, request.timed.threads);

    options.add_flag_callback(
        "--progress", [&] { request.timed.show_progress = true; },
        "Show the progress on standard error: on a terminal one\nline that is rewritten (the "
        "default there), else a\nline every ten seconds");
    options.add_flag_callback(
        "--no-progress", [&] { request.timed.show_progress = false; }, "Show no progress");

    options
        .add_option("--gdb", request.gdb_port,
                    "Wait for gdb-multiarch at this port of this computer;\n0: at any free one "
                    "(docs/gdb.md)")
        ->type_name("PORT")
        ->check(whole_number(65535));

    const std::string timed = "Timed machine";
    options
        .add_option("--max-cycles", request.timed.max_cycles,
                    "End the run after N core cycles, with partial results")
        ->type_name("N")
        ->check(whole_number(any_number))
        ->group(timed);
    options
        .add_option("--skip-kernels", request.timed.skip_launches,
                    "Run the first N launches on the functional simulator,\nwithout time")
        ->type_name("N")
        ->check(whole_number(any_number))
        ->group(timed);
    options
        .add_flag("--check", request.timed.follow.check,
                  "Compare every instruction with the functional\nsimulator, which runs in step")
        ->group(timed);
    options
        .add_flag("--check-links", request.timed.check_links, "Check the protocol of every link")
        ->group(timed);
    options
        .add_flag("--no-sleep", request.timed.no_sleep,
                  "Run idle parts, too: the same results, slower")
        ->group(timed);

    const std::string traces = "Timed machine: looking inside";
    options
        .add_option("--vcd", request.timed.traces.waveform_file,
                    "Write a waveform and, for GTKWave, FILE.gtkw")
        ->type_name("FILE.vcd[.gz]|FILE.fst")
        ->group(traces);
    add_repeated(options, "--trace-scope", request.timed.traces.scopes, "GLOB",
                 "What waveform and timeline show, for example gpu.smx_*;\nmay be repeated");
    options.get_option("--trace-scope")->group(traces);
    options
        .add_option("--trace-cycles", request.timed.traces.cycles,
                    "Show only these core cycles: 1000:2000, 1000: or :2000")
        ->type_name("FROM:TO")
        ->group(traces);
    options
        .add_option("--timeline,--transactions", request.timed.traces.timeline_file,
                    "Write a timeline for ui.perfetto.dev")
        ->type_name("FILE.json[.gz]")
        ->group(traces);

    options
        .add_option("--retire", request.timed.follow.retire_file,
                    "Write each instruction of each warp, with values")
        ->type_name("FILE[.gz]")
        ->group(traces);
    add_repeated(options, "--retire-scope", request.timed.follow.retire_scopes, "KEY=N[-M],...",
                 "Warps that --retire follows, for example\nsmx=0,block=3; keys smx launch block "
                 "warp; may be\nrepeated; all if not given");
    options.get_option("--retire-scope")->group(traces);
    options
        .add_option("--thread-progress", request.timed.follow.thread_progress_file,
                    "Write how many instructions each thread of SMX 0\nissued in each interval")
        ->type_name("FILE.csv|FILE.json")
        ->group(traces);
    options
        .add_option("--slot-trace", request.timed.traces.slot_file,
                    "Write the ports of the RTL in a slot, for an RTL\nsimulator (scripts/replay)")
        ->type_name("FILE[.gz]")
        ->group(traces);
    options
        .add_option("--rtl-vcd", request.timed.traces.rtl_file,
                    "Write the signals inside of the RTL in a slot")
        ->type_name("FILE.vcd")
        ->group(traces);
    options
        .add_option("--link-trace", request.timed.traces.link_file,
                    "Write the messages of links as text, for\ntestbenches of RTL "
                    "(scripts/replay)")
        ->type_name("FILE[.gz]")
        ->group(traces);
    add_repeated(options, "--link-trace-scope", request.timed.traces.link_scopes, "GLOB",
                 "Links that --link-trace writes, for example\ngpu.smx_0.memory; may be repeated; "
                 "all if not given");
    options.get_option("--link-trace-scope")->group(traces);
    add_records(options, request.timed.records);
}

void add_workload_options(CLI::App& options, run_request& request) {
    add_device_options(options, request);
    const std::string workload = "Workloads";
    add_golden(options, request);
    options.add_option("--input", request.input, "Input, for example kronecker:scale=14,degree=16")
        ->type_name("FILE|GENERATOR:ARGS")
        ->group(workload);
    options
        .add_option("--mode", request.mode,
                    "Who does work that threads find:\n" + workloads::mode_text())
        ->type_name("MODE")
        ->group(workload);
    add_repeated(options, "--option", request.options, "KEY=VALUE",
                 "Change an option of the workload (heddle list\nworkloads); may be repeated");
    options.get_option("--option")->group(workload);
}

namespace {

/// What `heddle run` and `heddle gdb` have in common.
CLI::App* add_running(CLI::App& app, const char* name, const char* description,
                      run_request& request, const std::filesystem::path& configurations) {
    CLI::App* const options = app.add_subcommand(name, description);
    options
        ->add_option("what", request.what,
                     "Workload (heddle list workloads), ELF file or launch\nscript "
                     "(docs/own_data.md)")
        ->type_name("WORKLOAD|FILE.elf|FILE.toml")
        ->required();
    add_workload_options(*options, request);
    add_kernels(*options, request);
    refuse_empty_values(*options);
    options->callback([&request, &configurations] { run(request, configurations); });
    return options;
}

}  // namespace

void add_run(CLI::App& app, run_request& request, const std::filesystem::path& configurations) {
    add_running(app, "run", "Run a workload, or a kernel of an ELF file", request, configurations);
}

void add_gdb(CLI::App& app, run_request& request, const std::filesystem::path& configurations) {
    CLI::App* const options =
        add_running(app, "gdb", "Run it, as heddle run does, with gdb-multiarch at its warps",
                    request, configurations);
    options->remove_option(options->get_option("--gdb"));
    add_repeated(*options, "--gdb-arg", request.gdb_arguments, "ARG",
                 "An argument for gdb-multiarch; may be repeated");
    options->parse_complete_callback([&request] { request.starts_gdb = true; });
}

std::vector<std::string> join_golden_values(int argc, char** argv) {
    std::vector<std::string> words(argv, argv + argc);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] != "--golden" || !names_a_buffer(words[i + 1])) continue;
        words[i] += "=" + words[i + 1];
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    return words;
}

}  // namespace heddle::command
