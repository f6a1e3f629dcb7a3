// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/service.h"

#include <exception>
#include <string_view>
#include <utility>

#include "models/base/attention.h"
#include "runtime/server/session.h"

namespace heddle::runtime {

void service::serve(device& gpu, const machine_configuration& machine,
                    const device_description& description) {
    gpu.print_to([this](std::string_view text) { printed_ += text; });
    session program(gpu, machine, description, {shared_.data(), printed_});
    while (const auto request = peer_.receive(attention::interrupted)) {
        watch_.set_busy(true);
        const std::vector<std::byte> reply = program.answer(*request);
        watch_.set_busy(false);
        try {
            peer_.send(reply);
        } catch (const connection_error&) {
            return;  // the program has ended
        }
    }
}

void service::lost(const std::string& why) noexcept {
    watch_.set_busy(false);
    try {
        reply_head head;
        head.status = reply_status::lost;
        head.message = why;
        head.printed = std::exchange(printed_, std::string());
        wire_writer out;
        out(head);
        peer_.send(out.bytes());
    } catch (const std::exception&) {
        // The other end is gone, too.
    }
}

}  // namespace heddle::runtime
