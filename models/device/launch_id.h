// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

#include "models/base/strong_index.h"

namespace heddle {

/// Names one launch of a run: a kernel launched by the host, or a kernel or an aggregated group
/// launched by a kernel.
///
/// The top byte names the launcher: 0 is the host, SMX + 1 a kernel that runs on that SMX (SMXs 0
/// to 254). The bits below it count the launches of that launcher, from 1. The default id is no
/// launch: traffic of the host, write-backs of a finished launch.
/// An id is a name and no index: ids of different launchers lie far apart.
class launch_id {
public:
    /// Launches that one launcher can make in a run.
    static constexpr std::uint32_t most = 0xff'ffff;

    constexpr launch_id() noexcept = default;
    /// The host's launch number `count`; precondition: at most `most`.
    explicit constexpr launch_id(std::uint32_t count) noexcept : value_(count) {}
    /// Launch number `count` made on an SMX; precondition: likewise.
    constexpr launch_id(sm_id launcher, std::uint32_t count) noexcept
        : value_((launcher.value() + 1) << launcher_shift | count) {}

    /// Whether its launcher can make no more.
    [[nodiscard]] constexpr bool is_last() const noexcept { return count() == most; }
    /// The launcher's next id. Throws run_error (configuration) after its last one.
    [[nodiscard]] launch_id next() const;

    [[nodiscard]] constexpr bool by_host() const noexcept { return value_ >> launcher_shift == 0; }
    /// The SMX that it was launched on; precondition: not by the host.
    [[nodiscard]] constexpr sm_id launcher() const noexcept {
        return sm_id((value_ >> launcher_shift) - 1);
    }
    /// Number among the launcher's launches, from 1.
    [[nodiscard]] constexpr std::uint32_t count() const noexcept { return value_ & most; }
    /// The bits, as links, waveforms and hashes carry them.
    [[nodiscard]] constexpr std::uint32_t value() const noexcept { return value_; }
    /// What threads of the launch read from the gridid CSR: as value(), but counted from 0.
    [[nodiscard]] constexpr std::uint32_t gridid() const noexcept { return value_ - 1; }

    friend constexpr bool operator==(launch_id a, launch_id b) noexcept {
        return a.value_ == b.value_;
    }
    friend constexpr bool operator!=(launch_id a, launch_id b) noexcept { return !(a == b); }
    /// The host's launches first, then those of SMX 0, ...; each launcher's in its order.
    friend constexpr bool operator<(launch_id a, launch_id b) noexcept {
        return a.value_ < b.value_;
    }

private:
    static constexpr unsigned launcher_shift = 24;

    std::uint32_t value_ = 0;
};

/// "7" for the host's seventh launch, "3.7" for the seventh made on SMX 3.
[[nodiscard]] std::string to_text(launch_id id);
std::ostream& operator<<(std::ostream& out, launch_id id);

}  // namespace heddle

template <>
struct std::hash<heddle::launch_id> {
    std::size_t operator()(heddle::launch_id id) const noexcept { return id.value(); }
};
