#include "ui/widgets/whole_number_box.h"

#include <QLocale>

#include "core/base/numbers.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

WholeNumberBox::WholeNumberBox(QWidget* parent) : QSpinBox(parent) {
    setLocale(QLocale::c());
    // The value before is the one before typing.
    setKeyboardTracking(false);
}

QValidator::State WholeNumberBox::validate(QString& text, int& position) const {
    // Spin boxes read past commas, and drop the keys that lead to no number: both make 15 of 1,5.
    const bool isTaken = QSpinBox::validate(text, position) == QValidator::Acceptable &&
                         !text.contains(QLatin1Char(','));
    return isTaken ? QValidator::Acceptable : QValidator::Intermediate;
}

void WholeNumberBox::fixup(QString& /*text*/) const {
    const auto number =
        parseInteger(toStd(cleanText()), toStd(accessibleName()), minimum(), maximum());
    if (!number) {
        Q_EMIT refused(toQString(number.error().message));
    }
}

}  // namespace epsilens::ui
