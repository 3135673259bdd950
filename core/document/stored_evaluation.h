#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/calibration/run.h"
#include "core/document/evaluation_document.h"
#include "core/document/evaluation_request.h"
#include "core/document/json_document.h"
#include "core/evaluation/estimate.h"
#include "core/evaluation/figure_limit.h"

namespace epsilens::document {

/// A measured figure as an evaluation stores it.
struct StoredFigure {
    std::string name{};  ///< "classify.linear.accuracy", "reconstruct.gain"
    evaluation::Estimate estimate{};
};

/// A setting, or what is measured without noise.
struct StoredCondition {
    std::string name{};                              ///< "original", "ε 5, λ 0.5"
    std::array<std::optional<double>, 4> setting{};  ///< epsilon, lambda, gamma, beta
    std::vector<StoredFigure> figures{};

    /// Null where there is none.
    [[nodiscard]] const StoredFigure* find(const std::string& figure) const;
    [[nodiscard]] double epsilon() const { return setting[0].value_or(0.0); }
};

/// What is read of an evaluation, which is enough to report it.
struct StoredEvaluation {
    std::string mechanism{};  ///< name
    std::string law{};        ///< name and what else tells mechanisms apart: metric, noise
    std::string embeddingFile{};
    std::string embedding{};  ///< SHA-256
    std::int64_t words = 0;   ///< V
    std::string file{};
    std::int64_t documents = 0;
    std::int64_t training = 0;
    std::int64_t test = 0;
    std::int64_t seed = 0;
    std::int64_t repeats = 0;
    double majority = 0.0;
    std::string testText{};
    bool isPartial = false;
    std::vector<StoredCondition> baselines{};  ///< original, ceiling, floor
    std::vector<StoredCondition> cells{};
    /// What each task attacked and what its attackers know, sentences by the name of the task.
    std::vector<std::pair<std::string, std::vector<std::string>>> assumptions{};
    std::optional<EvaluationRequest> request{};  ///< nothing where it is not known
    std::string json{};                          ///< the whole document

    /// "original", "ceiling" or "floor"
    [[nodiscard]] const StoredCondition& baseline(const std::string& name) const;
};

/// Opens what evaluate wrote as JSON. Fails as openJson, and with badFile for another document.
[[nodiscard]] Result<JsonDocument> openEvaluation(const std::string& path,
                                                  const std::stop_token& stop = {});

/// Problems are recorded in the document.
[[nodiscard]] StoredEvaluation readEvaluation(const JsonNode& node);

/// What reading an evaluation back would give.
[[nodiscard]] Result<StoredEvaluation> stored(const EvaluationRecord& record);

/// Fails with invalidArgument, in one sentence, for an evaluation of another embedding or
/// mechanism than that of a calibration: neither its epsilon nor its figures would mean the same.
[[nodiscard]] Result<void> checkBelongs(const StoredEvaluation& evaluation,
                                        const calibration::Run& run);

/// The setting of an evaluation that is nearest to one of a calibration: the same lambda and
/// radius, and of these the epsilon with the least ratio to it. Null where none has that lambda and
/// radius.
[[nodiscard]] const StoredCondition* nearestSetting(const StoredEvaluation& evaluation,
                                                    const calibration::Cell& cell);

/// A figure that an evaluation measured at just this setting, NaN where it does not exist there;
/// nothing where it was not measured.
[[nodiscard]] std::optional<evaluation::FigureValue> figureOf(const StoredEvaluation& evaluation,
                                                              const calibration::Cell& cell,
                                                              const evaluation::FigureName& figure);

}  // namespace epsilens::document
