#include "ui/setup/embedding_loader.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <QFileInfo>

#include "core/base/error.h"
#include "core/mechanism/elliptical_noise.h"
#include "ui/state/analysis_state.h"
#include "ui/state/query.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

constexpr int kParametersRestMs = 120;  ///< before a range is estimated for them

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
        m_state.edit(&AnalysisSettings::chooseMechanism, mechanism::Hyperbolic());
    }
    Q_EMIT opened(m_path);
}

QObject* newRangeEstimator(AnalysisState& state, JobBoard& jobs, const LoadFunctions& functions,
                           QObject* parent) {
    struct Key {
        engine::SearchSpaceHandle space{};
        mechanism::Mechanism mechanism{};
        std::uint64_t seed = 0;

        [[nodiscard]] bool operator==(const Key&) const = default;
    };
    using Estimator = Query<Key, engine::EpsilonRange>;
    auto* estimator = new Estimator(
        {.title = QueryBase::tr("Finding a good range for ε"),
         .key = [&state, isOff = !functions.epsilonRange]() -> std::optional<Key> {
             if (isOff || !state.searchSpace()) {
                 return std::nullopt;
             }
             const mechanism::Mechanism mechanism = state.mechanism();
             const double largest = mechanism::largestUsableLambda(*state.basis());
             return Key{state.searchSpace(),
                        mechanism.with({.lambda = std::min(mechanism.lambda(), largest)}),
                        state.seed()};
         },
         .make =
             [range = functions.epsilonRange](const Key& key, const JobContext& job) {
                 calibration::CalibrationOptions options;
                 options.grid = mechanism::Grid::of(key.mechanism);
                 options.seed = key.seed;
                 return range(*key.space, options, job);
             },
         .restMs = kParametersRestMs,
         // Does not take the cores from what the analyst waits for.
         .waits = [&jobs] { return jobs.hasInteractiveJob(); }},
        parent);
    const auto suggest = [&state, estimator] {
        if (const engine::EpsilonRange* range = estimator->current()) {
            state.edit(&AnalysisSettings::suggest, {range->suggested, range->low, range->high});
        }
    };
    jobs.watch(&estimator->job());
    QObject::connect(estimator, &QueryBase::changed, &state, suggest);
    QObject::connect(&state, &AnalysisState::embeddingReset, estimator,
                     [estimator] { estimator->forget(); });
    QObject::connect(&state, &AnalysisState::embeddingChanged, estimator,
                     [estimator] { estimator->updateAtOnce(); });
    state.onChange(&AnalysisSettings::currentMechanism, estimator, [estimator, suggest] {
        estimator->update();
        suggest();  // for a mechanism that was left and returned to
    });
    return estimator;
}

}  // namespace epsilens::ui
