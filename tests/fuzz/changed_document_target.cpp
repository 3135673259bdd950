#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/fuzz/example_documents.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/kept_files.h"

// Bytes alone seldom are a whole document. Here they say what is changed in a sound one: the first
// chooses it; then each line replaces the value at a place, which its first two bytes choose, by
// the JSON that follows, or removes it when nothing readable follows.

using nlohmann::ordered_json;

namespace {

struct Sound {
    std::string target{};
    ordered_json document{};
    std::vector<std::string> places{};  ///< of all values, as JSON pointers
};

void addPlaces(const ordered_json& value, const std::string& place,
               std::vector<std::string>& places) {
    places.push_back(place);
    if (value.is_structured()) {
        for (const auto& [key, member] : value.items()) {
            std::string inner = place;
            inner += '/';
            inner += key;
            addPlaces(member, inner, places);
        }
    }
}

std::vector<Sound> soundDocuments() {
    std::vector<Sound> sound;
    for (const auto& example : epsilens::fuzz::exampleDocuments()) {
        Sound one{example.target, ordered_json::parse(example.json), {}};
        addPlaces(one.document, "", one.places);
        sound.push_back(std::move(one));
    }
    return sound;
}

void change(ordered_json& document, const std::string& place, std::string_view replacement) {
    const ordered_json::json_pointer pointer(place);
    if (!document.contains(pointer)) {
        return;
    }
    ordered_json value = ordered_json::parse(replacement, nullptr, false);
    if (!value.is_discarded()) {
        document[pointer] = std::move(value);
    } else if (!pointer.empty() && document[pointer.parent_pointer()].is_object()) {
        document[pointer.parent_pointer()].erase(pointer.back());
    }
}

std::string_view takeLine(std::string_view& rest) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return line;
}

}  // namespace

EPSILENS_FUZZ_TARGET(changed_document) {
    static const std::vector<Sound> kSound = soundDocuments();
    if (input.empty()) {
        return;
    }
    const auto byte = [](char character) { return static_cast<unsigned char>(character); };
    const Sound& sound = kSound[byte(input.front()) % kSound.size()];
    ordered_json document = sound.document;
    for (std::string_view rest = input.substr(1); !rest.empty();) {
        const std::string_view line = takeLine(rest);
        if (line.size() >= 2) {
            const std::size_t place = byte(line[0]) * std::size_t{256} + byte(line[1]);
            change(document, sound.places[place % sound.places.size()], line.substr(2));
        }
    }
    const std::string json = document.dump();
    if (sound.target == "calibration") {
        epsilens::fuzz::checkCalibration(json);
    } else if (sound.target == "report") {
        epsilens::fuzz::checkReport(json);
    } else {
        epsilens::fuzz::checkSession(json);
    }
    // Reads it several times over: for some inputs only.
    if (input.size() % 4 == 0) {
        epsilens::fuzz::checkKeptDocument(json);
    }
}
