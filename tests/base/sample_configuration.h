// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>

#include "models/base/parameter.h"

namespace heddle {

enum class sample_policy { lrr, gto };
inline const choices<sample_policy> sample_policies{{"lrr", sample_policy::lrr},
                                                    {"gto", sample_policy::gto}};

struct sample_core {
    unsigned slots = 4;
    int lanes = 32;
    sample_policy policy = sample_policy::lrr;

    void declare(parameter_list& p) {
        p.add("slots", slots, range(1, 16), "slot", "Warps at a time");
        p.add("lanes", lanes, one_of({32, 64}), "lane", "Threads of a warp");
        p.add("policy", policy, sample_policies, "Who issues | next");
    }
};

/// One parameter of every kind, one nested struct, one rule.
struct sample_configuration {
    std::string name = "none";
    sample_core core;
    double load = 0.5;
    bool traced = false;

    void declare(parameter_list& p) {
        p.add("name", name, "What to call it");
        p.nest("core", core);
        p.add("load", load, range(0.0, 1.0), "", "Part of the slots in use");
        p.add("traced", traced, "Whether to write a trace");
        p.require({"core.slots", "load"}, "a load above 0.5 needs two core.slots",
                  [this] { return load <= 0.5 || core.slots >= 2; });
    }
};

}  // namespace heddle
