// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/text_source.h"

#include <algorithm>
#include <boost/iostreams/filter/gzip.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ios>
#include <optional>
#include <system_error>

namespace heddle::inputs {
namespace io = boost::iostreams;

namespace {

constexpr std::streamsize unpacking_buffer = 1 << 16;  // bytes

const char* reason(const io::gzip_error& error) {
    switch (error.error()) {
        case io::gzip::bad_crc:
            return "damaged gzip data: the checksum does not match";
        case io::gzip::bad_length:
            return "damaged gzip data: the length does not match";
        case io::gzip::bad_header:
            return "found bytes behind the gzip data, or a damaged gzip header";
        case io::gzip::bad_footer:
            return "truncated gzip data: the checksum is missing";
        default:
            break;
    }
    const bool short_of_data = error.zlib_error_code() == io::zlib::buf_error;
    return short_of_data ? "truncated gzip data" : "damaged gzip data";
}

}  // namespace

struct text_source::streams {
    /// The file as a Boost.Iostreams source. gzip_decompressor reads it without a chain of stream
    /// buffers, which would copy the data twice more.
    struct packed_file {
        using char_type = char;
        using category = io::source_tag;

        std::streamsize read(char* to, std::streamsize size) {
            std::streamsize count = std::min(size, static_cast<std::streamsize>(head.size()));
            std::copy_n(head.data(), count, to);
            head.erase(0, static_cast<std::size_t>(count));
            count += file.sgetn(to + count, size - count);
            return count == 0 && size != 0 ? -1 : count;
        }

        std::filebuf file;
        std::string head;  ///< what was read to find out whether it is gzip
    };

    packed_file packed;
    std::optional<io::gzip_decompressor> unpacker;
    bool ended = false;
};

text_source::text_source(const std::string& file) : streams_(std::make_unique<streams>()) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) throw source_error("is a directory");
    streams::packed_file& packed = streams_->packed;
    packed.file.pubsetbuf(nullptr, 0);  // blocks go straight to the caller's buffer
    errno = 0;
    if (packed.file.open(file, std::ios::in | std::ios::binary) == nullptr) {
        throw source_error(errno != 0 ? std::strerror(errno) : "can't be opened");
    }
    if (std::filesystem::is_regular_file(file, error)) {
        file_bytes_ = std::filesystem::file_size(file, error);
        if (error) file_bytes_ = 0;
    }
    packed.head.resize(2);
    try {
        packed.head.resize(static_cast<std::size_t>(packed.file.sgetn(packed.head.data(), 2)));
    } catch (const std::ios_base::failure&) {
        throw source_error("can't be read");
    }
    if (packed.head == "\x1f\x8b") {
        streams_->unpacker.emplace(io::gzip::default_window_bits, unpacking_buffer);
    }
}

text_source::~text_source() = default;

std::size_t text_source::read(char* to, std::size_t size) {
    const auto wanted = static_cast<std::streamsize>(size);
    try {
        std::streamsize count = 0;
        while (count == 0 && !streams_->ended) {
            count = streams_->unpacker ? streams_->unpacker->read(streams_->packed, to, wanted)
                                       : streams_->packed.read(to, wanted);
            streams_->ended = count < 0;
        }
        return streams_->ended ? 0 : static_cast<std::size_t>(count);
    } catch (const io::gzip_error& error) {
        throw source_error(reason(error));
    } catch (const std::ios_base::failure&) {
        throw source_error("can't be read");
    }
}

}  // namespace heddle::inputs
