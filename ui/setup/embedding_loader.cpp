#include "ui/setup/embedding_loader.h"

#include <algorithm>
#include <utility>

#include <QFileInfo>

#include "core/calibration/calibrate.h"
#include "core/mechanism/elliptical_noise.h"
#include "ui/common/analysis_state.h"
#include "ui/common/job_board.h"
#include "ui/common/qt_convert.h"

namespace epsilens::ui {

EmbeddingLoader::EmbeddingLoader(AnalysisState& state, JobBoard& jobs, LoadFunctions functions,
                                 QObject* parent)
    : QObject(parent),
      m_state(state),
      m_functions(std::move(functions)),
      m_openJob(tr("Loading"), [this](Result<Loaded> result) { takeLoaded(std::move(result)); }),
      m_rangeJob(tr("Finding a good range for ε"), [this](Result<engine::EpsilonRange> range) {
          if (range) {
              m_state.setEpsilonRange(range->suggested, range->low, range->high);
              m_state.setDefaultGridEpsilons(
                  calibration::defaultEpsilonGrid(range->low, range->high));
          }
      }) {
    jobs.watch(&m_openJob);
    jobs.watch(&m_rangeJob);
}

void EmbeddingLoader::open(const QString& path, qint64 firstRows) {
    m_path = path;
    m_rangeJob.cancel();
    const bool sample = path == sampleName();
    m_openJob.setTitle(sample ? tr("Loading the built-in sample")
                              : tr("Loading %1").arg(QFileInfo(path).fileName()));
    embedding::LoadOptions options;
    options.path = toStdPath(path);
    options.limitRows = firstRows;
    Q_EMIT loadingStarted(path);
    m_openJob.start([functions = m_functions, options](const JobContext& job) -> Result<Loaded> {
        auto opened = functions.open(options, job);
        if (!opened) {
            return tl::unexpected(std::move(opened.error()));
        }
        auto space = functions.arrange ? functions.arrange(*opened) : nullptr;
        return Loaded{std::move(*opened), std::move(space)};
    });
}

void EmbeddingLoader::takeLoaded(Result<Loaded> result) {
    if (!result) {
        Q_EMIT failed(m_path, result.error());
        return;
    }
    m_state.setEmbedding(std::move(result->embedding), std::move(result->space));
    Q_EMIT opened(m_path);
    estimateRange();
}

void EmbeddingLoader::estimateRange() {
    const auto basis = m_state.basis();
    const auto space = m_state.searchSpace();
    if (!m_functions.epsilonRange || !space) {
        return;
    }
    const double lambda =
        std::min(m_state.effectiveLambda(), mechanism::largestUsableLambda(*basis));
    m_rangeJob.start([functions = m_functions, basis, space, lambda, seed = m_state.seed()](
                         const JobContext& job) -> Result<engine::EpsilonRange> {
        const auto noise = mechanism::EllipticalNoise::create(basis, lambda);
        if (!noise) {
            return tl::unexpected(noise.error());
        }
        return functions.epsilonRange(*space, *noise, seed, job);
    });
}

}  // namespace epsilens::ui
