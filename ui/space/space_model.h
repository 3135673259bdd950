#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/text/nearest_spellings.h"
#include "ui/common/analysis_state.h"
#include "ui/common/job_runner.h"
#include "ui/space/plane_noise.h"

namespace epsilens::ui {

/// A word in the plane.
struct PlaneWord {
    embedding::Row row = 0;
    PlanePoint point{};
    double distance = 0.0;  ///< Euclidean, from the selected word, in all dimensions
};

/// What the plane shows of an embedding, whatever the word and the noise.
struct PlaneCloud {
    std::vector<PlaneWord> words{};  ///< random words of the vocabulary
    std::int64_t vocabulary = 0;
    std::array<double, 2> varianceShares{};
    PlaneNoise noise{};
};

/// The selected word and those near it.
struct PlaneScene {
    PlaneWord word{};
    std::vector<PlaneWord> neighbours{};  ///< nearest first, up to SpaceModel::kMostLabels
};

/// What the Space tab shows, without a window. Cloud and neighbours come from jobs; epsilon and
/// lambda only scale what is there.
class SpaceModel : public QObject {
    Q_OBJECT

public:
    static constexpr int kFewestPoints = 500;
    static constexpr int kMostPoints = 20'000;
    static constexpr int kMostLabels = 100;
    static constexpr int kMostDraws = 1'000;

    explicit SpaceModel(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] AnalysisState& state() { return m_state; }
    [[nodiscard]] int points() const { return m_points; }
    [[nodiscard]] int labels() const { return m_labels; }
    [[nodiscard]] int draws() const { return m_draws; }
    void setPoints(int points);
    void setLabels(int labels);
    void setDraws(int draws);

    /// Null until there is something to show.
    [[nodiscard]] const std::shared_ptr<const PlaneCloud>& cloud() const { return m_cloud; }
    [[nodiscard]] const std::shared_ptr<const PlaneScene>& scene() const { return m_scene; }
    /// The state's word; while it has none a common one stands in.
    [[nodiscard]] std::optional<embedding::Row> shownWord() const;
    /// The neighbours that carry labels.
    [[nodiscard]] std::vector<PlaneWord> labelled() const;
    /// Contours of the mechanism as set, and of spherical noise at the same epsilon.
    [[nodiscard]] std::array<Contour, 2> contours() const;
    [[nodiscard]] std::array<Contour, 2> sphericalContours() const;
    /// Offsets of the draws from the word, at epsilon and lambda as set.
    [[nodiscard]] std::vector<PlanePoint> drawOffsets() const;
    [[nodiscard]] QString wordAt(embedding::Row row) const;

    /// Selects a word by its spelling; an unknown one ends in unknownWord().
    void selectSpelling(const QString& spelling);
    /// Words of the vocabulary that begin with this, in row order.
    [[nodiscard]] QStringList completions(const QString& prefix, int most) const;

    /// Why there is nothing to show; empty if there is.
    [[nodiscard]] QString obstacle() const;
    /// "2,000 of 41,353 points drawn · the plane holds 7 % of the variance".
    [[nodiscard]] QString planeText() const;
    /// "PC 1 (4.2 % of the variance)"; axis 0 or 1.
    [[nodiscard]] QString axisTitle(int axis) const;
    /// How many of the draws shown lie within the contours.
    [[nodiscard]] QString drawsText() const;
    /// One sentence about the picture, for assistive technology.
    [[nodiscard]] QString description() const;

Q_SIGNALS:
    void cloudChanged();
    void sceneChanged();
    /// Another epsilon, lambda or number of draws: contours and draws are scaled anew.
    void noiseChanged();
    /// suggestions  words of the vocabulary spelt most alike, may be empty
    void unknownWord(const QString& spelling, const QStringList& suggestions);
    void failed(const Error& error);

private:
    [[nodiscard]] bool hasPlane() const;
    void requestCloud();
    void requestScene();
    void forget();

    AnalysisState& m_state;
    int m_points = 2'000;
    int m_labels = 10;
    int m_draws = 200;
    QString m_unknown;
    std::shared_ptr<const PlaneCloud> m_cloud;
    std::shared_ptr<const PlaneScene> m_scene;
    JobRunner<std::shared_ptr<const PlaneCloud>> m_cloudRunner;
    JobRunner<std::shared_ptr<const PlaneScene>> m_sceneRunner;
    JobRunner<std::vector<text::Spelling>> m_speller;
};

/// Projects random words and prepares the noise of the plane. Fails when the embedding has one
/// dimension only.
[[nodiscard]] Result<std::shared_ptr<const PlaneCloud>> makeCloud(
    const embedding::EmbeddingHandle& embedding, std::int64_t points, std::uint64_t seed);

/// Finds and projects a word's neighbours. Fails with cancelled.
[[nodiscard]] Result<std::shared_ptr<const PlaneScene>> makeScene(const engine::SearchSpace& space,
                                                                  embedding::Row word,
                                                                  int neighbours,
                                                                  const JobContext& job = {});

}  // namespace epsilens::ui
