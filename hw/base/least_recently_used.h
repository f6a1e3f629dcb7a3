// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

namespace heddle {

/// The replacement policy of all caches: where a new line goes among the places `first` to
/// `first + ways - 1` of its set. It is the first place that is free, else, of the places whose
/// line may go, the one with the lowest last_use(). `none`: no line may go.
template <class Place, class IsFree, class MayGo, class LastUse>
[[nodiscard]] Place least_recently_used(Place first, Place ways, Place none, const IsFree& is_free,
                                        const MayGo& may_go, const LastUse& last_use) {
    Place best = none;
    for (Place at = first; at < first + ways; ++at) {
        if (is_free(at)) return at;
        if (may_go(at) && (best == none || last_use(at) < last_use(best))) best = at;
    }
    return best;
}

}  // namespace heddle
