#pragma once

#include <functional>

#include <QObject>
#include <QString>

#include "core/calibration/options.h"
#include "core/embedding/load.h"
#include "core/embedding/prepared_embedding.h"
#include "core/engine/epsilon_range.h"
#include "core/engine/search_space.h"
#include "ui/state/job_runner.h"

namespace epsilens::ui {

class AnalysisState;
class JobBoard;

struct LoadFunctions {
    std::function<Result<embedding::EmbeddingHandle>(const embedding::LoadOptions&,
                                                     const JobContext&)>
        open;
    std::function<engine::SearchSpaceHandle(const embedding::EmbeddingHandle&)> arrange;
    std::function<Result<engine::EpsilonRange>(
        const engine::SearchSpace&, const calibration::CalibrationOptions&, const JobContext&)>
        epsilonRange;
};

[[nodiscard]] LoadFunctions coreLoadFunctions();

/// Opens embeddings in the background, and puts them into the state when they are prepared.
class EmbeddingLoader : public QObject {
    Q_OBJECT

public:
    EmbeddingLoader(AnalysisState& state, JobBoard& jobs, LoadFunctions functions,
                    QObject* parent = nullptr);

    [[nodiscard]] static QString sampleName() { return QStringLiteral("sample"); }
    [[nodiscard]] static QString poincareSampleName() { return QStringLiteral("sample-poincare"); }
    [[nodiscard]] static QString shownName(const QString& path);
    [[nodiscard]] static bool isBuiltIn(const QString& path) {
        return path == sampleName() || path == poincareSampleName();
    }

    /// path       absolute, or the name of a sample
    /// firstRows  how many rows to load, 0 for all
    void open(const QString& path, qint64 firstRows = 0);
    [[nodiscard]] const QString& openPath() const { return m_openPath; }
    [[nodiscard]] const QString& lastPath() const { return m_path; }
    [[nodiscard]] qint64 lastFirstRows() const { return m_firstRows; }

Q_SIGNALS:
    void loadingStarted(const QString& path);
    void opened(const QString& path);
    void failed(const QString& path, const epsilens::Error& error);

private:
    struct Loaded {
        embedding::EmbeddingHandle embedding;
        engine::SearchSpaceHandle space;
    };
    void takeLoaded(Result<Loaded> result);

    AnalysisState& m_state;
    LoadFunctions m_functions;
    QString m_path;
    QString m_openPath;
    qint64 m_firstRows = 0;
    JobRunner<Loaded> m_openJob;
};

/// Keeps the scale of epsilon up with the mechanism, by an estimate on some words.
QObject* newRangeEstimator(AnalysisState& state, JobBoard& jobs, const LoadFunctions& functions,
                           QObject* parent = nullptr);

}  // namespace epsilens::ui
