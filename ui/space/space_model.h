#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "ui/space/plane_jobs.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"

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
    void setPoints(int points);
    void setLabels(int labels);
    void setDraws(int draws);

    /// Null until there is something to show.
    [[nodiscard]] const std::shared_ptr<const PlaneCloud>& cloud() const { return m_cloud; }
    [[nodiscard]] const std::shared_ptr<const PlaneScene>& scene() const { return m_scene; }
    /// The state's word; while it has none a common one stands in.
    [[nodiscard]] std::optional<Word> shownWord() const;
    /// What the distances of neighbours are: "Euclidean distance".
    [[nodiscard]] QString distanceTitle() const;
    /// The neighbours that carry labels.
    [[nodiscard]] std::vector<PlaneWord> labelled() const;
    /// Whether the picture is of the Poincaré ball.
    [[nodiscard]] bool isDisk() const;
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
    [[nodiscard]] const std::optional<Error>& problem() const {
        return m_sceneProblem ? m_sceneProblem : m_drawProblem;
    }
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
    void failed(const Error& error);
    void problemChanged();

private:
    /// What words are drawn for.
    struct DrawSetting {
        mechanism::Mechanism mechanism{};
        std::optional<Word> word{};
        double epsilon = 0.0;
        std::uint64_t seed = 0;
        int draws = 0;

        [[nodiscard]] bool operator==(const DrawSetting&) const = default;
    };

    [[nodiscard]] bool hasPlane() const;
    void requestCloud();
    void requestScene();
    void requestDrawnWords();
    void takeScene(Result<std::shared_ptr<const PlaneScene>> scene);
    void takeDrawnWords(Result<std::shared_ptr<const DrawnWords>> drawn);
    void setProblems(std::optional<Error> ofScene, std::optional<Error> ofDraws);
    [[nodiscard]] DrawSetting drawSetting() const;
    void followChoice();
    void forget();
    void followEmbedding();
    [[nodiscard]] SceneRequest sceneRequest() const;
    /// The cloud, if it is of the mechanism as set.
    [[nodiscard]] const PlaneCloud* currentCloud() const;
    [[nodiscard]] std::optional<double> gammaNow() const;
    [[nodiscard]] std::vector<Contour> radiusContour() const;
    [[nodiscard]] const std::vector<PlanePoint>& ballDraws() const;
    [[nodiscard]] QString ballText() const;
    [[nodiscard]] QString drawnWordsText() const;

    AnalysisState& m_state;
    int m_points = 2'000;
    int m_labels = 10;
    int m_draws = 200;
    QString m_unknown;
    std::shared_ptr<const PlaneCloud> m_cloud;
    std::shared_ptr<const PlaneScene> m_scene;
    std::shared_ptr<const DrawnWords> m_drawn;  ///< of TEM
    DrawSetting m_drawAsked;                    ///< of the words drawn last, or being drawn
    std::optional<Error> m_sceneProblem;
    std::optional<Error> m_drawProblem;
    /// Draws of hyperbolic noise, which plot and texts ask for in turn; found once per setting.
    struct BallDraws {
        std::shared_ptr<const PlaneCloud> cloud{};
        std::optional<Word> word{};
        double epsilon = 0.0;
        int draws = 0;
        std::vector<PlanePoint> offsets{};
    };
    mutable BallDraws m_ballDraws;
    mechanism::Mechanism m_mechanism;  ///< the last one followed
    JobRunner<std::shared_ptr<const PlaneCloud>> m_cloudRunner;
    JobRunner<std::shared_ptr<const PlaneScene>> m_sceneRunner;
    JobRunner<std::shared_ptr<const DrawnWords>> m_drawRunner;
    JobRunner<QStringList> m_speller;
};

}  // namespace epsilens::ui
