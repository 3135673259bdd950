#include "app/cli/parser/session_values.h"

#include "app/cli/grid_to_fill.h"
#include "core/base/pass_on.h"
#include "core/document/session_file.h"
#include "core/release/policies.h"

namespace epsilens::cli {
namespace {

using calibration::CalibrationOptions;
using calibration::WordSelection;

/// The session's own embedding must be unchanged.
Result<void> takeEmbedding(const document::SessionEmbedding& embedding,
                           const std::string& sessionPath, GeneralOptions& general) {
    general.load = embedding.load;
    ASSIGN_OR_RETURN(general.load.path,
                     document::firstExisting(document::embeddingPlaces(embedding, sessionPath)));
    ASSIGN_OR_RETURN(general.load.vocabularyPath,
                     document::firstExisting({embedding.load.vocabularyPath}));
    general.expectedSha256 = embedding.sha256;
    return {};
}

WordsOption wordsOf(const document::Session& session) {
    const WordSelection& words = session.grid.words;
    WordsOption option;
    option.isGiven = true;
    switch (words.kind) {
        case WordSelection::Kind::all:
            option.kind = WordsOption::Kind::all;
            break;
        case WordSelection::Kind::random:
            option.count = words.count;
            break;
        case WordSelection::Kind::list:
            option.kind = WordsOption::Kind::rows;
            option.rows = words.rows;
            option.rowsFrom = session.wordsFrom;
            break;
    }
    return option;
}

MeasuredWords measuredWords(const document::Session& session, const GeneralOptions& typed,
                            const DataOption& typedData) {
    MeasuredWords measured;
    measured.data.letterCase = session.letterCase;
    if (typedData.records.path.empty()) {
        measured.words = wordsOf(session);
    }
    if (!typed.load.path.empty()) {
        // The rows may be other words in the embedding that was typed.
        measured.words.rowsFrom.reset();
    }
    return measured;
}

/// The same calibration for a search, which finds epsilon itself and counts no deniability.
CalibrationOptions searched(CalibrationOptions run) {
    run.grid.epsilons.clear();
    run.deniabilityOdds.reset();
    return run;
}

}  // namespace

Result<Arguments> valuesOf(const document::Session& session, const Arguments& typed) {
    Arguments values;
    values.general.seed = session.grid.seed;
    if (session.embedding && typed.general.load.path.empty()) {
        RETURN_IF_ERROR(
            takeEmbedding(*session.embedding, typed.general.sessionPath, values.general));
    }
    values.calibrate.run = session.grid;
    values.calibrate.run.grid = usedValues(session.grid.grid);
    values.calibrate.measured =
        measuredWords(session, typed.general, typed.calibrate.measured.data);
    values.recommend.search.calibration = searched(values.calibrate.run);
    values.recommend.search.limits = session.report.limits;
    values.recommend.measured =
        measuredWords(session, typed.general, typed.recommend.measured.data);
    mechanism::Grid current = usedValues(mechanism::Grid::of(session.current.mechanism));
    current.epsilons = {session.current.epsilon};
    values.sample.grid = current;
    values.guarantee.grid = current;
    values.sanitize.grid = current;
    values.sanitize.policies.letterCase = session.letterCase;
    // A policy that --unknown does not have is ignored, as in the window.
    if (const auto unknown = release::parseUnknownPolicy(session.report.unknownWords)) {
        values.sanitize.policies.unknown = *unknown;
    }
    return values;
}

}  // namespace epsilens::cli
