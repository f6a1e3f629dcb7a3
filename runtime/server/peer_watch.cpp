// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/peer_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

#include "models/base/attention.h"

namespace heddle::runtime {

peer_watch::peer_watch(int socket) : stop_(::eventfd(0, EFD_CLOEXEC)) {
    sigset_t all, before;  // signals are for the thread that runs the machine
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this, socket] { watch(socket); });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

peer_watch::~peer_watch() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(stop_.number(), &one, sizeof one);
    thread_.join();
}

void peer_watch::watch(int socket) const {
    constexpr int pause = 20;  // milliseconds
    pollfd wanted[] = {{stop_.number(), POLLIN, 0}, {socket, POLLRDHUP, 0}};
    bool gone = false;
    for (;;) {
        // Once it is gone poll() would return at once for it.
        const int ready = ::poll(wanted, gone ? 1 : 2, gone ? pause : -1);
        if (wanted[0].revents != 0) return;
        if (ready < 0) continue;
        if (!gone && wanted[1].revents != 0) gone = true;
        if (gone && busy_) attention::raise(attention::interrupt);
    }
}

}  // namespace heddle::runtime
