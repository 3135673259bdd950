#include "ui/curves/curve_table.h"

#include <algorithm>
#include <utility>

#include <QFont>
#include <QHeaderView>
#include <QStringList>
#include <QTableView>

#include "ui/plot/plot_style.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

/// Half the width of the 95 % interval of the mean; no value where there is none.
QVariant halfInterval(const statistics::Summary& summary) {
    return summary.ci95 ? QVariant(((*summary.ci95)[1] - (*summary.ci95)[0]) / 2.0) : QVariant();
}

/// Counts and percentages with the digits that the sampling supports.
QString shown(int column, double value) {
    switch (column) {
        case CurveTable::parameterColumn:
        case CurveTable::epsilonColumn:
            return brief(value);
        case CurveTable::nwErrorColumn:
        case CurveTable::swErrorColumn:
            return QStringLiteral("± ") + significant(value, 2);
        case CurveTable::keptColumn:
        case CurveTable::nearColumn:
        case CurveTable::farColumn:
            return QString::number(100.0 * value, 'f', 1) + QLatin1Char('%');
        default:
            return QString::number(value, 'f', 1);
    }
}

}  // namespace

void CurveTable::setRun(RunCurvesHandle run) {
    beginResetModel();
    m_run = std::move(run);
    endResetModel();
}

void CurveTable::setBand(PercentileBand band) {
    beginResetModel();
    m_band = band;
    endResetModel();
}

int CurveTable::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || !m_run) {
        return 0;
    }
    return static_cast<int>(m_run->summary().cells.size());
}

const calibration::Cell& CurveTable::cellAt(int row) const {
    return m_run->summary().cells[static_cast<std::size_t>(row)];
}

int CurveTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnEnd;
}

QVariant CurveTable::number(int row, int column) const {
    const calibration::Cell& cell = cellAt(row);
    switch (column) {
        case parameterColumn:
            return parameterValue(cell, m_run->parameter);
        case epsilonColumn:
            return cell.epsilon;
        case nwMeanColumn:
            return cell.nw.mean;
        case nwErrorColumn:
            return halfInterval(cell.nw);
        case nwSdColumn:
            return cell.nw.sd;
        case nwLowColumn:
            return cell.nw.percentile(m_band.low);
        case nwMedianColumn:
            return cell.nw.p50;
        case nwHighColumn:
            return cell.nw.percentile(m_band.high);
        case swMeanColumn:
            return cell.sw.mean;
        case swErrorColumn:
            return halfInterval(cell.sw);
        case swSdColumn:
            return cell.sw.sd;
        case swLowColumn:
            return cell.sw.percentile(m_band.low);
        case swMedianColumn:
            return cell.sw.p50;
        case swHighColumn:
            return cell.sw.percentile(m_band.high);
        case keptColumn:
            return cell.kept;
        case nearColumn:
            return cell.near;
        default:
            return cell.far;
    }
}

QVariant CurveTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_run) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole) {
        return {};
    }
    QVariant value = number(index.row(), index.column());
    if (role == Qt::EditRole) {
        return value;
    }
    return value.isValid() ? shown(index.column(), value.toDouble()) : QStringLiteral("–");
}

QVariant CurveTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::ToolTipRole) {
        return columnTip(section);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const QString low = QStringLiteral("P%1").arg(m_band.low);
    const QString high = QStringLiteral("P%1").arg(m_band.high);
    const QStringList headers{parameterSymbol(parameter()),
                              QStringLiteral("ε"),
                              tr("kept draws"),
                              tr("± 95%"),
                              tr("sd"),
                              low,
                              tr("median"),
                              high,
                              tr("different"),
                              tr("± 95%"),
                              tr("sd"),
                              low,
                              tr("median"),
                              high,
                              tr("kept"),
                              tr("near"),
                              tr("far")};
    return headers.value(section);
}

QString CurveTable::columnTip(int column) const {
    switch (column) {
        case parameterColumn:
            return parameterTip();
        case epsilonColumn:
            return tr("Privacy parameter, per unit of distance");
        case nwErrorColumn:
        case swErrorColumn:
            return tr("Half the width of the 95% confidence interval of the mean");
        case nwSdColumn:
        case swSdColumn:
            return isExact() ? tr("Standard deviation over the words")
                             : tr("Standard deviation over the words, sampling noise included");
        case nwLowColumn:
        case nwHighColumn:
        case nwMeanColumn:
        case nwMedianColumn:
            return isExact() ? tr("How many of R draws return the word itself on average")
                             : tr("How many of the draws returned the word itself");
        case keptColumn:
            return tr("Share of outputs equal to the word");
        case nearColumn:
            return tr("Share of outputs among the %1 nearest neighbours of the word")
                .arg(m_run ? m_run->summary().nearNeighbours : 100);
        case farColumn:
            return tr("Share of all other outputs");
        default:
            return isExact() ? tr("How many different outputs R draws return on average")
                             : tr("How many different outputs the draws returned");
    }
}

CurveParameter CurveTable::parameter() const {
    return m_run ? m_run->parameter : CurveParameter::lambda;
}

bool CurveTable::hasParameter() const {
    return parameter() != CurveParameter::none;
}

bool CurveTable::isExact() const {
    return m_run && m_run->summary().isExact();
}

QString CurveTable::parameterTip() const {
    switch (parameter()) {
        case CurveParameter::lambda:
            return tr("0: the same noise in all directions. 1: noise follows the vocabulary.");
        case CurveParameter::beta:
            return tr("Outputs lie within γ with probability at least 1 − β.");
        case CurveParameter::gamma:
            return tr("Words farther than γ share one weight.");
        case CurveParameter::none:
            break;
    }
    return {};
}

QString CurveTable::csv() const {
    if (!m_run) {
        return {};
    }
    const QString band = QStringLiteral("%1_p%2");
    const auto named = [&](const char* stem, int percent) {
        return band.arg(QLatin1String(stem)).arg(percent);
    };
    QStringList header{
        parameterKey(parameter()),      QStringLiteral("epsilon"), QStringLiteral("nw_mean"),
        QStringLiteral("nw_ci95_half"), QStringLiteral("nw_sd"),   named("nw", m_band.low),
        QStringLiteral("nw_p50"),       named("nw", m_band.high),  QStringLiteral("sw_mean"),
        QStringLiteral("sw_ci95_half"), QStringLiteral("sw_sd"),   named("sw", m_band.low),
        QStringLiteral("sw_p50"),       named("sw", m_band.high),  QStringLiteral("kept"),
        QStringLiteral("near"),         QStringLiteral("far")};
    QStringList lines{header.join(QLatin1Char(','))};
    for (int row = 0; row < rowCount(); ++row) {
        QStringList fields;
        for (int column = 0; column < columnEnd; ++column) {
            const QVariant value = number(row, column);
            fields.append(value.isValid() ? shortest(value.toDouble()) : QString());
        }
        lines.append(fields.join(QLatin1Char(',')));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void CurveTable::showIn(QTableView& view) {
    view.setObjectName(QStringLiteral("curvesTableView"));
    view.setAccessibleName(tr("Results of the grid"));
    view.setModel(this);
    describeRows(view, [](int rows) {
        return tr("Rows: %1, one per curve and ε, with kept draws, different outputs and the "
                  "shares "
                  "of kept, near and "
                  "far outputs.")
            .arg(counted(rows));
    });
    view.verticalHeader()->hide();
    keepRowHeight(&view, kLeastTarget);
    view.horizontalHeader()->setMinimumSectionSize(36);
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setAlternatingRowColors(true);
    view.setTabKeyNavigation(false);
    view.setWordWrap(false);
}

}  // namespace epsilens::ui
