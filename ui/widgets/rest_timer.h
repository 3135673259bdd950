#pragma once

#include <QTimer>

namespace epsilens::ui {

/// Fires once, when what starts it again and again has rested for a while.
class RestTimer final : public QTimer {
public:
    explicit RestTimer(int restMs, QObject* parent = nullptr) : QTimer(parent) {
        setSingleShot(true);
        setInterval(restMs / sharedDivisor);
    }

    /// Divides the rests of timers made from then on: tests need not wait as long as a hand that
    /// drags.
    static void hurry(int divisor) { sharedDivisor = divisor; }

private:
    static inline int sharedDivisor = 1;
};

}  // namespace epsilens::ui
