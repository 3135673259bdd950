#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <QString>

#include "ui/setup/embedding_loader.h"
#include "ui/state/guarantee_model.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

class AnalysisState;
class EmbeddingSection;
class GuaranteeModel;
class JobBoard;
class LimitVerdicts;
class SessionResults;

struct RadiusRequest {
    embedding::EmbeddingHandle embedding{};
    metric::Metric metric = metric::Metric::euclidean;
    double lambda = 0.0;
    std::optional<double> gamma{};  ///< nothing: only the largest distance is asked for
    std::uint64_t seed = 1;
    std::shared_ptr<MetricSpaceCache> spaces{};

    [[nodiscard]] bool operator==(const RadiusRequest&) const = default;
};

struct RadiusFacts {
    double largestDistance = 0.0;          ///< from any of them to any word
    std::optional<double> medianWithin{};  ///< words at most gamma away, the word itself included
};

/// Measures distances from up to 200 random words to all words. Fails with cancelled, or as the
/// metric does.
[[nodiscard]] Result<RadiusFacts> findRadiusFacts(const RadiusRequest& request,
                                                  const JobContext& job);

/// Which words are measured: random ones, all, those of a list or of texts, or an extreme.
[[nodiscard]] QWidget* wordChoice(AnalysisState& state, SessionResults& results, JobBoard& jobs,
                                  QWidget* parent = nullptr);

/// The mechanism, and its parameter beside it.
[[nodiscard]] QWidget* mechanismBar(AnalysisState& state, QWidget* parent = nullptr);

/// The drawer Details: nothing in it is needed for a first choice.
class SetupPanel : public ColumnScrollArea {
    Q_OBJECT

public:
    SetupPanel(AnalysisState& state, SessionResults& results, JobBoard& jobs,
               const LoadFunctions& functions, QWidget* parent = nullptr);

    [[nodiscard]] EmbeddingLoader& loader() { return *m_loader; }
    [[nodiscard]] GuaranteeModel& guarantee() { return *m_guarantee; }
    [[nodiscard]] LimitVerdicts& limits() { return *m_limits; }
    void askForRowLimit();
    [[nodiscard]] QWidget* firstControl() const;

    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void reloadRequested(const QString& path, qint64 firstRows);

private:
    EmbeddingLoader* m_loader;
    GuaranteeModel* m_guarantee;
    LimitVerdicts* m_limits;
    EmbeddingSection* m_embedding;
};

}  // namespace epsilens::ui
