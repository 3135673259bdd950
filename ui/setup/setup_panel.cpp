#include "ui/setup/setup_panel.h"

#include <algorithm>

#include <QFrame>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/setup/embedding_section.h"
#include "ui/setup/limits_editor.h"
#include "ui/setup/mechanism_section.h"
#include "ui/setup/range_estimator.h"
#include "ui/setup/run_section.h"
#include "ui/setup/text_section.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/limit_state.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

namespace {

constexpr int kPreferredWidth = 330;
constexpr int kPreferredHeight = 640;

QFrame* hairline(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    return line;
}

// "Limits 1/2 ✗"
QString limitsHeading(const document::LimitCounts& status) {
    const QString text = limitStatusText(status);
    return text.isEmpty() ? SetupPanel::tr("Limits") : text.left(1).toUpper() + text.mid(1);
}

}  // namespace

SetupPanel::SetupPanel(AnalysisState& state, SessionResults& results, JobBoard& jobs,
                       const LoadFunctions& functions, QWidget* parent)
    : ColumnScrollArea(parent),
      m_loader(new EmbeddingLoader(state, jobs, functions, this)),
      m_guarantee(new GuaranteeModel(state, this)),
      m_limits(new LimitState(state, this)) {
    new RangeEstimator(state, jobs, functions, this);
    setObjectName(QStringLiteral("setupPanel"));
    setAccessibleName(tr("Details"));
    auto* content = new QWidget(this);
    content->setObjectName(QStringLiteral("setupContent"));
    m_embedding = new EmbeddingSection(state, *m_loader, content);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelMargin);
    layout->addWidget(m_embedding);
    layout->addWidget(hairline(content));
    layout->addWidget(new MechanismSection(state, content));
    layout->addWidget(buildSections(state, content));
    layout->addWidget(hairline(content));
    layout->addWidget(new RunSection(state, results, jobs, content));
    layout->addStretch();
    setWidget(content);
    connect(m_embedding, &EmbeddingSection::openRequested, this, &SetupPanel::openRequested);
    connect(m_embedding, &EmbeddingSection::reloadRequested, this, &SetupPanel::reloadRequested);
}

QWidget* SetupPanel::buildSections(AnalysisState& state, QWidget* parent) {
    auto* sections = new QWidget(parent);
    auto* layout = new QVBoxLayout(sections);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing / 2);
    m_limitsSection =
        new CollapsibleSection(QStringLiteral("limits"), limitsHeading(m_limits->status()),
                               new LimitsSection(state, *m_limits), sections);
    connect(m_limits, &LimitState::statusChanged, m_limitsSection,
            [this] { m_limitsSection->setTitle(limitsHeading(m_limits->status())); });
    layout->addWidget(m_limitsSection);
    auto* text =
        new CollapsibleSection(QStringLiteral("text"), TextSection::heading(state.textPolicies()),
                               new TextSection(state), sections);
    state.onChange(&AnalysisSettings::textPolicies, text,
                   [&state, text] { text->setTitle(TextSection::heading(state.textPolicies())); });
    layout->addWidget(text);
    return sections;
}

void SetupPanel::open(const QString& path) {
    m_embedding->forgetRowLimitOfSession();
    m_loader->open(path, m_embedding->rowLimit());
}

void SetupPanel::open(const QString& path, qint64 firstRows) {
    m_embedding->setRowLimit(firstRows);
    m_loader->open(path, firstRows);
}

void SetupPanel::askForRowLimit() {
    m_embedding->askForRowLimit();
}

void SetupPanel::showLimits() {
    showIn(*m_limitsSection, "addLimitButton");
}

void SetupPanel::showIn(CollapsibleSection& section, const char* control) {
    section.setOpen(true);
    auto* shown = section.findChild<QWidget*>(QLatin1String(control));
    shown->setFocus(Qt::OtherFocusReason);
    // The section has its height only after this.
    QTimer::singleShot(0, this, [this, &section, shown] {
        ensureWidgetVisible(&section);
        ensureWidgetVisible(shown);
    });
}

QWidget* SetupPanel::firstControl() const {
    return findChild<QWidget*>(QStringLiteral("openButton"));
}

QSize SetupPanel::sizeHint() const {
    return {std::max(kPreferredWidth, minimumSizeHint().width()), kPreferredHeight};
}

}  // namespace epsilens::ui
