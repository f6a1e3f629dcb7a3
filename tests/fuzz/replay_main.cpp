// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Runs a fuzz target on files, and on the first half, the first three quarters and the whole of
// each with some bytes changed: what CI does without libFuzzer.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "models/base/random.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using bytes = std::vector<std::uint8_t>;

void run(const bytes& input) {
    (void)LLVMFuzzerTestOneInput(input.data(), input.size());
}

void replay(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const bytes whole{std::istreambuf_iterator<char>(file), {}};
    run(whole);
    run({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / 2)});
    run({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(whole.size() * 3 / 4)});
    heddle::random_stream random(1, path.filename().string());
    for (unsigned round = 0; round < 20 && !whole.empty(); ++round) {
        bytes changed = whole;
        for (unsigned n = 0; n < 4; ++n) {
            changed[random.below(changed.size())] = static_cast<std::uint8_t>(random.below(256));
        }
        run(changed);
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::filesystem::path> files;
    for (int n = 1; n < argc; ++n) {
        if (!std::filesystem::is_directory(argv[n])) {
            files.emplace_back(argv[n]);
            continue;
        }
        for (const auto& each : std::filesystem::recursive_directory_iterator(argv[n])) {
            if (each.is_regular_file()) files.push_back(each.path());
        }
    }
    std::sort(files.begin(), files.end());
    for (const auto& each : files) replay(each);
    std::cout << files.size() << " files replayed\n";
    return files.empty() ? 1 : 0;
}
