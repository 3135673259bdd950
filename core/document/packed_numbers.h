#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/document/fields.h"
#include "core/io/base64.h"

namespace epsilens::document {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");

/// Numbers as they lie in memory, in base64.
template <typename Number>
struct Packed {
    std::optional<std::size_t> count{};  ///< how many there must be; nothing: any number
    Number lowest{};
    Number highest{};
    bool mayBeNaN = false;

    [[nodiscard]] nlohmann::ordered_json write(const std::vector<Number>& values,
                                               Purpose /*purpose*/) const {
        return io::toBase64(std::as_bytes(std::span(values)));
    }
    void read(const JsonNode& node, std::vector<Number>& values) const {
        const auto bytes = io::fromBase64(node.textView());
        if (!bytes || bytes->size() % sizeof(Number) != 0 ||
            (count && bytes->size() != *count * sizeof(Number))) {
            node.complain(fmt::format("it does not hold {}numbers of {} bytes in base64",
                                      count ? fmt::format("{} ", *count) : "", sizeof(Number)));
            return;
        }
        values.resize(bytes->size() / sizeof(Number));
        if (!values.empty()) {
            std::memcpy(values.data(), bytes->data(), bytes->size());
        }
        if (!std::all_of(values.begin(), values.end(), [&](Number value) {
                return (value >= lowest && value <= highest) || (mayBeNaN && std::isnan(value));
            })) {
            node.complain("one of its numbers is out of range");
        }
    }
};

}  // namespace epsilens::document
