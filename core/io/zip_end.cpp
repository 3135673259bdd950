#include "core/io/zip_end.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace epsilens::io {
namespace {

using namespace std::string_view_literals;

static_assert(std::endian::native == std::endian::little, "numbers of zip files are little-endian");

constexpr auto kEntry = "PK\x01\x02"sv;
constexpr std::size_t kEntryBytes = 46;  ///< without its name, extra field and comment
constexpr auto kEnd = "PK\x05\x06"sv;
constexpr std::size_t kEndBytes = 22;  ///< without its comment
constexpr auto kLargeEnd = "PK\x06\x06"sv;
constexpr std::size_t kLargeEndBytes = 56;
constexpr auto kLocator = "PK\x06\x07"sv;  ///< tells where the record of the end of a large file is
constexpr std::size_t kLocatorBytes = 20;

template <typename T>
T numberAt(std::string_view record, std::size_t place) {
    T value{};
    std::memcpy(&value, record.data() + place, sizeof value);
    return value;
}

/// What the end tells about the list, and where it begins itself.
struct Announced {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
    std::uint64_t place = 0;     ///< in the file
    std::uint64_t endPlace = 0;  ///< in the file
};

/// The last record of the end whose comment is followed by zeros alone; npos without one.
std::size_t findEnd(std::string_view tail) {
    const std::size_t last = tail.find_last_not_of('\0');
    const std::size_t used = last == std::string_view::npos ? 0 : last + 1;
    std::size_t place = tail.rfind(kEnd);
    while (place != std::string_view::npos) {
        const std::string_view record = tail.substr(place);
        if (record.size() >= kEndBytes) {
            const std::size_t behind = place + kEndBytes + numberAt<std::uint16_t>(record, 20);
            if (behind <= tail.size() && behind >= used) {
                return place;
            }
        }
        place = place == 0 ? std::string_view::npos : tail.rfind(kEnd, place - 1);
    }
    return place;
}

std::optional<Announced> readLargeEnd(std::string_view tail, std::uint64_t start,
                                      std::string_view locator) {
    const auto place = numberAt<std::uint64_t>(locator, 8);
    if (place < start || place - start + kLargeEndBytes > tail.size()) {
        return std::nullopt;
    }
    const std::string_view record = tail.substr(place - start);
    if (!record.starts_with(kLargeEnd)) {
        return std::nullopt;
    }
    return Announced{numberAt<std::uint64_t>(record, 32), numberAt<std::uint64_t>(record, 40),
                     numberAt<std::uint64_t>(record, 48), place};
}

std::optional<Announced> readEnd(std::string_view tail, std::uint64_t start) {
    const std::size_t place = findEnd(tail);
    if (place == std::string_view::npos) {
        return std::nullopt;
    }
    if (place >= kLocatorBytes) {
        const std::string_view locator = tail.substr(place - kLocatorBytes, kLocatorBytes);
        if (locator.starts_with(kLocator)) {
            return readLargeEnd(tail, start, locator);
        }
    }
    const std::string_view record = tail.substr(place);
    return Announced{numberAt<std::uint16_t>(record, 10), numberAt<std::uint32_t>(record, 12),
                     numberAt<std::uint32_t>(record, 16), start + place};
}

/// Files in a list of so many entries; nothing when its length is another.
std::optional<int> countFiles(std::string_view list, std::uint64_t entries) {
    int files = 0;
    for (; entries > 0; --entries) {
        if (list.size() < kEntryBytes || !list.starts_with(kEntry)) {
            return std::nullopt;
        }
        const std::size_t nameBytes = numberAt<std::uint16_t>(list, 28);
        const std::size_t bytes = kEntryBytes + nameBytes + numberAt<std::uint16_t>(list, 30) +
                                  numberAt<std::uint16_t>(list, 32);
        if (bytes > list.size()) {
            return std::nullopt;
        }
        files += list.substr(kEntryBytes, nameBytes).ends_with('/') ? 0 : 1;
        list.remove_prefix(bytes);
    }
    return list.empty() ? std::optional(files) : std::nullopt;
}

}  // namespace

std::optional<int> filesInZipList(std::string_view tail, std::uint64_t bytes) {
    const std::uint64_t start = bytes - tail.size();
    const auto end = readEnd(tail, start);
    if (!end || end->place < start || end->place > end->endPlace ||
        end->endPlace - end->place != end->bytes) {
        return std::nullopt;
    }
    return countFiles(tail.substr(end->place - start, end->bytes), end->entries);
}

}  // namespace epsilens::io
