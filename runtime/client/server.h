// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/protocol/channel.h"
#include "runtime/protocol/commands.h"

namespace heddle::runtime {

/// The server refused a request: nothing happened.
class request_refused : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The device server of this process: starts it and sends it requests. One thread at a time.
class server {
public:
    /// Starts it as the environment says. Throws connection_error that says why it can't.
    explicit server(unsigned number);
    server(const server&) = delete;
    server& operator=(const server&) = delete;
    ~server() { close(); }

    [[nodiscard]] const device_description& description() const noexcept { return description_; }
    /// The device's time as of the last reply.
    [[nodiscard]] std::uint64_t now() const noexcept { return now_; }
    /// Where the data of reads and writes are: commands.h's shared_bytes.
    [[nodiscard]] std::byte* shared() const noexcept { return shared_->data(); }
    [[nodiscard]] int shared_file() const noexcept { return shared_->file(); }

    /// Sends a request and waits for its answer. Throws request_refused; connection_error if the
    /// device is lost, with the message of the model where there is one.
    template <class Request>
    typename Request::answer call(const Request& request) {
        typename Request::answer answer;
        std::optional<std::string> refused;
        send(bytes_of(request), [&](const reply_head& head, wire_reader& in) {
            if (head.status == reply_status::refused) refused = head.message;
            answer.fields(in);
        });
        collect();
        if (refused) throw request_refused(*refused);
        return answer;
    }
    /// Sends a request without waiting. `refused` hears, in a later call, if it was.
    template <class Request>
    void post(const Request& request, std::function<void(const std::string&)> refused) {
        send(bytes_of(request),
             [refused = std::move(refused)](const reply_head& head, wire_reader& in) {
                 typename Request::answer answer;
                 answer.fields(in);
                 if (head.status == reply_status::refused) refused(head.message);
             });
        if (expected_.size() > most_posted) collect();
    }

    /// Ends the connection, and waits until the server has written its files.
    void close() noexcept;
    /// In a child of this process, to which the server does not belong.
    void forget() noexcept;

private:
    /// Replies to that many have room in the socket, so that neither end waits for the other.
    static constexpr std::size_t most_posted = 64;
    using receiver = std::function<void(const reply_head&, wire_reader&)>;

    template <class Request>
    static std::vector<std::byte> bytes_of(const Request& request) {
        wire_writer out;
        out(Request::kind, request);
        return out.bytes();
    }
    void send(const std::vector<std::byte>& request, receiver then);
    /// Waits for all replies.
    void collect();
    void take_reply();
    [[noreturn]] void lose(const connection_error& why);

    std::unique_ptr<channel> channel_;  ///< null: closed
    std::unique_ptr<shared_area> shared_;
    std::deque<receiver> expected_;
    device_description description_;
    std::uint64_t now_ = 0;
    std::string lost_;
};

}  // namespace heddle::runtime
