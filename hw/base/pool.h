// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "hw/base/pool_shelf.h"

namespace heddle {

template <class T>
class pool;

/// Base of a payload that lives in a pool: `struct kernel_launch : pooled<kernel_launch> {...}`.
/// The payload has a default constructor and `void recycle()`, which puts it back into its
/// initial state (called when the last reference goes).
template <class T>
class pooled {
public:
    pooled() = default;
    pooled(const pooled&) noexcept {}  // a copied payload has references of its own
    pooled& operator=(const pooled&) noexcept { return *this; }  // NOLINT: nothing is copied
    [[nodiscard]] std::uint32_t reference_count() const noexcept { return references_; }

protected:
    ~pooled() = default;

private:
    friend class pool<T>;
    template <class U>
    friend class pool_ptr;

    std::uint32_t references_ = 0;
    pool<T>* pool_ = nullptr;
};

/// A counted reference to a pooled payload; the last one to go returns it to its pool.
/// Not for use by several host threads.
template <class T>
class pool_ptr {
public:
    pool_ptr() noexcept = default;
    explicit pool_ptr(T* payload) noexcept : payload_(payload) { acquire(); }
    pool_ptr(const pool_ptr& other) noexcept : payload_(other.payload_) { acquire(); }
    pool_ptr(pool_ptr&& other) noexcept : payload_(std::exchange(other.payload_, nullptr)) {}
    pool_ptr& operator=(pool_ptr other) noexcept {
        std::swap(payload_, other.payload_);
        return *this;
    }
    ~pool_ptr() { release(); }

    void reset() noexcept {
        release();
        payload_ = nullptr;
    }
    [[nodiscard]] T* get() const noexcept { return payload_; }
    T* operator->() const noexcept { return payload_; }
    T& operator*() const noexcept { return *payload_; }
    explicit operator bool() const noexcept { return payload_ != nullptr; }
    friend bool operator==(const pool_ptr& a, const pool_ptr& b) noexcept {
        return a.payload_ == b.payload_;
    }
    friend bool operator!=(const pool_ptr& a, const pool_ptr& b) noexcept { return !(a == b); }

private:
    void acquire() noexcept {
        if (payload_ != nullptr) {
            ++payload_->references_;
        }
    }
    void release() noexcept {
        if (payload_ != nullptr && --payload_->references_ == 0) {
            pool<T>::give_back(payload_);
        }
    }

    T* payload_ = nullptr;
};

/// A pool of payloads with intrusive reference counts. Steady state allocates nothing: payloads
/// are reused, the most recently returned first.
///
/// A payload that outlives its pool stays valid and is deleted with its last reference.
template <class T>
class pool : public pool_shelf<T> {
public:
    explicit pool(std::string name) : pool_shelf<T>(std::move(name)) {}
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;
    ~pool() {
        for (T* payload : this->all()) {
            if (payload->references_ == 0) {
                delete payload;
            } else {
                payload->pool_ = nullptr;
            }
        }
    }

    /// A payload in its initial state. Allocates only if none is free.
    [[nodiscard]] pool_ptr<T> make() {
        if (this->empty()) {
            grow();
        }
        return pool_ptr<T>(this->take());
    }

private:
    template <class U>
    friend class pool_ptr;

    // Out of line: inlined, GCC 12 takes the counted `delete` for a use after free in the caller.
    [[gnu::noinline]] static void give_back(T* payload) {
        pool* owner = payload->pool_;
        if (owner == nullptr) {
            delete payload;
            return;
        }
        payload->recycle();
        owner->put(payload);
    }
    [[gnu::cold, gnu::noinline]] void grow() {
        auto payload = std::make_unique<T>();
        payload->pool_ = this;
        this->add(std::move(payload));
    }
};

}  // namespace heddle
