#include "tests/core/embedding/embedding_files.h"

#include <array>
#include <stdexcept>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <boost/crc.hpp>

namespace epsilens::test {
namespace {

constexpr std::int32_t kMagic = 793712314;  // fastText: src/fasttext.h

/// What libarchive writes under a format that was set, and takes away.
std::string archived(archive* handle, const Entries& entries) {
    std::size_t size = std::size_t{1} << 20;
    for (const auto& [name, content] : entries) {
        size += content.size();
    }
    std::string bytes(size, '\0');
    archive_write_open_memory(handle, bytes.data(), bytes.size(), &size);
    for (const auto& [name, content] : entries) {
        archive_entry* entry = archive_entry_new();
        const bool folder = name.ends_with('/');
        archive_entry_set_pathname(entry, name.c_str());
        archive_entry_set_filetype(entry, folder ? AE_IFDIR : AE_IFREG);
        archive_entry_set_perm(entry, folder ? 0755 : 0644);
        archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
        if (archive_write_header(handle, entry) != ARCHIVE_OK ||
            archive_write_data(handle, content.data(), content.size()) < 0) {
            throw std::runtime_error(archive_error_string(handle));
        }
        archive_entry_free(entry);
    }
    archive_write_close(handle);
    archive_write_free(handle);
    return bytes.substr(0, size);
}

std::string dictionary(const FasttextParts& parts) {
    const auto words = static_cast<std::int32_t>(parts.words.size());
    const auto labels = static_cast<std::int32_t>(parts.labels.size());
    const std::int32_t announced = parts.announcedWords < 0 ? words : parts.announcedWords;
    std::string bytes = bytesOf(announced + labels) + bytesOf(announced) + bytesOf(labels) +
                        bytesOf(std::int64_t{100});
    if (!parts.oldLayout) {
        bytes += bytesOf(parts.pruned);
    }
    const auto add = [&bytes](const std::string& word, std::int8_t type) {
        bytes += word + '\0' + bytesOf(std::int64_t{7}) + bytesOf(type);
    };
    for (const std::string& word : parts.words) {
        add(word, 0);
    }
    for (const std::string& label : parts.labels) {
        add(label, 1);
    }
    return bytes;
}

std::string matrix(const FasttextParts& parts, std::int64_t rows, std::int64_t announcedRows) {
    std::string bytes;
    if (!parts.oldLayout) {
        bytes += bytesOf(static_cast<std::uint8_t>(parts.quantised ? 1 : 0));
    }
    bytes += bytesOf(announcedRows) + bytesOf(std::int64_t{parts.dimensions});
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int32_t column = 0; column < parts.dimensions; ++column) {
            bytes += bytesOf(static_cast<float>(row) + static_cast<float>(column) / 4.0F);
        }
    }
    return bytes;
}

}  // namespace

Result<embedding::Embedding> loadContent(std::string_view content, embedding::LoadOptions options,
                                         const JobContext& job) {
    const TemporaryFolder folder;
    options.path = folder.file("made-up.txt", content);
    return embedding::loadEmbedding(options, job);
}

std::string manyRows(int rows) {
    std::string content;
    for (int row = 0; row < rows; ++row) {
        const std::string number = std::to_string(row);
        content.append("word").append(number).append(" ").append(number);
        content.append(" 2.5 -3.25 4.125\n");
    }
    return content;
}

std::string compressed(std::string_view content, std::string_view compression) {
    archive* handle = archive_write_new();
    archive_write_set_format_raw(handle);
    if (archive_write_add_filter_by_name(handle, std::string(compression).c_str()) != ARCHIVE_OK) {
        throw std::runtime_error("libarchive cannot write this compression");
    }
    return archived(handle, {{"file", std::string(content)}});
}

std::string withDictionary(std::string xz, int property) {
    constexpr std::size_t kBlock = 12;  // behind the header of the stream
    constexpr std::size_t kFilter = kBlock + 2;
    const std::size_t sumPlace = kBlock + 4 * static_cast<std::size_t>(xz.at(kBlock));
    if (!std::string_view(xz).substr(kFilter).starts_with("\x21\x01")) {
        throw std::runtime_error("the block does not begin with LZMA2 as its only filter");
    }
    xz.at(kFilter + 2) = static_cast<char>(property);
    boost::crc_32_type sum;
    sum.process_bytes(xz.data() + kBlock, sumPlace - kBlock);
    return xz.replace(sumPlace, sizeof(std::uint32_t), bytesOf<std::uint32_t>(sum.checksum()));
}

std::string withWindow(std::string zstd, int windowLog) {
    constexpr std::size_t kDescriptor = 4;
    constexpr int kSingleSegment = 0x20;
    constexpr int kLeastLog = 10;
    if ((zstd.at(kDescriptor) & kSingleSegment) != 0) {
        throw std::runtime_error("the frame has no window of its own");
    }
    zstd.at(kDescriptor + 1) = static_cast<char>((windowLog - kLeastLog) << 3);
    return zstd;
}

std::string zipped(const Entries& entries) {
    archive* handle = archive_write_new();
    archive_write_set_format_zip(handle);
    return archived(handle, entries);
}

std::string word2vecBinary(const WordsAndValues& rows, bool lineEnds) {
    std::string bytes = fmt::format("{} {}\n", rows.size(), rows.front().second.size());
    for (const auto& [word, values] : rows) {
        bytes += word + ' ';
        for (const float value : values) {
            bytes += bytesOf(value);
        }
        bytes += lineEnds ? "\n" : "";
    }
    return bytes;
}

std::string fasttextModel(const FasttextParts& parts) {
    std::string bytes;
    if (!parts.oldLayout) {
        bytes += bytesOf(kMagic) + bytesOf(parts.version);
    }
    // dimensions, window, epochs, fewest count, negatives, word n-grams, loss, model, buckets,
    // shortest and longest n-gram, update rate
    const std::array<std::int32_t, 12> settings{
        parts.dimensions, 5,  5, 1, 5, 1, 2, parts.model, parts.buckets, parts.shortest,
        parts.longest,    100};
    for (const std::int32_t value : settings) {
        bytes += bytesOf(value);
    }
    bytes += bytesOf(1e-4) + dictionary(parts);
    const std::int64_t rows = std::ssize(parts.words) + parts.buckets;
    bytes += matrix(parts, rows, parts.announcedRows < 0 ? rows : parts.announcedRows);
    const auto outputs = std::ssize(parts.words);
    bytes += matrix(parts, outputs, outputs);
    return bytes + parts.behind;
}

}  // namespace epsilens::test
