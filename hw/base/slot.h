// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "models/base/error.h"
#include "models/base/run_status.h"

namespace heddle {

/// A part of a block that can be exchanged: for another C++ class, or for the team's RTL behind
/// Verilator's eval().
///
/// `Traits` names the slot and its fixed-width signals:
/// @code
/// struct picker_traits {
///     static constexpr const char* name = "picker";
///     struct inputs { std::uint32_t requests; };   // plain values, default-constructible
///     struct outputs { std::uint32_t grant; };     // with operator==
/// };
/// std::ostream& operator<<(std::ostream&, const picker_traits::inputs&);   // and for outputs
/// @endcode
///
/// decide() is combinational: it depends on the inputs and the registers, may be called any number
/// of times in a cycle, and takes no simulated time. clock_edge() loads the registers from the
/// inputs of the last decide(); it is called exactly once in a cycle in which the part works.
template <class Traits>
class slot {
public:
    using inputs = typename Traits::inputs;
    using outputs = typename Traits::outputs;

    slot() = default;
    slot(const slot&) = delete;
    slot& operator=(const slot&) = delete;
    virtual ~slot() = default;

    virtual outputs decide(const inputs& in) = 0;
    virtual void clock_edge() = 0;
    virtual void reset() = 0;
};

/// What an implementation is made from: where it sits, for its name and its random seed.
struct slot_context {
    std::string path;              ///< hierarchical name of the slot
    std::uint64_t run_seed = 0;    ///< seeds the slot's shift register together with the path
    run_status* status = nullptr;  ///< where a difference in lock step is reported
};

/// Runs two implementations in lock step: `primary` decides, `shadow` is compared with it at every
/// decide(). The first difference is reported as a wrong result with cycle, inputs and both
/// outputs, and stops the run.
template <class Traits>
class shadow_slot final : public slot<Traits> {
public:
    using typename slot<Traits>::inputs;
    using typename slot<Traits>::outputs;

    shadow_slot(std::unique_ptr<slot<Traits>> primary, std::unique_ptr<slot<Traits>> shadow,
                slot_context context)
        : primary_(std::move(primary)), shadow_(std::move(shadow)), context_(std::move(context)) {}

    outputs decide(const inputs& in) override {
        const outputs wanted = primary_->decide(in);
        const outputs got = shadow_->decide(in);
        if (!differs_ && !(wanted == got)) {
            differs_ = true;
            std::ostringstream text;
            text << "slot '" << context_.path << "' (" << Traits::name
                 << "): the two implementations differ at its clock edge " << edges_ << ": inputs "
                 << in << ", tlm gives " << wanted << ", rtl gives " << got;
            if (context_.status != nullptr) {
                context_.status->report(error_kind::wrong_result, text.str());
            }
        }
        return wanted;
    }
    void clock_edge() override {
        primary_->clock_edge();
        shadow_->clock_edge();
        ++edges_;
    }
    void reset() override {
        primary_->reset();
        shadow_->reset();
        edges_ = 0;
    }

private:
    std::unique_ptr<slot<Traits>> primary_;
    std::unique_ptr<slot<Traits>> shadow_;
    slot_context context_;
    std::uint64_t edges_ = 0;
    bool differs_ = false;
};

/// The implementations of one kind of slot by key: `tlm`, `rtl`; `shadow` runs both in lock step.
/// An object, not a global: whoever builds the netlist fills it.
template <class Traits>
class slot_registry {
public:
    using factory = std::function<std::unique_ptr<slot<Traits>>(const slot_context&)>;

    /// Throws configuration_error for a key that exists or is reserved (`shadow`).
    void add(const std::string& key, factory make) {
        if (key == "shadow" || !factories_.emplace(key, std::move(make)).second) {
            throw configuration_error(std::string("slot.") + Traits::name + ": implementation '" +
                                      key + "' exists already");
        }
    }
    /// The implementation that `slot.<name> = key` asks for, after reset(). Throws
    /// configuration_error, with the legal keys, if there is none.
    [[nodiscard]] std::unique_ptr<slot<Traits>> make(const std::string& key,
                                                     const slot_context& context) const {
        std::unique_ptr<slot<Traits>> part;
        if (key == "shadow" && factories_.count("tlm") != 0 && factories_.count("rtl") != 0) {
            part = std::make_unique<shadow_slot<Traits>>(factories_.at("tlm")(context),
                                                         factories_.at("rtl")(context), context);
        } else if (const auto found = factories_.find(key); found != factories_.end()) {
            part = found->second(context);
        } else {
            throw configuration_error(std::string("slot.") + Traits::name + ": '" + context.path +
                                      "' asks for implementation '" + key +
                                      "', which this build does not have; legal: " + keys());
        }
        part->reset();
        return part;
    }
    /// The legal keys, for messages and `heddle list parameters`.
    [[nodiscard]] std::string keys() const {
        std::string text;
        for (const auto& [key, make] : factories_) {
            text += (text.empty() ? "" : ", ") + key;
        }
        if (factories_.count("tlm") != 0 && factories_.count("rtl") != 0) {
            text += ", shadow";
        }
        return text;
    }

private:
    std::map<std::string, factory> factories_;
};

}  // namespace heddle
