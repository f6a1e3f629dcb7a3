// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/netlist.h"

#include <algorithm>
#include <functional>
#include <systemc>
#include <tlm>
#include <utility>

#include "hw/protocol/aggregation.h"
#include "hw/protocol/bank_check.h"
#include "hw/protocol/base_access.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/cooperation.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/link.h"
#include "hw/protocol/memory_access.h"
#include "hw/protocol/shared_access.h"
#include "hw/protocol/thread_turn.h"
#include "hw/protocol/warp_issue.h"

namespace heddle {
namespace {

using interfaces = std::vector<const sc_core::sc_interface*>;

/// A socket, whatever it carries. Calls on the forward path leave an initiator by its port and
/// enter a target by its export; on the backward path it is the other way round.
struct socket {
    const char* link = "";
    bool initiator = false;
    interfaces called;                               ///< what its port is bound to
    const sc_core::sc_interface* entered = nullptr;  ///< what its export is bound to
    std::size_t module = 0;
};

template <class Interface>
interfaces interfaces_of(sc_core::sc_port_b<Interface>& port) {
    interfaces all;
    for (int i = 0; i < port.size(); ++i) all.push_back(port[i]);
    return all;
}

/// Appends the object if it is a socket of this link.
template <class Link>
void add_if(sc_core::sc_object& object, const char* link, std::size_t module,
            std::vector<socket>& sockets) {
    using forward = tlm::tlm_fw_transport_if<Link>;
    using backward = tlm::tlm_bw_transport_if<Link>;
    using initiator = tlm::tlm_base_initiator_socket_b<protocol::socket_width, forward, backward>;
    using target = tlm::tlm_base_target_socket_b<protocol::socket_width, forward, backward>;
    if (auto* const from = dynamic_cast<initiator*>(&object)) {
        // The export that is not const gives a socket for many targets a new binding.
        const sc_core::sc_export_base& entry = std::as_const(*from).get_base_export();
        sockets.push_back(
            {link, true, interfaces_of(from->get_base_port()), entry.get_interface(), module});
    } else if (auto* const to = dynamic_cast<target*>(&object)) {
        const sc_core::sc_export_base& entry = std::as_const(*to).get_base_export();
        sockets.push_back(
            {link, false, interfaces_of(to->get_base_port()), entry.get_interface(), module});
    }
}

void add_socket(sc_core::sc_object& object, std::size_t module, std::vector<socket>& sockets) {
    add_if<protocol::aggregation_link>(object, "aggregation_link", module, sockets);
    add_if<protocol::base_link>(object, "base protocol", module, sockets);
    add_if<protocol::block_link>(object, "block_link", module, sockets);
    add_if<protocol::cooperation_link>(object, "cooperation_link", module, sockets);
    add_if<protocol::kde_link>(object, "kde_link", module, sockets);
    add_if<protocol::kernel_dispatch_link>(object, "kernel_dispatch_link", module, sockets);
    add_if<protocol::launch_link>(object, "launch_link", module, sockets);
    add_if<protocol::shared_link>(object, "shared_link", module, sockets);
    add_if<protocol::memory_link>(object, "memory_link", module, sockets);
    add_if<protocol::thread_link>(object, "thread_link", module, sockets);
    add_if<protocol::tm_link>(object, "tm_link", module, sockets);
    add_if<protocol::warp_link>(object, "warp_link", module, sockets);
}

/// Whether the object is a port, or has one below it.
bool has_port(const sc_core::sc_object& object) {
    if (dynamic_cast<const sc_core::sc_port_base*>(&object) != nullptr) return true;
    const auto& children = object.get_child_objects();
    return std::any_of(children.begin(), children.end(),
                       [](const sc_core::sc_object* child) { return has_port(*child); });
}

void read(const std::vector<sc_core::sc_object*>& objects, std::size_t parent, netlist& into,
          std::vector<socket>& sockets) {
    for (sc_core::sc_object* const object : objects) {
        if (dynamic_cast<sc_core::sc_module*>(object) == nullptr) {
            if (parent != netlist::none) add_socket(*object, parent, sockets);
        } else if (has_port(*object)) {
            const std::size_t module = into.modules.size();
            into.modules.push_back({object->name(), parent});
            read(object->get_child_objects(), module, into, sockets);
        }
    }
}

bool contains(const interfaces& all, const sc_core::sc_interface* one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

/// Finds out which sockets are bound to each other.
///
/// Usually each of the two calls what the other one is entered by. A socket for many others gives
/// each of them an interface of its own, which its export does not show: then only the other end
/// says who it is. Sockets of one module may have the same interface, so one end alone is not
/// enough otherwise.
class binding_finder {
public:
    explicit binding_finder(const std::vector<socket>& sockets) {
        for (const socket& each : sockets) exports_.push_back(each.entered);
        std::sort(exports_.begin(), exports_.end(), std::less<>());
    }

    [[nodiscard]] bool bound(const socket& from, const socket& to) const {
        const bool forward = contains(from.called, to.entered);
        const bool backward = contains(to.called, from.entered);
        return (forward || hidden(from.called)) && (backward || hidden(to.called)) &&
               (forward || backward);
    }

private:
    /// Whether one of the interfaces is in no export.
    [[nodiscard]] bool hidden(const interfaces& called) const {
        return std::any_of(called.begin(), called.end(), [this](const auto* each) {
            return !std::binary_search(exports_.begin(), exports_.end(), each, std::less<>());
        });
    }

    interfaces exports_;  ///< in the order of addresses, which no result shows
};

}  // namespace

netlist read_netlist() {
    netlist all;
    std::vector<socket> sockets;
    read(sc_core::sc_get_top_level_objects(), netlist::none, all, sockets);
    const binding_finder bindings(sockets);
    for (const socket& from : sockets) {
        for (const socket& to : sockets) {
            if (from.initiator && !to.initiator && bindings.bound(from, to)) {
                all.links.push_back({from.module, to.module, from.link});
            }
        }
    }
    return all;
}

}  // namespace heddle
