#pragma once

#include <array>

#include <QWidget>

namespace epsilens::ui::live {

/// A hundred squares for a hundred draws of a word, ten by ten: kept, near and far, each with its
/// pattern.
class OutputIcons : public QWidget {
    Q_OBJECT

public:
    explicit OutputIcons(QWidget* parent = nullptr);

    /// kept, near, far  whole numbers that add up to 100; all 0 where nothing is known
    void setCounts(int kept, int near, int far);
    /// Whether they are of earlier settings.
    void setDimmed(bool isDimmed);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Width and height of a square and what parts it from the next.
    [[nodiscard]] int step() const;

    std::array<int, 3> m_counts{};
    bool m_isDimmed = false;
};

}  // namespace epsilens::ui::live
