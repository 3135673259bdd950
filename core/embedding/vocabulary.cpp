#include "core/embedding/vocabulary.h"

#include <functional>
#include <stdexcept>

#include <fmt/format.h>

namespace epsilens::embedding {
namespace {

constexpr Row kEmpty = -1;
constexpr std::size_t kFewestSlots = 64;

/// Smallest power of two that keeps the table at most half full.
std::size_t slotsFor(std::size_t words) {
    std::size_t slots = kFewestSlots;
    while (slots < 2 * words) {
        slots *= 2;
    }
    return slots;
}

}  // namespace

std::optional<Row> Vocabulary::add(std::string_view word) {
    if (m_slots.size() < 2 * (m_ends.size() + 1)) {
        grow(slotsFor(m_ends.size() + 1));
    }
    const std::size_t slot = slotOf(word);
    if (m_slots[slot] != kEmpty) {
        return std::nullopt;
    }
    const Row row = static_cast<Row>(m_ends.size());
    m_slots[slot] = row;
    m_text.append(word);
    m_ends.push_back(m_text.size());
    return row;
}

void Vocabulary::reserve(std::int64_t words, std::int64_t bytes) {
    m_text.reserve(static_cast<std::size_t>(bytes));
    m_ends.reserve(static_cast<std::size_t>(words));
    if (const std::size_t slots = slotsFor(static_cast<std::size_t>(words));
        slots > m_slots.size()) {
        grow(slots);
    }
}

double Vocabulary::bytesHeld() const {
    return static_cast<double>(m_text.capacity() + m_ends.capacity() * sizeof(std::uint64_t) +
                               m_slots.capacity() * sizeof(Row));
}

std::string_view Vocabulary::word(Row row) const {
    const auto index = static_cast<std::size_t>(row);
    if (index >= m_ends.size()) {
        throw std::logic_error(
            fmt::format("row {} of a vocabulary of {} words", row, m_ends.size()));
    }
    const std::uint64_t begin = index == 0 ? 0 : m_ends[index - 1];
    return std::string_view(m_text).substr(begin, m_ends[index] - begin);
}

std::optional<Row> Vocabulary::find(std::string_view word) const {
    if (m_slots.empty()) {
        return std::nullopt;
    }
    const Row row = m_slots[slotOf(word)];
    return row == kEmpty ? std::nullopt : std::optional<Row>(row);
}

std::size_t Vocabulary::slotOf(std::string_view word) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = std::hash<std::string_view>{}(word)&mask;
    while (m_slots[slot] != kEmpty && this->word(m_slots[slot]) != word) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

void Vocabulary::grow(std::size_t slots) {
    m_slots.assign(slots, kEmpty);
    for (Row row = 0; row < static_cast<Row>(m_ends.size()); ++row) {
        m_slots[slotOf(word(row))] = row;
    }
}

}  // namespace epsilens::embedding
