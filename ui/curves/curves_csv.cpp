#include "ui/curves/curves_csv.h"

#include <QStringList>

#include "ui/common/qt_convert.h"

namespace epsilens::ui {

namespace {

QString quotedField(QString text) {
    text.replace(QLatin1Char('"'), QLatin1String("\"\""));
    return QStringLiteral("\"%1\"").arg(text);
}

}  // namespace

CurvesCsv::CurvesCsv(CurveParameter parameter, PercentileBand band, double lowest, double highest)
    : m_parameter(parameter),
      m_band(band),
      m_lowest(lowest),
      m_highest(highest),
      m_text(QStringLiteral("%3,epsilon,mean,p%1,median,p%2,source\n")
                 .arg(band.low)
                 .arg(band.high)
                 .arg(parameterKey(parameter))) {}

void CurvesCsv::add(const std::vector<Curve>& curves, CurveParameter parameter,
                    const QString& source) {
    for (const Curve& curve : curves) {
        const QString value = parameter == m_parameter ? shortest(curve.value) : QString();
        for (const CurvePoint& point : curve.line) {
            if (isVisible(point.epsilon)) {
                const QStringList fields{value,
                                         shortest(point.epsilon),
                                         shortest(point.over.mean),
                                         shortest(point.over.percentile(m_band.low)),
                                         shortest(point.over.p50),
                                         shortest(point.over.percentile(m_band.high)),
                                         quotedField(source)};
                m_text += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
            }
        }
    }
}

void CurvesCsv::add(const std::vector<PublishedPoint>& points, const QString& source) {
    for (const PublishedPoint& point : points) {
        if (isVisible(point.epsilon)) {
            const QStringList fields{
                shortest(point.lambda), shortest(point.epsilon), shortest(point.mean), {}, {}, {},
                quotedField(source)};
            m_text += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
        }
    }
}

}  // namespace epsilens::ui
