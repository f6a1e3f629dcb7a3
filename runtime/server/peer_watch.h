// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <atomic>
#include <thread>

#include "runtime/protocol/channel.h"

namespace heddle::runtime {

/// Ends a run whose program is gone while the run is at work for it, as Ctrl-C does: nobody else
/// would. A thread of its own waits for the socket's end.
class peer_watch {
public:
    explicit peer_watch(int socket);
    peer_watch(const peer_watch&) = delete;
    peer_watch& operator=(const peer_watch&) = delete;
    ~peer_watch();

    /// Whether a request is being carried out that may take long. Otherwise the server sees the end
    /// itself, after all requests.
    void set_busy(bool busy) noexcept { busy_ = busy; }

private:
    void watch(int socket) const;

    std::atomic<bool> busy_{false};
    descriptor stop_;
    std::thread thread_;
};

}  // namespace heddle::runtime
