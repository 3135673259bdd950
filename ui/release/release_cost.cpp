#include "ui/release/release_cost.h"

#include <utility>

#include <QFileInfo>

#include "ui/state/estimated_duration.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

// Names are typed letter by letter.
constexpr int kRestMs = 200;

QString sizeText(qint64 bytes) {
    constexpr qint64 kKilobyte = 1'000;
    constexpr qint64 kMegabyte = 1'000'000;
    if (bytes < kKilobyte) {
        return ReleaseCost::tr("%1 bytes").arg(bytes);
    }
    const auto amount = static_cast<double>(bytes);
    return bytes < kMegabyte ? ReleaseCost::tr("%1 kB").arg(significant(amount / kKilobyte, 3))
                             : ReleaseCost::tr("%1 MB").arg(significant(amount / kMegabyte, 3));
}

}  // namespace

ReleaseCost::ReleaseCost(QObject* parent)
    : QObject(parent),
      m_rest(kRestMs),
      // What cannot be estimated cannot be released, and then the start says why.
      m_runner(tr("Estimating the cost"), [this](const Result<ReleaseEstimate>& estimate) {
          // While another request rests, this was of the one before.
          if (!m_rest.isActive()) {
              m_estimate = estimate ? std::optional(*estimate) : std::nullopt;
              m_mostWordsInLine = estimate ? estimate->mostWordsInLine : 0;
              Q_EMIT changed();
          }
      }) {
    connect(&m_rest, &QTimer::timeout, this, &ReleaseCost::estimate);
}

void ReleaseCost::follow(const ReleaseRequest& request) {
    stop();
    m_request = request;
    m_estimate.reset();
    m_rest.start();
    Q_EMIT changed();
}

void ReleaseCost::stop() {
    m_rest.stop();
    m_runner.cancel();
}

void ReleaseCost::estimate() {
    // Reading from anything but a file would take away what it has.
    if (m_request.space && QFileInfo(toQString(m_request.inputPath)).isFile()) {
        m_runner.start(
            [request = m_request](const JobContext& job) { return estimateRelease(request, job); });
    }
}

QString ReleaseCost::text() const {
    const QFileInfo file(toQString(m_request.inputPath));
    if (!file.isFile()) {
        return {};
    }
    QString size = sizeText(file.size());
    if (!m_estimate) {
        return size;
    }
    const QString time = estimatedDuration(m_estimate->seconds);
    constexpr double kWorthSayingLess = 1.0;
    return m_estimate->isUpperEnd && m_estimate->seconds >= kWorthSayingLess
               ? tr("%1, %2 or less").arg(size, time)
               : tr("%1, %2").arg(size, time);
}

}  // namespace epsilens::ui
