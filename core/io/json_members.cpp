#include "core/io/json_members.h"

#include <unordered_set>
#include <utility>

#include <nlohmann/json.hpp>

namespace epsilens::io {
namespace {

using nlohmann::json;

/// Takes the keys of the outermost object from the parser.
class OuterKeys final : public nlohmann::json_sax<json> {
public:
    [[nodiscard]] std::vector<std::string>& names() { return m_names; }

    // A value outside the object is no object.
    bool null() override { return m_levels > 0; }
    bool boolean(bool /*value*/) override { return m_levels > 0; }
    bool number_integer(number_integer_t /*value*/) override { return m_levels > 0; }
    bool number_unsigned(number_unsigned_t /*value*/) override { return m_levels > 0; }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override {
        return m_levels > 0;
    }
    bool string(string_t& /*value*/) override { return m_levels > 0; }
    bool binary(binary_t& /*value*/) override { return false; }
    bool start_object(std::size_t /*members*/) override {
        ++m_levels;
        return true;
    }
    bool end_object() override {
        --m_levels;
        return true;
    }
    bool start_array(std::size_t /*elements*/) override { return m_levels++ > 0; }
    bool end_array() override {
        --m_levels;
        return true;
    }
    bool key(string_t& name) override {
        if (m_levels == 1 && m_seen.insert(name).second) {
            m_names.push_back(name);
        }
        return true;
    }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const json::exception& /*problem*/) override {
        return false;
    }

private:
    std::size_t m_levels = 0;
    std::unordered_set<std::string> m_seen{};
    std::vector<std::string> m_names{};
};

}  // namespace

std::vector<std::string> memberNames(std::string_view text) {
    OuterKeys keys;
    return json::sax_parse(text.begin(), text.end(), &keys) ? std::move(keys.names())
                                                            : std::vector<std::string>();
}

}  // namespace epsilens::io
