#include "ui/release/promise_box.h"

#include <cmath>
#include <optional>

#include <QApplication>
#include <QEvent>
#include <QLabel>
#include <QScopedValueRollback>
#include <QTextDocumentFragment>
#include <QVBoxLayout>

#include "core/base/bound_text.h"
#include "core/mechanism/guarantee.h"
#include "core/report/odds_text.h"
#include "ui/release/dialog_rows.h"
#include "ui/state/analysis_state.h"
#include "ui/state/guarantee_model.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

bool isUseful(double loss) {
    return std::exp(loss) <= mechanism::kLargestUsefulFactor;
}

/// exp(loss) rounded up to a power of ten.
QString powerOfTen(double loss) {
    return QStringLiteral("10<sup>%1</sup>")
        .arg(static_cast<qint64>(std::ceil(loss / std::log(10.0))));
}

/// Up to which distance the odds of two words change by at most a factor that is worth naming.
QString reachOf(const GuaranteeModel& guarantee) {
    constexpr int kDigits = 3;
    const auto reach = mechanism::protectionRadius(
        guarantee.guarantee().value_or(mechanism::Guarantee{}), mechanism::kLargestUsefulFactor);
    const double distance = reach.value_or(0.0);
    return PromiseBox::tr("For words at most %1 apart they change by at most ×%2.")
        .arg(toQString(formatAtLeast(distance, kDigits)),
             toQString(report::factorAtMost(mechanism::kLargestUsefulFactor)));
}

/// What is to be warned of; empty where something useful is promised.
///
/// loss   of the two words
/// reach  of what is useful, as a sentence
QString warningOf(double loss, std::int64_t lineWords, const QString& first, const QString& second,
                  const QString& reach) {
    if (!isUseful(loss)) {
        return PromiseBox::tr(
                   "<b>No useful bound</b> for <i>%1</i> against <i>%2</i>: the odds "
                   "could change by up to %3. %4")
            .arg(first, second, powerOfTen(loss), reach);
    }
    const double ofLine = loss * static_cast<double>(lineWords);
    return isUseful(ofLine)
               ? QString()
               : PromiseBox::tr(
                     "<b>No useful bound</b> for a line of %1 words: losses add up. "
                     "Against a line whose words are all as different as <i>%2</i> and "
                     "<i>%3</i>, the odds could change by up to %4.")
                     .arg(counted(lineWords), first, second, powerOfTen(ofLine));
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
    applyTheme();
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

QString PromiseBox::text() const {
    return isHidden() ? QString() : m_text->text();
}

void PromiseBox::follow() {
    const auto loss = m_guarantee.lossAt(m_state.epsilon());
    const QString warning =
        loss ? warningOf(*loss, m_lineWords, m_guarantee.firstWord().toHtmlEscaped(),
                         m_guarantee.secondWord().toHtmlEscaped(), reachOf(m_guarantee))
             : QString();
    m_text->setText(warning);
    QString spoken = warning;
    spoken.replace(QLatin1String("<sup>"), QLatin1String(" to the power of "));
    m_text->setAccessibleName(QTextDocumentFragment::fromHtml(spoken).toPlainText());
    setVisible(!warning.isEmpty());
    Q_EMIT changed();
}

void PromiseBox::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    // A style sheet changes the palette of what it is set on, and says so.
    if (event->type() == QEvent::PaletteChange && !m_isApplyingTheme) {
        applyTheme();
    }
}

void PromiseBox::applyTheme() {
    const QScopedValueRollback<bool> applying(m_isApplyingTheme, true);
    const Theme theme = themeFor(QApplication::palette());
    setStyleSheet(QStringLiteral("QFrame#releasePromiseBox { background: %1; border: 1px solid %2; "
                                 "border-radius: 4px; }")
                      .arg(theme.noticeWarning.name(), theme.warning.name()));
}

}  // namespace epsilens::ui
