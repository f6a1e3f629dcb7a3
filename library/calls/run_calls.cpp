// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "library/calls/given.h"
#include "library/calls/handles.h"
#include "models/device/device.h"

using namespace heddle;
using namespace heddle::library;

heddle_status heddle_wait(heddle_machine* machine, uint32_t event) {
    return call(__func__, machine,
                [&](library::machine& m) { m.use([&](device& d) { d.wait(event_id(event)); }); });
}

heddle_status heddle_run_until(heddle_machine* machine, uint64_t cycle, uint64_t* reached) {
    return call(__func__, machine, [&](library::machine& m) {
        const uint64_t now = m.run_until(cycle);
        if (reached != nullptr) *reached = now;
    });
}

heddle_status heddle_synchronize(heddle_machine* machine) {
    return call(__func__, machine,
                [&](library::machine& m) { m.use([&](device& d) { d.synchronize(); }); });
}

heddle_status heddle_finish(heddle_machine* machine) {
    return call(__func__, machine, [&](library::machine& m) { m.finish(); });
}

heddle_status heddle_cycle(heddle_machine* machine, uint64_t* cycle) {
    return call(__func__, machine, [&](library::machine& m) {
        given(cycle, "cycle");
        m.use([&](device& d) {
            const auto now = d.clock();
            if (!now) throw configuration_error("a functional machine has no cycles");
            *cycle = *now;
        });
    });
}
