#include "tests/core/document/tampering.h"

#include <cstdint>

namespace epsilens::test {
namespace {

using nlohmann::ordered_json;

ordered_json anotherValue(const ordered_json& value) {
    if (value.is_boolean()) {
        return !value.get<bool>();
    }
    if (value.is_number_integer()) {
        return value.get<std::int64_t>() + 1;
    }
    if (value.is_number()) {
        const auto number = value.get<double>();
        return number > 0.5 ? number - 0.25 : number + 0.25;  // shares stay shares
    }
    auto text = value.get<std::string>();
    if (text.empty()) {
        return "x";
    }
    text.back() = text.back() == 'a' ? 'b' : 'a';
    return text;
}

}  // namespace

void gatherPointers(const ordered_json& value, const std::string& pointer,
                    std::vector<std::string>& pointers) {
    pointers.push_back(pointer);
    if (value.is_structured()) {
        for (const auto& [key, inner] : value.items()) {
            gatherPointers(inner, pointer + "/" + key, pointers);
        }
    }
}

std::size_t eachTampering(const ordered_json& sound, std::size_t every,
                          const std::function<void(const Tampering&)>& visit) {
    std::vector<std::string> pointers;
    gatherPointers(sound, "", pointers);
    std::size_t count = 0;
    const auto with = [&](const char* what, const std::string& pointer, const auto& change) {
        if (count++ % every == 0) {
            Tampering tampering{what, pointer, sound};
            change(tampering.document);
            visit(tampering);
        }
    };
    for (const std::string& pointer : pointers) {
        const ordered_json::json_pointer place(pointer);
        const ordered_json& value = sound[place];
        if (value.is_object()) {
            with("added", pointer + "/extra",
                 [&](auto& document) { document[place]["extra"] = 5; });
        } else if (value.is_array() && !value.empty()) {
            with("added", pointer + "/-",
                 [&](auto& document) { document[place].push_back(value.back()); });
        } else if (value.is_primitive() && !value.is_null()) {
            with("changed", pointer,
                 [&](auto& document) { document[place] = anotherValue(value); });
        }
        if (!pointer.empty()) {
            with("removed", pointer, [&](auto& document) {
                ordered_json& owner = document[place.parent_pointer()];
                if (owner.is_array()) {
                    owner.erase(std::stoul(place.back()));
                } else {
                    owner.erase(place.back());
                }
            });
        }
    }
    return count;
}

}  // namespace epsilens::test
