#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/enum_names.h"
#include "core/document/json_document.h"
#include "core/document/json_parts.h"

/// The fields of a struct are described once, by a function of what is done with them:
///
///   constexpr auto kWord = objectOf([](auto& json, auto& word) {
///       json.field("word", word.word);
///       json.field("row", word.row, kRow);
///   });
///
/// With a FieldWriter it writes the struct, with a FieldReader it reads it strictly. Fields are
/// read in the order in which they are described: what follows may depend on what was read before.
namespace epsilens::document {

// Rules: how a value is written, and which values are read.

/// A number; written as null where JSON has none for it (NaN, infinity).
struct Number {
    double lowest = 0.0;
    double highest = kLargestNumber;

    [[nodiscard]] nlohmann::ordered_json write(double value) const { return jsonNumber(value); }
    void read(const JsonNode& node, double& value) const { value = node.number(lowest, highest); }
};

/// A number that may not exist, which is NaN.
struct NumberOrNaN : Number {
    void read(const JsonNode& node, double& value) const {
        value =
            node.isNull() ? std::numeric_limits<double>::quiet_NaN() : node.number(lowest, highest);
    }
};

struct Integer {
    std::int64_t lowest = 0;
    std::int64_t highest = kLargestInteger;

    template <typename T>
    [[nodiscard]] nlohmann::ordered_json write(T value) const {
        return value;
    }
    template <typename T>
    void read(const JsonNode& node, T& value) const {
        value = static_cast<T>(node.integer(lowest, highest));
    }
};

struct Flag {
    [[nodiscard]] nlohmann::ordered_json write(bool value) const { return value; }
    void read(const JsonNode& node, bool& value) const { value = node.boolean(); }
};

struct Text {
    std::size_t most = kLongestText;

    [[nodiscard]] nlohmann::ordered_json write(std::string_view value) const { return value; }
    void read(const JsonNode& node, std::string& value) const { value = node.text(most); }
};

/// The rule of a field that names none: any number or none, any count, text or flag. Of other types
/// what the JSON library makes of them, which is not read.
template <typename T>
struct RuleOf {
    [[nodiscard]] nlohmann::ordered_json write(const T& value) const { return value; }
};
template <std::integral T>
struct RuleOf<T> : Integer {};
template <>
struct RuleOf<bool> : Flag {};
template <std::floating_point T>
struct RuleOf<T> : NumberOrNaN {
    constexpr RuleOf() : NumberOrNaN{{-kLargestNumber, kLargestNumber}} {}
};
template <>
struct RuleOf<std::string> : Text {};

/// Makes an object of the fields that are described to it, in their order.
class FieldWriter {
public:
    static constexpr bool kReads = false;

    /// A member that is always there; null for an optional without a value.
    template <typename T, typename Rule = RuleOf<T>>
    void field(std::string_view key, const T& value, const Rule& rule = {}) {
        put(key, rule.write(value));
    }
    template <typename T, typename Rule = RuleOf<T>>
    void field(std::string_view key, const std::optional<T>& value, const Rule& rule = {}) {
        put(key, value ? rule.write(*value) : nlohmann::ordered_json(nullptr));
    }
    /// A member that is null where the value does not exist.
    template <typename T, typename Rule = RuleOf<T>>
    void fieldOrNull(bool exists, std::string_view key, const T& value, const Rule& rule = {}) {
        put(key, exists ? rule.write(value) : nlohmann::ordered_json(nullptr));
    }
    /// A member that is missing where the value does not exist.
    template <typename T, typename Rule = RuleOf<T>>
    void fieldIf(bool exists, std::string_view key, const T& value, const Rule& rule = {}) {
        if (exists) {
            field(key, value, rule);
        }
    }
    /// A member that is missing for an optional without a value.
    template <typename T, typename Rule = RuleOf<T>>
    void fieldIf(std::string_view key, const std::optional<T>& value, const Rule& rule = {}) {
        if (value) {
            field(key, *value, rule);
        }
    }
    /// The member that says what the document is.
    void schema(std::string_view name) { put("schema", name); }
    /// What follows from the rest.
    template <typename... Value>
    void put(std::string_view key, const Value&... value) {
        field(key, value...);
    }
    void put(std::string_view key, nlohmann::ordered_json value) {
        m_json.get_ref<nlohmann::ordered_json::object_t&>().emplace_back(std::string(key),
                                                                         std::move(value));
    }
    [[nodiscard]] nlohmann::ordered_json json() && { return std::move(m_json); }

private:
    nlohmann::ordered_json m_json = nlohmann::ordered_json::object();
};

/// Takes the fields that are described to it from an object, as FieldWriter writes them. Members
/// that are not described are left alone.
class FieldReader {
public:
    static constexpr bool kReads = true;

    explicit FieldReader(const JsonNode& object) : m_object(object) {}

    template <typename T, typename Rule = RuleOf<T>>
    void field(std::string_view key, T& value, const Rule& rule = {}) {
        rule.read(member(key), value);
    }
    template <typename T, typename Rule = RuleOf<T>>
    void field(std::string_view key, std::optional<T>& value, const Rule& rule = {}) {
        value.reset();
        if (const JsonNode node = member(key); !node.isNull()) {
            rule.read(node, value.emplace(T{}));
        }
    }
    /// exists  whether the value has to be there, as far as is known
    template <typename T, typename Rule = RuleOf<T>>
    void fieldOrNull(bool exists, std::string_view key, T& value, const Rule& rule = {}) {
        if (const JsonNode node = member(key); exists || !node.isNull()) {
            rule.read(node, value);
        }
    }
    template <typename T, typename Rule = RuleOf<T>>
    void fieldIf(bool /*exists*/, std::string_view key, T& value, const Rule& rule = {}) {
        if (const auto node = m_object.find(key)) {
            rule.read(*node, value);
        }
    }
    template <typename T, typename Rule = RuleOf<T>>
    void fieldIf(std::string_view key, std::optional<T>& value, const Rule& rule = {}) {
        if (const auto node = m_object.find(key)) {
            rule.read(*node, value.emplace(T{}));
        }
    }
    void schema(std::string_view name) { checkSchema(m_object, name); }
    /// What follows from the rest is not read.
    template <typename... Value>
    void put(std::string_view /*key*/, const Value&... /*value*/) {}
    /// Complains about a member unless something holds.
    void demand(bool holds, std::string_view key, std::string_view message) {
        if (!holds) {
            member(key).complain(message);
        }
    }

private:
    [[nodiscard]] JsonNode member(std::string_view key) { return m_object.memberFrom(m_next, key); }

    JsonNode m_object;
    std::size_t m_next = 0;
};

/// Whether fields are read, by the type of what they are described to.
template <typename Fields>
inline constexpr bool kReads = std::remove_reference_t<Fields>::kReads;

/// The path of a file. One that is no UTF-8, as JSON has to be, is found again all the same.
struct FilePath {
    [[nodiscard]] nlohmann::ordered_json write(std::string_view value) const {
        return pathText(value);
    }
    void read(const JsonNode& node, std::string& value) const {
        value = pathOf(node.textView(kLongestPath));
    }
};

/// What has a name, by the functions that give it and find it.
template <auto nameOf, auto parse>
struct Named {
    template <typename T>
    [[nodiscard]] nlohmann::ordered_json write(const T& value) const {
        return nameOf(value);
    }
    template <typename T>
    void read(const JsonNode& node, T& value) const {
        if (auto found = parse(node.textView(kLongestName))) {
            value = *std::move(found);
        } else {
            node.complain(found.error().message);
        }
    }
};

/// One of a few values that have names.
template <typename T, std::size_t count>
struct OneOf {
    EnumNames<T, count> names;

    [[nodiscard]] nlohmann::ordered_json write(T value) const { return nameIn(names, value); }
    void read(const JsonNode& node, T& value) const {
        if (const auto found = valueIn(names, node.textView(kLongestName))) {
            value = *found;
        } else {
            node.complain(found.error().message);
        }
    }
};

template <typename T, std::size_t count>
[[nodiscard]] constexpr OneOf<T, count> oneOf(
    const std::pair<std::string_view, T> (&names)[count]) {
    return {std::to_array(names)};
}

/// Two values of one kind, as an array.
template <typename Rule>
struct Pair {
    Rule rule;

    template <typename T>
    [[nodiscard]] nlohmann::ordered_json write(const std::array<T, 2>& values) const {
        return nlohmann::ordered_json::array({rule.write(values[0]), rule.write(values[1])});
    }
    template <typename T>
    void read(const JsonNode& node, std::array<T, 2>& values) const {
        std::size_t count = 0;
        node.eachItem(2, [&](const JsonNode& item) { rule.read(item, values.at(count++)); });
        if (count != 2) {
            node.complain("it does not hold two values");
        }
    }
};

template <typename Rule>
[[nodiscard]] constexpr Pair<Rule> pairOf(Rule rule) {
    return {rule};
}

template <typename Rule>
struct List {
    Rule rule;
    std::size_t most = kAnyNumber;

    template <typename Values>
    [[nodiscard]] nlohmann::ordered_json write(const Values& values) const {
        nlohmann::ordered_json array = nlohmann::ordered_json::array();
        for (const auto& value : values) {
            array.push_back(rule.write(value));
        }
        return array;
    }
    template <typename T>
    void read(const JsonNode& node, std::vector<T>& values) const {
        values.clear();
        node.eachItem(most, [&](const JsonNode& item) { rule.read(item, values.emplace_back()); });
    }
};

template <typename Rule>
[[nodiscard]] constexpr List<Rule> listOf(Rule rule, std::size_t most = kAnyNumber) {
    return {rule, most};
}

/// An object with the fields that `describe` names.
template <typename Describe>
struct Object {
    Describe describe;

    template <typename T>
    [[nodiscard]] nlohmann::ordered_json write(const T& value) const {
        FieldWriter fields;
        describe(fields, value);
        return std::move(fields).json();
    }
    template <typename T>
    void read(const JsonNode& node, T& value) const {
        if (!node.isObject()) {
            node.complain("it is not an object");
            return;
        }
        FieldReader fields(node);
        describe(fields, value);
    }
};

template <typename Describe>
[[nodiscard]] constexpr Object<Describe> objectOf(Describe describe) {
    return {describe};
}

/// A member that holds two fields of a struct, as an array.
template <typename Fields, typename T>
void describePair(Fields& json, std::string_view key, T& first, T& second) {
    std::array<std::remove_const_t<T>, 2> both{first, second};
    json.field(key, both, pairOf(RuleOf<std::remove_const_t<T>>{}));
    if constexpr (Fields::kReads) {
        first = std::move(both[0]);
        second = std::move(both[1]);
    }
}

inline constexpr Number kAboveZero{kLeastNumber, kLargestNumber};
inline constexpr Number kAtLeastZero{};
inline constexpr Number kShare{0.0, 1.0};
inline constexpr Integer kCount{};
inline constexpr Integer kRow{0, kLargestRow};
inline constexpr Text kText{};
inline constexpr Text kFileName{kLongestPath};  ///< for people
inline constexpr FilePath kPath{};

}  // namespace epsilens::document
