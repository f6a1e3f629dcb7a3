// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <vector>

namespace heddle {

/// An index that is a type of its own: a warp_slot cannot be passed where a lane_id is wanted.
/// As cheap as the Value in it. Conversions are explicit in both directions.
template <class Tag, class Value = std::uint32_t>
class strong_index {
public:
    constexpr strong_index() noexcept = default;
    explicit constexpr strong_index(std::size_t value) noexcept
        : value_(static_cast<Value>(value)) {}

    [[nodiscard]] constexpr Value value() const noexcept { return value_; }

    constexpr strong_index& operator++() noexcept {
        ++value_;
        return *this;
    }

    friend constexpr bool operator==(strong_index a, strong_index b) noexcept {
        return a.value_ == b.value_;
    }
    friend constexpr bool operator!=(strong_index a, strong_index b) noexcept { return !(a == b); }
    friend constexpr bool operator<(strong_index a, strong_index b) noexcept {
        return a.value_ < b.value_;
    }
    friend constexpr bool operator>(strong_index a, strong_index b) noexcept { return b < a; }
    friend constexpr bool operator<=(strong_index a, strong_index b) noexcept { return !(b < a); }
    friend constexpr bool operator>=(strong_index a, strong_index b) noexcept { return !(a < b); }
    friend std::ostream& operator<<(std::ostream& out, strong_index index) {
        return out << index.value_;
    }

private:
    Value value_ = 0;
};

using sm_id = strong_index<struct sm_id_tag>;            ///< an SMX of the GPU
using warp_slot = strong_index<struct warp_slot_tag>;    ///< a hardware warp slot of an SMX
using block_slot = strong_index<struct block_slot_tag>;  ///< a hardware block slot of an SMX
using bank_id = strong_index<struct bank_id_tag>;        ///< a bank of a banked memory
using lane_id = strong_index<struct lane_id_tag>;        ///< a lane of a warp
using hwq_id = strong_index<struct hwq_id_tag>;          ///< a hardware work queue of the KMU
using kde_index = strong_index<struct kde_index_tag>;    ///< a kernel distributor entry

/// The indices first, first + 1, ..., last - 1 for a range-based for.
template <class Index>
class index_range {
public:
    class iterator {
    public:
        explicit constexpr iterator(Index at) noexcept : at_(at) {}
        constexpr Index operator*() const noexcept { return at_; }
        constexpr iterator& operator++() noexcept {
            ++at_;
            return *this;
        }
        constexpr bool operator!=(iterator other) const noexcept { return at_ != other.at_; }

    private:
        Index at_;
    };

    constexpr index_range(Index first, Index last) noexcept : first_(first), last_(last) {}
    [[nodiscard]] constexpr iterator begin() const noexcept { return iterator(first_); }
    [[nodiscard]] constexpr iterator end() const noexcept { return iterator(last_); }

private:
    Index first_;
    Index last_;
};

/// A std::vector that only Index can subscript.
template <class Index, class T>
class strong_vector {
    using storage = std::vector<T>;

public:
    strong_vector() = default;
    explicit strong_vector(std::size_t size) : items_(size) {}
    strong_vector(std::size_t size, const T& value) : items_(size, value) {}
    strong_vector(std::initializer_list<T> items) : items_(items) {}

    /// Unchecked, as std::vector's.
    typename storage::reference operator[](Index index) { return items_[index.value()]; }
    typename storage::const_reference operator[](Index index) const {
        return items_[index.value()];
    }
    /// Throws std::out_of_range.
    typename storage::reference at(Index index) { return items_.at(index.value()); }
    typename storage::const_reference at(Index index) const { return items_.at(index.value()); }

    [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
    [[nodiscard]] bool empty() const noexcept { return items_.empty(); }
    /// Every legal index, in order.
    [[nodiscard]] index_range<Index> indices() const noexcept {
        return {Index(0), Index(items_.size())};
    }

    void reserve(std::size_t size) { items_.reserve(size); }
    void resize(std::size_t size) { items_.resize(size); }
    void assign(std::size_t size, const T& value) { items_.assign(size, value); }
    void clear() noexcept { items_.clear(); }
    template <class... Arguments>
    Index emplace_back(Arguments&&... arguments) {
        items_.emplace_back(static_cast<Arguments&&>(arguments)...);
        return Index(items_.size() - 1);
    }

    auto begin() noexcept { return items_.begin(); }
    auto end() noexcept { return items_.end(); }
    auto begin() const noexcept { return items_.begin(); }
    auto end() const noexcept { return items_.end(); }

private:
    storage items_;
};

}  // namespace heddle
