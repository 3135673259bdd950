#include "ui/shell/log_out.h"

#include <utility>

#include <QGuiApplication>
#include <QSessionManager>

#include "ui/shell/session_file.h"

namespace epsilens::ui {

LogOut::LogOut(SessionFile& session, std::function<void()> takeTyping)
    : QObject(&session), m_session(session), m_takeTyping(std::move(takeTyping)) {
    connect(qApp, &QGuiApplication::commitDataRequest, this, [this](QSessionManager& manager) {
        answer({[&manager] { return manager.allowsInteraction(); },
                [&manager] { manager.release(); }, [&manager] { manager.cancel(); }});
    });
}

void LogOut::answer(const Desktop& desktop) {
    m_takeTyping();
    if (!m_session.isModified() || !desktop.allowsInteraction()) {
        return;
    }
    const bool mayEnd = m_session.mayClose();
    desktop.release();
    if (!mayEnd) {
        desktop.cancel();
    }
}

}  // namespace epsilens::ui
