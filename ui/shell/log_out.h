#pragma once

#include <functional>

#include <QObject>

class QSessionManager;

namespace epsilens::ui {

class SessionFile;

/// Asks about unsaved work when the desktop ends its programs.
class LogOut : public QObject {
    Q_OBJECT

public:
    /// The desktop, as far as it is asked and told.
    struct Desktop {
        std::function<bool()> allowsInteraction;
        std::function<void()> release;  ///< nothing more is asked
        std::function<void()> cancel;   ///< the session of the desktop is to go on
    };

    /// takeTyping  takes over what is being typed
    LogOut(SessionFile& session, std::function<void()> takeTyping);

    /// Nothing is asked where nothing is unsaved, and where the desktop does not allow it.
    void answer(const Desktop& desktop);

private:
    SessionFile& m_session;
    std::function<void()> m_takeTyping;
};

}  // namespace epsilens::ui
