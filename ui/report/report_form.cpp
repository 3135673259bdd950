#include "ui/report/report_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "ui/report/report_draft.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/rest_timer.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

namespace {

constexpr int kRestMs = 400;
constexpr int kTextLines = 3;

void showIfOther(QLineEdit* field, const std::string& text) {
    if (field->text() != toQString(text)) {
        field->setText(toQString(text));
    }
}

void showIfOther(QPlainTextEdit* field, const std::string& text) {
    if (field->toPlainText() != toQString(text)) {
        field->setPlainText(toQString(text));
    }
}

}  // namespace

ReportForm::ReportForm(ReportDraft& draft, QWidget* parent)
    : QWidget(parent),
      m_draft(draft),
      m_form(new QFormLayout(this)),
      m_rest(new RestTimer(kRestMs, this)) {
    m_form->setContentsMargins(0, 0, kRowSpacing, 0);
    m_form->setVerticalSpacing(kRowSpacing);
    m_form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    connect(m_rest, &QTimer::timeout, this, &ReportForm::commit);
    buildMissing();
    buildSetting();
    buildConfidential();
    buildTexts();
    connect(&m_draft, &ReportDraft::settingChanged, this, &ReportForm::showSetting);
    connect(&m_draft, &ReportDraft::edited, this, &ReportForm::showSettings);
    connect(&m_draft, &ReportDraft::limitsChanged, this, &ReportForm::showLimits);
    connect(&m_draft, &ReportDraft::pairChanged, this, &ReportForm::showPair);
    showSettings();
    showPair();
}

QWidget* ReportForm::firstControl() const {
    return m_title;
}

QLineEdit* ReportForm::addLine(const QString& label, const char* name, const QString& description) {
    auto* field = described(new QLineEdit(this), name, label, description);
    connect(field, &QLineEdit::textEdited, m_rest, qOverload<>(&QTimer::start));
    connect(field, &QLineEdit::editingFinished, this, &ReportForm::commit);
    m_form->addRow(label, field);
    return field;
}

QPlainTextEdit* ReportForm::addText(const QString& label, const char* name,
                                    const QString& description) {
    auto* field = described(new QPlainTextEdit(this), name, label, description);
    field->setTabChangesFocus(true);
    followFont(field, [field](const QFontMetrics& metrics) {
        field->setFixedHeight(kTextLines * metrics.lineSpacing() + 12);
    });
    connect(field, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_showing) {
            m_rest->start();
        }
    });
    m_form->addRow(label, field);
    return field;
}

QComboBox* ReportForm::addCombo(const QString& label, const char* name,
                                const QString& description) {
    auto* field = described(new QComboBox(this), name, label, description);
    field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    guardWheel(field);
    m_form->addRow(label, field);
    return field;
}

void ReportForm::buildMissing() {
    m_missing = described(
        hintLabel({}, this), "reportMissingLabel", tr("Not stated yet"),
        tr("Fields that the memo will call not stated, and a pair of words that it leaves "
           "out. Each link leads to its field."));
    m_missing->setWordWrap(true);
    connect(m_missing, &QLabel::linkActivated, this,
            [this](const QString& name) { showField(*findChild<QWidget*>(name)); });
    m_form->addRow(m_missing);
}

// Links have the colours of the time when their text was set.
void ReportForm::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_trained != nullptr) {
        m_missing->clear();
        showMissing();
    }
}

void ReportForm::showMissing() {
    const document::ReportSettings settings = m_draft.settings();
    QStringList links;
    const auto add = [&](const std::string& text, QWidget* field) {
        if (text.empty()) {
            links.append(QStringLiteral("<a href=\"%1\">%2</a>")
                             .arg(field->objectName(), field->accessibleName().toHtmlEscaped()));
        }
    };
    add(settings.purpose, m_purpose);
    add(settings.reason, m_reason);
    add(settings.textSource, m_source);
    add(settings.author, m_author);
    QStringList sentences;
    if (!links.isEmpty()) {
        sentences.append(tr("Not stated yet: %1.").arg(links.join(tr(", "))));
    }
    if (m_draft.hidesPair()) {
        sentences.append(tr("Left out as confidential: <a href=\"%1\">%2</a>.")
                             .arg(m_pair->objectName(), m_pair->text().toHtmlEscaped()));
    }
    m_missing->setText(sentences.join(QLatin1Char(' ')));
    m_form->setRowVisible(m_missing, !sentences.isEmpty());
}

void ReportForm::buildSetting() {
    m_setting = described(hintLabel({}, this), "reportSettingLabel", tr("Setting"),
                          tr("The report is about the setting of the dial."));
    m_setting->setWordWrap(true);
    m_form->addRow(tr("Setting, from the dial"), m_setting);
    m_limits = described(hintLabel({}, this), "reportLimitsLabel", tr("Limits"),
                         tr("The setting is judged by the limits set under the text on Choose, and "
                            "by further ones in the details."));
    m_limits->setWordWrap(true);
    m_form->addRow(tr("Limits, from Choose and Texts"), m_limits);
}

void ReportForm::buildConfidential() {
    m_form->addRow(hintLabel(tr("Confidential; in the report only while ticked:"), this));
    m_sentence = described(new QCheckBox(tr("The text of Choose"), this), "reportSentenceCheckBox",
                           tr("The text of Choose"),
                           tr("Confidential: the sentence you typed is shown in the report and "
                              "kept in the session only while this is ticked."));
    connect(m_sentence, &QCheckBox::clicked, this, [this](bool includes) {
        commit();
        m_draft.setIncludesSentence(includes);
    });
    m_form->addRow(m_sentence);
    m_pair =
        described(new QCheckBox(this), "reportPairCheckBox", tr("The two words of the details"),
                  tr("Confidential if they are words of your text: their odds are shown in the "
                     "report only while this is ticked."));
    connect(m_pair, &QCheckBox::clicked, &m_draft, &ReportDraft::setIncludesPair);
    m_form->addRow(m_pair);
}

void ReportForm::buildTexts() {
    m_title = addLine(tr("Title"), "reportTitleLineEdit", tr("Heading of the report."));
    m_author = addLine(tr("Author"), "reportAuthorLineEdit", tr("Who made the choice."));
    m_date = addLine(tr("Date"), "reportDateLineEdit",
                     tr("Date of the report; an emptied field becomes today's date."));
    m_purpose = addText(tr("Purpose"), "reportPurposeEdit",
                        tr("What the protected texts are released for."));
    m_reason =
        addText(tr("Why this setting"), "reportReasonEdit", tr("Why this setting and no other."));
    m_alternatives = addText(tr("Alternatives considered"), "reportAlternativesEdit",
                             tr("What else was considered."));
    m_source = addLine(tr("Source of the texts"), "reportSourceLineEdit",
                       tr("Where the texts to protect come from."));
    m_trained = addCombo(tr("Trained on the protected text?"), "reportTrainedComboBox",
                         tr("Vectors trained on the text to protect may themselves reveal it."));
    m_trained->addItems({tr("Not stated"), tr("Yes"), tr("No")});
    connect(m_trained, &QComboBox::activated, this, &ReportForm::commit);
}

void ReportForm::showPair() {
    const auto& pair = m_draft.pair();
    const bool isShown = pair && calibration::isWellKnown(*pair);
    m_pair->setText(
        pair ? tr("The odds of %1 against %2").arg(toQString(pair->first), toQString(pair->second))
             : tr("The odds of the two words of the details"));
    // Those of well-known pairs always are, and give no text away.
    m_pair->setEnabled(pair && !isShown);
    m_pair->setChecked(isShown || m_draft.includesPair());
    showMissing();
}

void ReportForm::commit() {
    m_rest->stop();
    if (m_showing) {
        return;
    }
    document::ReportSettings settings = m_draft.settings();
    const std::string before = document::settingsKey(settings);
    settings.title = toStd(m_title->text());
    settings.author = toStd(m_author->text());
    settings.date = toStd(m_date->text());
    settings.purpose = toStd(m_purpose->toPlainText());
    settings.reason = toStd(m_reason->toPlainText());
    settings.alternatives = toStd(m_alternatives->toPlainText());
    settings.textSource = toStd(m_source->text());
    settings.trainedOnProtectedText =
        static_cast<document::ReportSettings::Answer>(m_trained->currentIndex());
    if (document::settingsKey(settings) != before) {
        m_draft.setSettings(settings);
    }
}

void ReportForm::showLimits() {
    const QStringList sentences = m_draft.limitSentences();
    m_limits->setText(sentences.isEmpty() ? tr("none set") : sentences.join(QLatin1Char('\n')));
}

void ReportForm::showSettings() {
    m_showing = true;
    const document::ReportSettings settings = m_draft.settings();
    showIfOther(m_title, settings.title);
    showIfOther(m_author, settings.author);
    showIfOther(m_date, settings.date);
    showIfOther(m_purpose, settings.purpose);
    showIfOther(m_reason, settings.reason);
    showIfOther(m_alternatives, settings.alternatives);
    showIfOther(m_source, settings.textSource);
    showLimits();
    m_trained->setCurrentIndex(static_cast<int>(settings.trainedOnProtectedText));
    m_sentence->setChecked(m_draft.includesSentence());
    showSetting();
    showMissing();
    m_showing = false;
}

void ReportForm::showSetting() {
    m_setting->setText(m_draft.settingText());
}

}  // namespace epsilens::ui
