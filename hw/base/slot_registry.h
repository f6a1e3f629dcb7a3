// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "hw/base/slot.h"
#include "models/base/error.h"
#include "models/base/parameter.h"

namespace heddle {

/// The implementations of one kind of slot (slot.h). An object, not a global: whoever builds the
/// netlist may add to it.
template <class Traits>
class slot_registry {
public:
    using interface = typename Traits::interface;
    using setting = typename Traits::setting;
    /// Throws configuration_error for a setting that the implementation does not support.
    using factory = std::function<std::unique_ptr<interface>(const setting&, const slot_context&)>;

    explicit slot_registry(factory tlm) : tlm_(std::move(tlm)) {}

    /// Makes `rtl`, and thereby `shadow`, legal. Throws configuration_error if there is one.
    void add_rtl(factory make) {
        if (rtl_) {
            throw configuration_error(std::string("slot.") + Traits::name +
                                      ": implementation 'rtl' exists already");
        }
        rtl_ = std::move(make);
    }
    /// The values of `slot.NAME` that are legal in this build.
    [[nodiscard]] choices<slot_implementation> keys() const {
        if (!rtl_) return {{"tlm", slot_implementation::tlm}};
        return {{"tlm", slot_implementation::tlm},
                {"rtl", slot_implementation::rtl},
                {"shadow", slot_implementation::shadow}};
    }
    /// A part in its reset state. Throws configuration_error for an implementation that is not in
    /// this build.
    [[nodiscard]] std::unique_ptr<interface> make(slot_implementation which, const setting& setting,
                                                  const slot_context& context) const {
        if (which == slot_implementation::tlm) return tlm_(setting, context);
        if (!rtl_) {
            throw configuration_error(std::string("slot.") + Traits::name + ": " + context.path() +
                                      " asks for an implementation that this build does not "
                                      "have; legal: tlm");
        }
        if (which == slot_implementation::rtl) return rtl_(setting, context);
        lock_step comparison(Traits::name, context);
        if constexpr (std::is_same_v<interface, slot<Traits>>) {
            return std::make_unique<shadow_slot<Traits>>(
                tlm_(setting, context), rtl_(setting, context), std::move(comparison));
        } else {
            return Traits::shadow(tlm_(setting, context), rtl_(setting, context),
                                  std::move(comparison));
        }
    }

private:
    factory tlm_;
    factory rtl_;  ///< empty if there is none
};

/// Makes the parts of one kind for a block: it has all that they are made from but their path.
/// `clock` and `status` outlive the parts.
template <class Traits>
class slot_maker {
public:
    slot_maker(slot_registry<Traits> registry, slot_implementation which, std::uint64_t run_seed,
               const cycle_counter& clock, run_status& status)
        : registry_(std::move(registry)),
          which_(which),
          run_seed_(run_seed),
          clock_(clock),
          status_(status) {}

    /// Throws configuration_error like slot_registry::make().
    [[nodiscard]] std::unique_ptr<typename Traits::interface> make(
        const typename Traits::setting& setting, const std::string& path) const {
        return registry_.make(which_, setting, slot_context(path, run_seed_, clock_, status_));
    }

private:
    slot_registry<Traits> registry_;
    slot_implementation which_;
    std::uint64_t run_seed_;
    const cycle_counter& clock_;
    run_status& status_;
};

}  // namespace heddle
