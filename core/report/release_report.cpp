#include "core/report/release_report.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/base/bound_text.h"
#include "core/base/numbers.h"
#include "core/document/json_parts.h"
#include "core/report/odds_text.h"

namespace epsilens::report {
namespace {

using nlohmann::ordered_json;
using release::ReleaseCounts;
using release::UnknownPolicy;

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", formatCount(count), count == 1 ? one : many);
}

/// What some processed words together may lose: the bound times the sum of the distances, and at
/// most so many caps.
ordered_json jsonTotal(const mechanism::Guarantee& guarantee, std::int64_t words) {
    const auto count = static_cast<double>(words);
    ordered_json json;
    json["words"] = words;
    json["statement"] = "sum over the words of " + guarantee.statement;
    json["boundTimesMeanDistance"] = document::jsonNumber(count * guarantee.bound);
    json["cap"] =
        guarantee.cap ? document::jsonNumber(count * *guarantee.cap) : ordered_json(nullptr);
    return json;
}

/// Nothing without a guarantee, infinite where the cap alone keeps the odds of any two words.
double reachOf(const mechanism::Guarantee& guarantee) {
    return mechanism::protectionRadius(guarantee, mechanism::kLargestUsefulFactor).value_or(0.0);
}

ordered_json jsonTable(const release::StreamEnd& end) {
    if (end.table.columns.empty()) {
        return nullptr;
    }
    ordered_json json;
    json["format"] = io::recordFormatName(end.table.format);
    json["columns"] = end.table.columns;
    json["records"] = end.records;
    return json;
}

/// Within what equal words get equal replacements.
std::string_view within(const ReleaseReport& report) {
    return report.isConsistent ? "document" : "none";
}

ordered_json jsonSettings(const ReleaseReport& report) {
    ordered_json json;
    json["unknown"] = release::unknownPolicyName(report.unknown);
    json["mask"] =
        report.unknown == UnknownPolicy::mask ? ordered_json(report.mask) : ordered_json(nullptr);
    json["case"] = text::casePolicyName(report.caseAsked);
    json["caseUsed"] = text::casePolicyName(report.caseUsed);
    json["stopWordsListed"] = report.stopWordsListed;
    json["encoding"] = report.end.decoding.encoding;
    json["encodingWritten"] = io::kUtf8;
    json["invalid"] = io::invalidBytesName(report.end.decoding.invalid);
    json["consistent"] = within(report);
    json["table"] = jsonTable(report.end);
    json["randomness"] = report.isConsistent
                             ? "operating system, fresh for every distinct word of a document"
                             : "operating system, fresh for every word occurrence";
    return json;
}

constexpr std::string_view kVisibleRepetition =
    "equal words get equal replacements: that they are equal stays visible, and the guarantee "
    "holds only between texts that repeat their words at the same places";

/// What it costs that equal words get equal replacements; null where they do not.
ordered_json jsonRepetition(const ReleaseReport& report) {
    if (!report.isConsistent) {
        return nullptr;
    }
    ordered_json json;
    json["within"] = within(report);
    json["distinctWords"] = report.counts.drawn;
    json["mostDistinctInDocument"] = report.counts.mostDrawn;
    json["condition"] = kVisibleRepetition;
    return json;
}

/// Words whose losses add up in a line and in the whole text. Equal words of a document lose once
/// together.
std::int64_t countedInLine(const ReleaseReport& report) {
    return report.isConsistent ? std::min(report.counts.mostDrawn, report.counts.mostReplacedInLine)
                               : report.counts.mostReplacedInLine;
}

std::int64_t countedInText(const ReleaseReport& report) {
    return report.isConsistent ? report.counts.drawn : report.counts.replaced;
}

ordered_json jsonCounts(const ReleaseReport& report) {
    const ReleaseCounts& counts = report.counts;
    ordered_json json;
    json["lines"] = counts.lines;
    json["words"] = counts.words;
    json["processed"] = counts.replaced;
    json["unknownMasked"] = counts.masked;
    json["unknownRandom"] = counts.random;
    json["unknownDropped"] = counts.dropped;
    json["bytesWritten"] = counts.bytesWritten;
    json["wordsCut"] = counts.cuts;
    json["invalidReplaced"] = counts.invalidReplaced;
    json["unprotected"]["unknownKept"] = counts.kept;
    json["unprotected"]["stopWords"] = counts.stopWords;
    json["unprotected"]["hiddenCharacters"] = counts.hiddenCharacters;
    return json;
}

/// What is to be warned of whatever the text is.
ordered_json jsonWarnings(const ReleaseReport& report) {
    ordered_json json = ordered_json::array();
    if (report.unknown == UnknownPolicy::keep) {
        json.push_back("words that are not in the vocabulary are left as they are");
    }
    if (report.stopWordsListed > 0) {
        json.push_back("stop words are left as they are");
    }
    if (!report.end.table.columns.empty()) {
        json.push_back("everything but the columns named is left as it is");
    }
    if (report.isConsistent) {
        json.push_back(kVisibleRepetition);
    }
    if (!report.agreed.empty()) {
        json.push_back(report.agreed);
    }
    return json;
}

std::string unknownRemark(const ReleaseReport& report) {
    const ReleaseCounts& counts = report.counts;
    switch (report.unknown) {
        case UnknownPolicy::mask:
            return fmt::format("{} masked",
                               counted(counts.masked, "unknown word", "unknown words"));
        case UnknownPolicy::random:
            return fmt::format("{} replaced at random",
                               counted(counts.random, "unknown word", "unknown words"));
        case UnknownPolicy::drop:
            return fmt::format("{} dropped",
                               counted(counts.dropped, "unknown word", "unknown words"));
        case UnknownPolicy::keep:
            break;
    }
    return fmt::format("{} kept", counted(counts.kept, "unknown word", "unknown words"));
}

void addUnprotected(const ReleaseReport& report, std::vector<ReleaseRemark>& remarks) {
    for (std::string& remark : unprotectedRemarks(report.counts)) {
        remarks.push_back({std::move(remark), true});
    }
    if (!report.end.table.columns.empty()) {
        remarks.push_back(
            {fmt::format("only {} {} of {} {} released; everything else is copied as it is, "
                         "unprotected",
                         report.end.table.columns.size() == 1 ? "column" : "columns",
                         fmt::join(report.end.table.columns, ", "),
                         counted(report.end.records, "record", "records"),
                         report.end.table.columns.size() == 1 ? "is" : "are"),
             true});
    }
    if (report.isConsistent) {
        remarks.push_back({std::string(kVisibleRepetition), true});
    }
}

/// How many words the mechanism returned as they were.
void addUnchanged(const ReleaseReport& report, std::vector<ReleaseRemark>& remarks) {
    constexpr double kNearlyAll = 0.95;
    const std::int64_t processed = report.counts.replaced;
    if (processed == 0) {
        return;
    }
    const std::int64_t unchanged = report.end.unchanged;
    const bool isNearlyAll =
        static_cast<double>(unchanged) > kNearlyAll * static_cast<double>(processed);
    remarks.push_back(
        {fmt::format("{} of {} came out unchanged{}; this depends on the text: keep it to "
                     "yourself",
                     formatCount(unchanged),
                     counted(processed, "processed word", "processed words"),
                     isNearlyAll ? ", so epsilon has next to no effect" : ""),
         isNearlyAll});
}

/// Up to which distance the odds of two words change by at most a factor that is worth naming.
std::string reachText(const mechanism::Guarantee& guarantee) {
    constexpr int kDigits = 3;
    const double reach = reachOf(guarantee);
    return std::isinf(reach)
               ? fmt::format("the odds of any two words change by at most ×{}",
                             factorAtMost(std::exp(*guarantee.cap)))
               : fmt::format("the odds of two words at most {} apart change by at most ×{}",
                             formatAtLeast(reach, kDigits),
                             factorAtMost(mechanism::kLargestUsefulFactor));
}

std::string guaranteeRemark(const ReleaseReport& report) {
    const mechanism::Guarantee& guarantee = report.guarantee;
    std::string text = mechanism::guaranteeSentence(guarantee, report.stopWordsListed > 0);
    text += "; " + reachText(guarantee);
    text += report.isConsistent
                ? fmt::format("; the losses of distinct words add up, over {} in the text",
                              formatCount(report.counts.drawn))
                : fmt::format(
                      "; the losses of words add up, over {} in the longest line and {} in the "
                      "text",
                      formatCount(report.counts.mostReplacedInLine),
                      formatCount(report.counts.replaced));
    return text + fmt::format("; {}", report.setting.mechanism.rounding());
}

std::string notCoveredRemark() {
    std::string text = "not protected: ";
    std::string_view separator;
    for (const std::string_view part : mechanism::notCovered()) {
        text += separator;
        text += part;
        separator = "; ";
    }
    return text;
}

}  // namespace

ReleaseReport describeRelease(const embedding::PreparedEmbedding& prepared,
                              const mechanism::Setting& setting,
                              const release::Sanitizer& sanitizer, const release::StreamEnd& end) {
    const release::ReleasePolicies& policies = sanitizer.policies();
    ReleaseReport report;
    report.provenance = calibration::provenanceOf(prepared);
    report.setting = setting;
    report.guarantee = sanitizer.guarantee();
    report.unknown = policies.unknown;
    report.mask = policies.mask;
    report.caseAsked = policies.letterCase;
    report.caseUsed = sanitizer.casePolicy();
    report.stopWordsListed = policies.stopWords ? policies.stopWords->size() : 0;
    report.isConsistent = policies.isConsistent;
    report.counts = end.counts;
    report.end = end;
    return report;
}

std::string releaseJson(const ReleaseReport& report) {
    const mechanism::Mechanism& mechanism = report.setting.mechanism;
    ordered_json json;
    json["schema"] = "epsilens.sanitize/1";
    json["version"] = report.provenance.version;
    json["embedding"] = document::jsonEmbedding(report.provenance.embedding);
    json["mechanism"] = document::jsonMechanism(mechanism, mechanism.isExact());
    json["settings"] = jsonSettings(report);
    json["counts"] = jsonCounts(report);
    json["guarantee"]["perWord"] = document::jsonGuarantee(mechanism, report.guarantee);
    json["guarantee"]["perLine"] = jsonTotal(report.guarantee, countedInLine(report));
    json["guarantee"]["total"] = jsonTotal(report.guarantee, countedInText(report));
    json["guarantee"]["reach1000000"] = document::jsonNumber(reachOf(report.guarantee));
    json["guarantee"]["repetition"] = jsonRepetition(report);
    json["guarantee"]["rounding"] = mechanism.rounding();
    json["warnings"] = jsonWarnings(report);
    json["notProtected"] = ordered_json::array();
    for (const std::string_view part : mechanism::notCovered()) {
        json["notProtected"].push_back(part);
    }
    json["partial"] = report.end.interrupted;
    json["wholeLines"] = report.end.wholeLines;
    return document::jsonText(json);
}

std::vector<std::string> unprotectedRemarks(const ReleaseCounts& counts) {
    std::vector<std::string> remarks;
    if (counts.unprotectedWords() > 0) {
        remarks.push_back(
            fmt::format("{} unprotected: {}, {}",
                        counted(counts.unprotectedWords(), "word is left", "words are left"),
                        counted(counts.kept, "unknown word", "unknown words"),
                        counted(counts.stopWords, "stop word", "stop words")));
    }
    if (counts.invalidReplaced > 0) {
        remarks.push_back(fmt::format(
            "{} replaced by U+FFFD", counted(counts.invalidReplaced, "damaged place of the text is",
                                             "damaged places of the text are")));
    }
    if (counts.hiddenCharacters > 0) {
        remarks.push_back(
            fmt::format("{} outside of words: copied as they are, unprotected",
                        counted(counts.hiddenCharacters,
                                "control, format, combining or replacement character stands",
                                "control, format, combining or replacement characters stand")));
    }
    if (counts.cuts > 0) {
        remarks.push_back(fmt::format(
            "text without a blank was too long to hold: {}; each part counts as words of its own",
            counted(counts.cuts, "place was cut", "places were cut")));
    }
    return remarks;
}

std::vector<ReleaseRemark> releaseRemarks(const ReleaseReport& report) {
    const ReleaseCounts& counts = report.counts;
    std::vector<ReleaseRemark> remarks;
    remarks.push_back(
        {fmt::format("{} in {}: {} processed, {}", counted(counts.words, "word", "words"),
                     counted(counts.lines, "line", "lines"), formatCount(counts.replaced),
                     unknownRemark(report))});
    if (report.end.decoding.encoding != io::kUtf8) {
        remarks.push_back({fmt::format("the text was read as {} and is written in UTF-8",
                                       report.end.decoding.encoding)});
    }
    addUnprotected(report, remarks);
    addUnchanged(report, remarks);
    remarks.push_back({guaranteeRemark(report)});
    remarks.push_back({notCoveredRemark()});
    return remarks;
}

}  // namespace epsilens::report
