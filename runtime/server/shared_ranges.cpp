// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/server/shared_ranges.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "models/base/error.h"
#include "models/device/basic_device.h"
#include "models/device/file_memory.h"
#include "models/device/written_pages.h"
#include "models/program/address_map.h"
#include "runtime/protocol/commands.h"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t page = written_pages::page_bytes;

/// The pages that have some of the bytes.
struct page_range {
    std::uint64_t begin, bytes;
    page_range(std::uint32_t address, std::uint64_t length)
        : begin(address / page * page),
          bytes((address + length + page - 1) / page * page - begin) {}
    [[nodiscard]] off_t offset() const { return shared_offset(static_cast<std::uint32_t>(begin)); }
};

[[noreturn]] void refuse(const char* what) {
    throw configuration_error(std::string("memory that program and device share: ") + what + ": " +
                              std::strerror(errno));
}

written_pages* marks_of(basic_device& gpu) {
    auto* const marker = dynamic_cast<write_marker*>(&gpu);
    return marker == nullptr ? nullptr : marker->written();
}

}  // namespace

shared_ranges::shared_ranges(device& gpu, int file)
    : gpu_(dynamic_cast<basic_device&>(gpu)),
      by_file_(dynamic_cast<file_memory*>(&gpu)),
      file_(file) {}

shared_ranges::~shared_ranges() {
    while (!ranges_.empty()) remove(ranges_.begin()->first);
}

void shared_ranges::grow_file() {
    if (grown_) return;
    const off_t all = shared_offset(0) + static_cast<off_t>(program::address_space_bytes);
    if (::ftruncate(file_, all) != 0) refuse("the file can't grow");
    grown_ = true;
}

std::byte* shared_ranges::map(std::uint32_t address, std::uint64_t bytes) const {
    const page_range pages(address, bytes);
    void* const mapped = ::mmap(nullptr, pages.bytes, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_NORESERVE, file_, pages.offset());
    if (mapped == MAP_FAILED) refuse("it can't be mapped");
    return static_cast<std::byte*>(mapped);
}

void shared_ranges::add(std::uint32_t address, std::uint64_t bytes, bool keep) {
    grow_file();
    const page_range pages(address, bytes);
    // What another range has left there is gone.
    if (::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, pages.offset(),
                    static_cast<off_t>(pages.bytes)) != 0) {
        refuse("it can't be cleared");
    }
    std::byte* const file = map(address, bytes);
    ranges_[address].reset(new range{address, bytes, file, file + (address - pages.begin),
                                     flat_memory(direct() ? 0 : bytes)});
    if (direct()) {
        gpu_.synchronize();
        by_file_->use_file(static_cast<std::uint32_t>(pages.begin), pages.bytes, file_,
                           pages.offset(), keep);
        return;
    }
    (void)marks_of(gpu_);  // from now on
    if (keep) take_all(*ranges_[address]);
}

void shared_ranges::remove(std::uint32_t address) {
    const auto found = ranges_.find(address);
    if (found == ranges_.end()) return;
    const range& gone = *found->second;
    const page_range pages(gone.address, gone.bytes);
    if (direct()) {
        by_file_->leave_file(static_cast<std::uint32_t>(pages.begin), pages.bytes);
    }
    ::munmap(gone.file, pages.bytes);
    ranges_.erase(found);
}

bool shared_ranges::is_changed() const {
    return std::any_of(ranges_.begin(), ranges_.end(), [](const auto& each) {
        const range& one = *each.second;
        return std::memcmp(one.program, one.known.data(), one.bytes) != 0;
    });
}

void shared_ranges::to_device() {
    if (!is_changed()) return;
    to_program();  // what the device has written beside it must not be lost
    for (auto& [address, each] : ranges_) {
        range& now = *each;
        std::byte* const known = now.known.data();
        const auto differs = [&](std::uint64_t at) {
            return at < now.bytes &&
                   std::memcmp(now.program + at, known + at, std::min(page, now.bytes - at)) != 0;
        };
        for (std::uint64_t at = 0; at < now.bytes; at += page) {
            std::uint64_t end = at;
            while (differs(end)) end += page;
            if (end == at) continue;
            const std::uint64_t bytes = std::min(end, now.bytes) - at;
            // Read once: another thread of the program may be writing beside it.
            fresh_.assign(now.program + at, now.program + at + bytes);
            gpu_.poke(static_cast<std::uint32_t>(address + at), fresh_.data(), bytes);
            std::memcpy(known + at, fresh_.data(), bytes);
            at = end;  // that page is as it was
        }
    }
}

void shared_ranges::to_program() {
    written_pages* const written = marks_of(gpu_);
    for (auto& [address, each] : ranges_) {
        if (written == nullptr) {
            take_all(*each);
            continue;
        }
        const std::uint64_t first = address % page;
        for (std::uint64_t at = 0; at < each->bytes; at += page - (at == 0 ? first : 0)) {
            if (!written->take(static_cast<std::uint32_t>(address + at))) continue;
            const std::uint64_t end = (address + at) / page * page + page - address;
            take(*each, at, std::min(end, each->bytes) - at);
        }
    }
}

void shared_ranges::take_all(range& of) {
    constexpr std::uint64_t most = 1u << 20;
    for (std::uint64_t at = 0; at < of.bytes; at += most) {
        take(of, at, std::min(most, of.bytes - at));
    }
}

void shared_ranges::take(range& of, std::uint64_t at, std::uint64_t bytes) {
    fresh_.resize(bytes);
    gpu_.peek(fresh_.data(), static_cast<std::uint32_t>(of.address + at), bytes);
    std::byte* const now = of.program + at;
    std::byte* const known = of.known.data() + at;
    if (std::memcmp(known, fresh_.data(), bytes) == 0) return;
    // Only what the device has changed: a thread of the program may be writing beside it.
    constexpr std::size_t chunk = 64;
    for (std::size_t begin = 0; begin < bytes; begin += chunk) {
        const std::size_t end = std::min<std::size_t>(begin + chunk, bytes);
        if (std::memcmp(known + begin, fresh_.data() + begin, end - begin) == 0) continue;
        for (std::size_t i = begin; i < end; ++i) {
            if (fresh_[i] != known[i] && now[i] == known[i]) now[i] = fresh_[i];
        }
    }
    std::memcpy(known, fresh_.data(), bytes);
}

}  // namespace heddle::runtime
