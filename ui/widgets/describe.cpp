#include "ui/widgets/describe.h"

#include <algorithm>
#include <utility>

#include <QtWidgets>

#include "ui/widgets/theme.h"
#include "ui/widgets/value_slider.h"

namespace epsilens::ui {

void describe(QWidget& control, const char* objectName, const QString& name,
              const QString& description) {
    control.setObjectName(QLatin1String(objectName));
    control.setAccessibleName(name);
    control.setAccessibleDescription(description);
    control.setToolTip(description);
}

void describeOffer(QWidget& control, const QString& description, const QString& reason) {
    const QString said = reason.isEmpty() ? description : reason + QLatin1Char('\n') + description;
    control.setAccessibleDescription(said);
    control.setToolTip(said);
}

void describeRows(QAbstractItemView& table, const std::function<QString(int rows)>& sentence) {
    const QAbstractItemModel* model = table.model();
    const auto say = [&table, model, sentence] {
        table.setAccessibleDescription(sentence(model->rowCount()));
    };
    QObject::connect(model, &QAbstractItemModel::modelReset, &table, say);
    QObject::connect(model, &QAbstractItemModel::rowsInserted, &table, say);
    QObject::connect(model, &QAbstractItemModel::rowsRemoved, &table, say);
    say();
}

QLabel* addLabelled(QHBoxLayout& row, const QString& text, QWidget* control, int stretch) {
    auto* label = new QLabel(text, control->parentWidget());
    label->setBuddy(control);
    row.addWidget(label);
    row.addWidget(control, stretch);
    return label;
}

namespace {

class EventFilter final : public QObject {
public:
    using Handle = std::function<bool(QObject*, QEvent&)>;

    EventFilter(QObject* owner, Handle handle) : QObject(owner), m_handle(std::move(handle)) {}

    bool eventFilter(QObject* watched, QEvent* event) override { return m_handle(watched, *event); }

private:
    Handle m_handle;
};

class FocusFrame final : public QWidget {
public:
    explicit FocusFrame(QWidget* target) : QWidget(target) {
        setObjectName(QStringLiteral("focusFrame"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setGeometry(target->rect());
        filterEvents(target, this, [this](QObject* /*target*/, QEvent& event) {
            if (event.type() == QEvent::Resize) {
                setGeometry(parentWidget()->rect());
            }
            return false;
        });
        show();
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        constexpr int kWidth = 2;
        QPainter painter(this);
        painter.setPen(
            QPen(themeOf(this).focus, kWidth, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
};

/// Fields have another outline, buttons a ring, sliders a ring around their handle.
bool showsFocusItself(const QWidget& widget) {
    const auto* text = qobject_cast<const QPlainTextEdit*>(&widget);
    return widget.window()->windowType() == Qt::Popup || widget.isWindow() ||
           widget.property(kShowsFocus).toBool() || (text != nullptr && !text->isReadOnly()) ||
           qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
           qobject_cast<const QComboBox*>(&widget) != nullptr ||
           qobject_cast<const QLineEdit*>(&widget) != nullptr ||
           qobject_cast<const QMenuBar*>(&widget) != nullptr ||
           qobject_cast<const QTabBar*>(&widget) != nullptr ||
           qobject_cast<const ValueSlider*>(&widget) != nullptr;
}

bool moveDivider(QSplitter& splitter, int divider, int key) {
    constexpr int kStep = 24;
    const bool isColumn = splitter.orientation() == Qt::Vertical;
    const bool goesBack = key == (isColumn ? Qt::Key_Up : Qt::Key_Left);
    if (!goesBack && key != (isColumn ? Qt::Key_Down : Qt::Key_Right)) {
        return false;
    }
    QList<int> sizes = splitter.sizes();
    int& shrinking = sizes[goesBack ? divider - 1 : divider];
    const int step = std::min(kStep, shrinking - 1);
    shrinking -= step;
    sizes[goesBack ? divider : divider - 1] += step;
    splitter.setSizes(sizes);  // keeps the least sizes of the parts
    return true;
}

}  // namespace

void filterEvents(QObject* watched, QObject* owner,
                  std::function<bool(QObject* watched, QEvent& event)> handle) {
    watched->installEventFilter(new EventFilter(owner, std::move(handle)));
}

void frameFocus() {
    static QPointer<QWidget> frame;
    static const auto connection = QObject::connect(
        qApp, &QApplication::focusChanged, qApp, [](QWidget* /*before*/, QWidget* now) {
            delete frame;
            frame = now == nullptr || showsFocusItself(*now) ? nullptr : new FocusFrame(now);
        });
    Q_UNUSED(connection)
}

void guardWheel(QWidget* widget) {
    widget->setFocusPolicy(Qt::StrongFocus);
    filterEvents(widget, widget, [widget](QObject* /*watched*/, QEvent& event) {
        const bool isRefused = event.type() == QEvent::Wheel && !widget->hasFocus();
        if (isRefused) {
            event.ignore();
        }
        return isRefused;
    });
}

void moveWithKeys(QSplitter& splitter, const QString& name) {
    for (int i = 1; i < splitter.count(); ++i) {
        QSplitterHandle* divider = splitter.handle(i);
        divider->setObjectName(QStringLiteral("splitterHandle"));
        divider->setAccessibleName(name);
        divider->setAccessibleDescription(
            splitter.orientation() == Qt::Vertical
                ? QSplitter::tr("The up and down arrow keys move it.")
                : QSplitter::tr("The left and right arrow keys move it."));
        divider->setFocusPolicy(Qt::TabFocus);
        filterEvents(divider, divider, [&splitter, i](QObject* /*watched*/, QEvent& event) {
            return event.type() == QEvent::KeyPress &&
                   moveDivider(splitter, i, static_cast<QKeyEvent&>(event).key());
        });
    }
}

void openFrom(QAbstractButton& button, QMenu& menu) {
    QObject::connect(&button, &QAbstractButton::clicked, &menu, [&button, &menu] {
        menu.popup(button.mapToGlobal(QPoint(0, button.height())));
    });
}

void takeDrops(QWidget& window, std::function<void(const QString& path, QWidget* target)> take) {
    window.setAcceptDrops(true);
    filterEvents(qApp, &window, [&window, take = std::move(take)](QObject* watched, QEvent& event) {
        const bool isDrag = event.type() == QEvent::DragEnter || event.type() == QEvent::DragMove ||
                            event.type() == QEvent::Drop;
        auto* target = isDrag ? qobject_cast<QWidget*>(watched) : nullptr;
        if (target == nullptr || target->window() != &window) {
            return false;
        }
        // Entering and moving are kinds of dropping to Qt.
        auto& drag = static_cast<QDropEvent&>(event);
        const auto urls = drag.mimeData()->urls();
        if (std::ranges::none_of(urls, [](const QUrl& url) { return url.isLocalFile(); })) {
            return false;
        }
        if (urls.size() > 1) {
            drag.ignore();
            return true;
        }
        drag.acceptProposedAction();
        if (event.type() == QEvent::Drop) {
            take(urls.front().toLocalFile(), target);
        }
        return true;
    });
}

}  // namespace epsilens::ui
