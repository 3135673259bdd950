#include "core/document/verification.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/calibration/density_profile.h"
#include "core/corpus/data_set.h"
#include "core/document/calibration_document.h"
#include "core/document/report_document.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;

/// "ε = 10, λ = 0.5"
std::string settingText(const ordered_json& cell) {
    std::string text;
    for (const auto& [key, symbol] :
         {std::pair{"epsilon", "ε"}, std::pair{"lambda", "λ"}, std::pair{"gamma", "γ"}}) {
        if (cell.contains(key) && cell[key].is_number()) {
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", symbol,
                                formatNumber(cell[key].get<double>()));
        }
    }
    return text;
}

/// Adds to a place in a list of settings which setting it is.
void nameSetting(std::string& place, const ordered_json& cells) {
    for (const std::string_view list : {"cells[", "guarantee["}) {
        const std::size_t at = place.find(list);
        std::size_t i = cells.size();
        if (at != std::string::npos) {
            std::from_chars(place.data() + at + list.size(), place.data() + place.size(), i);
        }
        if (i < cells.size()) {
            place += fmt::format(" ({})", settingText(cells[i]));
            return;
        }
    }
}

void nameSettings(std::vector<Difference>& differences, const ordered_json& found) {
    for (Difference& difference : differences) {
        nameSetting(difference.place, found["cells"]);
    }
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
    ASSIGN_OR_RETURN(auto differences, readDocument(stored.json, [&](const JsonNode& whole) {
                         return differencesBetween(
                             stored.results.empty() ? whole : whole.at(stored.results), found,
                             deviationOf(stored));
                     }));
    nameSettings(differences, (found.contains("calibration") ? found["calibration"] : found));
    return differences;
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
    const ordered_json found = evaluationDocument(again);
    ASSIGN_OR_RETURN(auto differences, readDocument(stored.json, [&](const JsonNode& whole) {
                         return differencesBetween(whole, found);
                     }));
    nameSettings(differences, found);
    return differences;
}

}  // namespace epsilens::document
