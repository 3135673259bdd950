#include "ui/release/perturb_cost.h"

#include <utility>

#include <QFileInfo>

#include "ui/state/estimated_duration.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

// Names are typed letter by letter.
constexpr int kPerturbRestMs = 200;

QString perturbedSize(qint64 bytes) {
    constexpr qint64 kKilobyte = 1'000;
    constexpr qint64 kMegabyte = 1'000'000;
    if (bytes < kKilobyte) {
        return PerturbCost::tr("%1 bytes").arg(bytes);
    }
    const auto amount = static_cast<double>(bytes);
    return bytes < kMegabyte ? PerturbCost::tr("%1 kB").arg(significant(amount / kKilobyte, 3))
                             : PerturbCost::tr("%1 MB").arg(significant(amount / kMegabyte, 3));
}

}  // namespace

PerturbCost::PerturbCost(QObject* parent)
    : QObject(parent),
      m_rest(kPerturbRestMs),
      // What cannot be estimated cannot be released, and then the start says why.
      m_runner(tr("Estimating the cost"), [this](const Result<PerturbEstimate>& estimate) {
          // While another request rests, this was of the one before.
          m_estimate = estimate && !m_rest.isActive() ? std::optional(*estimate) : std::nullopt;
          Q_EMIT changed();
      }) {
    connect(&m_rest, &QTimer::timeout, this, &PerturbCost::estimate);
}

void PerturbCost::follow(const PerturbRequest& request) {
    stop();
    m_request = request;
    m_estimate.reset();
    m_rest.start();
    Q_EMIT changed();
}

void PerturbCost::stop() {
    m_rest.stop();
    m_runner.cancel();
}

void PerturbCost::estimate() {
    // Reading from anything but a file would take away what it has.
    if (m_request.space && QFileInfo(toQString(m_request.inputPath)).isFile()) {
        m_runner.start([request = m_request](const JobContext& job) {
            return estimatePerturbing(request, job);
        });
    }
}

QString PerturbCost::text() const {
    const QFileInfo file(toQString(m_request.inputPath));
    if (!file.isFile()) {
        return {};
    }
    QString size = perturbedSize(file.size());
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
