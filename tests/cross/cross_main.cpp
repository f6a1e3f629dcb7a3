// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Random machines with random programs (docs/mutants.md, "Crossings"). scripts/cross starts it:
//
//     cross --seed N --pairs N [--seconds T] [--job J/N] [--findings FOLDER] [--shrink SECONDS]
//           [--limit SECONDS]
//     cross [--limit SECONDS] FILE...       runs pairs that were kept
//
// Prints a line for each pair: its number, how it ended, its mechanisms. Exit code 1 if one failed.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "models/base/error.h"
#include "tests/base/temporary_directory.h"
#include "tests/cross/pair.h"
#include "tests/cross/shrink.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle::cross {

namespace {

constexpr unsigned seconds_of_step = 20;
/// Programs that are compiled at once, and the pairs that are drawn of them.
constexpr unsigned kernels_of_batch = 24, pairs_of_batch = 30;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

struct order {
    std::uint64_t seed = 1;
    std::uint64_t pairs = std::numeric_limits<std::uint64_t>::max();
    double seconds = 1e9, shrink_seconds = 300;
    unsigned limit = 60;         ///< processor time that a pair may take, s
    unsigned job = 0, jobs = 1;  ///< this process has the batches job, job + jobs, ...
    std::filesystem::path findings = "findings";
};

/// The first of the crossings that fails so, and how; their number if none does.
std::size_t first_failing_of_kind(const std::vector<crossing>& steps, unsigned optimization,
                                  int kind, verdict& how) {
    std::vector<pair> pairs(steps.size());
    std::string source;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        crossing renamed = steps[i];
        for (auto& kernel : renamed.kernels) kernel.name += "_" + std::to_string(i);
        try {
            pairs[i] = pair_of(renamed, optimization);
            source += pairs[i].source;
        } catch (const configuration_error&) {
            // A machine that is refused: its pair has no launches.
        }
    }
    if (source.empty()) return steps.size();
    const auto image = compile(source, optimization);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (pairs[i].launches.empty()) continue;
        verdict found = run(pairs[i], image, seconds_of_step);
        if (found.kind != kind) continue;
        how = std::move(found);
        return i;
    }
    return steps.size();
}

/// Shrinks what failed and writes it to a file, whose name it gives.
std::string keep(const order& what, std::uint64_t number, const crossing& one,
                 unsigned optimization, const verdict& first) {
    const double end = now() + what.shrink_seconds;
    verdict last = first;
    const auto first_failing = [&](const std::vector<crossing>& steps) {
        return first_failing_of_kind(steps, optimization, first.kind, last);
    };
    const crossing small = shrink(one, first_failing, [&] { return now() < end; });
    std::filesystem::create_directories(what.findings);
    const auto file = what.findings / ("seed" + std::to_string(what.seed) + "_pair" +
                                       std::to_string(number) + ".pair");
    const std::string text =
        text_of(pair_of(small, optimization), name_of(last) + ": " + last.text);
    std::FILE* const out = std::fopen(file.c_str(), "w");
    if (out == nullptr) throw configuration_error("cannot write " + file.string());
    std::fwrite(text.data(), 1, text.size(), out);
    std::fclose(out);
    return file.string();
}

class batch {
public:
    batch(std::uint64_t seed, std::uint64_t number)
        : random_(seed, "batch " + std::to_string(number)),
          optimization_(static_cast<unsigned>(1 + random_.below(3))) {
        std::string source = "#include <heddle.h>\n";
        for (unsigned k = 0; k < kernels_of_batch; ++k) {
            kernels_.push_back(draw_kernel(random_, "k" + std::to_string(k)));
            source += source_text(kernels_.back());
        }
        image_ = compile(source, optimization_);
    }

    /// Whether pair `number` ran well.
    bool run_next(const order& what, std::uint64_t number) {
        std::size_t refused = 0;
        crossing one = draw_crossing(random_, kernels_, refused);
        const verdict how = run(pair_of(one, optimization_), image_, what.limit);
        std::string line = "pair " + std::to_string(number) + (how.good() ? " clean" : " FAILED");
        line += " refused=" + std::to_string(refused);
        for (const auto& word : mechanisms_of(one)) line += " " + word;
        std::printf("%s\n", line.c_str());
        if (how.good()) return true;
        std::printf("    %s: %s\n", name_of(how).c_str(),
                    how.text.substr(0, how.text.find('\n')).c_str());
        std::fflush(stdout);
        const std::string file = keep(what, number, one, optimization_, how);
        std::printf("    kept %s\n", file.c_str());
        return false;
    }

private:
    random_stream random_;
    unsigned optimization_;
    std::vector<iss::kernel_tree> kernels_;
    std::shared_ptr<const program::image> image_;
};

bool run_random(const order& what) {
    const double end = now() + what.seconds;
    bool good = true;
    for (std::uint64_t b = what.job; b * pairs_of_batch < what.pairs; b += what.jobs) {
        batch drawn(what.seed, b);
        for (std::uint64_t i = 0; i < pairs_of_batch; ++i) {
            const std::uint64_t number = b * pairs_of_batch + i;
            if (number >= what.pairs || now() >= end) break;
            good = drawn.run_next(what, number) && good;
            std::fflush(stdout);
        }
        if (now() >= end) break;
    }
    return good;
}

bool run_kept(const std::vector<std::string>& files, unsigned limit) {
    bool good = true;
    for (const auto& file : files) {
        const pair one = pair_from(contents_of(file));
        const verdict how = run(one, compile(one.source, one.optimization), limit);
        std::printf("%s %s\n", file.c_str(), name_of(how).c_str());
        if (!how.good()) std::printf("%s\n", how.text.c_str());
        good = good && how.good();
    }
    return good;
}

std::uint64_t number_of(const std::string& option, const std::string& text) {
    char* end = nullptr;
    const auto value = std::strtoull(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0') {
        throw configuration_error("cross: " + option + " needs a number, not '" + text + "'");
    }
    return value;
}

int main(const std::vector<std::string>& words) {
    order what;
    std::vector<std::string> files;
    bool bounded = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& option = words[i];
        if (option.rfind("--", 0) != 0) {
            files.push_back(option);
            continue;
        }
        const std::string value = i + 1 < words.size() ? words[++i] : "";
        if (option == "--seed") {
            what.seed = number_of(option, value);
        } else if (option == "--pairs") {
            what.pairs = number_of(option, value);
            bounded = true;
        } else if (option == "--seconds") {
            what.seconds = static_cast<double>(number_of(option, value));
            bounded = true;
        } else if (option == "--shrink") {
            what.shrink_seconds = static_cast<double>(number_of(option, value));
        } else if (option == "--limit") {
            what.limit = static_cast<unsigned>(number_of(option, value));
        } else if (option == "--findings") {
            what.findings = value;
        } else if (option == "--job") {
            const auto slash = std::min(value.find('/'), value.size());
            what.job = static_cast<unsigned>(number_of(option, value.substr(0, slash)));
            what.jobs = static_cast<unsigned>(
                number_of(option, value.substr(std::min(slash + 1, value.size()))));
        } else {
            throw configuration_error("cross: unknown option " + option);
        }
    }
    if (!files.empty()) return run_kept(files, what.limit) ? 0 : 1;
    if (!bounded) throw configuration_error("cross: --pairs or --seconds says how many");
    return run_random(what) ? 0 : 1;
}

}  // namespace

}  // namespace heddle::cross

int main(int count, char** words) {
    try {
        return heddle::cross::main({words + 1, words + count});
    } catch (const heddle::run_error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return heddle::exit_code(error.kind());
    }
}

/// libsystemc does not link without it; main() above is what runs.
extern "C" int sc_main(int, char**) {
    return 0;
}
