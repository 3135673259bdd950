#include "core/report/release_report.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/numbers.h"
#include "core/document/descriptions.h"
#include "core/report/memo_words.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using document::jsonNumber;
using nlohmann::ordered_json;
using release::ReleaseCounts;
using release::UnknownPolicy;

constexpr std::string_view kVisibleRepetition =
    "equal words get equal replacements: that they are equal stays visible, and the guarantee "
    "holds only between texts that repeat their words at the same places";

/// What some processed words together may lose: the bound times the sum of the distances, and at
/// most so many caps.
ordered_json jsonTotal(const mechanism::Guarantee& guarantee, std::int64_t words) {
    const auto count = static_cast<double>(words);
    return {{"words", words},
            {"statement", "sum over the words of " + guarantee.statement},
            {"boundTimesMeanDistance", jsonNumber(count * guarantee.bound)},
            {"cap", guarantee.cap ? jsonNumber(count * *guarantee.cap) : ordered_json(nullptr)}};
}

std::int64_t stopWordsListed(const ReleaseReport& report) {
    return report.policies.stopWords ? report.policies.stopWords->size() : 0;
}

ordered_json jsonSettings(const ReleaseReport& report) {
    const release::StreamEnd& end = report.end;
    ordered_json table = nullptr;
    if (!end.table.columns.empty()) {
        table = {{"format", io::recordFormatName(end.table.format)},
                 {"columns", end.table.columns},
                 {"records", end.records}};
    }
    return {
        {"unknown", release::unknownPolicyName(report.policies.unknown)},
        {"mask", report.policies.unknown == UnknownPolicy::mask ? ordered_json(report.policies.mask)
                                                                : ordered_json(nullptr)},
        {"case", text::casePolicyName(report.policies.letterCase)},
        {"caseUsed", text::casePolicyName(report.caseUsed)},
        {"stopWordsListed", stopWordsListed(report)},
        {"encoding", end.decoding.encoding},
        {"encodingWritten", io::kUtf8},
        {"invalid", io::invalidBytesName(end.decoding.invalid)},
        {"consistent", report.policies.isConsistent ? "document" : "none"},
        {"table", std::move(table)},
        {"randomness", report.policies.isConsistent
                           ? "operating system, fresh for every distinct word of a document"
                           : "operating system, fresh for every word occurrence"}};
}

/// Losses per word, and of the words whose losses add up in a line and in the whole text: equal
/// words of a document lose once together.
ordered_json jsonGuarantees(const ReleaseReport& report) {
    const ReleaseCounts& counts = report.end.counts;
    ordered_json repetition = nullptr;
    if (report.policies.isConsistent) {
        repetition = {{"within", "document"},
                      {"distinctWords", counts.drawn},
                      {"mostDistinctInDocument", counts.mostDrawn},
                      {"condition", kVisibleRepetition}};
    }
    const std::int64_t inLine = report.policies.isConsistent
                                    ? std::min(counts.mostDrawn, counts.mostReplacedInLine)
                                    : counts.mostReplacedInLine;
    const mechanism::Mechanism& mechanism = report.setting.mechanism;
    return {
        {"perWord", document::guaranteeFields(mechanism.hasLambda()).write(report.guarantee)},
        {"perLine", jsonTotal(report.guarantee, inLine)},
        {"total", jsonTotal(report.guarantee,
                            report.policies.isConsistent ? counts.drawn : counts.replaced)},
        {"reach1000000",
         jsonNumber(mechanism::protectionRadius(report.guarantee, kLargestUsefulFactor).value())},
        {"repetition", std::move(repetition)},
        {"rounding", mechanism.rounding()}};
}

ordered_json jsonCounts(const ReleaseCounts& counts) {
    return {{"lines", counts.lines},
            {"words", counts.words},
            {"processed", counts.replaced},
            {"unknownMasked", counts.masked},
            {"unknownRandom", counts.random},
            {"unknownDropped", counts.dropped},
            {"bytesWritten", counts.bytesWritten},
            {"wordsCut", counts.cuts},
            {"invalidReplaced", counts.invalidReplaced},
            {"unprotected",
             {{"unknownKept", counts.kept},
              {"stopWords", counts.stopWords},
              {"hiddenCharacters", counts.hiddenCharacters}}}};
}

/// What is to be warned of whatever the text is.
ordered_json jsonWarnings(const ReleaseReport& report) {
    ordered_json json = ordered_json::array();
    for (const auto& [isSo, warning] : std::initializer_list<std::pair<bool, std::string_view>>{
             {report.policies.unknown == UnknownPolicy::keep,
              "words that are not in the vocabulary are left as they are"},
             {stopWordsListed(report) > 0, "stop words are left as they are"},
             {!report.end.table.columns.empty(),
              "everything but the columns named is left as it is"},
             {report.policies.isConsistent, kVisibleRepetition},
             {!report.agreed.empty(), report.agreed}}) {
        if (isSo) {
            json.push_back(warning);
        }
    }
    return json;
}

std::string unknownRemark(const ReleaseReport& report) {
    const ReleaseCounts& counts = report.end.counts;
    const UnknownPolicy policy = report.policies.unknown;
    return fmt::format("{} {}",
                       counted(counts.masked + counts.random + counts.dropped + counts.kept,
                               "unknown word", "unknown words"),
                       policy == UnknownPolicy::mask     ? "masked"
                       : policy == UnknownPolicy::random ? "replaced at random"
                       : policy == UnknownPolicy::drop   ? "dropped"
                                                         : "kept");
}

void addUnprotected(const ReleaseReport& report, std::vector<ReleaseRemark>& remarks) {
    for (std::string& remark : unprotectedRemarks(report.end.counts)) {
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
    if (report.policies.isConsistent) {
        remarks.push_back({std::string(kVisibleRepetition), true});
    }
}

/// How many words the mechanism returned as they were.
void addUnchanged(const ReleaseReport& report, std::vector<ReleaseRemark>& remarks) {
    constexpr double kNearlyAll = 0.95;
    const std::int64_t processed = report.end.counts.replaced;
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

std::string guaranteeRemark(const ReleaseReport& report) {
    const mechanism::Guarantee& guarantee = report.guarantee;
    std::string text = mechanism::guaranteeSentence(guarantee, stopWordsListed(report) > 0);
    text += "; " + reachWords(guarantee, kLargestUsefulFactor);
    text += report.policies.isConsistent
                ? fmt::format("; the losses of distinct words add up, over {} in the text",
                              formatCount(report.end.counts.drawn))
                : fmt::format(
                      "; the losses of words add up, over {} in the longest line and {} in the "
                      "text",
                      formatCount(report.end.counts.mostReplacedInLine),
                      formatCount(report.end.counts.replaced));
    return text + fmt::format("; {}", report.setting.mechanism.rounding());
}

}  // namespace

ReleaseReport describeRelease(const embedding::PreparedEmbedding& prepared,
                              const mechanism::Setting& setting,
                              const release::Sanitizer& sanitizer, const release::StreamEnd& end) {
    return {calibration::provenanceOf(prepared),
            setting,
            sanitizer.guarantee(),
            sanitizer.policies(),
            sanitizer.casePolicy(),
            end};
}

std::string releaseJson(const ReleaseReport& report) {
    const mechanism::Mechanism& mechanism = report.setting.mechanism;
    return document::jsonText(
        {{"schema", "epsilens.sanitize/1"},
         {"version", report.provenance.version},
         {"embedding", document::kEmbedding.write(report.provenance.embedding)},
         {"mechanism", document::kMechanism.write(mechanism)},
         {"settings", jsonSettings(report)},
         {"counts", jsonCounts(report.end.counts)},
         {"guarantee", jsonGuarantees(report)},
         {"warnings", jsonWarnings(report)},
         {"notProtected", mechanism::notCovered()},
         {"partial", report.end.interrupted},
         {"wholeLines", report.end.wholeLines}});
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
    const ReleaseCounts& counts = report.end.counts;
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
    remarks.push_back({fmt::format("not protected: {}", fmt::join(mechanism::notCovered(), "; "))});
    return remarks;
}

}  // namespace epsilens::report
