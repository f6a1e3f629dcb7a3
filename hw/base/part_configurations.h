// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

#include "models/base/parameter.h"

namespace heddle {

/// The configurations of the parts that a parameter chooses from (part_list.h), one for each type:
/// parts may share one. A block's configuration contains them without knowing their types, so that
/// a new part brings its parameters along. It is a value: a copy has configurations of its own.
/// For construction and declaration; no part looks anything up here later.
class part_configurations {
public:
    part_configurations() = default;
    part_configurations(const part_configurations& other) {
        for (const auto& each : other.held_) held_.push_back(each->copy());
    }
    /// In place, because a parameter_list refers to the values. Both are made from the same list.
    part_configurations& operator=(const part_configurations& other) {
        for (std::size_t at = 0; at < held_.size(); ++at) held_[at]->assign(*other.held_.at(at));
        return *this;
    }
    ~part_configurations() = default;

    /// Adds one with its defaults, unless there is one of this type.
    template <class Configuration>
    void add() {
        if (find<Configuration>() == nullptr) {
            held_.push_back(std::make_unique<held_as<Configuration>>());
        }
    }
    /// Throws std::logic_error if no part of the list has such a configuration.
    template <class Configuration>
    [[nodiscard]] const Configuration& of() const {
        const auto* found = find<Configuration>();
        if (found == nullptr) throw std::logic_error("no part of the list has this configuration");
        return found->value;
    }
    template <class Configuration>
    [[nodiscard]] Configuration& of() {
        return const_cast<Configuration&>(
            static_cast<const part_configurations*>(this)->of<Configuration>());
    }
    /// In the order of the list.
    void declare(parameter_list& p) {
        for (const auto& each : held_) each->declare(p);
    }

private:
    struct held {
        held() = default;
        held(const held&) = default;
        held& operator=(const held&) = delete;
        virtual ~held() = default;
        [[nodiscard]] virtual std::unique_ptr<held> copy() const = 0;
        virtual void assign(const held& other) = 0;
        virtual void declare(parameter_list& p) = 0;
    };
    template <class Configuration>
    struct held_as final : held {
        Configuration value;

        [[nodiscard]] std::unique_ptr<held> copy() const override {
            return std::make_unique<held_as>(*this);
        }
        void assign(const held& other) override {
            value = dynamic_cast<const held_as&>(other).value;
        }
        void declare(parameter_list& p) override { value.declare(p); }
    };

    template <class Configuration>
    [[nodiscard]] const held_as<Configuration>* find() const {
        for (const auto& each : held_) {
            const auto* found = dynamic_cast<const held_as<Configuration>*>(each.get());
            if (found != nullptr) return found;
        }
        return nullptr;
    }

    std::vector<std::unique_ptr<held>> held_;
};

}  // namespace heddle
