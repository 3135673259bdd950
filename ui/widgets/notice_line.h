#pragma once

#include <functional>
#include <optional>

#include <QFrame>
#include <QList>
#include <QString>
#include <QStringList>

#include "core/base/error.h"

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace epsilens::ui {

enum class Severity { info, warning, error };
[[nodiscard]] QString severityName(Severity severity);

struct NoticeAction {
    QString text;
    std::function<void()> run;  ///< called after the line has been hidden
};

struct Notice {
    Severity severity = Severity::info;
    QString text;
    QList<NoticeAction> actions{};
    QString logText{};  ///< what a log may keep instead of a text that holds something typed
};

/// The notice for a failure of the core: its sentence, with file (without folders) and line when
/// they are known and not already in it.
[[nodiscard]] Notice noticeFor(const Error& error);

/// A line inside the window for errors, warnings and hints ("settings changed"); hidden when empty.
class NoticeLine : public QFrame {
    Q_OBJECT

public:
    explicit NoticeLine(QWidget* parent = nullptr);

    void present(const Notice& notice);
    /// Follows a state: a notice is logged and spoken when it becomes another one, and stays away
    /// where the user closed it. Whatever else is presented lies over it, and leaves it in view.
    void follow(const std::optional<Notice>& state);
    void clear();
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool holdsNotice() const;
    [[nodiscard]] Severity severity() const { return m_severity; }
    void giveWay(bool givesWay);

Q_SIGNALS:
    void changed();
    void presented(epsilens::ui::Severity severity, const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void dismiss();
    void rebuildActions(const QList<NoticeAction>& actions);

    Severity m_severity = Severity::info;
    bool m_givesWay = false;
    QStringList m_followed;         ///< text and ways on of the state that was presented
    std::optional<Notice> m_state;  ///< the same, while the user has not closed it
    std::optional<Notice> m_over;   ///< what lies over it
    QLabel* m_icon;
    QLabel* m_text;
    QHBoxLayout* m_actions;
    QToolButton* m_close;
};

}  // namespace epsilens::ui
