// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "hw/base/part_configurations.h"
#include "models/base/parameter.h"

namespace heddle {

/// Stands for a class as the argument of a function.
template <class Part>
struct part_type {
    using type = Part;
};

/// The one list of the classes that a parameter chooses from. A class in it says what it is:
/// @code
/// class islip_allocator : public allocator {
///     static constexpr const char* name = "islip";
///     static constexpr const char* description = "rotating pointers that move after a match";
/// };
/// enum class allocator_kind : std::uint8_t {};  // a place in the list
/// using allocators = part_list<allocator_kind, islip_allocator, pim_allocator>;
/// @endcode
/// Parameters, netlist, testbenches and tests take what there is from the list. A part with
/// parameters of its own names the struct that has them, as two_level_configuration:
/// `using configuration = two_level_configuration;`.
template <class Key, class... Parts>
class part_list {
    static constexpr std::size_t size = sizeof...(Parts);

    template <class Part, class = void>
    struct configuration_of {
        static void add_to(part_configurations&) {}
    };
    template <class Part>
    struct configuration_of<Part, std::void_t<typename Part::configuration>> {
        static void add_to(part_configurations& all) { all.add<typename Part::configuration>(); }
    };

    template <class Part>
    static constexpr std::size_t place() {
        constexpr std::array<bool, size> same{std::is_same_v<Part, Parts>...};
        static_assert((std::is_same_v<Part, Parts> || ...), "the class is not in the list");
        std::size_t at = 0;
        while (!same[at]) ++at;
        return at;
    }

public:
    /// The key of a class; if the class is not in the list, it does not compile.
    template <class Part>
    static constexpr Key key = static_cast<Key>(place<Part>());

    [[nodiscard]] static std::array<Key, size> all() { return {key<Parts>...}; }
    [[nodiscard]] static choices<Key> names() { return {{Parts::name, key<Parts>}...}; }
    [[nodiscard]] static std::string name(Key of) { return names().name(of); }
    /// "NAME = DESCRIPTION; NAME = DESCRIPTION".
    [[nodiscard]] static std::string description() {
        std::string text;
        const char* between = "";
        ((text += std::string(between) + Parts::name + " = " + Parts::description, between = "; "),
         ...);
        return text;
    }
    /// Those of the parts that have one, with their defaults, in the order of the list.
    [[nodiscard]] static part_configurations configurations() {
        part_configurations all;
        (configuration_of<Parts>::add_to(all), ...);
        return all;
    }
    /// f(part_type<Part>()) for the class with this key. All classes give one type.
    template <class Function>
    static auto visit(Key of, const Function& f) {
        using first = std::tuple_element_t<0, std::tuple<Parts...>>;
        using call = decltype(f(part_type<first>())) (*)(const Function&);
        static constexpr std::array<call, size> calls{
            [](const Function& each) { return each(part_type<Parts>()); }...};
        return calls.at(static_cast<std::size_t>(of))(f);
    }
};

}  // namespace heddle
