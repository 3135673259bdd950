#pragma once

#include <QAbstractTableModel>

#include "ui/curves/curve_parameter.h"
#include "ui/state/analysis_state.h"

class QTableView;

namespace epsilens::ui {

/// The numbers behind the curves: a row per (parameter, epsilon) of the grid.
class CurveTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        parameterColumn,
        epsilonColumn,
        nwMeanColumn,
        nwErrorColumn,
        nwSdColumn,
        nwLowColumn,
        nwMedianColumn,
        nwHighColumn,
        swMeanColumn,
        swErrorColumn,
        swSdColumn,
        swLowColumn,
        swMedianColumn,
        swHighColumn,
        keptColumn,
        nearColumn,
        farColumn,
        columnEnd
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Becomes the model of a view and gives it names and looks.
    void showIn(QTableView& view);
    void setRun(RunCurvesHandle run);
    /// Whether the first column tells rows apart.
    [[nodiscard]] bool hasParameter() const;
    /// Percentiles of the low and high columns.
    void setBand(PercentileBand band);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// Display and edit role: text and number of a cell; the tooltip of a header says what it is.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

    /// Rows as comma-separated values with full precision and a header line.
    [[nodiscard]] QString csv() const;

private:
    [[nodiscard]] const calibration::Cell& cellAt(int row) const;
    [[nodiscard]] QVariant number(int row, int column) const;
    [[nodiscard]] QString columnTip(int column) const;
    [[nodiscard]] QString parameterTip() const;
    [[nodiscard]] CurveParameter parameter() const;
    [[nodiscard]] bool isExact() const;

    RunCurvesHandle m_run;
    PercentileBand m_band;
};

}  // namespace epsilens::ui
