#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/preparation.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/corpus/data_set.h"
#include "core/document/kept_document.h"
#include "core/document/session.h"
#include "core/io/output.h"
#include "core/report/markup_text.h"
#include "core/report/report_parts.h"

namespace epsilens::cli {
namespace {

/// Where a file lies that an evaluation read. Fails with badFile for another one than that.
Result<std::string> sameFile(const document::InputFile& file, const std::string& from,
                             const std::stop_token& stop) {
    if (file.path.empty()) {
        return std::string();
    }
    ASSIGN_OR_RETURN(auto found, document::inputFile(document::placeOf(file.path, from), stop));
    if (found.sha256 != file.sha256) {
        return tl::unexpected(Error{ErrorCode::badFile,
                                    fmt::format("SHA-256 {} instead of {}: it is not the file that "
                                                "the evaluation read",
                                                found.sha256, file.sha256),
                                    found.path, 0});
    }
    return std::move(found.path);
}

/// What asks for an evaluation again. Its files are looked for at their stored paths, then in the
/// folder of the document.
Result<EvaluateOptions> optionsOf(const document::EvaluationRequest& request,
                                  const std::string& from, const std::stop_token& stop) {
    EvaluateOptions options;
    options.data = request.data.options;
    options.data.path = document::dataPlace(request.data, from);
    if (!options.data.testPath.empty()) {
        options.data.testPath = document::placeOf(options.data.testPath, from);
    }
    ASSIGN_OR_RETURN(const auto fingerprint, corpus::fingerprintOf(options.data, stop));
    RETURN_IF_ERROR(document::checkTexts(request.data.fingerprint, fingerprint, options.data.path));
    options.run = request.options;
    ASSIGN_OR_RETURN(options.stopWordsPath, sameFile(request.stopWords, from, stop));
    ASSIGN_OR_RETURN(options.onlyWordsPath, sameFile(request.onlyWords, from, stop));
    ASSIGN_OR_RETURN(options.priorPath, sameFile(request.prior, from, stop));
    return options;
}

/// What an evaluation says otherwise when it is done again.
Result<std::vector<document::Difference>> evaluatedAgain(const document::StoredEvaluation& stored,
                                                         const std::string& from,
                                                         const engine::SearchSpace& space,
                                                         const CommandContext& context) {
    const auto& request = stored.record.request;
    if (!request || stored.record.summary.partial) {
        return std::vector<document::Difference>{
            {"repeat", "no complete run that could be repeated", "nothing"}};
    }
    ASSIGN_OR_RETURN(const auto options, optionsOf(*request, from, context.stop));
    GeneralOptions general = context.general;
    general.seed = request->options.seed;
    ASSIGN_OR_RETURN(auto again,
                     evaluated(options, space, {general, context.console, context.stop}));
    if (again.summary.partial) {
        return fail(ErrorCode::cancelled, "cancelled before all was done");
    }
    // It is judged by what comes of it.
    again.request = request;
    return document::compareWith(stored, std::move(again));
}

/// "a part in 100,000 of them or of 1"
std::string roundingText(const document::Deviation& deviation) {
    return fmt::format("a part in {} of them{}",
                       formatCount(std::llround(1.0 / deviation.relative)),
                       deviation.absolute > 0.0 ? " or of 1" : "");
}

nlohmann::ordered_json differencesJson(const std::vector<document::Difference>& differences,
                                       const document::KeptDocument& stored) {
    nlohmann::ordered_json json{{"schema", "epsilens.verification/1"},
                                {"confirmed", differences.empty()},
                                {"rounding", document::deviationOf(stored).relative}};
    if (stored.report.compared) {
        json["roundingOfCompared"] = document::kOfExactSums.relative;
    }
    json["notCompared"] = report::prose("not compared");
    json["differences"] = nlohmann::ordered_json::array();
    for (const document::Difference& difference : differences) {
        json["differences"].push_back({{"place", difference.place},
                                       {"stored", difference.stored},
                                       {"found", difference.found}});
    }
    return json;
}

std::string differencesText(const std::vector<document::Difference>& differences,
                            const document::KeptDocument& stored) {
    using report::printable;
    const document::Deviation deviation = document::deviationOf(stored);
    std::string text =
        differences.empty()
            ? fmt::format(
                  "verified: the run was done again and every value is the same: whole numbers "
                  "exactly, others up to {}{}{}, as processors round sums differently\n",
                  roundingText(deviation),
                  deviation.isOfEquals ? ", and up to which words have an equal N_w" : "",
                  stored.report.compared && !deviation.isOfEquals
                      ? ", those of other mechanisms up to " + roundingText(document::kOfExactSums)
                      : "")
            : report::counted(std::ssize(differences), "value differs", "values differ") + "\n";
    for (const document::Difference& difference : differences) {
        text += fmt::format("{}: stored {}, found {}\n", printable(difference.place),
                            printable(difference.stored), printable(difference.found));
    }
    return text + fmt::format("not compared: {}\n", report::prose("not compared"));
}

}  // namespace

void addVerify(TypedOptions& options, GeneralOptions& general, VerifyOptions& verify) {
    options.input("EMBEDDING", "", kEmbeddingOfDocument, general.load.path);
    addRun(options, general);
    addFormat(options, general);
    options.input("--from", "FILE", "calibration, evaluation or report (JSON) or session to verify",
                  verify.from);
    options.require("--from");
    options.footer("Example:\n  epsilens-cli verify vectors.txt.gz --from report.json");
}

Result<CommandResult> runVerify(const VerifyOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto document, document::openDocument(options.from, context.stop));
    RETURN_IF_ERROR(document::checkRepeatable(document).map_error(inFile(options.from)));
    ASSIGN_OR_RETURN(const auto space, openEmbeddingOf(document, options.from, context));
    std::vector<document::Difference> differences;
    if (document.hasRun()) {
        ASSIGN_OR_RETURN(const auto again, context.withProgress([&](const JobContext& job) {
            return document::repeatRun(document, *space, context.general.threads, job);
        }));
        ASSIGN_OR_RETURN(differences, document::compareWith(document, again));
    }
    // Texts are looked for at their stored paths, then in the folder of the document.
    for (const document::StoredEvaluation& evaluation : document.evaluations) {
        ASSIGN_OR_RETURN(auto found, evaluatedAgain(evaluation, options.from, *space, context));
        for (document::Difference& difference : found) {
            difference.place = evaluation.place + difference.place;
            differences.push_back(std::move(difference));
        }
    }
    if (document.report.search) {
        context.console.note(
            "what a search for epsilon found on texts is not checked; only "
            "searching again in the window tells whether it comes out the same");
    }
    CommandResult result = rendered(
        context.general, {[&] { return differencesJson(differences, document); }, "differences",
                          [&] { return differencesText(differences, document); }});
    if (!differences.empty()) {
        result.problem = Error{ErrorCode::unsupported,
                               fmt::format("{}: some stored values differ from those of the "
                                           "repeated run",
                                           options.from),
                               {},
                               0};
    }
    return result;
}

}  // namespace epsilens::cli
