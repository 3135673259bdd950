#include "ui/curves/band_choice.h"

#include <algorithm>

#include <QVariant>

#include "ui/curves/statistic_plot.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

namespace {

constexpr int kFollowSetting = -3;  ///< band of the curve nearest to the value set

}  // namespace

BandChoice::BandChoice(QWidget* parent) : QComboBox(parent) {
    setObjectName(QStringLiteral("bandOfComboBox"));
    setAccessibleName(tr("Curves with median and band"));
    setToolTip(tr("Which curves show their median and percentile band."));
    guardWheel(this);
}

void BandChoice::offerFor(const RunCurvesHandle& run) {
    const QVariant kept = currentData();
    clear();
    const CurveParameter parameter = run ? run->parameter : CurveParameter::lambda;
    if (parameter == CurveParameter::none) {
        addItem(tr("shown"), kFollowSetting);
        addItem(tr("hidden"), kBandOfNone);
    } else {
        const QString symbol = parameterSymbol(parameter);
        addItem(tr("for the %1 set").arg(symbol), kFollowSetting);
        for (int i = 0; run && i < static_cast<int>(run->nw.size()); ++i) {
            addItem(
                tr("for %1").arg(curveName(parameter, run->nw[static_cast<std::size_t>(i)].value)),
                i);
        }
        addItem(tr("for every %1").arg(symbol), kBandOfAll);
        addItem(tr("for none"), kBandOfNone);
    }
    setCurrentIndex(std::max(0, findData(kept)));
}

int BandChoice::bandOf(int nearest) const {
    const int chosen = currentData().toInt();
    return chosen == kFollowSetting ? nearest : chosen;
}

}  // namespace epsilens::ui
