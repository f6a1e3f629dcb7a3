// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Switches each fault of faults.txt on, and runs programs in lock step until one of them shows a
// difference. A fault counts as seen if the message names warp and PC, and so not if the RTL only
// stopped to answer.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>

#include "models/workloads/registry.h"
#include "tests/iss/random_kernel_program.h"
#include "tests/rtl_smx/illegal_kernels.h"
#include "tests/rtl_smx/instruction_program.h"

namespace heddle::rtl_smx {
namespace {

using job = std::pair<std::string, std::function<void(unsigned fault)>>;

rtl_settings settings_of(unsigned fault, unsigned stall) {
    rtl_settings settings;
    settings.stalls = {stall, stall, stall, stall, stall, stall};
    settings.fault = fault;
    settings.patience = 60'000;
    return settings;
}

void add_random(std::vector<job>& jobs, unsigned seed, bool atomics) {
    iss::kernel_operations operations;
    operations.atomics = atomics;
    const auto made = std::make_shared<iss::random_kernel_program>(
        seed, 8, iss::kernel_language::cpp, 1 + seed % 3, operations);
    jobs.emplace_back(
        fmt::format("random kernels, seed {}", seed), [made, atomics](unsigned fault) {
            rtl_device gpu(settings_of(fault, 30));
            gpu.load(made->image());
            constexpr unsigned threads = 61;
            for (const auto& kernel : made->kernels()) {
                const std::vector<std::uint32_t> flags{3, 0, 2, 1};
                const device_buffer<std::uint32_t> given(gpu, flags, "flags");
                const device_buffer<std::uint32_t> out(gpu, 2 * threads, "out");
                const device_buffer<std::uint32_t> sums(
                    gpu, std::vector<std::uint32_t>(2 * iss::sums_of_block, 0), "sums");
                const launch_shape shape{{2}, {threads}};
                if (atomics) {
                    launch(gpu, kernel.name, shape, 4U, 9U, given.get(), out.get(), sums.get());
                } else {
                    launch(gpu, kernel.name, shape, 4U, 9U, given.get(), out.get());
                }
                gpu.synchronize();
            }
        });
}

void add_workload(std::vector<job>& jobs, const char* name,
                  const std::map<std::string, std::string>& values, const std::string& input = "") {
    jobs.emplace_back(name, [=](unsigned fault) {
        rtl_device gpu(settings_of(fault, 30));
        workloads::run_workload(workloads::find_workload(name), gpu, {1, input, values})
            .require_correct(name);
    });
}

/// A kernel that must end with its fault, and no other.
void add_illegal(std::vector<job>& jobs, const illegal_kernel& kernel) {
    jobs.emplace_back(fmt::format("illegal kernel {}", kernel.name),
                      [&kernel, image = compile_illegal(kernel)](unsigned fault) {
                          const std::string text = fault_of(image, settings_of(fault, 0));
                          if (text.find(fmt::format("fault {} at", kernel.fault)) == 0 &&
                              text.find(fmt::format("lanes 0x{}", kernel.lanes)) != text.npos) {
                              return;
                          }
                          throw run_error(error_kind::wrong_result, "another fault: " + text);
                      });
}

std::vector<job> all_jobs() {
    std::vector<job> jobs;
    for (unsigned seed = 1; seed <= 32; ++seed) {
        const auto made = std::make_shared<instruction_program>(seed, 150);
        jobs.emplace_back(fmt::format("instructions, seed {}", seed),
                          [made](unsigned fault) { made->run(settings_of(fault, 20)); });
    }
    add_random(jobs, 1, false);
    add_random(jobs, 2, true);
    add_workload(jobs, "latency", {{"variant", "private"}, {"rounds", "3"}});
    add_workload(jobs, "transpose", {{"rows", "33"}, {"columns", "35"}});
    for (const char* kind : {"recursion", "tail_calls", "indirect_calls", "early_exits"}) {
        add_workload(jobs, "divergence", {{"n", "33"}, {"case", kind}});
    }
    add_workload(jobs, "reduction", {{"n", "700"}, {"block", "64"}, {"blocks", "3"}});
    add_workload(jobs, "histogram", {{"n", "601"}, {"bins", "31"}, {"block", "33"}});
    add_workload(jobs, "black", {{"options", "130"}});
    add_workload(jobs, "lock", {{"n", "100"}, {"locks", "7"}, {"block", "33"}});
    add_workload(jobs, "bfs", {}, "kronecker:scale=6,degree=4");
    for (const illegal_kernel& kernel : illegal_kernels()) add_illegal(jobs, kernel);
    add_workload(jobs, "montecarlo", {{"options", "2"}, {"paths", "70"}});
    return jobs;
}

/// The first line of a message.
std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

bool names_its_place(const std::string& text) {
    return text.find("PC 0x") != std::string::npos && text.find("warp") != std::string::npos;
}

int run(const std::string& list, unsigned first, unsigned last) {
    std::vector<std::string> faults;
    std::ifstream file(list);
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line[0] != '#') faults.push_back(line);
    }
    std::vector<job> jobs = all_jobs();
    for (const auto& [name, start] : jobs) {  // without a fault all of them end well
        try {
            start(0);
        } catch (const run_error& error) {
            throw run_error(error.kind(), name + " without a fault: " + error.what());
        }
    }
    unsigned seen = 0;
    unsigned tried = 0;
    for (unsigned n = first; n <= std::min<std::size_t>(last, faults.size()); ++n) {
        ++tried;
        std::string how = "NOT SEEN";
        bool well = false;
        for (auto one = jobs.begin(); one != jobs.end() && !well; ++one) {
            const std::string& name = one->first;
            try {
                one->second(n);
            } catch (const run_error& error) {
                const std::string text = error.what();
                well = error.kind() != error_kind::no_progress && names_its_place(text);
                how = fmt::format("{}{}: {}", well ? "" : "BADLY ", name, first_line(text));
            } catch (const std::exception& error) {
                how = fmt::format("BADLY {}: {}", name, error.what());
            }
            // What shows a fault often shows the next one of the list, too.
            if (well) std::rotate(jobs.begin(), one, one + 1);
        }
        seen += well ? 1 : 0;
        std::printf("%u  %s\n    %s\n", n, faults[n - 1].c_str(), how.c_str());
        std::fflush(stdout);
    }
    std::printf("%u of %u faults are seen\n", seen, tried);
    return tried != 0 && seen == tried ? 0 : 1;
}

}  // namespace
}  // namespace heddle::rtl_smx

/// rtl_smx_faults LIST [FIRST [LAST]]
int main(int count, char** arguments) {
    if (count < 2) {
        std::fprintf(stderr, "usage: rtl_smx_faults LIST [FIRST [LAST]]\n");
        return 2;
    }
    try {
        const unsigned first = count > 2 ? static_cast<unsigned>(std::stoul(arguments[2])) : 1;
        const unsigned last = count > 3 ? static_cast<unsigned>(std::stoul(arguments[3])) : ~0U;
        return heddle::rtl_smx::run(arguments[1], first, last);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "rtl_smx_faults: %s\n", error.what());
        return 2;
    }
}
