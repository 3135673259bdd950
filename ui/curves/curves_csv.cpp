#include "ui/curves/curves_csv.h"

#include <QStringList>

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

QString quotedField(QString text) {
    text.replace(QLatin1Char('"'), QLatin1String("\"\""));
    return QStringLiteral("\"%1\"").arg(text);
}

bool isWithin(const PlotWidget::Range& range, double value) {
    return value >= range.low && value <= range.high;
}

}  // namespace

CurvesCsv::CurvesCsv(CurveParameter parameter, PercentileBand band, PlotWidget::Range epsilons,
                     PlotWidget::Range values)
    : m_parameter(parameter),
      m_band(band),
      m_epsilons(epsilons),
      m_values(values),
      m_text(QStringLiteral("%3,epsilon,mean,p%1,median,p%2,source\n")
                 .arg(band.low)
                 .arg(band.high)
                 .arg(parameterKey(parameter))) {}

void CurvesCsv::addLine(const QString& value, double epsilon,
                        const std::array<std::optional<double>, 4>& over, const QString& source) {
    if (!isWithin(m_epsilons, epsilon)) {
        return;
    }
    QStringList fields{value, shortest(epsilon)};
    bool isEmpty = true;
    for (const std::optional<double>& one : over) {
        const bool isShown = one && isWithin(m_values, *one);
        fields.append(isShown ? shortest(*one) : QString());
        isEmpty = isEmpty && !isShown;
    }
    if (!isEmpty) {
        fields.append(quotedField(source));
        m_text += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
}

void CurvesCsv::add(const std::vector<Curve>& curves, CurveParameter parameter,
                    const QString& source) {
    for (const Curve& curve : curves) {
        const QString value = parameter == m_parameter ? shortest(curve.value) : QString();
        for (const CurvePoint& point : curve.line) {
            addLine(value, point.epsilon,
                    {point.over.mean, point.over.percentile(m_band.low), point.over.p50,
                     point.over.percentile(m_band.high)},
                    source);
        }
    }
}

void CurvesCsv::add(const std::vector<PublishedPoint>& points, const QString& source) {
    for (const PublishedPoint& point : points) {
        addLine(shortest(point.lambda), point.epsilon, {point.mean, {}, {}, {}}, source);
    }
}

}  // namespace epsilens::ui
