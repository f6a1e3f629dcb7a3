// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/wire/connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "models/base/error.h"

namespace heddle::command::gdb {
namespace {

bool readable(int socket, int milliseconds) {
    pollfd one{socket, POLLIN, 0};
    return ::poll(&one, 1, milliseconds) > 0;
}

[[noreturn]] void refuse(unsigned port) {
    throw configuration_error("--gdb " + std::to_string(port) + ": " + std::strerror(errno) +
                              "; legal: a free port of this computer, or 0 for any");
}

}  // namespace

listening_port::listening_port(unsigned port)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (socket_ < 0) refuse(port);
    const int yes = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket_, any, size) != 0 || ::getsockname(socket_, any, &size) != 0) {
        const int reason = errno;
        ::close(socket_);
        errno = reason;
        refuse(port);
    }
    number_ = ntohs(address.sin_port);
}

listening_port::~listening_port() {
    close();
}

void listening_port::open() {
    if (::listen(socket_, 1) != 0) refuse(number_);
}

void listening_port::close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
}

std::optional<int> listening_port::accept(const std::function<bool()>& give_up) {
    constexpr int between = 100;  // ms
    for (;;) {
        if (give_up()) return std::nullopt;
        if (!readable(socket_, between)) continue;
        const int debugger = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
        if (debugger < 0) continue;
        const int yes = 1;
        ::setsockopt(debugger, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        return debugger;
    }
}

connection::~connection() {
    ::close(socket_);
}

/// False: nothing has come.
bool connection::receive(bool waits) {
    if (!open_ || (!waits && !readable(socket_, 0))) return false;
    char bytes[4096];
    const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
    if (count > 0) {
        reader_.feed({bytes, static_cast<std::size_t>(count)});
        return true;
    }
    if (count < 0 && errno == EINTR) return true;
    open_ = false;
    return false;
}

std::optional<received> connection::wait() {
    for (;;) {
        if (kept_) return std::exchange(kept_, std::nullopt);
        if (std::optional<received> next = reader_.next()) {
            if (acknowledges_ && next->what != received::kind::interrupt) {
                write(next->what == received::kind::packet ? "+" : "-");
            }
            if (next->what != received::kind::broken) return next;
            continue;
        }
        if (!receive(true) && !open_) return std::nullopt;
    }
}

bool connection::interrupted() {
    if (kept_ || !open_) return !open_ || kept_->what == received::kind::interrupt;
    if (!receive(false)) return !open_;
    kept_ = reader_.next();
    if (!kept_ || kept_->what == received::kind::broken) {
        kept_.reset();
        return false;
    }
    if (kept_->what == received::kind::interrupt) {
        kept_.reset();
        return true;
    }
    if (acknowledges_) write("+");
    return false;
}

/// Over a line that loses nothing, an acknowledgement is a formality: wait() passes over it.
void connection::send(std::string_view payload) {
    write(framed(payload));
}

void connection::write(std::string_view bytes) {
    while (!bytes.empty() && open_) {
        const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(count));
        } else if (count < 0 && errno != EINTR) {
            open_ = false;
        }
    }
}

}  // namespace heddle::command::gdb
