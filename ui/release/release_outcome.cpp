#include "ui/release/release_outcome.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/release/dialog_rows.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"

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

}  // namespace

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
    auto* rows = new QVBoxLayout(content);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kRowSpacing / 2);
    buildResult();
    for (QWidget* part : {static_cast<QWidget*>(m_notice), static_cast<QWidget*>(m_survey),
                          static_cast<QWidget*>(m_remark), static_cast<QWidget*>(m_summary),
                          m_place, static_cast<QWidget*>(m_section)}) {
        rows->addWidget(part);
    }
    rows->addStretch();
    m_area->setWidget(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_area);
    followFont(this, [this](const QFontMetrics&) { arrange(); });
}

void ReleaseOutcome::buildResult() {
    // The words are those of the text, whatever they look like.
    m_survey->setTextFormat(Qt::PlainText);
    m_summary->setAccessibleName(tr("Result"));
    m_path->setReadOnly(true);
    auto* row = pathRow(m_path, m_openFolder);
    row->setContentsMargins(0, 0, 0, 0);
    m_place->setLayout(row);
    connect(m_openFolder, &QPushButton::clicked, this, &ReleaseOutcome::openFolder);
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

QString ReleaseOutcome::remark() const {
    return m_remark->text();
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

void ReleaseOutcome::openFolder() const {
    QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(m_path->text()).absolutePath()));
}

}  // namespace epsilens::ui
