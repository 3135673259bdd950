#include "ui/space/pinned_noise.h"

#include <utility>

#include "core/metric/poincare_distance.h"
#include "ui/common/prepared_mechanism.h"
#include "ui/common/qt_convert.h"

namespace epsilens::ui {

namespace {
using mechanism::Kind;
}  // namespace

PinnedNoise::PinnedNoise(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_finder(tr("Drawing the pinned settings"), [this](Result<Found> found) {
          if (found) {
              m_found = std::move(*found);
              Q_EMIT changed();
              find();
          }
      }) {
    connect(&m_state.pins(), &PinState::pinChanged, this, [this] {
        find();
        Q_EMIT changed();
    });
    connect(&m_state, &AnalysisState::seedChanged, this, &PinnedNoise::find);
}

void PinnedNoise::follow(std::shared_ptr<const PlaneCloud> cloud,
                         std::shared_ptr<const PlaneScene> scene, int draws) {
    m_cloud = std::move(cloud);
    m_scene = std::move(scene);
    m_draws = draws;
    find();
}

bool PinnedNoise::isInPicture() const {
    const auto& pin = m_state.pins().pin();
    return pin && m_cloud && m_scene && m_scene->view == m_cloud->view &&
           PlaneView::of(pin->choice).isDisk == m_cloud->view.isDisk;
}

bool PinnedNoise::takesJob() const {
    const Kind kind = m_state.pins().pin()->choice.kind;
    return kind == Kind::tem || kind == Kind::hyperbolic;
}

bool PinnedNoise::isFound() const {
    return m_found && m_found->pin == m_state.pins().pin() && m_found->scene == m_scene &&
           m_found->seed == m_state.seed() && m_found->draws == m_draws;
}

void PinnedNoise::find() {
    // A run for something else is let finish; what it finds out is looked at then.
    if (!isInPicture() || !takesJob() || isFound() || m_finder.isRunning() ||
        !m_state.searchSpace()) {
        return;
    }
    Found wanted{*m_state.pins().pin(), m_scene, m_state.seed(), m_draws, {}, {}};
    const SceneRequest request{m_state.searchSpace(), m_state.metricSpaces(), wanted.pin.choice,
                               m_scene->word.row};
    m_finder.start([wanted, request, cloud = m_cloud](const JobContext& job) -> Result<Found> {
        Found found = wanted;
        if (wanted.pin.choice.kind == Kind::tem) {
            const auto drawn =
                drawWords(request, wanted.pin.epsilon, wanted.draws, wanted.seed, job);
            if (drawn && wanted.draws > 0) {
                found.offsets = (*drawn)->offsets;
            }
            return found;
        }
        const auto ball = BallNoise::create(request.space->handle(), wanted.pin.choice.law,
                                            wanted.pin.choice.placement, wanted.seed, wanted.draws);
        if (ball) {
            found.contours = ball->contours(cloud->axes, request.word, wanted.pin.epsilon);
            found.offsets =
                ball->draws(cloud->axes, request.word, wanted.pin.epsilon, wanted.draws);
        }
        return found;
    });
}

std::optional<Contour> PinnedNoise::radius() const {
    const PinnedSetting& pin = *m_state.pins().pin();
    const auto tem = truncationOf(pin.choice, m_state.embedding()->wordCount())
                         .and_then([&pin](const mechanism::Truncation& truncation) {
                             return truncation.at(pin.epsilon);
                         });
    if (!tem || !(tem->gamma() > 0.0) || pin.choice.metric == metric::Metric::angular) {
        return std::nullopt;
    }
    if (!m_cloud->view.isDisk) {
        return m_cloud->noise.metricBall(tem->gamma(), pin.choice.lambda);
    }
    const auto& vectors = m_state.embedding()->vectors();
    return geodesicCircle(m_scene->word.point,
                          metric::ballGap(vectors.row(m_scene->word.row).data(), vectors.cols()),
                          tem->gamma());
}

std::vector<Contour> PinnedNoise::contours() const {
    if (!isInPicture()) {
        return {};
    }
    const PinnedSetting& pin = *m_state.pins().pin();
    switch (pin.choice.kind) {
        case Kind::tem: {
            const auto contour = radius();
            return contour ? std::vector{*contour} : std::vector<Contour>{};
        }
        case Kind::hyperbolic:
            return isFound() ? m_found->contours : std::vector<Contour>{};
        case Kind::laplace:
        case Kind::mahalanobis:
            break;
    }
    return m_cloud->noise.contours(pin.epsilon, pin.choice.lambda);
}

std::vector<PlanePoint> PinnedNoise::offsets() const {
    if (!isInPicture()) {
        return {};
    }
    if (takesJob()) {
        return isFound() ? m_found->offsets : std::vector<PlanePoint>{};
    }
    const PinnedSetting& pin = *m_state.pins().pin();
    return m_cloud->noise.draws(pin.epsilon, pin.choice.lambda, m_draws);
}

QString pinnedContourName(const Contour& contour) {
    return contour.share > 0.0 ? PinnedNoise::tr("pinned, %1 %").arg(qRound(100.0 * contour.share))
                               : PinnedNoise::tr("pinned, γ");
}

QString PinnedNoise::drawsName() const {
    return tr("pinned: %1 draws").arg(counted(m_draws));
}

QString PinnedNoise::text() const {
    const auto& pin = m_state.pins().pin();
    if (!pin || !m_cloud) {
        return {};
    }
    return PlaneView::of(pin->choice).isDisk == m_cloud->view.isDisk
               ? tr("Grey and dashed: pinned, %1.").arg(pinTitle(*pin))
               : tr("The pinned settings, %1, belong to another picture.").arg(pinTitle(*pin));
}

}  // namespace epsilens::ui
