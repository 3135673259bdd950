#include "ui/shell/preferences_dialog.h"

#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/shell/field_keys.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/remembered.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/widgets/whole_number_box.h"

namespace epsilens::ui {

PreferencesDialog::PreferencesDialog(const Preferences& preferences, QWidget* parent)
    : QDialog(parent),
      m_before(preferences),
      m_theme(new QComboBox(this)),
      m_text(new WholeNumberBox(this)),
      m_threads(new WholeNumberBox(this)),
      m_memory(
          new NumberField({0.0, remembered::kMostMemoryGiB, false, false, tr("memory")}, this)),
      m_rememberNothing(new QCheckBox(tr("&Remember nothing"), this)),
      m_problem(hintLabel({}, this)) {
    setObjectName(QStringLiteral("preferencesDialog"));
    setWindowTitle(tr("Preferences"));
    setValues(preferences);
    m_problem->setObjectName(QStringLiteral("preferencesProblemLabel"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto* hint = hintLabel(tr("Recent files, folders and window positions are then no longer kept, "
                              "and those kept so far are forgotten. Typed text is never kept."),
                           this);
    hint->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &PreferencesDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &PreferencesDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGroupSpacing, kGroupSpacing, kGroupSpacing, kPanelMargin);
    layout->setSpacing(kGroupSpacing);
    layout->addLayout(buildForm());
    // Not in the form, which gives text that wraps too little height.
    layout->addWidget(hint);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);

    connect(m_theme, &QComboBox::currentIndexChanged, this, &PreferencesDialog::tryOut);
    connect(m_text, &QSpinBox::valueChanged, this, &PreferencesDialog::tryOut);
    connect(m_memory, &NumberField::problemChanged, this, &PreferencesDialog::showProblem);
    for (const WholeNumberBox* box : {m_text, m_threads}) {
        connect(box, &WholeNumberBox::refused, this, [this](const QString& reason) {
            m_hasRefused = true;
            showProblem(reason);
        });
        connect(box, &QSpinBox::valueChanged, this, [this] {
            m_hasRefused = false;
            showProblem(m_memory->problem());
        });
    }
}

QFormLayout* PreferencesDialog::buildForm() {
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(kPanelMargin);
    form->setVerticalSpacing(kRowSpacing);
    const auto add = [form](const QString& label, QWidget* control, const char* objectName,
                            const QString& name, const QString& description) {
        describe(*control, objectName, name, description);
        guardWheel(control);
        form->addRow(label, control);
    };
    add(tr("&Theme"), m_theme, "themeComboBox", tr("Theme"),
        tr("Colours of the window. Exported plots are always light."));
    add(tr("Te&xt size"), m_text, "textSizeSpinBox", tr("Text size"),
        tr("In percent of the desktop's, %1 to %2 (Ctrl+Plus, Ctrl+Minus).")
            .arg(Preferences::kLeastTextPercent)
            .arg(Preferences::kMostTextPercent));
    add(tr("T&hreads"), m_threads, "threadsSpinBox", tr("Threads"),
        tr("Threads used for computing; results do not depend on their number."));
    describe(*m_memory, "memoryField", tr("Memory for loading"),
             tr("In GiB. An embedding that needs more is refused before it is loaded. 0: what is "
                "free."));
    keepFieldWidth(m_memory);
    auto* memory = new QWidget(this);
    memory->setFocusProxy(m_memory);
    auto* row = new QHBoxLayout(memory);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kRowSpacing);
    row->addWidget(m_memory);
    row->addWidget(hintLabel(tr("GiB; 0: what is free"), this), 1);
    form->addRow(tr("&Memory for loading"), memory);
    add({}, m_rememberNothing, "rememberNothingCheckBox", tr("Remember nothing"),
        tr("Keep no recent files, folders and window positions."));
    return form;
}

void PreferencesDialog::setValues(const Preferences& preferences) {
    m_theme->addItems({tr("System"), tr("Light"), tr("Dark")});  // in the order of ThemeChoice
    m_theme->setCurrentIndex(static_cast<int>(preferences.theme));
    m_text->setRange(Preferences::kLeastTextPercent, Preferences::kMostTextPercent);
    m_text->setSingleStep(Preferences::kTextStep);
    m_text->setSuffix(tr("%"));
    m_text->setValue(preferences.textPercent);
    m_threads->setRange(0, Preferences::kMostThreads);
    m_threads->setSpecialValueText(tr("all"));
    m_threads->setValue(preferences.threads);
    m_memory->setValue(preferences.memoryGiB);
    m_rememberNothing->setChecked(preferences.rememberNothing);
}

Preferences PreferencesDialog::preferences() const {
    Preferences preferences;
    preferences.theme = static_cast<ThemeChoice>(m_theme->currentIndex());
    preferences.textPercent = m_text->value();
    preferences.threads = m_threads->value();
    preferences.memoryGiB = m_memory->value();
    preferences.rememberNothing = m_rememberNothing->isChecked();
    return preferences;
}

void PreferencesDialog::tryOut() {
    applyTheme(preferences().theme);
    applyTextSize(m_text->value());
}

void PreferencesDialog::showProblem(const QString& problem) {
    m_problem->setText(problem.isEmpty() ? problem : tr("⚠ %1").arg(problem));
    m_problem->setVisible(!problem.isEmpty());
}

void PreferencesDialog::accept() {
    commitTyping(*this);
    if (QLineEdit* refusing = fieldWithProblem(*this)) {
        showField(*refusing);
        return;
    }
    // The value before has come back in the meantime, which has to be seen first.
    if (std::exchange(m_hasRefused, false)) {
        return;
    }
    preferences().save();
    preferences().apply();
    QDialog::accept();
}

void PreferencesDialog::reject() {
    m_before.apply();
    QDialog::reject();
}

}  // namespace epsilens::ui
