#include "app/cli/commands/session_option.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/document/session_file.h"
#include "core/release/policies.h"

namespace epsilens::cli {
namespace {

using calibration::CalibrationOptions;
using calibration::WordSelection;

void fillText(std::string& target, std::string value) {
    if (target.empty()) {
        target = std::move(value);
    }
}

void fillList(std::vector<std::string>& target, const std::vector<double>& values) {
    if (!target.empty()) {
        return;
    }
    for (const double value : values) {
        target.push_back(formatNumber(value));
    }
}

/// Whether the mechanism of the session is the one that will run; it does where none was typed.
bool takesMechanism(const mechanism::Mechanism& kept, MechanismArguments& mechanism) {
    fillText(mechanism.mechanism, std::string(kept.name()));
    return mechanism.mechanism == kept.name();
}

/// Parameters that are no values of a grid.
void fillParameters(const mechanism::Mechanism& kept, MechanismArguments& mechanism) {
    const mechanism::Parameters parameters = kept.parameters();
    if (parameters.metric) {
        fillText(mechanism.metric, std::string(metric::metricKey(*parameters.metric)));
    }
    if (parameters.law) {
        fillText(mechanism.noise, std::string(mechanism::radialLawName(*parameters.law)));
    }
    if (parameters.placement) {
        fillText(mechanism.placement, std::string(mechanism::placementName(*parameters.placement)));
    }
}

/// All parameters but epsilon, where none of their kind was typed.
void fillGrid(const mechanism::Grid& grid, MechanismArguments& mechanism) {
    if (grid.mechanism.hasLambda()) {
        fillList(mechanism.lambdas, grid.lambdas);
    }
    if (grid.mechanism.hasRadius() && mechanism.gammas.empty() && mechanism.betas.empty()) {
        fillList(mechanism.gammas, grid.gammas);
        fillList(mechanism.betas, grid.gammas.empty() ? grid.betas : std::vector<double>());
    }
    fillParameters(grid.mechanism, mechanism);
}

/// Words, draws and, unless another mechanism was typed, its parameters but for epsilon. Returns
/// whether the mechanism is that of the session.
bool fillRun(const document::Session& session, RunArguments& run) {
    const CalibrationOptions& options = session.grid;
    const bool takes = takesMechanism(options.grid.mechanism, run.mechanism);
    if (takes) {
        fillGrid(options.grid, run.mechanism);
    }
    fillText(run.draws, fmt::format("{}", options.draws));
    fillText(run.nearNeighbours, fmt::format("{}", options.nearNeighbours));
    run.independentDraws = run.independentDraws || options.independentDraws;
    if (!run.data.path.empty() && !run.data.letterCase) {
        run.data.letterCase = std::string(text::casePolicyName(session.letterCase));
    }
    if (!run.words.empty() || !run.data.path.empty()) {
        return takes;
    }
    switch (options.words.kind) {
        case WordSelection::Kind::all:
            run.words = "all";
            break;
        case WordSelection::Kind::random:
            run.words = fmt::format("{}", options.words.count);
            break;
        case WordSelection::Kind::list:
            run.rows = options.words.rows;
            run.rowsFrom = session.wordsFrom;
            break;
    }
    return takes;
}

}  // namespace

Result<std::optional<document::Session>> openSession(const GeneralArguments& general) {
    if (general.session.empty()) {
        return std::nullopt;
    }
    return document::openSession(general.session).map([](document::Session session) {
        return std::optional(std::move(session));
    });
}

void fillSeed(const document::Session& session, GeneralArguments& general) {
    fillText(general.seed, fmt::format("{}", session.grid.seed));
}

void fillGeneral(const document::Session& session, GeneralArguments& general) {
    if (!session.embedding || !general.embedding.empty()) {
        return;
    }
    const embedding::LoadOptions& load = session.embedding->load;
    general.embedding =
        document::firstExisting(document::embeddingPlaces(*session.embedding, general.session));
    general.expectedSha256 = session.embedding->sha256;
    if (general.inputFormat == "auto") {
        general.inputFormat = embedding::inputFormatName(load.inputFormat);
    }
    if (load.limitRows > 0) {
        fillText(general.limitRows, fmt::format("{}", load.limitRows));
    }
    fillText(general.vocabularyPath, load.vocabularyPath);
    general.strict = general.strict || load.strict;
}

void fillMechanism(const document::Session& session, MechanismArguments& mechanism) {
    const mechanism::Setting& current = session.current;
    if (!takesMechanism(current.mechanism, mechanism)) {
        return;
    }
    fillList(mechanism.epsilons, {current.epsilon});
    fillGrid(mechanism::Grid::of(current.mechanism), mechanism);
}

void fillPolicies(const document::Session& session, SanitizeArguments& sanitize) {
    const std::string& unknown = session.report.unknownWords;
    if (!sanitize.unknown && !sanitize.mask && release::parseUnknownPolicy(unknown)) {
        sanitize.unknown = unknown;
    }
    if (!sanitize.letterCase) {
        sanitize.letterCase = std::string(text::casePolicyName(session.letterCase));
    }
}

void fillCalibrate(const document::Session& session, CalibrateArguments& calibrate) {
    const CalibrationOptions& options = session.grid;
    if (fillRun(session, calibrate.run)) {
        fillList(calibrate.run.mechanism.epsilons, options.grid.epsilons);
    }
    if (options.deniabilityOdds) {
        fillText(calibrate.deniability, formatNumber(*options.deniabilityOdds));
    }
    calibrate.rerunWorst = calibrate.rerunWorst || options.rerunWorst;
}

void fillRecommend(const document::Session& session, RecommendArguments& recommend) {
    fillRun(session, recommend.run);
    if (recommend.limits.empty()) {
        for (const calibration::Limit& limit : session.report.limits) {
            recommend.limits.push_back(calibration::limitText(limit));
        }
    }
}

}  // namespace epsilens::cli
