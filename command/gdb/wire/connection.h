// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "command/gdb/wire/packet.h"

namespace heddle::command::gdb {

/// A port of this computer at which one debugger may come. Others are refused afterwards.
class listening_port {
public:
    /// 0: any free port. Throws configuration_error if it can't be had.
    explicit listening_port(unsigned port);
    ~listening_port();
    listening_port(const listening_port&) = delete;
    listening_port& operator=(const listening_port&) = delete;

    /// From now on a debugger may come.
    void open();
    /// From now on none may.
    void close();
    [[nodiscard]] unsigned number() const noexcept { return number_; }
    /// Waits for a debugger. `give_up` is asked ten times a second. Returns its socket, or nothing.
    [[nodiscard]] std::optional<int> accept(const std::function<bool()>& give_up);

private:
    int socket_ = -1;
    unsigned number_ = 0;
};

/// The line to a debugger.
class connection {
public:
    /// Takes the socket over.
    explicit connection(int socket) : socket_(socket) {}
    ~connection();
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;

    /// The next packet, once there is one; Ctrl-C comes as one. Nothing: the debugger has gone.
    std::optional<received> wait();
    /// Whether Ctrl-C has come, or the debugger has gone; takes next to no time.
    [[nodiscard]] bool interrupted();
    /// Sends a packet.
    void send(std::string_view payload);
    /// Both sides trust the line from now on.
    void stop_acknowledging() noexcept { acknowledges_ = false; }
    [[nodiscard]] bool is_open() const noexcept { return open_; }
    /// It ended within a packet.
    [[nodiscard]] bool broke_off() const noexcept { return !open_ && reader_.in_packet(); }

private:
    bool receive(bool waits);
    void write(std::string_view bytes);

    const int socket_;
    bool open_ = true;
    bool acknowledges_ = true;
    packet_reader reader_;
    std::optional<received> kept_;  ///< came while the machine ran
};

}  // namespace heddle::command::gdb
