#include "ui/dial/dial_curve.h"

#include <cmath>

namespace epsilens::ui {

namespace {

constexpr int kDrawnPoints = 900;
constexpr double kDrawnBeyond = 1e4;  ///< the axis may show so much beside its ends
constexpr int kPointsBeyond = 100;    ///< on each side: where it is shown, it is shown small

}  // namespace

DialCurve drawCurve(const calibration::MeasurementHandle& measured, const ValueScale& axis,
                    const JobContext& job) {
    DialCurve curve{measured, axis, {}};
    const auto place = [&](double from, double factor, int points) {
        for (int i = 0; i < points; ++i) {
            const double epsilon =
                axis.origin + from * std::pow(factor, static_cast<double>(i) / points);
            if (epsilon > measured->origin()) {
                curve.shares.epsilons.push_back(epsilon);
            }
        }
    };
    const double low = axis.low - axis.origin;
    const double high = axis.high - axis.origin;
    place(low / kDrawnBeyond, kDrawnBeyond, kPointsBeyond);
    place(low, high / low, kDrawnPoints);
    place(high, kDrawnBeyond, kPointsBeyond + 1);
    for (const calibration::OutputShares& shares :
         measured->sharesAlong(curve.shares.epsilons, job.stop)) {
        curve.shares.kept.push_back(shares.kept);
        curve.shares.near.push_back(shares.near);
    }
    return curve;
}

}  // namespace epsilens::ui
