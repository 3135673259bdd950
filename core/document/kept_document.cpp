#include "core/document/kept_document.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/calibration/density_profile.h"
#include "core/document/calibration_document.h"
#include "core/document/session.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;

/// A part of a document as one of its own.
JsonDocument partOf(const JsonDocument& json, const ordered_json& part) {
    return {part, json.stop()};
}

Result<KeptDocument> sessionDocument(const JsonDocument& json, const std::string& path) {
    ASSIGN_OR_RETURN(auto session, readSession(json));
    KeptDocument document;
    for (const auto& [member, evaluation] : evaluationsOf(session)) {
        if (*evaluation) {
            document.evaluations.push_back({std::string(member) + ".", std::move(**evaluation),
                                            partOf(json, json.value()[member])});
        }
    }
    if (!session.results && document.evaluations.empty()) {
        return fail(ErrorCode::badFile, std::string(kNoResults));
    }
    document.report.settings = std::move(session.report);
    if (session.results) {
        document.report.run = *std::move(session.results);
    } else {
        document.report.run.request.load = session.embedding->load;
        document.report.run.provenance.embedding.sha256 = session.embedding->sha256;
    }
    document.embeddingPlaces = embeddingPlaces(*session.embedding, path);
    document.json = json;
    document.results = "results";
    if (session.search) {
        document.report.search = std::make_shared<const KeptSearch>(*std::move(session.search));
    }
    return document;
}

Result<KeptDocument> evaluationOnly(const JsonDocument& json, const std::string& path) {
    ASSIGN_OR_RETURN(auto record, readDocument(json, readEvaluation));
    if (!record.request) {
        return fail(ErrorCode::badFile,
                    "the evaluation does not hold what it was asked for; evaluate with the same "
                    "options and seed repeats it");
    }
    KeptDocument document;
    document.report.run.request.load = record.request->load;
    document.report.run.provenance.embedding.sha256 = record.provenance.embedding.sha256;
    document.embeddingPlaces = placesOf(record.request->load.path, {}, path);
    document.evaluations.push_back({"", std::move(record), json});
    return document;
}

Result<KeptDocument> reportOrCalibration(const JsonDocument& json, const std::string& path) {
    KeptDocument document;
    document.isReport = isFamily(json, kReportSchema);
    if (!document.isReport && !isFamily(json, kCalibrationSchema)) {
        std::optional<Error> ignored;
        const auto schema = JsonNode(json, ignored).find("schema");
        return fail(ErrorCode::badFile,
                    fmt::format("it is {}not a calibration (JSON), an evaluation (JSON), a report "
                                "(JSON) or a session of Epsilens",
                                schema ? fmt::format("\"{}\", ", schema->textView()) : ""));
    }
    ASSIGN_OR_RETURN(
        document.report, readDocument(json, [&](const JsonNode& whole) {
            return document.isReport ? readReport(whole) : Report{{}, readCalibration(whole)};
        }));
    for (std::size_t i = 0; i < document.report.evaluations.size(); ++i) {
        document.evaluations.push_back({fmt::format("evaluations[{}].", i),
                                        document.report.evaluations[i],
                                        partOf(json, json.value()["evaluations"][i])});
    }
    document.embeddingPlaces = placesOf(document.report.run.request.load.path, {}, path);
    document.json = json;
    return document;
}

Result<ReportSettings> measuredAgain(ReportSettings settings, const engine::SearchSpace& space,
                                     int threads, const JobContext& job) {
    if (settings.density) {
        ASSIGN_OR_RETURN(const auto profile, calibration::densityProfile(space, threads, job));
        std::vector<embedding::Row> all(profile.distances.size());
        std::iota(all.begin(), all.end(), embedding::Row{0});
        settings.density = calibration::densityFigures(profile, all);
    }
    return settings;
}

}  // namespace

Result<KeptDocument> openDocument(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(const auto json, openJson(path, stop));
    const auto read = isFamily(json, kSessionSchema)      ? sessionDocument
                      : isFamily(json, kEvaluationSchema) ? evaluationOnly
                                                          : reportOrCalibration;
    return read(json, path).map_error(inFile(path));
}

Result<void> checkRepeatable(const KeptDocument& document) {
    const char* partial =
        document.hasRun() && document.report.run.summary->partial ? "calibration" : nullptr;
    for (const StoredEvaluation& evaluation : document.evaluations) {
        if (!document.isReport && evaluation.record.summary.partial) {
            partial = "evaluation";
        }
    }
    return partial == nullptr
               ? Result<void>()
               : fail(ErrorCode::unsupported,
                      fmt::format("the {} is partial: a cancelled run cannot be repeated exactly; "
                                  "run it to its end first",
                                  partial));
}

Result<ordered_json> repeatRun(const KeptDocument& document, const engine::SearchSpace& space,
                               int threads, const JobContext& job) {
    const Report& stored = document.report;
    ASSIGN_OR_RETURN(auto run, calibration::repeatRun(stored.run, space, threads, job));
    if (document.isReport) {
        ASSIGN_OR_RETURN(auto settings, measuredAgain(stored.settings, space, threads, job));
        Report again{std::move(settings), std::move(run), stored.evaluations};
        std::vector<std::string> texts;
        for (const calibration::Example& example : stored.examples) {
            texts.push_back(example.text);
        }
        ASSIGN_OR_RETURN(again.examples, examplesOfChoice(again, texts, space, job));
        if (stored.compared) {
            ASSIGN_OR_RETURN(const auto others, measureOthers(again, space, threads, job));
            ASSIGN_OR_RETURN(again.compared,
                             compareChoice(again, others, space.embedding().vocabulary()));
        }
        return reportDocument(again);
    }
    return calibrationDocument(run);
}

Result<void> checkTexts(const corpus::DataFingerprint& stored, const corpus::DataFingerprint& found,
                        const std::string& path) {
    if (found == stored) {
        return {};
    }
    return tl::unexpected(
        Error{ErrorCode::badFile,
              fmt::format("SHA-256 {} instead of {}: these are not the texts of the evaluation",
                          found.sha256, stored.sha256),
              path, 0});
}

Deviation deviationOf(const KeptDocument& document) {
    return document.hasRun() && document.report.run.summary->grid.mechanism.isExact() ? kOfExactSums
                                                                                      : Deviation{};
}

Result<std::vector<Difference>> compareWith(const KeptDocument& stored, const ordered_json& found) {
    return readDocument(stored.json, [&](const JsonNode& whole) {
        return differencesBetween(stored.results.empty() ? whole : whole.at(stored.results), found,
                                  deviationOf(stored));
    });
}

Result<std::vector<Difference>> compareWith(const StoredEvaluation& stored,
                                            EvaluationRecord again) {
    const evaluation::EvaluationSummary& summary = stored.record.summary;
    const auto hasWords = [](const std::optional<attack::Findings>& findings) {
        return findings && !findings->words.empty();
    };
    if (std::ranges::none_of(summary.attacks, [&](const auto& attack) {
            return std::ranges::any_of(attack.cells, hasWords);
        })) {
        again = keptPart(std::move(again), !summary.data.commonest.empty());
    }
    if (!stored.record.survival) {
        again.survival.reset();
    }
    if (summary.data.lengths.longest == 0) {
        again.summary.data.lengths = {};
    }
    return readDocument(stored.json, [found = evaluationDocument(again)](const JsonNode& whole) {
        return differencesBetween(whole, found);
    });
}

}  // namespace epsilens::document
