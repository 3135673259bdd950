#include "ui/curves/pinned_curve.h"

#include <algorithm>
#include <utility>

#include "ui/state/mechanism_view.h"
#include "ui/state/session_results.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

/// One curve of a run as a run of its own.
RunCurvesHandle sliceOf(const RunCurves& run, std::size_t curve,
                        const calibration::CalibrationOptions& options) {
    RunCurves slice;
    slice.embedding = run.embedding;
    slice.parameter = run.parameter;
    slice.epsilonBound = run.epsilonBound;
    slice.nw = {run.nw[curve]};
    slice.sw = {run.sw[curve]};
    calibration::Run part;
    part.request.options = options;
    part.provenance = run.run->provenance;
    calibration::CalibrationSummary summary;
    summary.grid = options.grid;
    summary.grid.epsilons = run.summary().grid.epsilons;
    summary.draws = run.summary().draws;
    summary.words = run.summary().words;
    summary.nearNeighbours = run.summary().nearNeighbours;
    const auto points = static_cast<std::ptrdiff_t>(run.summary().grid.epsilons.size());
    const auto first = run.summary().cells.begin() + static_cast<std::ptrdiff_t>(curve) * points;
    summary.cells.assign(first, first + points);
    part.summary = std::make_shared<const calibration::CalibrationSummary>(std::move(summary));
    slice.run = std::make_shared<const calibration::Run>(std::move(part));
    if (curve < run.exact.size()) {
        slice.exact = {run.exact[curve]};
    }
    if (curve < run.steps.size()) {
        slice.steps = {run.steps[curve]};
    }
    return std::make_shared<const RunCurves>(std::move(slice));
}

/// What epsilon must exceed for the pinned settings to exist.
double pinnedBound(const AnalysisState& state) {
    return state.pin()->mechanism.epsilonBound(state.embedding()->dimensions());
}

}  // namespace

std::optional<calibration::CalibrationOptions> pinnedOptions(
    const AnalysisState& state, const calibration::CalibrationOptions& run) {
    const auto& pin = state.pin();
    if (!pin || !state.embedding()) {
        return std::nullopt;
    }
    calibration::CalibrationOptions options;
    options.grid = mechanism::Grid::of(pin->mechanism);
    const double bound = pinnedBound(state);
    std::copy_if(run.grid.epsilons.begin(), run.grid.epsilons.end(),
                 std::back_inserter(options.grid.epsilons),
                 [bound](double epsilon) { return epsilon > bound; });
    if (options.grid.epsilons.empty()) {
        return std::nullopt;
    }
    options.words = run.words;
    options.draws = run.draws;
    options.seed = run.seed;
    options.nearNeighbours = run.nearNeighbours;
    return options;
}

std::optional<std::size_t> curveOf(const RunCurves& run, const mechanism::Mechanism& mechanism) {
    if (!isSameFamily(familyOf(run.options().grid), mechanism)) {
        return std::nullopt;
    }
    const double wanted = parameterValue(mechanism, run.parameter);
    for (std::size_t i = 0; i < run.nw.size(); ++i) {
        if (run.nw[i].value == wanted) {
            return i;
        }
    }
    return std::nullopt;
}

PinnedCurve::PinnedCurve(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_runner(tr("Measuring the pinned settings"),
               [this](Result<RunCurvesHandle> run) { finish(std::move(run)); }) {
    connect(&m_state, &AnalysisState::embeddingDropped, this, [this] {
        m_runner.drop();
        m_wanted.reset();
    });
    m_state.onChange(&AnalysisSettings::pin, this, [this] { follow(false); });
}

void PinnedCurve::setResult(RunCurvesHandle result, bool isAsked) {
    m_result = std::move(result);
    follow(isAsked);
}

void PinnedCurve::follow(bool isAsked) {
    const bool isComparable = m_state.pin() && m_result && m_result->isOf(m_state.embedding());
    const auto options = isComparable ? pinnedOptions(m_state, m_result->options()) : std::nullopt;
    const auto curve = options ? curveOf(*m_result, m_state.pin()->mechanism) : std::nullopt;
    const bool isKnown = options && !curve && m_wanted && answers(*m_wanted, *options);
    if (isKnown && !isAsked) {
        return;  // being measured, or hindered as has been said
    }
    m_runner.cancel();
    m_wanted.reset();
    setObstacle(isComparable && !options ? tr("no ε of the grid is above %1, where it begins")
                                               .arg(shortest(pinnedBound(m_state)))
                                         : QString());
    if (!options) {
        take(nullptr);
    } else if (curve) {
        take(sliceOf(*m_result, *curve, *options));
    } else if (m_run && m_run->isOf(m_state.embedding()) && answers(m_run->options(), *options)) {
        Q_EMIT changed();
    } else {
        take(nullptr);
        m_wanted = options;
        start();
    }
}

void PinnedCurve::measure() {
    if (m_wanted) {
        setObstacle({});
        start();
    }
}

void PinnedCurve::start() {
    if (const auto& space = m_state.searchSpace()) {
        m_runner.start([space, options = *m_wanted](const JobContext& job) {
            return runCurves(*space, options, job);
        });
    }
}

void PinnedCurve::finish(Result<RunCurvesHandle> run) {
    if (!m_wanted) {
        return;  // of a pin that is no more
    }
    // Words that a cancelled run did not come to are missing: not the words of the result.
    const bool isCancelled =
        run ? (*run)->summary().partial : run.error().code == ErrorCode::cancelled;
    if (isCancelled) {
        setObstacle(tr("measuring it was cancelled"));
    } else if (!run) {
        setObstacle(toQString(run.error().message));
    } else {
        m_wanted.reset();
        take(std::move(*run));
    }
}

void PinnedCurve::setObstacle(const QString& obstacle) {
    if (obstacle != m_obstacle) {
        m_obstacle = obstacle;
        Q_EMIT obstacleChanged();
    }
}

void PinnedCurve::take(RunCurvesHandle run) {
    if (run != m_run) {
        m_run = std::move(run);
        Q_EMIT changed();
    }
}

QString PinnedCurve::name() const {
    const auto& pin = m_state.pin();
    if (!pin) {
        return {};
    }
    if (!m_result) {
        return tr("pinned: %1").arg(shortTitle(pin->mechanism));
    }
    const mechanism::Mechanism family = familyOf(m_result->options().grid);
    if (isSameFamily(family, pin->mechanism) && m_result->parameter != CurveParameter::none) {
        const double value = parameterValue(pin->mechanism, m_result->parameter);
        return tr("pinned: %1").arg(curveName(m_result->parameter, value));
    }
    return family.sharesUnitWith(pin->mechanism)
               ? tr("pinned: %1").arg(shortTitle(pin->mechanism))
               : tr("pinned: %1 (ε in its own unit)").arg(shortTitle(pin->mechanism));
}

}  // namespace epsilens::ui
