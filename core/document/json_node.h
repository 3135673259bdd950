#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"

namespace epsilens::document {

/// Bounds of fields that have none of their own.
inline constexpr double kLargestNumber = std::numeric_limits<double>::max();
inline constexpr double kLeastNumber = std::numeric_limits<double>::denorm_min();
inline constexpr std::int64_t kLargestInteger = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kLargestRow = std::numeric_limits<std::int32_t>::max();
inline constexpr std::size_t kLongestText = 100'000;

/// Reads a JSON text whole. Fails with badFile for anything that is no JSON, for an object with a
/// key twice or with more than 1,000 keys, and for more than 64 levels: damaged or made-up files.
[[nodiscard]] Result<nlohmann::ordered_json> parseDocument(std::string_view text);

/// A value inside a document, read with its place in mind: the first value that is not as it has to
/// be is kept as the problem of the whole document, and stands in as a harmless value. So a reader
/// names its fields one after the other and asks once, at the end, whether all went well.
class JsonNode {
public:
    /// problem  takes the first failure; lives as long as the nodes
    JsonNode(const nlohmann::ordered_json& value, std::string place, std::optional<Error>& problem)
        : m_value(&value), m_place(std::move(place)), m_problem(&problem) {}

    /// A member that has to be there.
    [[nodiscard]] JsonNode at(std::string_view key) const;
    /// A member that may be missing or null.
    [[nodiscard]] std::optional<JsonNode> find(std::string_view key) const;
    /// Elements of an array of at most so many.
    [[nodiscard]] std::vector<JsonNode> items(std::size_t most) const;
    /// A finite number within bounds, both included.
    [[nodiscard]] double number(double lowest, double highest) const;
    /// The same, nothing for null.
    [[nodiscard]] std::optional<double> numberOrNull(double lowest, double highest) const;
    /// A whole number within bounds, both included.
    [[nodiscard]] std::int64_t integer(std::int64_t lowest, std::int64_t highest) const;
    [[nodiscard]] bool boolean() const;
    /// A text of at most so many bytes.
    [[nodiscard]] std::string text(std::size_t most) const;
    /// A text of any length, as it lies in the document.
    [[nodiscard]] std::string_view textView() const;
    /// Numbers of an array, each within bounds.
    [[nodiscard]] std::vector<double> numbers(double lowest, double highest,
                                              std::size_t most) const;
    /// The text as what `parse` makes of it; its failure is that of the document.
    template <typename T, typename Parse>
    [[nodiscard]] T parsed(T fallback, Parse&& parse) const {
        auto value = parse(text(kLongestName));
        if (!value) {
            complain(value.error().message);
            return fallback;
        }
        return *value;
    }

    [[nodiscard]] bool isNull() const;
    [[nodiscard]] bool isText() const;
    [[nodiscard]] const std::string& place() const { return m_place; }
    /// Says what is wrong with this value.
    void complain(std::string_view message) const;

private:
    static constexpr std::size_t kLongestName = 1000;

    const nlohmann::ordered_json* m_value;
    std::string m_place;
    std::optional<Error>* m_problem;
};

}  // namespace epsilens::document
