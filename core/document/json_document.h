#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"

namespace epsilens::document {

/// Bounds of fields that have none of their own.
inline constexpr double kLargestNumber = std::numeric_limits<double>::max();
inline constexpr double kLeastNumber = std::numeric_limits<double>::denorm_min();
inline constexpr std::int64_t kLargestInteger = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kLargestRow = std::numeric_limits<std::int32_t>::max();
inline constexpr std::size_t kLongestText = 100'000;
inline constexpr std::size_t kLongestPath = 4096;
inline constexpr std::size_t kLongestName = 1000;
inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

enum class JsonKind : std::uint8_t { null, no, yes, integer, number, text, array, object };

/// A JSON text that was read whole, as a row of values in the order of the text. A value takes nine
/// bytes, a text its length besides; a key is kept once, however often it stands in the document.
class JsonDocument {
private:
    friend class DocumentBuilder;
    friend class JsonNode;

    /// Place of the value behind the one at `at`, which may hold others.
    [[nodiscard]] std::size_t after(std::size_t at) const {
        return m_kinds[at] < JsonKind::array ? at + 1 : static_cast<std::size_t>(m_bits[at]);
    }

    // Deques grow without being copied, so that no more memory is taken than they hold.
    std::deque<JsonKind> m_kinds{};
    /// A number as it lies in memory, the place of a text, or the end of an array or object.
    std::deque<std::uint64_t> m_bits{};
    std::deque<std::string> m_texts{};
    std::stop_token m_stop{};
};

/// A value inside a document. The first value that is not as it has to be is kept as the problem of
/// the whole document, with its place, and a harmless value stands in for it. So a reader takes one
/// field after the other and asks once, at the end, whether all went well.
class JsonNode {
public:
    /// The whole document.
    ///
    /// problem  takes the first failure; lives as long as the nodes, as the document does
    JsonNode(const JsonDocument& document, std::optional<Error>& problem)
        : m_document(&document), m_problem(&problem), m_at(0) {}

    [[nodiscard]] JsonKind kind() const {
        return m_at == kNowhere ? JsonKind::null : m_document->m_kinds[m_at];
    }
    [[nodiscard]] bool isNull() const { return kind() == JsonKind::null; }

    /// A member that has to be there.
    [[nodiscard]] JsonNode at(std::string_view key) const {
        std::size_t start = 0;
        return memberFrom(start, key);
    }
    /// The same for a reader who takes the members in about the order in which they stand.
    ///
    /// start  where to look first; afterwards the place behind the member. 0 at the beginning
    [[nodiscard]] JsonNode memberFrom(std::size_t& start, std::string_view key) const;
    /// A member that may be missing or null.
    [[nodiscard]] std::optional<JsonNode> find(std::string_view key) const;
    /// Whether there is such a member, null or not.
    [[nodiscard]] bool has(std::string_view key) const;

    /// Gives the elements of an array of at most so many to `take`, until something is wrong.
    template <typename Take>
    void eachItem(std::size_t most, Take&& take) const {
        if (!isArrayOf(most)) {
            return;
        }
        const std::size_t end = m_document->after(m_at);
        for (std::size_t i = m_at + 1; i < end && goesOn(); i = m_document->after(i)) {
            take(JsonNode(*this, i));
        }
    }
    /// Gives keys and values of an object to `take`.
    template <typename Take>
    void eachMember(Take&& take) const {
        const std::size_t end = m_document->after(m_at);
        for (std::size_t i = m_at + 1; i < end && goesOn(); i = m_document->after(i + 1)) {
            take(JsonNode(*this, i).textView(), JsonNode(*this, i + 1));
        }
    }

    /// A finite number within bounds, both included.
    [[nodiscard]] double number(double lowest, double highest) const;
    /// A whole number within bounds, both included.
    [[nodiscard]] std::int64_t integer(std::int64_t lowest, std::int64_t highest) const;
    [[nodiscard]] bool boolean() const;
    /// A text of at most so many bytes, as it lies in the document.
    [[nodiscard]] std::string_view textView(std::size_t most = kAnyNumber) const;
    [[nodiscard]] std::string text(std::size_t most) const { return std::string(textView(most)); }

    /// "cells[3].nw.mean"; empty for the whole document.
    [[nodiscard]] std::string place() const;
    /// The value; an array or object without what it holds.
    [[nodiscard]] nlohmann::ordered_json withoutContent() const;
    /// Says what is wrong with this value.
    void complain(std::string_view message) const;

private:
    static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

    /// A value of the same document.
    JsonNode(const JsonNode& other, std::size_t at)
        : m_document(other.m_document), m_problem(other.m_problem), m_at(at) {}

    [[nodiscard]] bool isArrayOf(std::size_t most) const;
    /// Place of the value of a key between two places of an object, or kNowhere.
    [[nodiscard]] std::size_t lookUp(std::string_view key, std::size_t from, std::size_t to) const;
    /// Whether nothing is wrong yet and nobody asked to stop.
    [[nodiscard]] bool goesOn() const;

    const JsonDocument* m_document;
    std::optional<Error>* m_problem;
    std::size_t m_at;
};

/// What `read` makes of the whole document, or the first thing that is wrong with it.
template <typename Read>
[[nodiscard]] Result<std::invoke_result_t<Read, JsonNode>> readDocument(
    const JsonDocument& document, Read&& read) {
    std::optional<Error> problem;
    auto value = read(JsonNode(document, problem));
    if (problem) {
        return tl::unexpected(std::move(*problem));
    }
    return {std::move(value)};
}

/// Checks the member "schema" of a document; complains about another one, and by name about a newer
/// one.
void checkSchema(const JsonNode& document, std::string_view schema);

/// Whether a document has a schema, of whichever version.
[[nodiscard]] bool isFamily(const JsonDocument& document, std::string_view schema);

}  // namespace epsilens::document
