#pragma once

#include <optional>

#include "app/cli/commands/commands.h"
#include "core/calibration/density_profile.h"
#include "core/document/kept_document.h"
#include "core/engine/epsilon_range.h"

namespace epsilens::cli {

/// What commands read and choose before they run. What nobody typed, and what is unusual, is said
/// on the console.

inline constexpr const char* kEmbeddingOfDocument =
    "embedding file (default: the path in the --from file, then the folder of that file)";

/// Opens the embedding that a document is about: the one typed, else where the document says that
/// it lies, else in its folder. Fails with badFile for other vectors.
///
/// from  path of the document
[[nodiscard]] Result<engine::SearchSpaceHandle> openEmbeddingOf(
    const document::KeptDocument& document, const std::string& from, const CommandContext& context);

/// Nothing if no file is named. Fails as release::readStopWords.
[[nodiscard]] Result<release::StopWordsHandle> readStopWords(const std::string& path,
                                                             const CommandContext& context);

/// Only the values that have an effect.
[[nodiscard]] mechanism::Grid usedValues(mechanism::Grid grid);

/// Calibration options of a grid; words and draws keep their defaults.
[[nodiscard]] calibration::CalibrationOptions calibrationOptions(const mechanism::Grid& grid,
                                                                 const GeneralOptions& general);

/// Useful range of epsilon for a mechanism over all its lambdas and radii; its own epsilons are
/// ignored. Shows progress.
[[nodiscard]] Result<engine::EpsilonRange> epsilonRange(
    const engine::SearchSpace& space, const calibration::CalibrationOptions& options,
    const CommandContext& context);

/// If there is no epsilon, sets the median critical epsilon of the first lambda.
[[nodiscard]] Result<void> chooseEpsilon(const engine::SearchSpace& space, mechanism::Grid& grid,
                                         const CommandContext& context);

/// If there is no epsilon, sets the default grid of a calibration.
[[nodiscard]] Result<void> chooseEpsilons(const engine::SearchSpace& space,
                                          calibration::CalibrationOptions& options,
                                          const CommandContext& context);

/// If the mechanism has lambdas and there are none, sets the default grid without the values that
/// this embedding cannot use, and names these values.
void chooseLambdas(const engine::SearchSpace& space, mechanism::Grid& grid, Console& console);

/// Reads the data set; nothing if none is named.
[[nodiscard]] Result<std::optional<text::DataSetWords>> readData(
    const DataOption& data, const embedding::Vocabulary& vocabulary, const CommandContext& context);

/// The nearest-neighbour distances of the whole vocabulary. Shows progress.
[[nodiscard]] Result<calibration::DensityProfile> computeDensity(const engine::SearchSpace& space,
                                                                 const CommandContext& context);

/// Finds the words in the vocabulary and reads the data set if there is one. Sparsest and densest
/// words need the nearest-neighbour distances of the whole vocabulary.
///
/// chosen  gets the words
/// Returns the description of the selection for a report; nothing for all words, for random words
/// of the whole vocabulary, and for words of a session that does not know their origin. Fails with
/// badFile if a file cannot be read or none of its words is known.
[[nodiscard]] Result<std::optional<calibration::SelectionDescription>> chooseWords(
    const MeasuredWords& measured, const engine::SearchSpace& space, const CommandContext& context,
    calibration::WordSelection& chosen);

/// Reads labelled texts.
[[nodiscard]] Result<corpus::DataSet> readLabelled(corpus::DataSetOptions options,
                                                   const CommandContext& context);

/// The options of an evaluation with its seed, threads and the words that policies name; without
/// what needs a vocabulary.
[[nodiscard]] Result<evaluation::EvaluationOptions> readPolicies(const EvaluateOptions& options,
                                                                 const CommandContext& context);

/// What the attackers know of the vocabulary: the reference text.
[[nodiscard]] Result<void> readAttackers(const EvaluateOptions& options,
                                         const embedding::Vocabulary& vocabulary,
                                         evaluation::EvaluationOptions& asked,
                                         const CommandContext& context);

/// The rows of --pair. Fails with invalidArgument for a word that the vocabulary lacks.
[[nodiscard]] Result<std::vector<std::pair<embedding::Row, embedding::Row>>> findPairs(
    const std::vector<WordNames>& words, const embedding::Vocabulary& vocabulary);

/// An evaluation on an embedding that is open already; nothing is written.
[[nodiscard]] Result<document::EvaluationRecord> evaluated(const EvaluateOptions& options,
                                                           const engine::SearchSpace& space,
                                                           const CommandContext& context);

}  // namespace epsilens::cli
