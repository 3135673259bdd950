#include "ui/setup/embedding_loader.h"

#include <algorithm>
#include <utility>

#include <QFileInfo>

#include "core/base/error.h"
#include "core/calibration/options.h"
#include "core/mechanism/elliptical_noise.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

constexpr int kParametersRestMs = 400;  ///< of parameters, before a range is estimated for them

}  // namespace

LoadFunctions coreLoadFunctions() {
    return {embedding::openAndPrepare,
            [](const embedding::EmbeddingHandle& embedding) {
                return std::make_shared<const engine::SearchSpace>(embedding);
            },
            calibration::estimateRange};
}

EmbeddingLoader::EmbeddingLoader(AnalysisState& state, JobBoard& jobs, LoadFunctions functions,
                                 QObject* parent)
    : QObject(parent),
      m_state(state),
      m_functions(std::move(functions)),
      m_openJob(tr("Loading"), [this](Result<Loaded> result) { takeLoaded(std::move(result)); }) {
    jobs.watch(&m_openJob);
}

QString EmbeddingLoader::shownName(const QString& path) {
    if (path == poincareSampleName()) {
        return tr("the built-in Poincaré sample");
    }
    return path == sampleName() ? tr("the built-in sample") : QFileInfo(path).fileName();
}

void EmbeddingLoader::open(const QString& path, qint64 firstRows) {
    m_path = path;
    m_firstRows = firstRows;
    m_openJob.setTitle(tr("Loading %1").arg(shownName(path)));
    embedding::LoadOptions options;
    options.path = toStdPath(path);
    options.limitRows = firstRows;
    options.memoryLimit = remembered::memoryLimitBytes();
    options.copies = engine::SearchSpace::kCopiesOfVectors;
    Q_EMIT loadingStarted(path);
    m_openJob.start([functions = m_functions, options](const JobContext& job) -> Result<Loaded> {
        ASSIGN_OR_RETURN(auto opened, functions.open(options, job));
        auto space = functions.arrange ? functions.arrange(opened) : nullptr;
        return Loaded{std::move(opened), std::move(space)};
    });
}

void EmbeddingLoader::takeLoaded(Result<Loaded> result) {
    if (!result) {
        Q_EMIT failed(m_path, result.error());
        return;
    }
    const auto before = m_state.embedding();
    const bool isOther = !before || before->embedding.name != result->embedding->embedding.name;
    m_openPath = m_path;
    m_state.setEmbedding(std::move(result->embedding), std::move(result->space));
    if (m_path == poincareSampleName() && isOther) {
        // Who opens it wants to see what it is made for.
        m_state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
    }
    Q_EMIT opened(m_path);
}

RangeEstimator::RangeEstimator(AnalysisState& state, JobBoard& jobs, LoadFunctions functions,
                               QObject* parent)
    : QObject(parent),
      m_state(state),
      m_functions(std::move(functions)),
      m_rest(kParametersRestMs),
      m_mechanism(state.mechanism()),
      m_job(tr("Finding a good range for ε"), [this](const Result<engine::EpsilonRange>& range) {
          if (range) {
              m_state.edit(&AnalysisSettings::suggest, {range->suggested, range->low, range->high});
          }
      }) {
    jobs.watch(&m_job);
    // Does not take the cores from what the analyst waits for.
    connect(&m_rest, &QTimer::timeout, this, [this, &jobs] {
        if (jobs.isAnswering()) {
            m_rest.start();
        } else {
            estimate();
        }
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this] {
        m_mechanism = m_state.mechanism();
        m_job.drop();
        estimate();
    });
    m_state.onChange(&AnalysisSettings::chosen, this, &RangeEstimator::followChoice);
}

void RangeEstimator::followChoice() {
    const mechanism::Mechanism before = std::exchange(m_mechanism, m_state.mechanism());
    m_job.drop();
    if (m_mechanism.isKindOf(before) && m_mechanism.sharesUnitWith(before)) {
        m_rest.start();
    } else {
        estimate();
    }
}

void RangeEstimator::estimate() {
    m_rest.stop();
    const auto basis = m_state.basis();
    const auto space = m_state.searchSpace();
    if (!m_functions.epsilonRange || !space) {
        return;
    }
    const mechanism::Mechanism mechanism = m_state.mechanism();
    calibration::CalibrationOptions options;
    options.grid = mechanism::Grid::of(mechanism.with(
        {.lambda = std::min(mechanism.lambda(), mechanism::largestUsableLambda(*basis))}));
    options.seed = m_state.seed();
    m_job.start([range = m_functions.epsilonRange, space, options](const JobContext& job) {
        return range(*space, options, job);
    });
}

}  // namespace epsilens::ui
