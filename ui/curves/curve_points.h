#pragma once

#include <vector>

#include <QVector>

#include "core/calibration/run_curves.h"

namespace epsilens::ui {

/// Points of a curve as plots take them.
inline QVector<double> epsilonsOf(const std::vector<calibration::CurvePoint>& points) {
    QVector<double> values;
    for (const calibration::CurvePoint& point : points) {
        values.append(point.epsilon);
    }
    return values;
}

/// value  takes the summary over the words at a point
template <typename Value>
QVector<double> valuesOf(const std::vector<calibration::CurvePoint>& points, Value value) {
    QVector<double> values;
    for (const calibration::CurvePoint& point : points) {
        values.append(value(point.over));
    }
    return values;
}

inline double meanOf(const statistics::Summary& over) {
    return over.mean;
}

}  // namespace epsilens::ui
