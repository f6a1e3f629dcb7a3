// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "hw/protocol/link_observer.h"

namespace heddle::protocol {

/// What a testbench puts into the links of a netlist, by the type of the link: modules that stand
/// between checker and target, and may do to calls what a broken link does.
class interposers {
public:
    /// In the order of the way from the initiator to the target.
    template <class Link, unsigned Width = 32>
    using chain = std::vector<std::shared_ptr<link_observer<Link, Width>>>;

    /// `make` is called for each link of the type where the link is bound, with the link's name.
    template <class Link, unsigned Width = 32>
    void add(std::function<chain<Link, Width>(const std::string& link)> make) {
        makers_[typeid(link_observer<Link, Width>)] = std::move(make);
    }
    template <class Link, unsigned Width = 32>
    [[nodiscard]] chain<Link, Width> make(const std::string& link) const {
        const auto found = makers_.find(typeid(link_observer<Link, Width>));
        if (found == makers_.end()) return {};
        using maker = std::function<chain<Link, Width>(const std::string&)>;
        return std::any_cast<const maker&>(found->second)(link);
    }

private:
    std::unordered_map<std::type_index, std::any> makers_;  ///< std::function of add()
};

}  // namespace heddle::protocol
