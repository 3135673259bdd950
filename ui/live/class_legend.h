#pragma once

#include <QWidget>

namespace epsilens::ui::live {

/// What the colours, patterns and underlines of the outputs mean.
class ClassLegend : public QWidget {
    Q_OBJECT

public:
    explicit ClassLegend(QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace epsilens::ui::live
