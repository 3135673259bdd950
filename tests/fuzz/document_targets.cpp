#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/json_parts.h"
#include "core/document/kept_document.h"
#include "core/document/report_document.h"
#include "core/document/session.h"
#include "core/io/read_ahead.h"
#include "core/report/report_model.h"
#include "tests/core/document/tampering.h"
#include "tests/core/report/example_calibration.h"
#include "tests/fuzz/fuzz_target.h"

// Each target reads the bytes as one kind of file that Epsilens keeps and checks what every reader
// promises: an error with a sentence, or content that is written and read back as the same, so that
// what was opened can be saved. Reports are also composed and written for people.

using namespace epsilens;
using fuzz::require;
using nlohmann::ordered_json;

namespace {

void requireRefusal(const Error& error) {
    require(error.code == ErrorCode::badFile && !error.message.empty(), "a refusal says why");
}

/// Composes and writes what read well; the chosen setting or a limit may be none that it has.
void checkWriters(const document::Report& report) {
    const auto content = report::composeReport(report);
    if (!content) {
        require(!content.error().message.empty(), "a report that cannot be made says why");
        return;
    }
    const std::string html = report::reportHtml(*content);
    require(html.find("<script") == std::string::npos, "text of a file is no markup");
    require(!report::reportText(*content).empty(), "a report has text");
}

std::string written(const calibration::Run& run) {
    return document::jsonText(document::calibrationDocument(run));
}

void checkSession(std::string_view input) {
    const auto read = document::readSession(input);
    if (!read) {
        requireRefusal(read.error());
        return;
    }
    const std::string text = document::sessionJson(*read);
    const auto again = document::readSession(text);
    require(again.has_value(), "a session that was opened can be saved and opened");
    require(document::sessionJson(*again) == text, "a session is read back as it was written");
    require(read->keepsSentences || again->report.sentences.empty(),
            "sentences stay out unless they are asked for");
}

void checkReport(std::string_view input) {
    const auto read = document::readReport(input);
    if (!read) {
        requireRefusal(read.error());
        return;
    }
    checkWriters(*read);
    const auto text = document::reportJson(*read);
    if (!text) {
        require(!text.error().message.empty(), "a report that cannot be made says why");
        return;
    }
    const auto again = document::readReport(*text);
    require(again.has_value(), "a report that was opened can be saved and opened");
    require(document::reportJson(*again) == *text, "a report is read back as it was written");
}

void checkCalibration(std::string_view input) {
    const auto read = document::readCalibration(input);
    if (!read) {
        requireRefusal(read.error());
        return;
    }
    const std::string text = written(*read);
    const auto again = document::readCalibration(text);
    require(again.has_value(), "a calibration that was opened can be saved and opened");
    require(written(*again) == text, "a calibration is read back as it was written");
}

/// As the option --from and verify read a file of any kind.
void checkKeptDocument(std::string_view input) {
    const fuzz::MemoryFile file(input);
    const auto kept = document::openDocument(file.path());
    if (!kept) {
        requireRefusal(kept.error());
        require(!kept.error().file.empty(), "a failure names the file");
        return;
    }
    if (kept->hasRun()) {
        checkWriters(kept->report);
    }
    const auto repeatable = document::checkRepeatable(*kept);
    require(repeatable || !repeatable.error().message.empty(), "a refusal says why");
    if (!kept->hasRun()) {
        return;
    }
    const calibration::Run& run = kept->report.run;
    require(document::compareWith(*kept, document::calibrationDocument(run)).has_value(),
            "a document is compared");
}

struct Sound {
    std::string target{};
    ordered_json document{};
    std::vector<std::string> places{};  ///< of all values, as JSON pointers
};

std::vector<Sound> soundDocuments() {
    std::vector<Sound> sound;
    for (const auto& example : test::exampleDocuments()) {
        Sound one{example.target, ordered_json::parse(example.json), {}};
        test::gatherPointers(one.document, "", one.places);
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

}  // namespace

EPSILENS_FUZZ_TARGET(kept_document) {
    checkKeptDocument(input);
}
EPSILENS_FUZZ_TARGET(report) {
    checkReport(input);
}
EPSILENS_FUZZ_TARGET(session) {
    checkSession(input);
}
EPSILENS_FUZZ_TARGET(calibration) {
    checkCalibration(input);
}

// Bytes alone seldom are a whole document. Here they say what is changed in a sound one: the first
// chooses it; then each line replaces the value at a place, which its first two bytes choose, by
// the JSON that follows, or removes it when nothing readable follows.
EPSILENS_FUZZ_TARGET(changed_document) {
    static const std::vector<Sound> kSound = soundDocuments();
    if (input.empty()) {
        return;
    }
    const auto byte = [](char character) { return static_cast<unsigned char>(character); };
    const Sound& sound = kSound[byte(input.front()) % kSound.size()];
    ordered_json document = sound.document;
    for (std::string_view rest = input.substr(1); !rest.empty();) {
        const std::string_view line = io::takeLine(rest);
        if (line.size() >= 2) {
            const std::size_t place = byte(line[0]) * std::size_t{256} + byte(line[1]);
            change(document, sound.places[place % sound.places.size()], line.substr(2));
        }
    }
    const std::string json = document.dump();
    if (sound.target == "calibration") {
        checkCalibration(json);
    } else if (sound.target == "report") {
        checkReport(json);
    } else {
        checkSession(json);
    }
    // Reads it several times over: for some inputs only.
    if (input.size() % 4 == 0) {
        checkKeptDocument(json);
    }
}
