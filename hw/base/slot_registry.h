// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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

/// What carries out the slots of one kind, and in which instances; the others have `tlm`.
struct slot_choice {
    slot_implementation implementation = slot_implementation::tlm;
    std::string where = "*";  ///< their hierarchical names, as a pattern of the shell

    slot_choice() = default;
    slot_choice(slot_implementation everywhere) : implementation(everywhere) {}  // NOLINT: that

    [[nodiscard]] bool covers(const std::string& path) const;
};

/// Makes the parts of one kind for a block: it has all that they are made from but their path.
/// `clock` and `status` outlive the parts.
template <class Traits>
class slot_maker {
public:
    slot_maker(slot_registry<Traits> registry, slot_choice choice, std::uint64_t run_seed,
               const cycle_counter& clock, run_status& status, slot_listeners listeners = {})
        : registry_(std::move(registry)),
          choice_(std::move(choice)),
          run_seed_(run_seed),
          clock_(clock),
          status_(status),
          listeners_(listeners) {}

    /// Throws configuration_error like slot_registry::make().
    [[nodiscard]] std::unique_ptr<typename Traits::interface> make(
        const typename Traits::setting& setting, const std::string& path) const {
        const bool covered = choice_.covers(path);
        made_->push_back({path, covered});
        return registry_.make(covered ? choice_.implementation : slot_implementation::tlm, setting,
                              slot_context(path, run_seed_, clock_, status_, listeners_));
    }
    /// Throws configuration_error if the choice names no instance. Call it when all copies of the
    /// maker have made their parts.
    void check() const {
        constexpr std::size_t shown = 8;
        std::string instances;
        for (std::size_t n = 0; n < made_->size(); ++n) {
            const auto& [path, covered] = (*made_)[n];
            if (covered) return;
            if (n < shown) instances += (n == 0 ? "" : ", ") + path;
        }
        if (made_->size() > shown) {
            instances += " and " + std::to_string(made_->size() - shown) + " more";
        }
        if (instances.empty()) return;
        throw configuration_error(std::string("slot.") + Traits::name + ".where = '" +
                                  choice_.where + "' names no instance; there are: " + instances);
    }

private:
    slot_registry<Traits> registry_;
    slot_choice choice_;
    /// Instances, and whether the choice covers them; shared by the copies of the maker.
    std::shared_ptr<std::vector<std::pair<std::string, bool>>> made_ =
        std::make_shared<std::vector<std::pair<std::string, bool>>>();
    std::uint64_t run_seed_;
    const cycle_counter& clock_;
    run_status& status_;
    slot_listeners listeners_;
};

}  // namespace heddle
