#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"

namespace epsilens {

/// The values of an enum with their names, as people type them and files have them.
template <typename Enum, std::size_t count>
using EnumNames = std::array<std::pair<std::string_view, Enum>, count>;

/// names  have the value
template <typename Enum, std::size_t count>
[[nodiscard]] std::string_view nameIn(const EnumNames<Enum, count>& names, Enum value) {
    return std::ranges::find_if(names, [value](const auto& known) { return known.second == value; })
        ->first;
}

/// The value with a name. Fails with invalidArgument and all names.
template <typename Enum, std::size_t count>
[[nodiscard]] Result<Enum> valueIn(const EnumNames<Enum, count>& names, std::string_view name) {
    std::string all;
    for (const auto& [known, value] : names) {
        if (known == name) {
            return value;
        }
        all += fmt::format("{}{}", all.empty() ? "" : ", ", known);
    }
    return refuse(fmt::format("\"{}\" is not one of {}", name, all));
}

}  // namespace epsilens
