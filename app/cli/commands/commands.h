#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands/command.h"
#include "core/calibration/limits.h"
#include "core/calibration/measurement.h"
#include "core/calibration/options.h"
#include "core/calibration/provenance.h"
#include "core/calibration/recommend.h"
#include "core/corpus/data_set.h"
#include "core/document/evaluation_document.h"
#include "core/document/report_document.h"
#include "core/evaluation/evaluation.h"
#include "core/evaluation/figure_limit.h"
#include "core/io/text_decoder.h"
#include "core/mechanism/mechanism.h"
#include "core/release/policies.h"
#include "core/release/table_text.h"
#include "core/text/data_set.h"
#include "core/training/poincare_training.h"

namespace epsilens::cli {

class TypedOptions;

/// A grid without values. Those that nobody gives are derived later, some of them from the
/// embedding.
[[nodiscard]] inline mechanism::Grid gridToFill(const mechanism::Mechanism& mechanism = {}) {
    return {mechanism, {}, {}, {}, {}};
}

/// A data set, as the options name it.
struct DataOption {
    io::RecordOptions records{};  ///< the path is empty if none is named
    text::CasePolicy letterCase = text::CasePolicy::automatic;  ///< for looking up its words
};

/// The value of --words, or the words of a session.
struct WordsOption {
    enum class Kind { all, random, list, rows, sparsest, densest };
    Kind kind = Kind::random;
    std::int64_t count = calibration::WordSelection{}.count;  ///< for random, sparsest, densest
    std::string name = std::to_string(count);                 ///< as typed, without folders
    std::string listPath{};                                   ///< of @file
    std::vector<embedding::Row> rows{};                       ///< for rows stored in a session
    std::optional<calibration::SelectionDescription>
        rowsFrom{};        ///< origin of these rows, if known
    bool isGiven = false;  ///< false: the default
};

/// The words that a run measures.
struct MeasuredWords {
    WordsOption words{};
    DataOption data{};  ///< if there is one, only words that occur in it
};

using WordNames = std::pair<std::string, std::string>;

struct InfoOptions {
    bool density = false;
    DataOption data{};
};

struct CalibrateOptions {
    calibration::CalibrationOptions run{{}, gridToFill()};  ///< without its words
    MeasuredWords measured{};
    int points = calibration::kAxisPoints;  ///< of the axis of epsilon, where it is asked for
    std::string perWordPath{};              ///< empty: the values of the words are not written
};

struct EvaluateOptions {
    corpus::DataSetOptions data{};
    evaluation::EvaluationOptions run{.grid = gridToFill()};  ///< without the stop words
    std::string stopWordsPath{};                              ///< empty: none
    std::string onlyWordsPath{};                              ///< empty: all words are replaced
    /// File of PriorKind::file.
    std::string priorPath{};
    std::string studyPath{};         ///< of --save-perturbed; empty: none
    std::string studySidecarPath{};  ///< beside it
};

struct CompareOptions {
    std::vector<mechanism::Mechanism> mechanisms{};  ///< kinds; empty: all
    std::vector<double> kept{0.5};                   ///< shares
    std::optional<WordNames> pair{};                 ///< nothing: the first well-known one
    int words = 500;
    calibration::MeasurementOptions run{};  ///< words and draws
    EvaluateOptions evaluation{};           ///< its texts; the path is empty if none are named
};

struct RecommendOptions {
    /// Without its words. No limits: the default ones.
    calibration::RecommendationOptions search{.calibration = {{}, gridToFill()}};
    MeasuredWords measured{};
    std::vector<evaluation::FigureLimit> figures{};  ///< limits on figures of an evaluation
    EvaluateOptions evaluation{};                    ///< that measures them
};

struct SampleOptions {
    static constexpr int kMostSentences = 10'000;
    static constexpr int kMostTop = 1'000'000;
    mechanism::Grid grid = gridToFill();  ///< one value of each parameter but epsilon
    std::optional<std::string> text{};    ///< nothing: that of a file
    std::string textPath = "-";
    int sentences = 5;  ///< sampled texts to show
    int top = 5;        ///< outputs to list for each word
    int nearNeighbours = 100;
};

struct SanitizeOptions {
    mechanism::Grid grid = gridToFill();  ///< one value of each parameter
    std::string textPath = "-";
    io::TextDecoding decoding{};
    release::ReleasePolicies policies{};  ///< without the stop words
    std::string stopWordsPath{};          ///< empty: none
    release::TableOptions table{};        ///< no columns: the text is no table
    std::string sidecarPath{};            ///< empty: none is written
    std::string listPath{};               ///< of many texts; empty: there is one
    bool isResumed = false;               ///< the list: its record counts
};

struct GuaranteeOptions {
    mechanism::Grid grid = gridToFill();
    std::vector<WordNames> pairs{};
    double odds = 2.0;  ///< > 1
};

struct TrainPoincareOptions {
    std::string pairsPath{};
    training::PoincareOptions training{};
};

struct ReportOptions {
    std::string from{};
    std::optional<OutputFormat> format{};  ///< nothing: from the output name
    document::ReportSettings settings{};   ///< what is empty stays as it is in the file
    std::optional<document::ReportSettings::Answer> trainedOnProtectedText{};
    std::optional<double> epsilon{};  ///< of the chosen setting
    std::optional<double> lambda{};
    std::optional<double> gamma{};
    bool memoOnly = false;                   ///< without the appendix
    std::vector<std::string> evaluations{};  ///< files that take the place of those of the report
};

struct VerifyOptions {
    std::string from{};
};

/// The options of all commands; only those of one command are typed.
struct Arguments {
    GeneralOptions general{};
    InfoOptions info{};
    CalibrateOptions calibrate{};
    CompareOptions compare{};
    EvaluateOptions evaluate{};
    GuaranteeOptions guarantee{};
    RecommendOptions recommend{};
    SampleOptions sample{};
    SanitizeOptions sanitize{};
    TrainPoincareOptions trainPoincare{};
    ReportOptions report{};
    VerifyOptions verify{};
};

/// Each command, told in the table of command_line.cpp, adds its options to the parser and runs
/// with what was typed. If values differ in verify, the result has a problem. An interrupted run
/// returns what was finished, marked partial; where there is nothing of use it fails with
/// cancelled.

void addInfo(TypedOptions& options, GeneralOptions& general, InfoOptions& info);
[[nodiscard]] Result<CommandResult> runInfo(const InfoOptions&, const CommandContext&);

void addCalibrate(TypedOptions& options, GeneralOptions& general, CalibrateOptions& calibrate);
[[nodiscard]] Result<CommandResult> runCalibrate(const CalibrateOptions&, const CommandContext&);

void addCompare(TypedOptions& options, GeneralOptions& general, CompareOptions& compare);
[[nodiscard]] Result<CommandResult> runCompare(const CompareOptions&, const CommandContext&);

/// If no setting meets the limits, the result has the problem limitsNotMet.
void addRecommend(TypedOptions& options, GeneralOptions& general, RecommendOptions& recommend);
[[nodiscard]] Result<CommandResult> runRecommend(const RecommendOptions&, const CommandContext&);

/// Seeded substitutions of a text and the output distribution of each word.
///
/// One set of R draws serves all words; sentence k gives word i of the text draw (k + i) mod R. R
/// is at least 100, the sentences asked for and the words of the text, so that the words of one
/// sentence are independent.
void addSample(TypedOptions& options, GeneralOptions& general, SampleOptions& sample);
[[nodiscard]] Result<CommandResult> runSample(const SampleOptions&, const CommandContext&);

/// Text in, text out, for release: the randomness is the operating system's, and a seed is refused.
/// Streams, so the result holds no text. An interrupted run leaves whole lines, but of a list only
/// whole texts. A text of a list that cannot be read fails the run at its end; a file that cannot
/// be written ends it at once.
void addSanitize(TypedOptions& options, GeneralOptions& general, SanitizeOptions& sanitize);
[[nodiscard]] Result<CommandResult> runSanitize(const SanitizeOptions&, const CommandContext&);

void addGuarantee(TypedOptions& options, GeneralOptions& general, GuaranteeOptions& guarantee);
[[nodiscard]] Result<CommandResult> runGuarantee(const GuaranteeOptions&, const CommandContext&);

/// An interrupted run writes no study text.
void addEvaluate(TypedOptions& options, GeneralOptions& general, EvaluateOptions& evaluate);
[[nodiscard]] Result<CommandResult> runEvaluate(const EvaluateOptions&, const CommandContext&);

void addTrainPoincare(TypedOptions& options, GeneralOptions& general, TrainPoincareOptions& train);
[[nodiscard]] Result<CommandResult> runTrainPoincare(const TrainPoincareOptions&,
                                                     const CommandContext&);

void addReport(TypedOptions& options, GeneralOptions& general, ReportOptions& report);
[[nodiscard]] Result<CommandResult> runReport(const ReportOptions&, const CommandContext&);

void addVerify(TypedOptions& options, GeneralOptions& general, VerifyOptions& verify);
[[nodiscard]] Result<CommandResult> runVerify(const VerifyOptions&, const CommandContext&);

}  // namespace epsilens::cli
