#include <chrono>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/cli/commands/preparation.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/error.h"
#include "core/document/kept_document.h"
#include "core/document/report_document.h"
#include "core/report/report_model.h"

namespace epsilens::cli {
namespace {

constexpr EnumNames<OutputFormat, 3> kOutputFormats{
    {{"text", OutputFormat::text}, {"html", OutputFormat::html}, {"json", OutputFormat::json}}};

std::string today() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%d}", fmt::localtime(now));
}

/// The format that the ending of an output stands for.
Result<OutputFormat> formatOfOutput(const std::string& path) {
    const std::string ending = std::filesystem::path(path).extension().string();
    if (ending == ".pdf") {
        return refused("-o: only the window writes PDF; use .html, .txt or .json");
    }
    return ending.empty() || ending == ".txt"      ? Result<OutputFormat>(OutputFormat::text)
           : ending == ".html" || ending == ".htm" ? OutputFormat::html
           : ending == ".json"
               ? OutputFormat::json
               : Result<OutputFormat>(refused(fmt::format(
                     "-o: the ending {} is not one of .txt, .html, .json; give --format", ending)));
}

template <typename Value>
void replaceIfGiven(Value& target, const Value& given) {
    if (!given.empty()) {
        target = given;
    }
}

/// What the program says of its own choices, so that a reader does not take them for those of a
/// person; it knows them by this in stored reports.
constexpr std::string_view kByProgram = "ε was not chosen by a person: it is ";
constexpr std::string_view kOnlySetting = "that of the only calibrated setting.";
constexpr std::string_view kLargestWithinLimits =
    "the largest calibrated one that meets all limits, the first of equal ones.";

/// If limits are typed and nobody chose a setting, chooses the largest epsilon that meets them. A
/// calibration of a single setting leaves no choice. The report says that the program chose.
Result<void> chooseForLimits(const ReportOptions& options, document::Report& report) {
    const bool isSingle = report.run.summary->cells.size() == 1;
    if (report.settings.choice || (options.settings.limits.empty() && !isSingle)) {
        return {};
    }
    if (!isSingle && !report.settings.figureLimits.empty()) {
        return refused(
            "--limit: a report does not choose by limits on attack and classify; give "
            "--epsilon, which recommend --data finds");
    }
    ASSIGN_OR_RETURN(report.settings.choice,
                     calibration::proposedChoice(report.run, report.settings.limits));
    if (report.settings.choice) {
        report.settings.epsilonOrigin =
            fmt::format("{}{}", kByProgram, isSingle ? kOnlySetting : kLargestWithinLimits);
    }
    return {};
}

/// Puts what was given in the place of what the file holds.
Result<void> applyOptions(const ReportOptions& options, document::Report& report) {
    document::ReportSettings& settings = report.settings;
    using document::ReportSettings;
    for (const auto text :
         {&ReportSettings::title, &ReportSettings::purpose, &ReportSettings::author,
          &ReportSettings::date, &ReportSettings::textSource, &ReportSettings::alternatives,
          &ReportSettings::unknownWords, &ReportSettings::reason}) {
        replaceIfGiven(settings.*text, options.settings.*text);
    }
    if (settings.date.empty()) {
        settings.date = today();
    }
    settings.trainedOnProtectedText =
        options.trainedOnProtectedText.value_or(settings.trainedOnProtectedText);
    const bool isByProgram = settings.epsilonOrigin.starts_with(kByProgram);
    if (options.epsilon || (isByProgram && !options.settings.limits.empty())) {
        settings.choice.reset();
        settings.epsilonOrigin.clear();
    }
    if (options.epsilon) {
        settings.choice = calibration::Choice{*options.epsilon, options.lambda, options.gamma};
    }
    replaceIfGiven(settings.limits, options.settings.limits);
    replaceIfGiven(settings.figureLimits, options.settings.figureLimits);
    return chooseForLimits(options, report);
}

/// The evaluations that were named, which have to be of the report's embedding and mechanism.
Result<void> addEvaluations(const std::vector<std::string>& paths, document::Report& report,
                            const std::stop_token& stop) {
    std::vector<document::EvaluationRecord> evaluations;
    for (const std::string& path : paths) {
        ASSIGN_OR_RETURN(auto evaluation, document::openEvaluation(path, stop));
        RETURN_IF_ERROR(document::checkBelongs(evaluation, report.run).map_error(inFile(path)));
        evaluations.push_back(std::move(evaluation));
    }
    replaceIfGiven(report.evaluations, evaluations);
    return {};
}

/// Measures other mechanisms beside the choice, if the report lacks them. Says so where the vectors
/// of the run are not found, unless somebody named them.
Result<void> compareOthers(document::KeptDocument& document, const ReportOptions& options,
                           const CommandContext& context) {
    document::Report& report = document.report;
    const auto measure = [&]() -> Result<void> {
        ASSIGN_OR_RETURN(const auto space, openEmbeddingOf(document, options.from, context));
        ASSIGN_OR_RETURN(const auto others, context.withProgress([&](const JobContext& job) {
            return document::measureOthers(report, *space, context.general.threads, job);
        }));
        ASSIGN_OR_RETURN(report.compared,
                         document::compareChoice(report, others, space->embedding().vocabulary()));
        return {};
    };
    auto measured = measure();
    if (measured || measured.error().code != ErrorCode::badFile ||
        !context.general.load.path.empty()) {
        return measured;
    }
    const Error& reason = measured.error();
    context.console.note(fmt::format("other mechanisms are not compared: {}{}{}", reason.file,
                                     reason.file.empty() ? "" : ": ", reason.message));
    return {};
}

Result<std::string> render(OutputFormat format, const document::Report& report, bool memoOnly) {
    if (format == OutputFormat::json) {
        return document::reportJson(report);
    }
    return report::composeReport(report, !memoOnly)
        .map([format](const report::ReportContent& content) {
            return format == OutputFormat::html ? report::reportHtml(content)
                                                : report::reportText(content);
        });
}

}  // namespace

void addReport(TypedOptions& options, GeneralOptions& general, ReportOptions& report) {
    options.input("EMBEDDING", "", kEmbeddingOfDocument, general.load.path);
    addRun(options, general);
    options.input("--from", "FILE", "calibration (JSON), report (JSON) or session to report",
                  report.from);
    options.require("--from");
    options.value("--format", "NAME",
                  "text, html or json (default: from the file name of -o, else text)",
                  report.format, oneOf(kOutputFormats));
    options.value("--epsilon", "E",
                  "epsilon of the chosen setting, which must be a calibrated one (default: the "
                  "choice in the file, or the only setting)",
                  report.epsilon, finiteNumber);
    options.value("--lambda", "L", "lambda of the chosen setting; needs --epsilon", report.lambda,
                  finiteNumber);
    options.value("--gamma", "G", "gamma of the chosen setting; needs --epsilon", report.gamma,
                  finiteNumber);
    options.needs("--lambda", "--epsilon");
    options.needs("--gamma", "--epsilon");
    options.addList(
        "--limit", "LIMIT",
        "limit that the setting should meet, such as 'nw.p95<=50%' or, with --evaluation, "
        "'attack.gain<=5%' or 'classify.linear.retained>=95%'; may be repeated. If nobody chose a "
        "setting and no limit is on attack or classify, the largest epsilon that meets all limits "
        "is chosen, and the report says so",
        [&report](const auto& typed, std::string_view option) {
            return takeLimits(typed, option, report.settings.limits, report.settings.figureLimits);
        });
    options.list("--evaluation", "FILE",
                 "result of evaluate (JSON) with the same embedding and mechanism, for what an "
                 "attacker gets and what is lost; may be repeated",
                 report.evaluations, asTyped);
    options.reads([&report] { return report.evaluations; });
    options.text("--title", "heading of the report", report.settings.title);
    options.text("--purpose", "purpose of the release", report.settings.purpose);
    options.text("--author", "who made the choice", report.settings.author);
    options.value("--date", "DATE", "date of the report, such as 2026-01-31 (default: today)",
                  report.settings.date, parseDate);
    options.text("--reason", "why this setting", report.settings.reason);
    options.text("--alternatives", "other settings that were considered",
                 report.settings.alternatives);
    options.value("--trained-on-protected-text", "ANSWER",
                  "was the embedding trained on the text to protect? yes or no",
                  report.trainedOnProtectedText, choice(document::parseAnswer));
    options.text("--text-source", "origin of the texts to protect", report.settings.textSource);
    options.value(
        "--unknown", "POLICY",
        "what happens to words that are not in the vocabulary: mask, random, drop or keep "
        "(which leaves them unprotected)",
        report.settings.unknownWords, choice([](std::string_view name) {
            return release::parseUnknownPolicy(name).map(
                [name](auto /*policy*/) { return std::string(name); });
        }));
    options.flag(
        "--memo-only", report.memoOnly,
        "write the memo, the pages that a reviewer reads, without the appendix (text and html)");
    options.footer(
        "Example:\n  epsilens-cli report --from calibration.json --epsilon 10 --lambda 0.5 \\\n"
        "      --limit 'nw.p95<=50%' --author \"A. Analyst\" -o report.html");
}

Result<CommandResult> runReport(const ReportOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto format, options.format
                                            ? Result<OutputFormat>(*options.format)
                                            : formatOfOutput(context.general.outputPath));
    ASSIGN_OR_RETURN(auto document, document::openDocument(options.from, context.stop));
    if (!document.hasRun()) {
        return tl::unexpected(
            Error{ErrorCode::badFile,
                  document.results.empty()
                      ? "it is an evaluation: report takes it as --evaluation, beside a "
                        "calibration"
                      : std::string(document::kNoResults),
                  options.from, 0});
    }
    document::Report& report = document.report;
    const auto before = document::findingsOf(report);
    RETURN_IF_ERROR(applyOptions(options, report));
    RETURN_IF_ERROR(addEvaluations(options.evaluations, report, context.stop));
    ASSIGN_OR_RETURN(const auto findings, document::findingsOf(report));
    if (!before || before->cell != findings.cell) {
        report.compared.reset();
    }
    if (findings.cell && !report.compared) {
        RETURN_IF_ERROR(compareOthers(document, options, context));
    }
    return render(format, report, options.memoOnly).map([](std::string text) {
        return CommandResult{std::move(text)};
    });
}

}  // namespace epsilens::cli
