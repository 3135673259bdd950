#include "app/cli/commands/report.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/base/trimmed.h"
#include "core/document/kept_document.h"
#include "core/release/policies.h"
#include "core/report/report_html.h"
#include "core/report/report_json.h"
#include "core/report/report_markdown.h"

namespace epsilens::cli {
namespace {

enum class ReportFormat { markdown, html, json };

std::string today() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%d}", fmt::localtime(now));
}

Result<ReportFormat> parseReportFormat(const std::string& typed, const std::string& outputPath) {
    const std::string ending = std::filesystem::path(outputPath).extension().string();
    const std::string name = typed.empty() ? ending : typed;
    if (name == "markdown" || name == ".md" || name == ".markdown") {
        return ReportFormat::markdown;
    }
    if (name == "html" || name == ".html" || name == ".htm") {
        return ReportFormat::html;
    }
    if (name == "json" || name == ".json") {
        return ReportFormat::json;
    }
    if (!typed.empty()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("--format: \"{}\" is not one of markdown, html, json", typed));
    }
    if (ending == ".pdf") {
        return fail(ErrorCode::invalidArgument,
                    "-o: only the window writes PDF; use .html, .md or .json");
    }
    if (ending.empty() || outputPath.empty()) {
        return ReportFormat::markdown;
    }
    return fail(
        ErrorCode::invalidArgument,
        fmt::format("-o: the ending {} is not one of .md, .html, .json; give --format", ending));
}

void replaceIfTyped(std::string& target, const std::string& typed) {
    if (!typed.empty()) {
        target = typed;
    }
}

Result<std::optional<double>> parseOptional(const std::string& typed, std::string_view option) {
    if (typed.empty()) {
        return std::nullopt;
    }
    return parseNumber(typed, option).map([](double value) { return std::optional(value); });
}

Result<void> applyChoice(const ReportArguments& arguments, document::ReportSettings& settings) {
    const auto epsilon = parseOptional(arguments.epsilon, "--epsilon");
    const auto lambda = parseOptional(arguments.lambda, "--lambda");
    const auto gamma = parseOptional(arguments.gamma, "--gamma");
    for (const auto* value : {&epsilon, &lambda, &gamma}) {
        if (!*value) {
            return tl::unexpected(value->error());
        }
    }
    if (*epsilon) {
        settings.choice = calibration::Choice{**epsilon, *lambda, *gamma};
    } else if (*lambda || *gamma) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("{}: needs --epsilon", *lambda ? "--lambda" : "--gamma"));
    }
    return {};
}

Result<void> applyLimits(const std::vector<std::string>& typed,
                         document::ReportSettings& settings) {
    if (!typed.empty()) {
        settings.limits.clear();
    }
    for (const std::string& text : typed) {
        const auto limit = calibration::parseLimit(text);
        if (!limit) {
            return fail(limit.error().code, "--limit: " + limit.error().message);
        }
        settings.limits.push_back(*limit);
    }
    return {};
}

/// Reasons that the program gives for its own choices, so that a reader does not take them for the
/// choice of a person. partsOfReason recognises them in stored reports.
constexpr std::string_view kOnlySetting = "the only calibrated setting; not chosen by a person";
constexpr std::string_view kLargestWithinLimits =
    "the largest calibrated epsilon that meets all limits, the first of equal ones; "
    "not chosen by a person";

/// Why a setting was chosen: the words of a person, and those of the program if it chose.
struct ReasonParts {
    std::string ofPerson{};
    std::string_view ofProgram{};
};

/// The words of the program stand alone, or in brackets after those of a person.
std::string joinedReason(const ReasonParts& parts) {
    if (parts.ofPerson.empty() || parts.ofProgram.empty()) {
        return parts.ofPerson + std::string(parts.ofProgram);
    }
    return fmt::format("{} ({})", parts.ofPerson, parts.ofProgram);
}

ReasonParts partsOfReason(const std::string& reason) {
    for (const std::string_view text : {kOnlySetting, kLargestWithinLimits}) {
        if (reason == text) {
            return {{}, text};
        }
        const std::string ending = fmt::format(" ({})", text);
        if (reason.ends_with(ending)) {
            return {reason.substr(0, reason.size() - ending.size()), text};
        }
    }
    return {reason, {}};
}

/// Sets the reason that was typed, or keeps the stored one. If limits are typed, a choice that the
/// program made for other limits is dropped. The program's part of the reason is dropped with its
/// choice, and also when a person chooses.
void applyReason(const ReportArguments& arguments, document::ReportSettings& settings) {
    ReasonParts parts = partsOfReason(settings.reason);
    replaceIfTyped(parts.ofPerson, arguments.reason);
    if (!parts.ofProgram.empty() && !arguments.limits.empty()) {
        settings.choice.reset();
    }
    if (!settings.choice || !arguments.epsilon.empty()) {
        parts.ofProgram = {};
    }
    settings.reason = joinedReason(parts);
}

/// If limits are typed and nobody chose a setting, chooses the largest epsilon that meets them. A
/// calibration of a single setting leaves no choice. The reason always says that the program chose.
Result<void> chooseForLimits(const ReportArguments& arguments, document::Report& report) {
    const bool isSingle = report.run.summary->cells.size() == 1;
    if (report.settings.choice || (arguments.limits.empty() && !isSingle)) {
        return {};
    }
    ASSIGN_OR_RETURN(report.settings.choice,
                     calibration::proposedChoice(report.run, report.settings.limits));
    if (report.settings.choice) {
        report.settings.reason =
            joinedReason({report.settings.reason, isSingle ? kOnlySetting : kLargestWithinLimits});
    }
    return {};
}

Result<void> applySections(std::string_view typed, document::ReportSettings& settings) {
    if (typed.empty()) {
        return {};
    }
    settings.sections.clear();
    while (!typed.empty()) {
        const std::size_t end = std::min(typed.find(','), typed.size());
        const auto section = document::parseSection(trimmed(typed.substr(0, end)));
        if (!section) {
            std::string names;
            for (const document::SectionId known : document::kAllSections) {
                names +=
                    fmt::format("{}{}", names.empty() ? "" : ", ", document::sectionKey(known));
            }
            return fail(ErrorCode::invalidArgument, fmt::format("--sections: {}; known are {}",
                                                                section.error().message, names));
        }
        settings.sections.push_back(*section);
        typed.remove_prefix(std::min(end + 1, typed.size()));
    }
    return {};
}

/// Applies the options that take one of a few words.
Result<void> applyAnswers(const ReportArguments& arguments, document::ReportSettings& settings) {
    if (!arguments.trainedOnProtectedText.empty()) {
        const auto answer = document::parseAnswer(arguments.trainedOnProtectedText);
        if (!answer) {
            return fail(ErrorCode::invalidArgument,
                        "--trained-on-protected-text: " + answer.error().message);
        }
        settings.trainedOnProtectedText = *answer;
    }
    if (arguments.unknownWords) {
        const auto policy = release::parseUnknownPolicy(*arguments.unknownWords);
        if (!policy) {
            return fail(policy.error().code, "--unknown: " + policy.error().message);
        }
        settings.unknownWords = release::unknownPolicyName(*policy);
    }
    return {};
}

Result<void> applyArguments(const ReportArguments& arguments, document::Report& report) {
    document::ReportSettings& settings = report.settings;
    replaceIfTyped(settings.title, arguments.title);
    replaceIfTyped(settings.purpose, arguments.purpose);
    replaceIfTyped(settings.author, arguments.author);
    replaceIfTyped(settings.date, arguments.date);
    replaceIfTyped(settings.textSource, arguments.textSource);
    replaceIfTyped(settings.alternatives, arguments.alternatives);
    if (settings.date.empty()) {
        settings.date = today();
    }
    applyReason(arguments, settings);
    return applyAnswers(arguments, settings)
        .and_then([&] { return applyChoice(arguments, settings); })
        .and_then([&] { return applyLimits(arguments.limits, settings); })
        .and_then([&] { return chooseForLimits(arguments, report); })
        .and_then([&] { return applySections(arguments.sections, settings); });
}

Result<std::string> render(ReportFormat format, const document::Report& report) {
    if (format == ReportFormat::json) {
        return report::reportJson(report);
    }
    return report::composeReport(report).map([format](const report::ReportContent& content) {
        return format == ReportFormat::html ? report::reportHtml(content)
                                            : report::reportMarkdown(content);
    });
}

}  // namespace

Result<CommandResult> runReport(const ReportArguments& arguments, const std::string& outputPath,
                                const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto format, parseReportFormat(arguments.format, outputPath));
    ASSIGN_OR_RETURN(auto document, document::openDocument(arguments.from, context.stop));
    document::Report& report = document.report;
    RETURN_IF_ERROR(applyArguments(arguments, report));
    if (const auto& choice = report.settings.choice) {
        RETURN_IF_ERROR(calibration::checkChoice(report.run, *choice));
    }
    return render(format, report).map([](std::string text) {
        return CommandResult{std::move(text), false, std::nullopt};
    });
}

}  // namespace epsilens::cli
