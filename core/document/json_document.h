#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/io/memory_limit.h"

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

/// A JSON text that was read whole; members stand in the order of the text.
class JsonDocument {
public:
    /// Null.
    JsonDocument();
    JsonDocument(nlohmann::ordered_json value, std::stop_token stop);

    [[nodiscard]] const nlohmann::ordered_json& value() const { return *m_value; }
    /// Ends the reading of its values, too.
    [[nodiscard]] const std::stop_token& stop() const { return m_stop; }

private:
    std::shared_ptr<const nlohmann::ordered_json> m_value;
    std::stop_token m_stop{};
};

/// A larger file is refused.
inline constexpr std::size_t kMostBytes = std::size_t{256} << 20;

/// Tells how much memory may be taken from now on.
using MemoryQuestion = std::function<io::MemoryBudget()>;

/// Reads a JSON text whole, in time and memory linear in its length. Fails with badFile for
/// anything that is no JSON, for an object with a key twice or with more than 1,000 members, and
/// for more than 64 levels (damaged or made-up files), and with cancelled.
[[nodiscard]] Result<JsonDocument> parseJson(std::string_view text,
                                             const std::stop_token& stop = {});

/// The same for a file, which is not held in memory beside the document. Fails also with
/// resourceLimit for a file of more than kMostBytes, and for one that needs more memory than there
/// is, before that is taken; the error names the file.
///
/// memory  asked at most once, and only for a file that is large enough to matter
[[nodiscard]] Result<JsonDocument> openJson(
    const std::string& path, const std::stop_token& stop = {},
    const MemoryQuestion& memory = [] { return io::MemoryBudget(0); });

/// A value inside a document. The first value that is not as it has to be is kept as the problem of
/// the whole document, with its place, and a harmless value stands in for it. So a reader takes one
/// field after the other and asks once, at the end, whether all went well.
class JsonNode {
public:
    /// The whole document.
    ///
    /// problem  takes the first failure; lives as long as the nodes, as the document does
    JsonNode(const JsonDocument& document, std::optional<Error>& problem)
        : m_document(&document), m_problem(&problem), m_value(&document.value()) {}

    /// Null for a member that is not there.
    [[nodiscard]] const nlohmann::ordered_json& value() const { return *m_value; }
    [[nodiscard]] bool isNull() const;
    [[nodiscard]] bool isObject() const;

    /// A member that has to be there.
    [[nodiscard]] JsonNode at(std::string_view key) const {
        std::size_t start = 0;
        return memberFrom(start, key);
    }
    /// The same for a reader who takes the members in about the order in which they stand.
    ///
    /// start  the member to look at first; afterwards the one behind the found. 0 at the beginning
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
        for (std::size_t i = 0; i < size() && goesOn(); ++i) {
            take(valueAt(i));
        }
    }
    /// Gives keys and values of an object to `take`.
    template <typename Take>
    void eachMember(Take&& take) const {
        for (std::size_t i = 0; i < size() && goesOn(); ++i) {
            take(keyAt(i), valueAt(i));
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
    /// Says what is wrong with this value.
    void complain(std::string_view message) const;

private:
    /// A value of the same document.
    JsonNode(const JsonNode& other, const nlohmann::ordered_json& value)
        : m_document(other.m_document), m_problem(other.m_problem), m_value(&value) {}

    [[nodiscard]] bool isArrayOf(std::size_t most) const;
    /// Of an array or object: the number of its values, one of them, and the key of that.
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] JsonNode valueAt(std::size_t index) const;
    [[nodiscard]] std::string_view keyAt(std::size_t index) const;
    /// Whether nothing is wrong yet and nobody asked to stop.
    [[nodiscard]] bool goesOn() const;

    const JsonDocument* m_document;
    std::optional<Error>* m_problem;
    const nlohmann::ordered_json* m_value;
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
