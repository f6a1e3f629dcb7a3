// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/service.h"

#include <exception>
#include <string_view>
#include <utility>

#include "models/base/attention.h"
#include "models/base/error.h"
#include "runtime/server/session.h"

namespace heddle::runtime {

void service::serve(device& gpu, const machine_configuration& machine,
                    const device_description& description) {
    gpu.print_to([this](std::string_view text) { printed_ += text; });
    session program(gpu, machine, description, {shared_.data(), shared_.file(), printed_});
    while (const auto request = peer_.receive(attention::interrupted)) {
        watch_.set_busy(session::takes_time(*request));
        const std::vector<std::byte> reply = program.answer(*request);
        watch_.set_busy(false);
        try {
            peer_.send(reply);
        } catch (const connection_error&) {
            break;  // the program has ended
        }
    }
    if (attention::interrupted() || !program.has_open_launches()) return;
    throw run_error(error_kind::interrupted,
                    "the program ended before its launches, results are partial");
}

void service::lost(const std::string& why, int code) noexcept {
    watch_.set_busy(false);
    try {
        reply_head head;
        head.status = reply_status::lost;
        head.message = why;
        head.code = static_cast<std::uint32_t>(code);
        head.printed = std::exchange(printed_, std::string());
        wire_writer out;
        out(head);
        peer_.send(out.bytes());
    } catch (const std::exception&) {
        // The other end is gone, too.
    }
}

}  // namespace heddle::runtime
