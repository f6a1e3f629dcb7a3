// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/integration/promises.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "models/program/address_map.h"
#include "tests/integration/class_sizes.h"

namespace heddle::layering {
namespace {

namespace fs = std::filesystem;
using reasons = std::map<std::string, std::string>;  ///< file or folder/ → why it may

/// A pattern that may not stand in the code of some folders, comments and strings apart.
struct promise {
    const char* pattern;
    std::vector<std::string> areas;
    const char* what;
    reasons exceptions = {};
};

const reasons throwing_files{
    {"hw/axi/no_rtl_memory.cpp", "constructor"},
    {"hw/axi/pin_ports_main.cpp", "a program of its own"},
    {"hw/base/clock_domain.cpp", "construction and elaboration"},
    {"hw/base/fst_output.cpp", "opening of the file"},
    {"hw/base/frequency.cpp", "constructor"},
    {"hw/base/part_configurations.h", "construction of a part"},
    {"hw/base/slot_registry.h", "construction of a slot"},
    {"hw/base/slot_trace_file.cpp", "opening of the file, and elaboration"},
    {"hw/base/vcd_writer.cpp", "declaration of a variable"},
    {"hw/cosim/", "constructors"},
    {"hw/crossbar/allocator.cpp", "constructor"},
    {"hw/crossbar/crossbar.cpp", "constructor"},
    {"hw/crossbar/crossbar.h", "constructor"},
    {"hw/host/host.cpp", "gives SystemC its own exception back"},
    {"hw/memory_controller/address_decoder.cpp", "constructor"},
    {"hw/protocol/protocol_checker.h", "gives back what the checked call has thrown"},
    {"hw/smx/smx_capabilities.cpp", "construction of the machine"},
    {"hw/smx/thread_pool/formations.cpp", "constructor"},
    {"hw/smx/tm/conflict_detectors.h", "construction of a bank"},
    {"hw/smx/warp_scheduler/slot_assignment.h", "construction of a scheduler"},
    {"hw/top/", "construction, and the host's thread, which catches"},
    {"models/device/allocation_table.cpp", "calls of the host program"},
    {"models/device/basic_device.cpp", "calls of the host program"},
    {"models/device/device.cpp", "calls of the host program"},
    {"models/device/device.h", "calls of the host program"},
    {"models/device/launch_id.cpp", "the host's launches; SMXs ask is_last() before"},
    {"models/device/launch_limits.cpp", "the host's launches; judge_launch() catches"},
    {"models/device/program_table.cpp", "calls of the host program; SMXs ask for what is there"},
    {"models/isa/host_support.cpp", "start of the program"},
    {"models/isa/warp_size.h", "construction"},
};

const std::vector<promise> promises{
    {R"((^|[^\w.>:])((std)?::(exit|abort|terminate|_Exit|quick_exit)|SC_REPORT_FATAL|assert|abort|_exit)\s*\()",
     {"command/", "hw/", "library/", "models/", "runtime/"},
     "a run ends by a report to run_status, not at once",
     {{"hw/smx/tm/transaction_masks.h", "a transaction's abort(), a member"},
      {"models/workloads/", "kernels, which may trap"},
      {"models/program/device/", "runs on the device"},
      {"models/program/include/", "runs on the device"},
      {"models/program/process.cpp", "a child that can't become the tool"}}},
    {R"(\bsc_(core::sc_)?(stop|pause)\s*\()",
     {"command/", "hw/", "library/", "models/"},
     "only a clock domain ends the simulation, by run_control",
     {{"hw/base/run_control.cpp", "does it"}}},
    {R"(\b(SC_THREAD|SC_CTHREAD|sc_spawn)\b)",
     {"command/", "hw/"},
     "the thread of the host module is the only SC_THREAD",
     {{"hw/host/host.cpp", "it"}}},
    {R"(\bSC_METHOD\b)",
     {"command/", "hw/"},
     "a clock domain is one process, and the parts of the machine are none",
     {{"hw/base/clock_domain.cpp", "it"},
      {"hw/cosim/pins/pin_clock.cpp", "the clock pin of a block behind pins"}}},
    {R"(\bthrow\b)",
     {"hw/", "models/device/", "models/isa/", "models/simt/"},
     "nothing throws in a SystemC process; a file whose exceptions leave elsewhere stands in the "
     "table of this test",
     throwing_files},
    {R"(\b(map|unordered_map|set|unordered_set)<std::string\b)",
     {"hw/crossbar/", "hw/dram/", "hw/kernel_distributor/", "hw/kmu/", "hw/l2/",
      "hw/memory_controller/", "hw/smx/", "hw/smx_scheduler/"},
     "a block looks nothing up by a text"},
    {R"(for \([^;)]*(: *\w*warps_?\)|; \w+ (<|!=) (\w+[.])?(\w*_)?warps(_|\(\)|_per_smx)?;))",
     {"hw/smx/"},
     "no part scans all warps in a cycle",
     {{"hw/smx/tm/tm_account.h", "statistics, when they are collected"},
      {"hw/smx/tm/tm_waves.h", "declares variables of the waveform"},
      {"hw/smx/warp_scheduler/slot_assignment.h", "construction"},
      {"hw/smx/warp_scheduler/warp_scheduler.cpp", "declares variables of the waveform"}}},
    {R"(\bset\([^)]*\) \{\n(?! *if \(sink_ != nullptr\) \{\n))",
     {"hw/base/waveform.h"},
     "a push into the waveform is one branch without a sink"},
};

/// Variables outside of objects, each with its reason.
const reasons variables{
    {"hw/base/present.h", "the time of the edge, of which a process has one"},
    {"hw/base/clock_domain.h", "what a thread evaluates late"},
    {"hw/base/crew.cpp", "what a thread has of its own"},
    {"hw/base/crew.h", "whether threads share the present edge, of which a process has one"},
    {"hw/base/fst_output.cpp", "the environment, as POSIX declares it"},
    {"hw/base/report_handler.cpp", "what SystemC's report handler, a plain function, can reach"},
    {"hw/base/payload_pool.h", "keeps payloads of a foreign model that outlive their pool"},
    {"library/calls/handles.cpp", "the machines of the process, and the error of a thread"},
    {"command/heap_settings.cpp", "the heap's own name, read at its start"},
    {"command/guest/guest_program.cpp", "the environment, as POSIX declares it"},
    {"command/run/progress_line.cpp", "what stands on the terminal"},
    {"models/base/attention.h", "what a signal's handler can reach"},
    {"models/program/process.cpp", "the environment, as POSIX declares it"},
    {"runtime/client/guest_process.cpp", "what stands for the process, and the lock of a thread"},
    {"runtime/client/server_process.cpp", "the environment, as POSIX declares it"},
    {"runtime/cuda/library/driver_context_calls.cpp", "the contexts of a thread"},
    {"runtime/cuda/library/launch_calls.cpp", "the launches of a thread that have begun"},
    {"runtime/cuda/library/library.cpp", "the library's state, and what a thread has of its own"},
    {"runtime/opencl/dispatch.cpp", "the loader's table"},
    {"runtime/opencl/entry_points.h", "declares it"},
    {"runtime/opencl/library.cpp", "the library's state in a program that does not know of it"},
    {"runtime/opencl/platform_calls.cpp", "the platform and its device, to which programs point"},
};

bool begins_with(const std::string& text, const std::string& begin) {
    return text.compare(0, begin.size(), begin) == 0;
}

bool stands_in(const std::string& file, const reasons& exceptions) {
    return std::any_of(exceptions.begin(), exceptions.end(), [&](const auto& each) {
        return file == each.first || (each.first.back() == '/' && begins_with(file, each.first));
    });
}

bool is_kernel(const std::string& file) {
    return begins_with(file, "models/program/include/") ||
           begins_with(file, "models/program/device/") ||
           begins_with(file, "models/program/pass/") ||
           begins_with(file, "runtime/cuda/include/") ||
           (begins_with(file, "models/workloads/") && file.find("_kernel") != std::string::npos);
}

class promise_checker {
public:
    promise_checker(const fs::path& root, std::string file, std::vector<std::string>& found)
        : file_(std::move(file)), found_(found) {
        std::ifstream stream(root / file_);
        source_.assign(std::istreambuf_iterator<char>(stream), {});
        code_ = without_text(source_);
    }

    void check() {
        for (const promise& each : promises) {
            const bool here =
                std::any_of(each.areas.begin(), each.areas.end(),
                            [&](const auto& area) { return begins_with(file_, area); });
            if (!here || stands_in(file_, each.exceptions)) continue;
            find(std::regex(each.pattern, std::regex::multiline), each.what);
        }
        if (is_kernel(file_)) return;
        check_variables();
        check_references();
        check_addresses();
        check_device();
    }

private:
    void report(std::size_t at, const std::string& what) {
        const auto line =
            1 + std::count(code_.begin(), code_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        found_.push_back(file_ + ":" + std::to_string(line) + ": " + what);
    }

    void find(const std::regex& pattern, const std::string& what) {
        for (auto it = std::sregex_iterator(code_.begin(), code_.end(), pattern);
             it != std::sregex_iterator(); ++it) {
            const std::string match = it->str();
            const std::size_t lead = match.find_first_not_of(" \n");
            report(
                static_cast<std::size_t>(it->position()) + (lead == std::string::npos ? 0 : lead),
                what);
        }
    }

    /// As clang-format leaves the text: what is not indented lies in a namespace.
    void check_variables() {
        if (stands_in(file_, variables)) return;
        static const std::regex constant(R"(\b(const|constexpr|using|typedef|operator)\b)");
        static const std::regex declares(
            R"(^(?:(?:(?:static|inline|thread_local|extern|alignas\(\w+\)) )+)?)"
            R"([A-Za-z_][\w:]*(?:<[^;={}()]*>)?[ &*]+\w+(?:\[[^\]]*\])*( = |;|\{).*)");
        static const std::regex inner(
            R"(^ +(?:(?:static|inline|thread_local) )*(?:static|thread_local)\b (?!_assert)[^(=;{]*(=|;|\{).*)");
        static const std::regex keyword(
            R"(^(namespace|class|struct|union|enum|template|return|else|public|private|friend|goto)\b.*)");
        std::size_t begin = 0;
        while (begin < code_.size()) {
            const std::size_t end = std::min(code_.find('\n', begin), code_.size());
            const std::string line = code_.substr(begin, end - begin);
            const bool variable =
                (std::regex_match(line, declares) && !std::regex_match(line, keyword)) ||
                std::regex_match(line, inner);
            if (variable && !std::regex_search(line, constant)) {
                report(begin, "a variable outside of objects: there are no globals");
            }
            begin = end + 1;
        }
    }

    void check_references() {
        if (!begins_with(file_, "hw/")) return;
        if (file_ == "hw/smx/issue/thread_front.cpp") return;  // changes its own copy
        static const std::regex parameter(
            R"((const )?\b(\w*_configuration)( ?& ?| )(\w+)[,)](?! const \{$))");
        for (auto it = std::sregex_iterator(code_.begin(), code_.end(), parameter);
             it != std::sregex_iterator(); ++it) {
            if ((*it)[1].matched && (*it)[3].str().find('&') != std::string::npos) continue;
            report(static_cast<std::size_t>(it->position()),
                   (*it)[2].str() + ": a configuration is passed by const reference");
        }
    }

    void check_addresses() {
        if (file_ == "models/program/address_map.h" || begins_with(file_, "models/workloads/"))
            return;
        static const std::regex number(R"(\b0[xX][0-9a-fA-F']{5,}[uUlL]*\b)");
        for (auto it = std::sregex_iterator(code_.begin(), code_.end(), number);
             it != std::sregex_iterator(); ++it) {
            std::string digits = it->str();
            digits.erase(std::remove(digits.begin(), digits.end(), '\''), digits.end());
            if (!is_of_map(std::stoull(digits, nullptr, 16))) continue;
            report(static_cast<std::size_t>(it->position()),
                   it->str() + " is an address of the map: models/program/address_map.h names it");
        }
    }

    static bool is_of_map(std::uint64_t value) {
        using namespace program;
        if (saved_state.base == value || launch_buffers.base == value) return true;
        return std::any_of(address_map.begin(), address_map.end(), [&](const auto& window) {
            return value != 0 &&
                   (window.base == value || std::uint64_t{window.base} + window.size == value);
        });
    }

    /// Which headers of models/device host programs see.
    void check_device() {
        static const std::regex include(R"rx(#include "([^"]+)")rx");
        const bool interface = file_ == "models/device/device.h";
        if (!interface && !begins_with(file_, "models/workloads/")) return;
        const std::set<std::string> of_interface{"models/base/dim3.h",
                                                 "models/base/strong_index.h"};
        for (auto it = std::sregex_iterator(source_.begin(), source_.end(), include);
             it != std::sregex_iterator(); ++it) {
            const std::string included = (*it)[1];
            const bool legal = interface ? of_interface.count(included) != 0
                                         : !begins_with(included, "models/device/") ||
                                               included == "models/device/device.h";
            if (legal) continue;
            report(static_cast<std::size_t>(it->position()),
                   "includes " + included + ": host programs see models/device/device.h, and " +
                       "nothing of the machine");
        }
    }

    std::string file_;
    std::string source_;
    std::string code_;
    std::vector<std::string>& found_;
};

}  // namespace

std::vector<std::string> broken_promises(const fs::path& root) {
    std::set<std::string> files;  // sorted, whatever order the file system has
    for (const char* area : {"command", "hw", "library", "models", "runtime"}) {
        if (!fs::exists(root / area)) continue;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / area)) {
            const fs::path extension = entry.path().extension();
            if (entry.is_regular_file() && (extension == ".h" || extension == ".cpp")) {
                files.insert(entry.path().lexically_relative(root).generic_string());
            }
        }
    }
    std::vector<std::string> found;
    for (const std::string& file : files) promise_checker(root, file, found).check();
    return found;
}

}  // namespace heddle::layering
