// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// heddle_stimulus SLOT SEED FILE: writes what RTL of a slot is asked, and what the reference
// answers, into a trace of the slot's ports (docs/rtl.md, "Traces"), and prints what the ports have
// seen. scripts/verify-rtl plays it against RTL.
#include <cstdio>
#include <string>
#include <vector>

#include "hw/base/slot_trace_file.h"
#include "hw/cosim/shell.h"
#include "hw/cosim/stimulus/stimulus.h"
#include "models/base/error.h"

namespace {

using namespace heddle;
using namespace heddle::cosim;

std::uint64_t seed_of(const std::string& text) {
    std::size_t end = 0;
    try {
        if (!text.empty() && text[0] >= '0' && text[0] <= '9') {
            const std::uint64_t seed = std::stoull(text, &end);
            if (end == text.size()) return seed;
        }
    } catch (const std::exception&) {
    }
    throw configuration_error("the seed is a number from 0 on, not '" + text + "'");
}

int run(const std::vector<std::string>& words) {
    if (words.size() != 3) {
        std::fputs("heddle_stimulus: SLOT SEED FILE\n", stderr);
        return 2;
    }
    const stimulus& what = find_stimulus(words[0]);
    const std::vector<port_shape>& ports = find_rtl_block(words[0]).ports;
    const std::uint64_t seed = seed_of(words[1]);
    random_stream random(seed, "stimulus." + words[0]);
    slot_trace_file trace(words[2]);
    port_coverage coverage(ports);
    what.drive({trace, coverage, random, what.steps, seed, "stimulus." + words[1]});
    trace.finish();
    std::fputs(coverage.text().c_str(), stdout);
    const unsigned missing = coverage.not_reached();
    if (missing != 0) std::printf("\n%u bits or situations were not reached\n", missing);
    return 0;
}

}  // namespace

// libsystemc, which is linked because parts have clocks, asks for it.
extern "C" int sc_main(int, char**) {
    return 0;
}

int main(int count, char** words) {
    try {
        return run({words + 1, words + count});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "heddle_stimulus: %s\n", error.what());
        return 2;
    }
}
