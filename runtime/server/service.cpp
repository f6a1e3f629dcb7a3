// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/service.h"

#include "models/base/attention.h"
#include "runtime/server/session.h"

namespace heddle::runtime {

void service::serve(device& gpu, const machine_configuration& machine,
                    const device_description& description) {
    peer_watch watch(peer_.number());
    session program(gpu, machine, description, shared_.data());
    while (const auto request = peer_.receive(attention::interrupted)) {
        watch.set_busy(true);
        const std::vector<std::byte> reply = program.answer(*request);
        watch.set_busy(false);
        try {
            peer_.send(reply);
        } catch (const connection_error&) {
            return;  // the program has ended
        }
    }
}

void service::lost(const std::string& why) noexcept {
    try {
        reply_head head;
        head.status = reply_status::lost;
        head.message = why;
        wire_writer out;
        out(head);
        peer_.send(out.bytes());
    } catch (const std::exception&) {
        // The other end is gone, too.
    }
}

}  // namespace heddle::runtime
