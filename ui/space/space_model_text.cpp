#include "ui/space/space_model.h"

#include "ui/state/mechanism_neighbours.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

QString percent(double share) {
    return significant(100.0 * share, 2) + QLatin1Char('%');
}

QString wholePercent(double share) {
    return QStringLiteral("%1%").arg(qRound(100.0 * share));
}

}  // namespace

QString SpaceModel::planeText() const {
    if (!m_cloud) {
        return {};
    }
    const QString drawn =
        tr("%1 of %2 points drawn")
            .arg(counted(static_cast<qint64>(m_cloud->words.size())), counted(m_cloud->vocabulary));
    const double held = m_cloud->axes.shares[0] + m_cloud->axes.shares[1];
    if (!m_cloud->view.isDisk) {
        return tr("%1 · the plane holds %2 of the variance").arg(drawn, percent(held));
    }
    return m_cloud->axes.isWhole
               ? tr("%1 · the Poincaré disk itself; the circle is its edge").arg(drawn)
               : tr("%1 · projection of the ball onto the plane through its origin that holds most "
                    "of "
                    "the mean squared norm, %2; the circle is the edge")
                     .arg(drawn, percent(held));
}

QString SpaceModel::planeName() const {
    if (!isDisk()) {
        return tr("Words and noise in the plane of two principal axes");
    }
    return m_cloud->axes.isWhole ? tr("Words and noise in the Poincaré disk")
                                 : tr("Words and noise in a projection of the Poincaré ball");
}

QString SpaceModel::axisTitle(int axis) const {
    if (!m_cloud) {
        return {};
    }
    const QString share = percent(m_cloud->axes.shares[static_cast<std::size_t>(axis)]);
    if (!m_cloud->view.isDisk) {
        return tr("PC %1, units of distance (%2 of the variance)").arg(axis + 1).arg(share);
    }
    return m_cloud->axes.isWhole
               ? tr("coordinate %1 of the disk").arg(axis + 1)
               : tr("direction %1 (%2 of the mean squared norm)").arg(axis + 1).arg(share);
}

QString SpaceModel::distanceTitle() const {
    return tr("%1 distance").arg(metricTitle(neighbourMetric(m_state.mechanism())));
}

QString SpaceModel::contourName(const Contour& contour) const {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    const QString share = wholePercent(contour.share);
    if (mechanism.hasRadius()) {
        return tr("γ = %1").arg(significant(gammaNow().value_or(0.0), 3));
    }
    if (isElliptical(mechanism)) {
        return tr("%1 elliptical, λ %2").arg(share, shortest(mechanism.lambda()));
    }
    return tr("geodesic ball, %1").arg(share);
}

QString SpaceModel::drawsName(std::size_t draws) const {
    const QString count = counted(static_cast<qint64>(draws));
    return m_state.mechanism().isExact()
               ? tr("%1 words drawn at ε %2").arg(count, shortest(m_drawn->epsilon))
               : tr("%1 draws at ε %2").arg(count, shortest(m_state.epsilon()));
}

QString SpaceModel::drawnWordsText() const {
    QString text = tr("This mechanism adds no noise, so there is no contour: it draws words.");
    if (m_drawn && !m_drawn->offsets.empty()) {
        text += tr(" Of %1 draws %2 kept the word; %3 different words came out.")
                    .arg(counted(static_cast<qint64>(m_drawn->offsets.size())),
                         counted(m_drawn->kept), counted(m_drawn->distinct));
    }
    if (!m_state.mechanism().hasRadius()) {
        return text;
    }
    if (m_state.mechanism().metric() == metric::Metric::angular) {
        return text + tr(" γ is an angle, which has no outline here.");
    }
    return text +
           (m_state.embedding()->dimensions() > 2
                ? tr(" The line is the projection of the ball of radius γ: words within γ lie "
                     "inside it, and others may seem to.")
                : tr(" The line is the edge of the ball of radius γ: the words within γ are those "
                     "inside it.")) +
           tr(" Where it encloses all words it lies outside the picture.");
}

QString SpaceModel::ballText() const {
    const PlaneCloud* cloud = currentCloud();
    const auto radii = cloud->ball->radii(m_state.epsilon());
    QString reach = tr("Half of the noise moves the word by at most d_H = %1, 95% by at most %2.")
                        .arg(significant(radii[0], 3), significant(radii[1], 3));
    if (cloud->axes.isWhole) {
        return reach;
    }
    return reach + tr(" The circles are the projections of these geodesic balls; projected, more "
                      "draws lie inside.");
}

QString SpaceModel::drawsText() const {
    const PlaneCloud* cloud = currentCloud();
    if (cloud == nullptr) {
        return {};
    }
    if (m_state.mechanism().isExact()) {
        return drawnWordsText();
    }
    const bool isBall = cloud->ball.has_value();
    const auto offsets = drawOffsets();
    const auto shapes = contours();
    if (offsets.empty() || shapes.size() < 2) {
        return isBall ? ballText() : QString();
    }
    const auto all = static_cast<qint64>(offsets.size());
    const auto shareText = [&](const Contour& contour) {
        const auto inside = countInside(offsets, contour);
        return tr("%1 (%2) in the %3 contour")
            .arg(counted(inside), percent(static_cast<double>(inside) / static_cast<double>(all)),
                 percent(contour.share));
    };
    const QString text =
        tr("Of %1 draws %2, %3").arg(counted(all), shareText(shapes[0]), shareText(shapes[1]));
    return isBall ? tr("%1. %2").arg(text, ballText()) : text;
}

QString SpaceModel::description() const {
    if (!m_cloud || !m_scene) {
        const QString why = obstacle();
        return why.isEmpty() ? tr("The plane is being computed.") : why;
    }
    const QString nearest =
        m_scene->neighbours.empty() ? QString() : m_scene->neighbours.front().word.text();
    const auto elliptical = contours();
    const auto spherical = sphericalContours();
    if (elliptical.empty() || spherical.empty()) {
        return tr("%1. Around \"%2\": %3 Nearest: %4.")
            .arg(planeText(), m_scene->word.word.text(), drawsText(), nearest);
    }
    return tr("%1 words in the plane of the principal axes 1 and 2, %2 of the variance; around "
              "\"%3\" "
              "half of the noise lies within %4 by %5, spherical noise within %6; nearest: %7.")
        .arg(counted(static_cast<qint64>(m_cloud->words.size())),
             percent(m_cloud->axes.shares[0] + m_cloud->axes.shares[1]), m_scene->word.word.text(),
             significant(elliptical[0].semiAxisX, 3), significant(elliptical[0].semiAxisY, 3),
             significant(spherical[0].semiAxisX, 3), nearest);
}

}  // namespace epsilens::ui
