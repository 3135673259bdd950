#include "ui/release/release_outcome.h"

#include <algorithm>
#include <cmath>

#include <QDesktopServices>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QTextDocumentFragment>
#include <QUrl>
#include <QVBoxLayout>

#include "core/base/bound_text.h"
#include "core/mechanism/guarantee.h"
#include "core/report/odds_text.h"
#include "ui/release/release_form.h"
#include "ui/state/analysis_state.h"
#include "ui/state/guarantee_model.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

// What is said of words and longest line, and the remark.
constexpr int kLines = 7;
constexpr int kLinesOnLowScreen = 4;
// The sentence, the file and some of the details.
constexpr int kLinesOfResult = 13;
constexpr int kLinesOfResultOnLowScreen = 8;
constexpr int kLowScreen = 720;
constexpr int kMostOpenWarnings = 3;

bool isUseful(double loss) {
    return std::exp(loss) <= mechanism::kLargestUsefulFactor;
}

/// exp(loss) rounded up to a power of ten.
QString powerOfTen(double loss) {
    return QStringLiteral("10<sup>%1</sup>")
        .arg(static_cast<qint64>(std::ceil(loss / std::log(10.0))));
}

}  // namespace

PromiseBox::PromiseBox(const AnalysisState& state, const GuaranteeModel& guarantee, QWidget* parent)
    : QFrame(parent),
      m_state(state),
      m_guarantee(guarantee),
      m_text(wrapped(new QLabel(this), "releasePromiseLabel")) {
    setObjectName(QStringLiteral("releasePromiseBox"));
    m_text->setTextFormat(Qt::RichText);
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(kRowSpacing, 4, kRowSpacing, 4);
    box->addWidget(m_text);
    connect(&m_guarantee, &GuaranteeModel::changed, this, &PromiseBox::follow);
    connect(&m_guarantee, &GuaranteeModel::promiseChanged, this, &PromiseBox::follow);
    follow();
}

void PromiseBox::setLine(std::int64_t words) {
    if (words != m_lineWords) {
        m_lineWords = words;
        follow();
    }
}

QString PromiseBox::ofLine() const {
    const auto loss = m_guarantee.lossAt(m_state.epsilon());
    if (m_lineWords == 0 || !loss) {
        return {};
    }
    const QString line = m_lineWords == 1 ? tr("1 word") : tr("%1 words").arg(counted(m_lineWords));
    const double ofLine = *loss * static_cast<double>(m_lineWords);
    return isUseful(ofLine) ? tr("Longest line, %1: against one whose words are all as different "
                                 "as %2 and %3, the odds change by at most ×%4.")
                                  .arg(line, m_guarantee.firstWord(), m_guarantee.secondWord(),
                                       toQString(report::factorAtMost(std::exp(ofLine))))
                            : tr("Longest line, %1: no useful bound.").arg(line);
}

/// Empty where something useful is promised.
QString PromiseBox::warning() const {
    const auto loss = m_guarantee.lossAt(m_state.epsilon());
    const QString first = m_guarantee.firstWord().toHtmlEscaped();
    const QString second = m_guarantee.secondWord().toHtmlEscaped();
    if (!loss) {
        return {};
    }
    if (!isUseful(*loss)) {
        constexpr int kDigits = 3;
        const auto reach =
            mechanism::protectionRadius(m_guarantee.guarantee().value_or(mechanism::Guarantee{}),
                                        mechanism::kLargestUsefulFactor);
        return tr("<b>No useful bound</b> for <i>%1</i> against <i>%2</i>: the odds "
                  "could change by up to %3. %4")
            .arg(first, second, powerOfTen(*loss),
                 tr("For words at most %1 apart they change by at most ×%2.")
                     .arg(toQString(formatAtLeast(reach.value_or(0.0), kDigits)),
                          toQString(report::factorAtMost(mechanism::kLargestUsefulFactor))));
    }
    const double ofLine = *loss * static_cast<double>(m_lineWords);
    return isUseful(ofLine) ? QString()
                            : tr("<b>No useful bound</b> for a line of %1 words: losses add up. "
                                 "Against a line whose words are all as different as <i>%2</i> and "
                                 "<i>%3</i>, the odds could change by up to %4.")
                                  .arg(counted(m_lineWords), first, second, powerOfTen(ofLine));
}

void PromiseBox::follow() {
    const QString text = warning();
    m_text->setText(text);
    QString spoken = text;
    spoken.replace(QLatin1String("<sup>"), QLatin1String(" to the power of "));
    m_text->setAccessibleName(QTextDocumentFragment::fromHtml(spoken).toPlainText());
    setVisible(!text.isEmpty());
    Q_EMIT changed();
}

void PromiseBox::paintEvent(QPaintEvent* /*event*/) {
    constexpr double kCorner = 4.0;
    const Theme theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.warning);
    painter.setBrush(theme.noticeWarning);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kCorner, kCorner);
}

ReleaseOutcome::ReleaseOutcome(QWidget* parent)
    : QWidget(parent),
      m_area(new ColumnScrollArea(this)),
      m_notice(new NoticeLine(m_area)),
      m_survey(wrapped(new QLabel(m_area), "releaseSurveyLabel")),
      m_remark(wrapped(hintLabel({}, m_area), "releaseRemarkLabel")),
      m_summary(wrapped(new QLabel(m_area), "releaseResultLabel")),
      m_place(new QWidget(m_area)),
      m_path(described(new QLineEdit(m_place), "writtenLineEdit", tr("Written to"),
                       tr("The file that the released text was written to."))),
      m_openFolder(described(new QPushButton(tr("Open &folder"), m_place), "openFolderPushButton",
                             tr("Open folder"),
                             tr("Opens the folder of the file in the file manager."))),
      m_details(wrapped(new QLabel(m_area), "releaseDetailsLabel")),
      m_section(new CollapsibleSection(QStringLiteral("releaseDetails"), tr("Details"), m_details,
                                       m_area)) {
    auto* content = new QWidget(m_area);
    // The words are those of the text, whatever they look like.
    m_survey->setTextFormat(Qt::PlainText);
    m_summary->setAccessibleName(tr("Result"));
    m_path->setReadOnly(true);
    m_place->setLayout(pathRow(m_path, m_openFolder));
    connect(m_openFolder, &QPushButton::clicked, this, [this] {
        QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(m_path->text()).absolutePath()));
    });
    columnIn(content, kRowSpacing / 2,
             {m_notice, m_survey, m_remark, m_summary, m_place, m_section})
        ->addStretch();
    m_area->setWidget(content);
    columnIn(this, 0, {m_area});
    followFont(this, [this](const QFontMetrics&) { arrange(); });
}

void ReleaseOutcome::arrange() {
    m_summary->setVisible(m_hasResult);
    m_place->setVisible(m_hasResult);
    m_section->setVisible(m_hasResult);
    m_survey->setVisible(!m_hasResult && !m_survey->text().isEmpty());
    m_remark->setVisible(!m_hasResult && !m_remark->text().isEmpty());
    const bool isLow = screen()->availableGeometry().height() < kLowScreen;
    const int lines = m_hasResult ? (isLow ? kLinesOfResultOnLowScreen : kLinesOfResult)
                      : isLow     ? kLinesOnLowScreen
                                  : kLines;
    setFixedHeight(lines * fontMetrics().lineSpacing());
    m_area->verticalScrollBar()->setValue(0);
}

void ReleaseOutcome::showSurvey(const QString& text) {
    if (text != m_survey->text()) {
        m_survey->setText(text);
        arrange();
    }
}

void ReleaseOutcome::showRemark(const QString& text) {
    if (text != m_remark->text()) {
        m_remark->setText(text);
        arrange();
    }
}

void ReleaseOutcome::present(const Notice& notice) {
    m_notice->present(notice);
    m_area->verticalScrollBar()->setValue(0);
}

void ReleaseOutcome::clearNotice() {
    m_notice->clear();
}

void ReleaseOutcome::showResult(const ReleaseOutcomeText& text, const QString& path) {
    m_hasResult = true;
    m_summary->setText(text.summary);
    m_path->setText(QFileInfo(path).absoluteFilePath());
    m_path->setCursorPosition(0);
    m_details->setText(text.details.join(QLatin1Char('\n')));
    m_section->setTitle(text.warnings == 0   ? tr("Details")
                        : text.warnings == 1 ? tr("Details, ⚠ 1 warning")
                                             : tr("Details, ⚠ %1 warnings").arg(text.warnings));
    // Few enough to be read at once; they stand first.
    m_section->setOpen(text.warnings > 0 && text.warnings <= kMostOpenWarnings);
    arrange();
}

void ReleaseOutcome::forgetResult() {
    m_hasResult = false;
    arrange();
}

}  // namespace epsilens::ui
