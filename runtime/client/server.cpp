// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/client/server.h"

#include <sys/socket.h>

#include <cstdio>
#include <utility>

#include "runtime/client/server_process.h"

namespace heddle::runtime {

server::server(unsigned number) {
    const server_start start = server_start_from_environment(number);
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        throw connection_error("cannot make a socket");
    }
    descriptor own(ends[0]);
    descriptor other(ends[1]);
    descriptor file = shared_area::make();
    start_server_process(start, other, file);
    channel_ = std::make_unique<channel>(std::move(own));
    shared_ = std::make_unique<shared_area>(std::move(file));
    other.close();  // so that the server's death is seen
    const connection_error other_version("'" + start.program + "' is another version of Heddle");
    try {
        description_ = call(hello_request{});
    } catch (const request_refused&) {
        lose(other_version);
    }
    if (description_.version != protocol_version) lose(other_version);
}

void server::send(const std::vector<std::byte>& request, receiver then) {
    if (channel_ == nullptr) {
        throw connection_error(lost_.empty() ? "the device server has been closed" : lost_);
    }
    try {
        channel_->send(request);
    } catch (const connection_error&) {
        // What it had to say is still in the socket.
        try {
            while (!expected_.empty()) take_reply();
        } catch (const connection_error& why) {
            lose(why);
        }
        lose(connection_error("the device server has ended"));
    }
    expected_.push_back(std::move(then));
}

void server::collect() {
    try {
        while (!expected_.empty()) take_reply();
    } catch (const connection_error& why) {
        lose(why);
    }
}

void server::take_reply() {
    const auto message = channel_->receive();
    if (!message) throw connection_error("the device server has ended");
    wire_reader in(*message);
    reply_head head;
    in(head);
    if (!head.printed.empty()) {
        std::fwrite(head.printed.data(), 1, head.printed.size(), stdout);
        std::fflush(stdout);
    }
    if (head.status == reply_status::lost) throw connection_error(head.message, head.code);
    now_ = head.now;
    const receiver then = std::move(expected_.front());
    expected_.pop_front();
    then(head, in);
}

void server::lose(const connection_error& why) {
    lost_ = why.what();
    close();
    throw connection_error(why);
}

void server::close() noexcept {
    if (channel_ == nullptr) return;
    expected_.clear();
    channel_->finish_sending();
    try {
        while (channel_->receive()) {
        }
    } catch (const std::exception&) {
        // It has ended.
    }
    channel_.reset();
}

void server::forget() noexcept {
    expected_.clear();
    channel_.reset();
    lost_ = "the device belongs to the parent of this process";
}

}  // namespace heddle::runtime
