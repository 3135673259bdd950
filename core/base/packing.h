#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace epsilens {

/// Packs values for another process of this program on the same kind of machine, bit by bit as they
/// lie in memory, or reads what another archive packed, in the same order. Never for files.
///
/// Values are of trivially copyable types, strings, vectors and optionals of such values, and
/// structs with a function transfer(archive, value) beside them that calls the archive with their
/// members. Reading throws std::logic_error where there is less than asked for: the two sides do
/// not agree, which is a bug.
class Archive {
public:
    Archive() = default;  ///< packs
    /// Reads.
    ///
    /// bytes  outlive this object
    explicit Archive(std::string_view bytes) : m_isReading(true), m_rest(bytes) {}

    template <typename... Values>
    void operator()(Values&&... values) {
        (pass(values), ...);
    }
    [[nodiscard]] std::string bytes() && { return std::move(m_bytes); }

private:
    template <typename Value>
    void pass(Value& value) {
        static_assert(!std::is_pointer_v<Value>);
        if constexpr (std::is_trivially_copyable_v<Value>) {
            passBytes(&value, sizeof(Value));
        } else {
            transfer(*this, value);
        }
    }
    void pass(std::string& text) {
        passSize(text);
        passBytes(text.data(), text.size());
    }
    void pass(std::vector<bool>& flags) {
        std::vector<char> values(flags.begin(), flags.end());
        pass(values);
        flags.assign(values.begin(), values.end());
    }
    template <typename Value>
    void pass(std::vector<Value>& values) {
        passSize(values);
        if constexpr (std::is_trivially_copyable_v<Value>) {
            passBytes(values.data(), values.size() * sizeof(Value));
        } else {
            for (Value& value : values) {
                pass(value);
            }
        }
    }
    template <typename Value>
    void pass(std::optional<Value>& value) {
        bool has = value.has_value();
        pass(has);
        if (!has) {
            value.reset();
        } else {
            pass(m_isReading ? value.emplace() : *value);
        }
    }

    template <typename Values>
    void passSize(Values& values) {
        std::size_t size = values.size();
        pass(size);
        check(size);  // each takes a byte or more
        values.resize(size);
    }
    void passBytes(void* place, std::size_t count) {
        if (m_isReading) {
            check(count);
            std::copy_n(m_rest.data(), count, static_cast<char*>(place));
            m_rest.remove_prefix(count);
        } else {
            m_bytes.append(static_cast<const char*>(place), count);
        }
    }
    void check(std::size_t count) const {
        if (m_isReading && count > m_rest.size()) {
            throw std::logic_error("a packed value is cut short");
        }
    }

    bool m_isReading = false;
    std::string m_bytes{};
    std::string_view m_rest{};
};

}  // namespace epsilens
