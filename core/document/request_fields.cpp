#include "core/document/descriptions.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "core/document/fields.h"
#include "core/document/mechanism_fields.h"
#include "core/io/record_reader.h"
#include "core/text/letter_case.h"

namespace epsilens::document {
namespace {

using calibration::SelectionDescription;
using calibration::WordSelection;

constexpr std::size_t kMostGridValues = 10'000;
constexpr std::int64_t kMostDraws = 1'000'000;

constexpr auto kWordKind = oneOf<WordSelection::Kind>({{"all", WordSelection::Kind::all},
                                                       {"random", WordSelection::Kind::random},
                                                       {"list", WordSelection::Kind::list}});

constexpr auto kWords = objectOf([](auto& json, auto& words) {
    json.field("kind", words.kind, kWordKind);
    if (words.kind == WordSelection::Kind::random) {
        json.field("count", words.count, Integer{1});
    } else if (words.kind == WordSelection::Kind::list) {
        json.field("rows", words.rows, listOf(kRow, static_cast<std::size_t>(kLargestRow)));
    }
});

constexpr auto kData = objectOf([](auto& json, auto& data) {
    json.field("file", data.dataFile, kPath);
    json.fieldOrNull(!data.dataColumn.empty(), "column", data.dataColumn, kText);
    json.field("records", data.dataRecords, kCount);
    json.fieldIf(data.dataFormat != io::RecordFormat::automatic, "format", data.dataFormat,
                 Named<io::recordFormatName, io::parseRecordFormat>{});
    json.fieldIf(data.letterCase != text::CasePolicy::automatic, "case", data.letterCase,
                 Named<text::casePolicyName, text::parseCasePolicy>{});
});

constexpr auto kSelection = objectOf([](auto& json, auto& selection) {
    json.field("words", selection.words, kPath);
    json.fieldOrNull(!selection.dataFile.empty(), "data", selection, kData);
});

}  // namespace

template <typename Fields, typename Load>
void describeLoad(Fields& json, Load& load) {
    // Where the files lie does not matter as long as they are the same.
    json.field("path", load.path, kPath);
    json.field("inputFormat", load.inputFormat,
               Named<embedding::inputFormatName, embedding::parseInputFormat>{});
    json.field("strict", load.strict, kFlag);
    json.fieldOrNull(load.limitRows > 0, "limitRows", load.limitRows, Integer{1});
    json.fieldOrNull(!load.vocabularyPath.empty(), "vocabulary", load.vocabularyPath, kPath);
}

template <typename Fields, typename Grid>
void describeGrid(Fields& json, Grid& grid) {
    json.field("mechanism", grid.mechanism, MechanismName{});
    describeVariant(json, grid.mechanism);
    json.field("epsilons", grid.epsilons, listOf(kAboveZero, kMostGridValues));
    json.field("lambdas", grid.lambdas, listOf(kShare, kMostGridValues));
    json.field("gammas", grid.gammas, listOf(kGamma, kMostGridValues));
    json.field("betas", grid.betas, listOf(kBeta, kMostGridValues));
}

template <typename Fields, typename Options>
void describeOptions(Fields& json, Options& options) {
    describeGrid(json, options.grid);
    // Dense points, computed from the paths of the draws.
    json.fieldIf(options.epsilonAxis, "epsilonAxis", options.epsilonAxis, kFlag);
    json.field("words", options.words, kWords);
    json.field("draws", options.draws, Integer{1, kMostDraws});
    json.field("seed", options.seed, kCount);
    json.field("nearNeighbours", options.nearNeighbours,
               Integer{1, std::numeric_limits<int>::max()});
    json.field("independentDraws", options.independentDraws, kFlag);
    json.field("deniabilityOdds", options.deniabilityOdds, Number{1.0});
    json.field("rerunWorst", options.rerunWorst, kFlag);
}

template <typename Fields, typename Selection>
void describeSelection(Fields& json, Selection& selection) {
    json.fieldIf("selection", selection, kSelection);
}

template void describeLoad(FieldWriter& json, const embedding::LoadOptions& load);
template void describeLoad(FieldReader& json, embedding::LoadOptions& load);
template void describeGrid(FieldWriter& json, const mechanism::Grid& grid);
template void describeGrid(FieldReader& json, mechanism::Grid& grid);
template void describeOptions(FieldWriter& json, const calibration::CalibrationOptions& options);
template void describeOptions(FieldReader& json, calibration::CalibrationOptions& options);
template void describeSelection(FieldWriter& json,
                                const std::optional<SelectionDescription>& selection);
template void describeSelection(FieldReader& json, std::optional<SelectionDescription>& selection);

std::string requestLine(const calibration::RunRequest& request) {
    FieldWriter json;
    describeLoad(json, request.load);
    describeOptions(json, request.options);
    return jsonLine(std::move(json).json());
}

}  // namespace epsilens::document
