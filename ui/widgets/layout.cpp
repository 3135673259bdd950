#include "ui/widgets/layout.h"

#include <algorithm>
#include <utility>

#include <QtWidgets>

#include "ui/widgets/describe.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

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

QLabel* mutedLabel(const QString& text, double scale, QWidget* parent) {
    auto* label = new MutedLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    label->setFont(font);
    return label;
}

class ShrinkingPage final : public QWidget {
public:
    explicit ShrinkingPage(QWidget* content) : m_content(content) { content->setParent(this); }

    [[nodiscard]] QSize minimumSizeHint() const override {
        QSize least = m_content->minimumSizeHint();
        const QLayout* layout = m_content->layout();
        if (layout != nullptr && layout->hasHeightForWidth()) {
            least.setHeight(
                layout->totalMinimumHeightForWidth(std::max(textWidth(), least.width())));
        }
        return least;
    }
    [[nodiscard]] QSize sizeHint() const override { return m_content->sizeHint(); }

protected:
    void resizeEvent(QResizeEvent* event) override {
        m_content->resize(event->size());
        updateGeometry();
    }

private:
    /// As beside a scroll bar: texts that fit only without one would let it come and go.
    [[nodiscard]] int textWidth() const {
        const auto* area = qobject_cast<const QScrollArea*>(
            parentWidget() == nullptr ? nullptr : parentWidget()->parentWidget());
        return area == nullptr ? width()
                               : area->width() - area->verticalScrollBar()->sizeHint().width();
    }

    QWidget* m_content;
};

}  // namespace

// By the width of letters: fonts with as wide ones have lines of 14 to 20 pixels.
int scaledToText(int pixels, const QFontMetrics& metrics) {
    constexpr int kMeasuredWidth = 274;  // of the sample in the font that the design was made with
    static const QString kSample = QStringLiteral("abcdefghijklmnopqrstuvwxyz 0123456789");
    return std::max(pixels, pixels * metrics.horizontalAdvance(kSample) / kMeasuredWidth);
}

void followFont(QWidget* widget, std::function<void(const QFontMetrics&)> apply) {
    apply(widget->fontMetrics());
    filterEvents(widget, widget,
                 [widget, apply = std::move(apply)](QObject* /*watched*/, QEvent& event) {
                     if (event.type() == QEvent::FontChange) {
                         apply(widget->fontMetrics());
                     }
                     return false;
                 });
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

QLabel* hintLabel(const QString& text, QWidget* parent) {
    return mutedLabel(text, 0.92, parent);
}

QLabel* wrapped(QLabel* label, const char* objectName) {
    label->setObjectName(QLatin1String(objectName));
    label->setWordWrap(true);
    return label;
}

QLabel* withLinks(QLabel* label, const char* objectName) {
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                                   Qt::LinksAccessibleByKeyboard);
    filterEvents(label, label, [label](QObject* /*watched*/, QEvent& event) {
        if (event.type() == QEvent::PaletteChange) {
            // Links have the colours of the time when their text was set.
            const QString text = label->text();
            label->clear();
            label->setText(text);
        }
        return false;
    });
    return wrapped(label, objectName);
}

QLabel* emptyStateLabel(const QString& text, QWidget* parent) {
    QLabel* label = mutedLabel(text, 1.1, parent);
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    return label;
}

QLabel* selectable(QLabel* label) {
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QFrame* hairline(QFrame::Shape shape, QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(shape);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    return line;
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
    setTextFormat(Qt::PlainText);
    setMinimumWidth(0);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QString ElidedLabel::textWithin(int width) const {
    return fontMetrics().elidedText(text(), m_mode, width);
}

void ElidedLabel::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) {
        Q_EMIT clicked();
    }
    QLabel::mouseReleaseEvent(event);
}

void ElidedLabel::paintEvent(QPaintEvent* /*event*/) {
    QStylePainter painter(this);
    const QRect room = contentsRect();
    painter.drawItemText(room, static_cast<int>(Qt::AlignLeading | Qt::AlignVCenter), palette(),
                         isEnabled(), textWithin(room.width()), foregroundRole());
}

CollapsibleSection::CollapsibleSection(const QString& id, const QString& title, QWidget* content,
                                       QWidget* parent)
    : QWidget(parent), m_toggle(new QToolButton(this)), m_content(content) {
    setObjectName(id + QStringLiteral("Section"));
    m_toggle->setObjectName(id + QStringLiteral("ToggleButton"));
    setTitle(title);
    m_toggle->setAccessibleDescription(tr("Shows or hides this part of the settings."));
    m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_toggle->setAutoRaise(true);
    m_toggle->setCheckable(true);
    m_toggle->setFocusPolicy(Qt::StrongFocus);
    QFont font = m_toggle->font();
    font.setWeight(QFont::DemiBold);
    m_toggle->setFont(font);
    columnIn(this, kRowSpacing / 2, {m_toggle, m_content})->setAlignment(m_toggle, Qt::AlignLeft);
    connect(m_toggle, &QToolButton::toggled, this, &CollapsibleSection::show);
    show(false);
}

void CollapsibleSection::setTitle(const QString& title) {
    m_toggle->setText(title);
    m_toggle->setAccessibleName(title);
}

bool CollapsibleSection::isOpen() const {
    return m_toggle->isChecked();
}

void CollapsibleSection::setOpen(bool open) {
    m_toggle->setChecked(open);
}

void CollapsibleSection::show(bool open) {
    m_toggle->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_content->setVisible(open);
}

ColumnScrollArea::ColumnScrollArea(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // It scrolls to the controls in it, which Tab reaches.
    setFocusPolicy(Qt::NoFocus);
}

QSize ColumnScrollArea::minimumSizeHint() const {
    const int bar = verticalScrollBar()->sizeHint().width();
    const int column = widget() == nullptr ? 0 : widget()->minimumSizeHint().width();
    return {column + bar, QScrollArea::minimumSizeHint().height()};
}

// Texts of controls change, and controls come and go: the least size is another one then.
bool ColumnScrollArea::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() &&
        (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show)) {
        updateGeometry();
        QCoreApplication::postEvent(this, new QEvent(QEvent::LayoutRequest));
    }
    return QScrollArea::eventFilter(watched, event);
}

QScrollArea* scrolledPage(QWidget* content, QWidget* parent) {
    auto* area = new ColumnScrollArea(parent);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    area->setWidget(new ShrinkingPage(content));
    return area;
}

}  // namespace epsilens::ui
