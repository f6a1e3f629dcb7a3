// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle {

/// Modules and bound sockets of an elaborated machine.
struct netlist {
    static constexpr std::size_t none = ~std::size_t{0};

    struct module {
        std::string path;           ///< hierarchical name, as gpu.smx_0.shared_memory
        std::size_t parent = none;  ///< place in `modules`, before the module's own
    };
    /// An initiator socket that is bound to a target socket.
    struct link {
        std::size_t initiator = 0;  ///< places in `modules`
        std::size_t target = 0;
        std::string type;  ///< as memory_link
    };

    std::vector<module> modules;
    std::vector<link> links;
};

/// Reads SystemC's object hierarchy, and to which socket each socket is bound. Modules without a
/// port in them or below them are left out: clocks. Call it after elaboration, at the earliest from
/// a process.
[[nodiscard]] netlist read_netlist();

}  // namespace heddle
