#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "ui/space/plane_jobs.h"
#include "ui/state/analysis_state.h"
#include "ui/state/query.h"

namespace epsilens::ui {

/// What the Space tab shows, without a window. Cloud, neighbours and the words that TEM draws come
/// from jobs; otherwise epsilon and lambda only scale what is there.
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
    /// In their ranges above.
    void setPoints(int points);
    void setLabels(int labels);
    void setDraws(int draws);

    /// Null until there is something to show.
    [[nodiscard]] std::shared_ptr<const PlaneCloud> cloud() const;
    /// Null also where the neighbours cannot be found.
    [[nodiscard]] std::shared_ptr<const PlaneScene> scene() const;
    /// The state's word; while it has none a common one stands in.
    [[nodiscard]] std::optional<Word> shownWord() const;
    /// What the distances of neighbours are: "Euclidean distance".
    [[nodiscard]] QString distanceTitle() const;
    /// The neighbours that carry labels.
    [[nodiscard]] std::vector<PlaneWord> labelled() const;
    /// Contours of the noise of the mechanism as set; for TEM, which has none, the ball of its
    /// radius, where it is one in the plane.
    [[nodiscard]] std::vector<Contour> contours() const;
    /// Of spherical noise at the same epsilon, to compare elliptical noise with.
    [[nodiscard]] std::vector<Contour> sphericalContours() const;
    /// "50 % elliptical, λ 0.5": what a contour is, for the legend.
    [[nodiscard]] QString contourName(const Contour& contour) const;
    /// Offsets of the draws from the word as set: noisy points, for TEM the words drawn.
    [[nodiscard]] std::vector<PlanePoint> drawOffsets() const;
    /// "200 draws at ε 10".
    [[nodiscard]] QString drawsName(std::size_t draws) const;

    /// Selects a word by its spelling; an unknown one ends in unknownWord().
    void selectSpelling(const QString& spelling);
    /// Words of the vocabulary that begin with this, in row order.
    [[nodiscard]] QStringList completions(const QString& prefix, int most) const;

    /// Why the neighbours or the words that TEM draws are missing; nothing while they are not.
    [[nodiscard]] std::optional<Error> problem() const;
    /// Why there is nothing to show; empty if there is.
    [[nodiscard]] QString obstacle() const;
    /// "2,000 of 41,353 points drawn · the plane holds 7 % of the variance".
    [[nodiscard]] QString planeText() const;
    /// What the picture is, for assistive technology: "Words and noise in the Poincaré disk".
    [[nodiscard]] QString planeName() const;
    /// "PC 1 (4.2 % of the variance)", "direction 1 of the ball (…)"; axis 0 or 1.
    [[nodiscard]] QString axisTitle(int axis) const;
    /// How many of the draws shown lie within the contours, and what these are.
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
    void problemChanged();

private:
    struct CloudKey {
        embedding::EmbeddingHandle embedding{};
        PlaneView view{};
        int points = 0;
        std::uint64_t seed = 0;

        [[nodiscard]] bool operator==(const CloudKey&) const = default;
    };
    struct SceneKey {
        SceneRequest request{};

        /// Neighbours go by the distance of the mechanism.
        [[nodiscard]] bool operator==(const SceneKey& other) const;
    };
    struct DrawKey {
        SceneRequest request{};
        double epsilon = 0.0;
        std::uint64_t seed = 0;
        int draws = 0;

        [[nodiscard]] bool operator==(const DrawKey&) const = default;
    };
    /// A failure is an answer, too: it is told until another one is there.
    template <class T>
    struct Answer {
        SceneRequest request{};
        std::shared_ptr<const T> value{};
        std::optional<Error> error{};
    };
    template <class T>
    static Result<Answer<T>> answered(const SceneRequest& request,
                                      Result<std::shared_ptr<const T>> made);

    [[nodiscard]] bool hasPlane() const;
    [[nodiscard]] std::optional<SceneRequest> sceneRequest() const;
    void updateDraws();
    void tellProblem();
    void followChoice();
    void followEmbedding();
    /// The cloud, if it is of the mechanism as set.
    [[nodiscard]] std::shared_ptr<const PlaneCloud> currentCloud() const;
    [[nodiscard]] std::shared_ptr<const DrawnWords> drawnWords() const;
    [[nodiscard]] std::optional<double> gammaNow() const;
    [[nodiscard]] std::vector<Contour> radiusContour() const;
    [[nodiscard]] QString ballText() const;
    [[nodiscard]] QString drawnWordsText() const;

    AnalysisState& m_state;
    int m_points = 2'000;
    int m_labels = 10;
    int m_draws = 200;
    PlaneView m_view;       ///< the last one followed
    std::string m_problem;  ///< the last one told
    QString m_unknown;
    Query<CloudKey, std::shared_ptr<const PlaneCloud>> m_cloud;
    Query<SceneKey, Answer<PlaneScene>> m_scene;
    Query<DrawKey, Answer<DrawnWords>> m_drawn;  ///< of TEM
    JobRunner<QStringList> m_speller;
};

}  // namespace epsilens::ui
