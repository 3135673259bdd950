#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

namespace {

int& divisorOfRests() {
    static int divisor = 1;
    return divisor;
}

}  // namespace

RestTimer::RestTimer(int restMs, QObject* parent) : QTimer(parent) {
    setSingleShot(true);
    setInterval(restMs / divisorOfRests());
}

void RestTimer::hurry(int divisor) {
    divisorOfRests() = divisor;
}

}  // namespace epsilens::ui
