#include "ui/present/presentation.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

#include <QtWidgets>

#include "core/report/memo_words.h"
#include "ui/choose/choose_model.h"
#include "ui/dial/dial_model.h"
#include "ui/dial/dial_panel.h"
#include "ui/state/analysis_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

QString paragraphs(QStringList texts) {
    texts.removeAll(QString());
    return texts.isEmpty() ? QString()
                           : QStringLiteral("<p>%1</p>").arg(texts.join(QStringLiteral("</p><p>")));
}

QString markedText(const choose::SampledSentence& sentence) {
    QString marked;
    int done = 0;
    for (const choose::SampledWord& word : sentence.words) {
        marked += sentence.text.mid(done, word.begin - done).toHtmlEscaped();
        const QString output = sentence.text.mid(word.begin, word.length).toHtmlEscaped();
        marked +=
            output == word.typed.toHtmlEscaped() ? output : QStringLiteral("<b>%1</b>").arg(output);
        done = word.begin + word.length;
    }
    return marked + sentence.text.mid(done).toHtmlEscaped();
}

QString textStep(const choose::ChooseModel& choice) {
    const QString& sentence = choice.state().sentence();
    if (sentence.trimmed().isEmpty()) {
        return paragraphs({tr("No text has been typed on Choose.")});
    }
    return paragraphs({tr("What was written: %1").arg(sentence.toHtmlEscaped()),
                       tr("What is released, for example: %1").arg(markedText(choice.output()))});
}

QString guessText(const choose::ChooseModel& choice) {
    const auto& words = choice.output().words;
    if (words.empty() || std::ranges::any_of(words, [](const choose::SampledWord& word) {
            return word.guess.text.isEmpty();
        })) {
        return {};
    }
    const auto right = std::ranges::count_if(
        words, [](const choose::SampledWord& word) { return word.guess.isRight; });
    return tr("Of the %1 words of the example an attacker guesses %2.")
        .arg(counted(std::ssize(words)), counted(right));
}

QString limitsStep(DialModel& dial) {
    QStringList texts;
    for (const calibration::Limit& limit : dial.state().limits()) {
        texts.append(toQString(report::limitWords(limit, dial.state().draws())).toHtmlEscaped());
    }
    if (texts.isEmpty()) {
        return paragraphs({tr("No limits are set.")});
    }
    texts.append(QStringLiteral("<b>%1</b>").arg(dial.reading().limits.toHtmlEscaped()));
    return paragraphs(texts);
}

QString choiceStep(DialModel& dial) {
    const mechanism::Setting setting = dial.state().setting();
    return paragraphs({tr("%1, ε = %2")
                           .arg(shortTitle(setting.mechanism), epsilonText(setting.epsilon))
                           .toHtmlEscaped(),
                       QStringLiteral("<b>%1</b>").arg(dial.reading().survive.toHtmlEscaped()),
                       dial.reading().promise});
}

class Presentation final : public QWidget {
public:
    Presentation(DialModel& dial, const choose::ChooseModel& choice, QWidget* parent)
        : QWidget(parent, Qt::Window),
          m_steps{
              {tr("The text"), [&choice] { return textStep(choice); }},
              {tr("What leaks"),
               [&] {
                   const DialReading& reading = dial.reading();
                   return paragraphs({reading.survive.toHtmlEscaped(),
                                      reading.replaced.toHtmlEscaped(), guessText(choice),
                                      reading.attacker});
               }},
              {tr("What is promised"), [&dial] { return paragraphs({dial.reading().promise}); }},
              {tr("The limits"), [&dial] { return limitsStep(dial); }},
              {tr("The choice"), [&dial] { return choiceStep(dial); }}},
          m_usualFont(font()),
          m_title(new QLabel(this)),
          m_text(wrapped(new QLabel(this), "presentationText")),
          m_dialPanel(new DialPanel(dial, this)),
          m_back(addStepButton("presentationBackButton", tr("Back"), -1)),
          m_next(addStepButton("presentationNextButton", tr("Next"), 1)) {
        setObjectName(QStringLiteral("presentation"));
        setAttribute(Qt::WA_DeleteOnClose);
        setWindowTitle(tr("Presentation – Epsilens"));
        setFocusPolicy(Qt::StrongFocus);
        m_title->setObjectName(QStringLiteral("presentationTitle"));
        m_text->setTextFormat(Qt::RichText);
        m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        auto* scroll = new ColumnScrollArea(this);
        scroll->setObjectName(QStringLiteral("presentationArea"));
        scroll->setAccessibleName(tr("The step"));
        scroll->setWidget(m_text);

        auto* close = described(new QPushButton(tr("Close"), this), "presentationCloseButton",
                                tr("Close the presentation"), tr("Back to the window (Esc, F11)."));
        connect(close, &QPushButton::clicked, this, &QWidget::close);
        auto* buttons = rowOf({m_back, m_next, close}, kRowSpacing);
        buttons->setStretch(0, 0);
        buttons->insertStretch(0);
        constexpr int kMargin = 32;
        auto* column = columnIn(this, kPanelMargin, {m_title, scroll, m_dialPanel}, kMargin);
        column->setStretch(1, 1);
        column->addLayout(buttons);
        // What has no room in a small window is fitted to it, which must not grow instead.
        column->setSizeConstraint(QLayout::SetNoConstraint);

        connect(&dial, &DialModel::readingChanged, this, &Presentation::showText);
        connect(&choice, &choose::ChooseModel::valuesChanged, this, &Presentation::showText);
        connect(&choice, &choose::ChooseModel::outputChanged, this, &Presentation::showText);
        fit();
        showStep(0);
    }

    void showStep(int step) {
        const auto count = static_cast<int>(m_steps.size());
        if (step < 0 || step >= count) {
            return;
        }
        m_step = step;
        const QString& title = m_steps[static_cast<std::size_t>(step)].title;
        m_title->setText(tr("%1 of %2: %3").arg(step + 1).arg(count).arg(title));
        m_back->setEnabled(m_step > 0);
        m_next->setEnabled(m_step + 1 < count);
        showText();
    }

protected:
    void keyPressEvent(QKeyEvent* event) override {
        switch (event->key()) {
            case Qt::Key_Right:
            case Qt::Key_PageDown:
                showStep(m_step + 1);
                break;
            case Qt::Key_Left:
            case Qt::Key_PageUp:
                showStep(m_step - 1);
                break;
            case Qt::Key_Escape:
            case Qt::Key_F11:
                close();
                break;
            default:
                QWidget::keyPressEvent(event);
        }
    }
    void resizeEvent(QResizeEvent* event) override {
        QWidget::resizeEvent(event);
        fit();
    }

private:
    struct Step {
        QString title{};
        std::function<QString()> text{};  ///< what the current setting says then, as rich text
    };

    [[nodiscard]] QPushButton* addStepButton(const char* name, const QString& text, int by) {
        auto* button = described(new QPushButton(text, this), name, text,
                                 by < 0 ? tr("The previous step (Left, Page Up).")
                                        : tr("The next step (Right, Page Down)."));
        connect(button, &QPushButton::clicked, this, [this, by] { showStep(m_step + by); });
        return button;
    }
    void showText() { m_text->setText(m_steps[static_cast<std::size_t>(m_step)].text()); }
    void fit() {
        constexpr double kMagnification = 1.6;
        constexpr double kSideShare = 0.55;  // of the width, beside the dial
        constexpr double kTitleMagnification = 1.5;
        constexpr double kTextMagnification = 1.3;
        constexpr int kRoomyHeight = 480;  // for text of the usual size
        const double room =
            kSideShare * width() / scaledToText(DialPanel::kSideWidth, QFontMetrics(m_usualFont));
        const auto magnified = [&](double by) {
            QFont larger = m_usualFont;
            larger.setPointSizeF(by * std::clamp(room, 1.0, kMagnification) * larger.pointSizeF());
            return larger;
        };
        setFont(magnified(1.0));
        QFont title = magnified(kTitleMagnification);
        title.setBold(true);
        m_title->setFont(title);
        m_text->setFont(magnified(kTextMagnification));
        m_dialPanel->setLarge(height() >= scaledToText(kRoomyHeight, fontMetrics()), true);
    }

    std::vector<Step> m_steps;
    QFont m_usualFont;  ///< of the window
    QLabel* m_title;
    QLabel* m_text;
    DialPanel* m_dialPanel;
    QPushButton* m_back;
    QPushButton* m_next;
    int m_step = 0;
};

}  // namespace

QWidget* newPresentation(DialModel& dial, const choose::ChooseModel& choice, QWidget* parent) {
    return new Presentation(dial, choice, parent);
}

}  // namespace epsilens::ui
