#pragma once

#include <QScrollArea>

namespace epsilens::ui {

/// A column of controls that scrolls up and down only, and is never narrower than they need.
class ColumnScrollArea : public QScrollArea {
    Q_OBJECT

public:
    explicit ColumnScrollArea(QWidget* parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// Shows the content of a tab in the size of the tab; what large text makes larger than that
/// scrolls in both directions.
[[nodiscard]] QScrollArea* scrolledPage(QWidget* content, QWidget* parent);

}  // namespace epsilens::ui
