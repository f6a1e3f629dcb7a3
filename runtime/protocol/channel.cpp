// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/protocol/channel.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/protocol/commands.h"

namespace heddle::runtime {
namespace {

constexpr std::uint32_t largest_message = std::uint32_t{1} << 30;

[[noreturn]] void fail(const char* what) {
    throw connection_error(std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

descriptor& descriptor::operator=(descriptor&& other) noexcept {
    close();
    number_ = other.release();
    return *this;
}

void descriptor::close() noexcept {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
}

int descriptor::release() noexcept {
    return std::exchange(number_, -1);
}

void channel::send(const std::vector<std::byte>& message) {
    const auto size = static_cast<std::uint32_t>(message.size());
    if (message.size() > largest_message) throw connection_error("a message is too long");
    std::vector<std::byte> framed(sizeof size + message.size());
    std::memcpy(framed.data(), &size, sizeof size);
    if (size != 0) std::memcpy(framed.data() + sizeof size, message.data(), message.size());
    for (std::size_t at = 0; at < framed.size();) {
        const auto sent =
            ::send(socket_.number(), framed.data() + at, framed.size() - at, MSG_NOSIGNAL);
        if (sent >= 0) {
            at += static_cast<std::size_t>(sent);
        } else if (errno != EINTR) {
            fail("cannot send a message");
        }
    }
}

std::size_t channel::receive_some(std::byte* to, std::size_t bytes, bool (*interrupted)()) {
    for (;;) {
        // poll() ends with every signal, which a read that the system starts again does not.
        pollfd wanted{socket_.number(), POLLIN, 0};
        if (::poll(&wanted, 1, -1) < 0) {
            if (errno != EINTR) fail("cannot wait for a message");
            if (interrupted != nullptr && interrupted()) return 0;
            continue;
        }
        const auto got = ::recv(socket_.number(), to, bytes, 0);
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno == ECONNRESET) return 0;
        if (errno != EINTR) fail("cannot receive a message");
    }
}

std::optional<std::vector<std::byte>> channel::receive(bool (*interrupted)()) {
    std::uint32_t size = 0;
    std::vector<std::byte> head(sizeof size);
    const auto fill = [&](std::vector<std::byte>& bytes) {
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t got = receive_some(bytes.data() + at, bytes.size() - at, interrupted);
            if (got == 0) return false;
            at += got;
        }
        return true;
    };
    if (!fill(head)) return std::nullopt;
    std::memcpy(&size, head.data(), sizeof size);
    if (size > largest_message) throw connection_error("a message is too long");
    std::vector<std::byte> message(size);
    if (!fill(message)) return std::nullopt;
    return message;
}

void channel::finish_sending() noexcept {
    ::shutdown(socket_.number(), SHUT_WR);
}

shared_area::shared_area(descriptor file) : file_(std::move(file)) {
    void* const mapped =
        ::mmap(nullptr, shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
    if (mapped == MAP_FAILED) fail("cannot map the shared memory");
    data_ = static_cast<std::byte*>(mapped);
}

shared_area::~shared_area() {
    ::munmap(data_, shared_bytes);
}

descriptor shared_area::make() {
    descriptor file(::memfd_create("heddle", MFD_CLOEXEC));
    if (file.number() < 0) fail("cannot make shared memory");
    if (::ftruncate(file.number(), static_cast<off_t>(shared_bytes)) != 0) {
        fail("cannot make shared memory");
    }
    return file;
}

}  // namespace heddle::runtime
