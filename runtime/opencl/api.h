// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "runtime/client/server.h"
#include "runtime/opencl/library.h"

namespace heddle::opencl {

/// What a call returns instead of CL_SUCCESS.
class error : public std::exception {
public:
    explicit error(cl_int code) noexcept : code_(code) {}
    [[nodiscard]] cl_int code() const noexcept { return code_; }

private:
    cl_int code_;
};

inline void require(bool holds, cl_int otherwise) {
    if (!holds) throw error(otherwise);
}

/// Runs a call under the library's lock; returns its code. Nothing is thrown into the program.
template <class Call>
cl_int code_of(Call&& call) noexcept {
    try {
        const library_lock lock;
        call();
        return CL_SUCCESS;
    } catch (const error& caught) {
        return caught.code();
    } catch (const std::bad_alloc&) {
        return CL_OUT_OF_HOST_MEMORY;
    } catch (const std::exception&) {
        return CL_OUT_OF_RESOURCES;  // the device is lost
    }
}

/// The same for a call that makes something, which is null after an error.
template <class Call>
auto made_by(cl_int* code, Call&& call) noexcept -> decltype(call()) {
    decltype(call()) made = nullptr;
    const cl_int result = code_of([&] { made = call(); });
    if (code != nullptr) *code = result;
    return result == CL_SUCCESS ? made : nullptr;
}

/// Where clGet...Info puts what it was asked for.
class info_place {
public:
    info_place(std::size_t size, void* value, std::size_t* size_ret) noexcept
        : size_(size), value_(value), size_ret_(size_ret) {}

    void put_raw(const void* data, std::size_t bytes) const {
        if (value_ != nullptr) {
            require(size_ >= bytes, CL_INVALID_VALUE);
            if (bytes != 0) std::memcpy(value_, data, bytes);
        }
        if (size_ret_ != nullptr) *size_ret_ = bytes;
    }
    template <class T>
    void put(const T& value) const {
        put_raw(&value, sizeof value);
    }
    template <class T>
    void put_list(const std::vector<T>& values) const {
        put_raw(values.data(), values.size() * sizeof(T));
    }
    void put_text(const std::string& text) const { put_raw(text.c_str(), text.size() + 1); }

private:
    std::size_t size_;
    void* value_;
    std::size_t* size_ret_;
};

}  // namespace heddle::opencl
