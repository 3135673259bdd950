#pragma once

#include <functional>

#include <QHash>
#include <QObject>

class QHeaderView;

namespace epsilens::ui {

/// The columns of a table whose widths the program chooses, until a width is set with the mouse:
/// that one stays.
class FittedColumns : public QObject {
    Q_OBJECT

public:
    /// header  horizontal; becomes the parent
    explicit FittedColumns(QHeaderView& header);

    /// Lets a function choose the widths of all columns.
    void fit(const std::function<void()>& choose);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void notice(int column, int before, int now);

    QHeaderView& m_header;
    bool m_isHeld = false;  ///< by the mouse: Qt changes widths for reasons of its own, too
    bool m_isFitting = false;
    QHash<int, int> m_byHand;  ///< widths, by column
};

}  // namespace epsilens::ui
