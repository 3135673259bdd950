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
bool takesMechanism(mechanism::Kind kept, MechanismArguments& mechanism) {
    fillText(mechanism.mechanism, std::string(mechanism::kindName(kept)));
    return mechanism.mechanism == mechanism::kindName(kept);
}

/// Options that only some mechanisms have.
void fillOwn(const CalibrationOptions& grid, MechanismArguments& mechanism) {
    if (grid.mechanism == mechanism::Kind::tem) {
        fillText(mechanism.metric, std::string(metric::metricKey(grid.metric)));
        if (mechanism.gammas.empty() && mechanism.betas.empty()) {
            fillList(grid.gammas.empty() ? mechanism.betas : mechanism.gammas,
                     grid.gammas.empty() ? grid.betas : grid.gammas);
        }
    } else if (grid.mechanism == mechanism::Kind::hyperbolic) {
        fillText(mechanism.noise, std::string(mechanism::radialLawName(grid.law)));
        fillText(mechanism.placement, std::string(mechanism::placementName(grid.placement)));
    }
}

/// Words, draws and, unless another mechanism was typed, its parameters but for epsilon. Returns
/// whether the mechanism is that of the session.
bool fillRun(const document::Session& session, RunArguments& run) {
    const CalibrationOptions& grid = session.grid;
    const bool takes = takesMechanism(grid.mechanism, run.mechanism);
    if (takes) {
        if (mechanism::hasLambda(grid.mechanism, grid.metric)) {
            fillList(run.mechanism.lambdas, grid.lambdas);
        }
        fillOwn(grid, run.mechanism);
    }
    fillText(run.draws, fmt::format("{}", grid.draws));
    fillText(run.nearNeighbours, fmt::format("{}", grid.nearNeighbours));
    run.independentDraws = run.independentDraws || grid.independentDraws;
    if (!run.data.path.empty() && !run.data.letterCase) {
        run.data.letterCase = std::string(text::casePolicyName(session.letterCase));
    }
    if (!run.words.empty() || !run.data.path.empty()) {
        return takes;
    }
    switch (grid.words.kind) {
        case WordSelection::Kind::all:
            run.words = "all";
            break;
        case WordSelection::Kind::random:
            run.words = fmt::format("{}", grid.words.count);
            break;
        case WordSelection::Kind::list:
            run.rows = grid.words.rows;
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
    const document::SessionSetting& current = session.current;
    if (!takesMechanism(current.mechanism, mechanism)) {
        return;
    }
    fillList(mechanism.epsilons, {current.epsilon});
    if (mechanism::hasLambda(current.mechanism, session.grid.metric)) {
        fillList(mechanism.lambdas, {current.lambda});
    }
    if (current.mechanism == mechanism::Kind::tem && mechanism.gammas.empty() &&
        mechanism.betas.empty()) {
        if (current.gamma) {
            fillList(mechanism.gammas, {*current.gamma});
        } else if (current.beta) {
            fillList(mechanism.betas, {*current.beta});
        }
    }
    if (current.mechanism == session.grid.mechanism) {
        fillOwn(session.grid, mechanism);
    }
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
    const CalibrationOptions& grid = session.grid;
    if (fillRun(session, calibrate.run)) {
        fillList(calibrate.run.mechanism.epsilons, grid.epsilons);
    }
    if (grid.deniabilityOdds) {
        fillText(calibrate.deniability, formatNumber(*grid.deniabilityOdds));
    }
    calibrate.rerunWorst = calibrate.rerunWorst || grid.rerunWorst;
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
