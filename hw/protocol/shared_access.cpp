// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/shared_access.h"

namespace heddle::protocol {

const rule_table& link_rules<shared_link>::table() {
    static constexpr rule_table table = blocking_call("shared_access");
    return table;
}

std::string link_rules<shared_link>::request_error(const shared_access& p) {
    if (p.lanes == 0) {
        return "no lane accesses anything";
    }
    if (p.bytes != 1 && p.bytes != 2 && p.bytes != 4) {
        return illegal_value("bytes", p.bytes, "1, 2 or 4");
    }
    if (p.command == local_command::atomic && p.bytes != 4) {
        return illegal_value("bytes of an atomic", p.bytes, "4");
    }
    if ((p.command == local_command::atomic) != (p.operation != isa::opcode::illegal)) {
        return "legal: an atomic names its operation, loads and stores name none";
    }
    if (p.transactional && p.command == local_command::atomic) {
        return "legal: an atomic is not transactional";
    }
    if ((p.lost | p.lost_to_lower | p.lost_to_higher) != 0) {
        return "lanes have lost before the access";
    }
    if (p.response != shared_response::incomplete) {
        return "response is set before the access";
    }
    for (unsigned lane = 0; lane < maximum_lanes; ++lane) {
        if (((p.lanes >> lane) & 1U) != 0 && p.address[lane] % p.bytes != 0) {
            return illegal_value("address of lane " + std::to_string(lane), p.address[lane],
                                 "a multiple of " + std::to_string(p.bytes));
        }
    }
    return {};
}

std::string link_rules<shared_link>::response_error(const shared_access& p) {
    if ((p.lost & ~p.lanes) != 0 || (!p.transactional && p.lost != 0)) {
        return "only lanes of a transactional access lose";
    }
    if (((p.lost_to_lower | p.lost_to_higher) & ~p.lost) != 0) {
        return "lanes lose to others, but have not lost";
    }
    return p.response == shared_response::incomplete ? "response is still incomplete" : "";
}

fixed_attributes link_rules<shared_link>::fixed(const shared_access& p) {
    static constexpr name_list<5> names{"launch", "warp", "command", "lanes", "bytes"};
    return fix(names, {p.launch.value(), p.warp.value(), static_cast<std::uint64_t>(p.command),
                       p.lanes, p.bytes});
}

void link_rules<shared_link>::describe(const shared_access& p, attribute_list& out) {
    static constexpr name_list<3> commands{"load", "store", "atomic"};
    out.add("launch", p.launch);
    out.add("sm", p.sm.value());
    out.add("warp", p.warp.value());
    out.add("command", commands[static_cast<unsigned>(p.command) % commands.size()]);
    out.add_hex("lanes", p.lanes);
}

}  // namespace heddle::protocol
