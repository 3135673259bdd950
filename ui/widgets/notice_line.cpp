#include "ui/widgets/notice_line.h"

#include <utility>

#include <QtWidgets>

#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

constexpr int kIconSize = 18;

QIcon iconOf(Severity severity) {
    return QIcon(severity == Severity::error     ? QStringLiteral(":/icons/error.svg")
                 : severity == Severity::warning ? QStringLiteral(":/icons/warning.svg")
                                                 : QStringLiteral(":/icons/info.svg"));
}

}  // namespace

QString severityName(Severity severity) {
    return severity == Severity::error     ? NoticeLine::tr("Error")
           : severity == Severity::warning ? NoticeLine::tr("Warning")
                                           : NoticeLine::tr("Note");
}

Notice noticeFor(const Error& error) {
    Notice notice;
    notice.severity = error.code == ErrorCode::cancelled ? Severity::info : Severity::error;
    notice.text = toQString(error.message);
    const QString path = toQString(error.file);
    const QString file = QFileInfo(path).fileName();
    // A name alone may stand in a message by chance: "a" stands in most.
    const bool named = notice.text.startsWith(file) || (path != file && notice.text.contains(path));
    if (!path.isEmpty()) {
        notice.text.replace(path, file);
    }
    if (!file.isEmpty() && !named) {
        notice.text =
            error.line > 0
                ? NoticeLine::tr("%1, line %2: %3").arg(file, counted(error.line), notice.text)
                : NoticeLine::tr("%1: %2").arg(file, notice.text);
    }
    return notice;
}

NoticeLine::NoticeLine(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel(this)),
      m_text(selectable(wrapped(new QLabel(this), "noticeTextLabel"))),
      m_actions(new QHBoxLayout),
      m_close(new QToolButton(this)) {
    setObjectName(QStringLiteral("noticeLine"));
    m_text->setTextFormat(Qt::PlainText);
    describe(*m_close, "noticeCloseButton", tr("Dismiss this message"), tr("Dismiss"));
    m_close->setText(QStringLiteral("✕"));
    m_close->setAutoRaise(true);
    m_close->setMinimumSize(kLeastTarget, kLeastTarget);
    connect(m_close, &QToolButton::clicked, this, &NoticeLine::dismiss);

    QHBoxLayout* layout = rowOf({m_text, m_close}, 10);
    layout->setContentsMargins(12, 6, 6, 6);
    layout->insertWidget(0, m_icon);
    layout->insertLayout(2, m_actions);
    setLayout(layout);
    hide();
}

void NoticeLine::present(const Notice& notice) {
    m_over = notice;
    refresh();
    Q_EMIT presented(notice.severity, notice.logText.isEmpty() ? notice.text : notice.logText);
}

void NoticeLine::follow(const std::optional<Notice>& state) {
    QStringList texts;
    if (state) {
        texts.append(state->text);
        for (const NoticeAction& action : state->actions) {
            texts.append(action.text);
        }
    }
    if (std::exchange(m_followed, texts) == texts && state) {
        return;
    }
    clear();
    if (state) {
        present(*state);
        m_state = std::exchange(m_over, std::nullopt);
    }
}

void NoticeLine::clear() {
    m_state.reset();
    m_over.reset();
    refresh();
}

void NoticeLine::dismiss() {
    (m_over ? m_over : m_state).reset();
    refresh();
}

void NoticeLine::giveWay(bool givesWay) {
    m_givesWay = givesWay;
    setVisible(holdsNotice() && !m_givesWay);
}

void NoticeLine::refresh() {
    const Notice shown = m_over ? *m_over : m_state.value_or(Notice());
    m_severity = shown.severity;
    m_text->setText(shown.text);
    rebuildActions(shown.actions);
    Q_EMIT changed();
    setVisible(holdsNotice() && !m_givesWay);
    if (!holdsNotice()) {
        return;
    }
    setAccessibleName(tr("%1: %2").arg(severityName(shown.severity), shown.text));
    setAccessibleDescription(shown.text);
    m_icon->setPixmap(iconOf(m_severity).pixmap(kIconSize, kIconSize));
    update();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

bool NoticeLine::holdsNotice() const {
    return !m_text->text().isEmpty();
}

QString NoticeLine::text() const {
    return m_text->text();
}

void NoticeLine::rebuildActions(const QList<NoticeAction>& actions) {
    while (QLayoutItem* item = m_actions->takeAt(0)) {
        // The button may be the sender of the click that brought us here.
        item->widget()->setParent(nullptr);
        item->widget()->deleteLater();
        delete item;
    }
    for (const NoticeAction& action : actions) {
        auto* button = new QPushButton(action.text, this);
        button->setAccessibleDescription(m_text->text());
        connect(button, &QPushButton::clicked, this, [this, run = action.run] {
            if (!m_over) {
                // What was tried may leave everything as it was, and then it is told again.
                m_followed.clear();
            }
            dismiss();
            if (run) {
                run();
            }
        });
        m_actions->addWidget(button);
    }
}

// In the colours of the moment: a style sheet would not hear of every change of the theme.
void NoticeLine::paintEvent(QPaintEvent* /*event*/) {
    const Theme theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), m_severity == Severity::error     ? theme.noticeError
                             : m_severity == Severity::warning ? theme.noticeWarning
                                                               : theme.noticeInfo);
    painter.fillRect(0, height() - 1, width(), 1, theme.border);
}

}  // namespace epsilens::ui
