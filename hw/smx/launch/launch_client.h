// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

namespace heddle {

/// Who waits for the launch instructions of warps.
class launch_client {
public:
    /// The launch instruction of the warp is done, and its result is in the registers.
    virtual void launch_done(unsigned warp) = 0;

protected:
    ~launch_client() = default;
};

}  // namespace heddle
