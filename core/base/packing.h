#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace epsilens {

/// Packs values for another process of this program on the same kind of machine, bit by bit as they
/// lie in memory. Never for files.
///
/// Values are of trivially copyable types, strings, vectors and optionals of such values, and
/// structs with a function transfer(archive, value) beside them that calls the archive with their
/// members.
class Packer {
public:
    template <typename... Values>
    void operator()(const Values&... values) {
        (add(values), ...);
    }
    [[nodiscard]] const std::string& bytes() const& { return m_bytes; }
    [[nodiscard]] std::string bytes() && { return std::move(m_bytes); }

private:
    template <typename Value>
    void add(const Value& value) {
        static_assert(!std::is_pointer_v<Value>);
        if constexpr (std::is_trivially_copyable_v<Value>) {
            m_bytes.append(reinterpret_cast<const char*>(&value), sizeof(Value));
        } else {
            // Of the two archives this one only reads what it is given.
            transfer(*this, const_cast<Value&>(value));
        }
    }
    void add(const std::string& text) { addAll(text); }
    void add(const std::vector<bool>& flags) {
        addAll(std::vector<char>(flags.begin(), flags.end()));
    }
    template <typename Value>
    void add(const std::vector<Value>& values) {
        addAll(values);
    }
    template <typename Value>
    void add(const std::optional<Value>& value) {
        add(value.has_value());
        if (value) {
            add(*value);
        }
    }

    template <typename Values>
    void addAll(const Values& values) {
        using Value = typename Values::value_type;
        add(values.size());
        if constexpr (std::is_trivially_copyable_v<Value>) {
            m_bytes.append(reinterpret_cast<const char*>(values.data()),
                           values.size() * sizeof(Value));
        } else {
            for (const Value& value : values) {
                add(value);
            }
        }
    }

    std::string m_bytes{};
};

/// Reads what a Packer packed, in the same order. Throws std::logic_error where there is less: the
/// two do not agree, which is a bug.
class Unpacker {
public:
    /// bytes  outlive this object
    explicit Unpacker(std::string_view bytes) : m_rest(bytes) {}

    template <typename... Values>
    void operator()(Values&... values) {
        (get(values), ...);
    }
    [[nodiscard]] bool atEnd() const { return m_rest.empty(); }

private:
    template <typename Value>
    void get(Value& value) {
        if constexpr (std::is_trivially_copyable_v<Value>) {
            std::memcpy(static_cast<void*>(&value), take(1, sizeof(Value)), sizeof(Value));
        } else {
            transfer(*this, value);
        }
    }
    void get(std::string& text) { getAll(text); }
    void get(std::vector<bool>& flags) {
        std::vector<char> values;
        getAll(values);
        flags.assign(values.begin(), values.end());
    }
    template <typename Value>
    void get(std::vector<Value>& values) {
        getAll(values);
    }
    template <typename Value>
    void get(std::optional<Value>& value) {
        bool has = false;
        get(has);
        value.reset();
        if (has) {
            get(value.emplace());
        }
    }

    template <typename Values>
    void getAll(Values& values) {
        using Value = typename Values::value_type;
        std::size_t size = 0;
        get(size);
        if constexpr (std::is_trivially_copyable_v<Value>) {
            const char* const first = take(size, sizeof(Value));
            values.resize(size);
            std::copy_n(first, size * sizeof(Value), reinterpret_cast<char*>(values.data()));
        } else {
            values.clear();
            for (std::size_t i = 0; i < size; ++i) {
                get(values.emplace_back());
            }
        }
    }

    [[nodiscard]] const char* take(std::size_t count, std::size_t size) {
        if (count > m_rest.size() / size) {
            throw std::logic_error("a packed value is cut short");
        }
        const char* const first = m_rest.data();
        m_rest.remove_prefix(count * size);
        return first;
    }

    std::string_view m_rest;
};

}  // namespace epsilens
