#include "ui/live/start_page.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/embedding/examples.h"
#include "ui/common/layout.h"
#include "ui/common/qt_convert.h"

namespace epsilens::ui::live {

namespace {
constexpr int kButtonWidth = 460;
constexpr int kButtonHeight = 36;
}  // namespace

QStringList StartPage::examples() {
    QStringList sentences;
    for (const std::string_view sentence : embedding::exampleSentences()) {
        sentences.append(toQString(sentence));
    }
    return sentences;
}

StartPage::StartPage(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(kRowSpacing);
    layout->addStretch(2);
    layout->addWidget(emptyStateLabel(
        tr("Type a sentence above and watch each word pass through the mechanism, or begin with "
           "one of these:"),
        this));
    layout->addSpacing(kRowSpacing);
    int number = 0;
    for (const QString& example : examples()) {
        auto* button = new QPushButton(example, this);
        button->setObjectName(QStringLiteral("example%1Button").arg(++number));
        button->setMinimumSize(kButtonWidth, kButtonHeight);
        button->setAccessibleName(tr("Example sentence %1: %2").arg(number).arg(example));
        button->setAccessibleDescription(tr("Takes this sentence as the text to look at."));
        connect(button, &QPushButton::clicked, this,
                [this, example] { Q_EMIT exampleChosen(example); });
        layout->addWidget(button, 0, Qt::AlignHCenter);
    }
    layout->addStretch(3);
}

}  // namespace epsilens::ui::live
