#pragma once

#include <optional>
#include <vector>

#include <QFontMetrics>
#include <QPixmap>
#include <QRectF>
#include <QString>

#include "core/calibration/measurement.h"
#include "ui/widgets/value_slider.h"

namespace epsilens::ui {

struct DialShares {
    std::vector<double> epsilons{};
    std::vector<double> kept{};  ///< in [0, 1]
    std::vector<double> near{};  ///< in [0, 1 - kept]
};

struct DialMark {
    double epsilon = 0.0;
    QString text{};  ///< "×10³": what the odds change by at most up to there
};

struct DialPin {
    double epsilon = 0.0;
    QString name{};
    DialShares shares{};  ///< of which the kept ones are drawn; empty: not measured
};

/// All that the dial draws.
struct DialPicture {
    /// Logarithmic; its ends are where the dial begins when it is reset.
    ValueScale axis{ValueScale::Kind::logarithmic, 1.0, 100.0, 0.0, 3};
    DialShares shares{};  ///< empty: not measured
    QString note{};       ///< said in place of the shares, or beside them when they do not move
    /// One epsilon per word, from which on half of its draws keep it.
    std::vector<double> halfKept{};
    std::vector<calibration::EpsilonSpan> outside{};  ///< where a limit is missed
    std::optional<double> largestWithin{};

    std::optional<DialPin> pin{};

    QString promiseTitle{};         ///< "What is promised for paris against london"
    std::vector<DialMark> marks{};  ///< rising
    /// From where on nothing useful is promised; nothing: as far as the dial goes something is.
    std::optional<double> unboundedFrom{};
    QString unboundedText{};  ///< said there, or of the whole ruler
    bool isOutdated = false;  ///< of an earlier setting: grey, without limits
};

struct DialLayout {
    QRectF title{};  ///< empty when low
    QRectF ruler{};
    QRectF plot{};
    QRectF dots{};  ///< empty when low
    QRectF axis{};  ///< line of the axis at its top, numbers below

    [[nodiscard]] static DialLayout of(QSize size, const QFontMetrics& metrics);
    [[nodiscard]] static int lowHeight(const QFontMetrics& metrics);
    [[nodiscard]] static int fullHeight(const QFontMetrics& metrics);
};

/// A slider over epsilon on the shares of words kept, near and far, above them what is promised,
/// below them one dot per word at its half-kept epsilon.
class DialView : public ValueSlider {
    Q_OBJECT

public:
    explicit DialView(QWidget* parent = nullptr);

    [[nodiscard]] const DialPicture& picture() const { return m_picture; }
    void setPicture(DialPicture picture);
    void showEpsilon(double epsilon);
    void stepInView(int steps);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void promiseClicked();

protected:
    [[nodiscard]] QRectF groove() const override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void setAxis(const ValueScale& axis);
    void reachFor(double epsilon);
    void forgetDrawing();
    [[nodiscard]] DialLayout layoutNow() const;

    DialPicture m_picture;
    bool m_hasGrown = false;  ///< the axis, for a cursor beyond the ends of the picture
    QPixmap m_drawn;          ///< what is below the cursor; null: to be drawn again
    QPixmap m_labels;         ///< what is written above it
};

}  // namespace epsilens::ui
