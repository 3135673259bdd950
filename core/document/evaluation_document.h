#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/calibration/run.h"
#include "core/corpus/data_set.h"
#include "core/document/json_document.h"
#include "core/embedding/load.h"
#include "core/evaluation/evaluation.h"
#include "core/evaluation/figure_limit.h"

namespace epsilens::document {

inline constexpr const char* kEvaluationSchema = "epsilens.evaluate/1";

/// The data set of an evaluation, and how to find it again.
struct KeptData {
    corpus::DataSetOptions options{};  ///< paths absolute
    std::string relativePath{};        ///< from the folder of a session; empty: not known
    corpus::DataFingerprint fingerprint{};
};

/// Whether two data sets hold the same bytes and are read in the same way; where they lie is of no
/// matter. False where their bytes are not known.
[[nodiscard]] bool isSameData(const KeptData& first, const KeptData& second);

/// Where a file or folder of a document lies: where it was, or beside the document, whichever is
/// there first; else where it was.
[[nodiscard]] std::string placeOf(const std::string& path, const std::string& documentPath);
/// The same for a data set, which is looked for at its relative path first.
[[nodiscard]] std::string dataPlace(const KeptData& data, const std::string& documentPath);

/// A list of words or a text that an evaluation read beside its data set.
struct InputFile {
    std::string path{};  ///< absolute; empty: none was read
    std::string sha256{};
};

/// The file of an absolute or relative path, which may be empty. Fails as io::RawInput.
[[nodiscard]] Result<InputFile> inputFile(const std::string& path,
                                          const std::stop_token& stop = {});

/// All that an evaluation was asked for: enough to do it again.
struct EvaluationRequest {
    embedding::LoadOptions load{};  ///< paths absolute
    KeptData data{};
    /// Without threads and without the words of the files below; all values of the grid are there.
    evaluation::EvaluationOptions options{};
    InputFile stopWords{};
    InputFile onlyWords{};
    InputFile prior{};  ///< of PriorKind::file
};

/// What the settings of an evaluation do to words of the vocabulary.
struct Survival {
    std::int64_t words = 0;
    int draws = 0;
    std::vector<calibration::Cell> cells{};  ///< those of the evaluation; files keep N_w and S_w
};

/// An evaluation with the circumstances that it does not know itself.
struct EvaluationRecord {
    calibration::Provenance provenance{};
    evaluation::EvaluationSummary summary{};
    std::optional<Survival> survival{};          ///< nothing where it was not measured
    std::optional<EvaluationRequest> request{};  ///< by which it can be done again
};

/// As the document that evaluate writes and that reports and sessions hold. Every measured figure
/// is an object with mean, ci95 (null where it cannot be had) and repeats, its value in each
/// repeat.
[[nodiscard]] nlohmann::ordered_json evaluationDocument(const EvaluationRecord& record);

/// Reads it strictly, so that it is written as it was read. Problems are recorded in the document.
[[nodiscard]] EvaluationRecord readEvaluation(const JsonNode& document);
/// Opens what evaluate wrote. Fails as openJson, and with badFile for another document.
[[nodiscard]] Result<EvaluationRecord> openEvaluation(const std::string& path,
                                                      const std::stop_token& stop = {});

/// What a session keeps of an evaluation: no words of the texts, and without `keepsNames` "class
/// 1", "class 2" in place of the names of the classes.
[[nodiscard]] EvaluationRecord keptPart(EvaluationRecord record, bool keepsNames);

/// Fails with invalidArgument, in one sentence, for an evaluation of another embedding or
/// mechanism than that of a calibration: neither its epsilon nor its figures would mean the same.
[[nodiscard]] Result<void> checkBelongs(const EvaluationRecord& evaluation,
                                        const calibration::Run& run);

/// Whether both have the same lambda and radius: where beta sets the radius, gamma follows epsilon.
[[nodiscard]] bool isOfFamily(const evaluation::EvaluationCell& setting,
                              const calibration::Cell& cell);

/// The setting of an evaluation that is nearest to one of a calibration: the same lambda and
/// radius, and of these the epsilon with the least ratio to it. Nothing where none has that lambda
/// and radius.
[[nodiscard]] std::optional<std::size_t> nearestSetting(
    const evaluation::EvaluationSummary& summary, const calibration::Cell& cell);

/// A figure that an evaluation measured at just this setting, NaN where it does not exist there;
/// nothing where it was not measured.
[[nodiscard]] std::optional<evaluation::FigureValue> figureOf(
    const evaluation::EvaluationSummary& summary, const calibration::Cell& cell,
    const evaluation::FigureName& figure);

inline constexpr const char* kStudyTextSchema = "epsilens.study-text/1";

/// What stands beside a file of study text: that it is no release, its settings, data and seed.
[[nodiscard]] std::string studyTextJson(const EvaluationRecord& record);

}  // namespace epsilens::document
