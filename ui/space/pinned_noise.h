#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "ui/space/plane_jobs.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"

namespace epsilens::ui {

/// Contours and draws of the pinned settings, in the picture that is shown.
class PinnedNoise : public QObject {
    Q_OBJECT

public:
    explicit PinnedNoise(AnalysisState& state, QObject* parent = nullptr);

    /// Follows another picture.
    ///
    /// cloud, scene  null: nothing is shown
    /// draws         how many
    void follow(std::shared_ptr<const PlaneCloud> cloud, std::shared_ptr<const PlaneScene> scene,
                int draws);
    /// Empty without a pin, where it belongs to another picture, and while it is being found.
    [[nodiscard]] std::vector<Contour> contours() const;
    /// Offsets of the draws from the word.
    [[nodiscard]] std::vector<PlanePoint> offsets() const;
    /// "pinned: 200 draws"
    [[nodiscard]] QString drawsName() const;
    /// What is pinned, or why it is not drawn; empty without a pin.
    [[nodiscard]] QString text() const;
    /// Why what is pinned could not be found; nothing while it could.
    [[nodiscard]] const std::optional<Error>& problem() const { return m_problem; }

Q_SIGNALS:
    void changed();
    void problemChanged();

private:
    /// What is looked for.
    struct Wanted {
        mechanism::Setting pin{};
        std::shared_ptr<const PlaneScene> scene{};
        std::uint64_t seed = 0;
        int draws = 0;

        [[nodiscard]] bool operator==(const Wanted&) const = default;
    };
    /// What takes a job, and of what it is.
    struct Found {
        Wanted of{};
        std::vector<Contour> contours{};
        std::vector<PlanePoint> offsets{};
    };

    [[nodiscard]] bool isInPicture() const;
    [[nodiscard]] bool takesJob() const;
    /// Nothing where no job is needed, or possible.
    [[nodiscard]] std::optional<Wanted> wanted() const;
    [[nodiscard]] bool isFound() const;
    [[nodiscard]] std::optional<Contour> radius() const;
    void forget();
    void find();
    void take(Result<Found> found);
    void setProblem(std::optional<Error> problem);

    AnalysisState& m_state;
    std::shared_ptr<const PlaneCloud> m_cloud;
    std::shared_ptr<const PlaneScene> m_scene;
    int m_draws = 0;
    std::optional<Found> m_found;
    std::optional<Wanted> m_asked;  ///< what was looked for last, or is being looked for
    std::optional<Error> m_problem;
    JobRunner<Found> m_finder;
};

/// "pinned, 50 %": short, as legends have rows of the longest name; the settings stand in text().
[[nodiscard]] QString pinnedContourName(const Contour& contour);

}  // namespace epsilens::ui
