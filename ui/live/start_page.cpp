#include "ui/live/start_page.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <QVBoxLayout>

#include "core/embedding/examples.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {

constexpr int kButtonWidth = 460;
constexpr int kButtonHeight = 36;
constexpr int kMostOfTheRoom = 100;
constexpr int kRoomBesideText = 32;
constexpr int kRoomAboveText = 16;

/// A button whose text goes on in another line where one is too short.
class SentenceButton final : public QPushButton {
public:
    using QPushButton::QPushButton;

    [[nodiscard]] QSize sizeHint() const override {
        const int width = std::max(kButtonWidth, textWidth() + kRoomBesideText);
        return {width, heightForWidth(width)};
    }
    [[nodiscard]] QSize minimumSizeHint() const override {
        return {kButtonWidth / 2, kButtonHeight};
    }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override {
        const QRect room(0, 0, std::max(1, width - kRoomBesideText), QWIDGETSIZE_MAX);
        return std::max(kButtonHeight,
                        fontMetrics().boundingRect(room, kFlow, text()).height() + kRoomAboveText);
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QStylePainter painter(this);
        QStyleOptionButton option;
        initStyleOption(&option);
        option.text.clear();
        painter.drawControl(QStyle::CE_PushButton, option);
        const int margin = kRoomBesideText / 2;
        painter.drawItemText(rect().adjusted(margin, 0, -margin, 0), kFlow, palette(), isEnabled(),
                             text(), QPalette::ButtonText);
    }

private:
    static constexpr int kFlow = Qt::AlignCenter | Qt::TextWordWrap;

    [[nodiscard]] int textWidth() const { return fontMetrics().horizontalAdvance(text()); }
};

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
        auto* button = new SentenceButton(example, this);
        button->setObjectName(QStringLiteral("example%1Button").arg(++number));
        button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Minimum);
        button->setAccessibleName(tr("Example sentence %1: %2").arg(number).arg(example));
        button->setAccessibleDescription(tr("Uses this sentence as the text."));
        connect(button, &QPushButton::clicked, this,
                [this, example] { Q_EMIT exampleChosen(example); });
        auto* row = new QHBoxLayout;
        row->addStretch();
        row->addWidget(button, kMostOfTheRoom);
        row->addStretch();
        layout->addLayout(row);
    }
    layout->addStretch(3);
}

}  // namespace epsilens::ui::live
