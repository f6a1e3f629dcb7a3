// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/protocol/wire.h"

namespace heddle::runtime {

/// Owns a file descriptor; -1: none.
class descriptor {
public:
    explicit descriptor(int number = -1) noexcept : number_(number) {}
    descriptor(descriptor&& other) noexcept : number_(other.release()) {}
    descriptor& operator=(descriptor&& other) noexcept;
    ~descriptor() { close(); }

    [[nodiscard]] int number() const noexcept { return number_; }
    void close() noexcept;
    int release() noexcept;

private:
    int number_;
};

/// Messages over a stream socket: their size, then their bytes. A peer that is gone raises no
/// signal.
class channel {
public:
    explicit channel(descriptor socket) noexcept : socket_(std::move(socket)) {}

    [[nodiscard]] int number() const noexcept { return socket_.number(); }
    /// Throws connection_error.
    void send(const std::vector<std::byte>& message);
    /// The next message; none: the other end has closed. `interrupted` is asked after a signal: if
    /// it says so, none, too. Throws connection_error.
    std::optional<std::vector<std::byte>> receive(bool (*interrupted)() = nullptr);
    /// Nothing more is sent; the other end sees it.
    void finish_sending() noexcept;
    void close() noexcept { socket_.close(); }

private:
    [[nodiscard]] std::size_t receive_some(std::byte* to, std::size_t bytes, bool (*interrupted)());

    descriptor socket_;
};

/// The file that both ends have in memory.
class shared_area {
public:
    /// Maps the file of this descriptor. Throws connection_error.
    explicit shared_area(descriptor file);
    shared_area(const shared_area&) = delete;
    shared_area& operator=(const shared_area&) = delete;
    ~shared_area();

    /// A new file without a name: it is gone with its last user. Throws connection_error.
    static descriptor make();

    [[nodiscard]] std::byte* data() const noexcept { return data_; }
    [[nodiscard]] int file() const noexcept { return file_.number(); }

private:
    descriptor file_;
    std::byte* data_;
};

}  // namespace heddle::runtime
