#include "tests/fuzz/kept_files.h"

#include <string>

#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/kept_document.h"
#include "core/document/report_document.h"
#include "core/document/session.h"
#include "core/document/verification.h"
#include "core/report/report_html.h"
#include "core/report/report_text.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/memory_file.h"

namespace epsilens::fuzz {
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
    return document::calibrationJson(run);
}

}  // namespace

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

void checkKeptDocument(std::string_view input) {
    const MemoryFile file(input);
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

}  // namespace epsilens::fuzz
