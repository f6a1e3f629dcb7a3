// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Random kernels whose threads race for the same bytes, under every formation, scheduler and use of
// L1D, on machines of random sizes, in lock step with the functional simulator: whatever the
// machine does with them is legal (docs/contracts.md, "Data").
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "models/iss/lockstep.h"
#include "models/program/compile.h"
#include "tests/base/temporary_directory.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_case.h"
#include "tests/hw/top/racing_kernel.h"

namespace heddle {
namespace {

unsigned setting(const char* name, unsigned otherwise) {
    const char* given = std::getenv(name);
    return given == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

/// What L1D does with global memory.
const settings uses_of_l1d[] = {
    {"l1d.cache_global=false"},
    {"l1d.cache_global=true", "l1d.write_policy=through"},
    {"l1d.cache_global=true", "l1d.write_policy=back"},
};

/// Kernels in one program, and their texts.
struct racing_program {
    std::string text;
    std::string file;
    std::vector<std::string> names;
};

class racing : public testing::TestWithParam<machine_case> {
protected:
    racing_program compile(random_stream& random, unsigned count) {
        racing_program made;
        made.text = racing_kernel_head();
        for (unsigned k = 0; k < count; ++k) {
            made.names.push_back("race_" + std::to_string(k));
            made.text += racing_kernel_text(random, made.names.back());
        }
        made.file = files_ / "racing.elf";
        program::compile({files_.write("racing.cpp", made.text)}, made.file);
        return made;
    }

    /// Sizes at which caches and queues overflow, or don't.
    settings draw_machine(random_stream& random, const settings& l1d) {
        settings changes = GetParam().changes;
        changes.insert(changes.end(), l1d.begin(), l1d.end());
        const auto draw = [&](const char* key, std::initializer_list<unsigned> values) {
            const unsigned value = values.begin()[random.below(values.size())];
            changes.push_back(fmt::format("{}={}", key, value));
        };
        draw("gpu.smx_count", {1, 2, 2, 4});
        draw("smx.max_blocks", {1, 2, 3});
        draw("lsu.queue_depth", {2, 4});
        changes.emplace_back("l1d.ways=2");
        draw("l1d.size", {512, 1024, 4096, 65536});
        draw("l1d.mshrs", {1, 4, 32});
        draw("l1d.mshr_targets", {1, 2, 8});
        draw("l1d.banks", {1, 2, 16});
        const std::string base = GetParam().configuration;
        if (base != "tiny" && base != "g80") return changes;  // they have limits of their own
        draw("gpu.warp_size", {16, 32});
        draw("l2.size", {0, 65536});
        return changes;
    }

    /// Runs all kernels on one machine. The number of racing values; none after a failure.
    static std::uint64_t run(const racing_program& program, const gpu_configuration& configuration,
                             const std::string& what) {
        const process_result result = run_in_child([&](std::string& output) {
            timed_machine machine(configuration);
            const auto host = [&](device& gpu) {
                gpu.load(std::make_shared<program::image>(program::image::load(program.file)));
                for (const std::string& name : program.names) run_kernel(gpu, name);
            };
            if (machine.run(host) != error_kind::none) {
                output = machine.status().text();
                return 1;
            }
            const iss::lockstep_counts& counts = machine.check_counts();
            if (counts.instructions != machine.count("gpu.warp_instructions")) {
                output = fmt::format("{} instructions were checked", counts.instructions);
                return 2;
            }
            output = std::to_string(counts.racing_values);
            return 0;
        });
        if (result.exit_code == 0) return std::stoull(result.output);
        ADD_FAILURE() << "exit code " << result.exit_code << ": " << result.output << "\n"
                      << what << "\n"
                      << program.text;
        return 0;
    }

private:
    static void run_kernel(device& gpu, const std::string& name) {
        struct race {
            unsigned launches, blocks, threads, words;
        };
        for (const race& r :
             {race{1, 1, 64, 16}, {1, 3, 96, 300}, {1, 8, 40, 64}, {2, 2, 64, 64}}) {
            const device_buffer<std::uint32_t> word(gpu, start(r.words), "word");
            const device_buffer<std::uint32_t> out(gpu, r.blocks * r.threads, "out");
            for (unsigned n = 0; n < r.launches; ++n) {  // that race, too
                launch_shape shape{{r.blocks}, {r.threads}};
                shape.stream = gpu.create_stream();
                launch(gpu, name, shape, r.words, 4u, word.get(), out.get());
            }
            gpu.synchronize();
        }
    }
    static std::vector<std::uint32_t> start(unsigned words) {
        std::vector<std::uint32_t> values(words);
        for (unsigned i = 0; i < words; ++i) values[i] = 0x9e3779b9u * (i + 1);
        return values;
    }

    const temporary_directory files_;
};

/// HEDDLE_RANDOM_KERNELS sets how many, HEDDLE_RANDOM_SEED which.
TEST_P(racing, kernels_see_legal_values) {
    constexpr unsigned in_one_program = 4;
    const unsigned count = setting("HEDDLE_RANDOM_KERNELS", in_one_program);
    const unsigned seed = setting("HEDDLE_RANDOM_SEED", 1);
    std::uint64_t racing_values = 0;
    bool several = false;  // SMXs: on one alone, nearly all values are the only legal ones
    for (unsigned done = 0; done < count && !HasFailure(); done += in_one_program) {
        const unsigned number = seed + done / in_one_program;
        random_stream random(number, GetParam().name);
        const racing_program program = compile(random, std::min(in_one_program, count - done));
        for (const settings& l1d : uses_of_l1d) {
            const settings changes = draw_machine(random, l1d);
            const std::string what = fmt::format("seed {}, {} with {}", number,
                                                 GetParam().configuration, fmt::join(changes, " "));
            const auto configuration = configuration_of(GetParam().configuration, changes);
            racing_values += run(program, configuration, what);
            several |= configuration.machine.smx_count > 1;
        }
    }
    EXPECT_TRUE(racing_values != 0 || !several);
}

INSTANTIATE_TEST_SUITE_P(
    on, racing,
    testing::Values(
        machine_case{"lrr", "tiny", {"smx.scheduler=lrr"}},
        machine_case{"gto", "tiny", {"smx.scheduler=gto"}},
        machine_case{"mto", "tiny", {"smx.scheduler=mto"}},
        machine_case{"motrr", "tiny", {"smx.scheduler=motrr"}},
        machine_case{"motrr_recency", "tiny", {"smx.scheduler=motrr_recency"}},
        machine_case{"two_level", "tiny", {"smx.scheduler=two_level"}},
        machine_case{"ccws", "tiny", {"smx.scheduler=ccws"}}, machine_case{"barrel", "g80", {}},
        machine_case{"gf100", "gf100", {}}, machine_case{"gk110", "gk110", {}},
        machine_case{"si", "si", {}}, machine_case{"iris6100", "iris6100", {}},
        machine_case{"nrec", "tiny", {"smx.schedulers=1", "smx.formation=nrec"}},
        machine_case{"mimd", "tiny", {"smx.schedulers=1", "smx.formation=mimd"}},
        machine_case{"mimd_of_g80", "g80", {"smx.formation=mimd"}},
        machine_case{"dwf_time", "g80", {"smx.formation=dwf", "dwf.policy=time"}},
        machine_case{"dwf_pc", "g80", {"smx.formation=dwf", "dwf.policy=pc"}},
        machine_case{"dwf_majority", "g80", {"smx.formation=dwf", "dwf.policy=majority"}},
        machine_case{"dwf_minority", "g80", {"smx.formation=dwf", "dwf.policy=minority"}},
        machine_case{"dwf_pdom_priority", "g80", {"smx.formation=dwf", "dwf.policy=pdom_priority"}},
        machine_case{"dwf_pipeline_lanes",
                     "tiny",
                     {"smx.schedulers=1", "smx.formation=dwf", "dwf.home_lanes=pipeline"}},
        machine_case{"dwf_individual_return",
                     "tiny",
                     {"smx.schedulers=1", "smx.formation=dwf", "dwf.individual_return=true"}}),
    name_of);

}  // namespace
}  // namespace heddle
