#include "ui/widgets/layout.h"

#include <algorithm>
#include <utility>

#include <QEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

/// A label in the muted colour of the current theme.
class MutedLabel final : public QLabel {
public:
    MutedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) { recolour(); }

protected:
    void changeEvent(QEvent* event) override {
        QLabel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange && !m_recolouring) {
            recolour();
        }
    }

private:
    void recolour() {
        m_recolouring = true;
        QPalette own = palette();
        own.setColor(QPalette::WindowText, themeFor(own).mutedText);
        setPalette(own);
        m_recolouring = false;
    }

    bool m_recolouring = false;
};

class FontFollower final : public QObject {
public:
    FontFollower(QWidget* widget, std::function<void(const QFontMetrics&)> apply)
        : QObject(widget), m_widget(*widget), m_apply(std::move(apply)) {
        m_widget.installEventFilter(this);
        m_apply(m_widget.fontMetrics());
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == &m_widget && event->type() == QEvent::FontChange) {
            m_apply(m_widget.fontMetrics());
        }
        return false;
    }

private:
    QWidget& m_widget;
    std::function<void(const QFontMetrics&)> m_apply;
};

}  // namespace

// By the width of letters: fonts with as wide ones have lines of 14 to 20 pixels.
int scaledToText(int pixels, const QFontMetrics& metrics) {
    constexpr int kMeasuredWidth = 274;  // of the sample in the font that the design was made with
    static const QString kSample = QStringLiteral("abcdefghijklmnopqrstuvwxyz 0123456789");
    return std::max(pixels, pixels * metrics.horizontalAdvance(kSample) / kMeasuredWidth);
}

void followFont(QWidget* widget, std::function<void(const QFontMetrics&)> apply) {
    new FontFollower(widget, std::move(apply));
}

void keepFieldWidth(QWidget* field, int pixels) {
    followFont(field, [field, pixels](const QFontMetrics& metrics) {
        field->setFixedWidth(scaledToText(pixels, metrics));
    });
}

void keepRowHeight(QTableView* table, int least) {
    constexpr int kRoomAroundText = 6;
    followFont(table, [table, least](const QFontMetrics& metrics) {
        table->verticalHeader()->setDefaultSectionSize(
            std::max(least, metrics.height() + kRoomAroundText));
    });
}

QLabel* headingLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

QLabel* wrapped(QLabel* label, const char* objectName) {
    label->setObjectName(QLatin1String(objectName));
    label->setWordWrap(true);
    return label;
}

QLabel* hintLabel(const QString& text, QWidget* parent) {
    auto* label = new MutedLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * 0.92);
    label->setFont(font);
    return label;
}

QLabel* emptyStateLabel(const QString& text, QWidget* parent) {
    auto* label = new MutedLabel(text, parent);
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * 1.1);
    label->setFont(font);
    return label;
}

QWidget* emptyStatePage(QLabel* statement, QPushButton* action, QWidget* parent) {
    auto* page = new QWidget(parent);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    column->addStretch();
    column->addWidget(statement);
    column->addSpacing(kRowSpacing);
    column->addWidget(action, 0, Qt::AlignHCenter);
    column->addStretch();
    return page;
}

}  // namespace epsilens::ui
