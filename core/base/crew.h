#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace epsilens {

/// Packs values for another process of this program on the same kind of machine, bit by bit as they
/// lie in memory, or reads what another archive packed, in the same order. Never for files.
///
/// Values are of trivially copyable types, strings, vectors and optionals of such values, and
/// structs with a function transfer(archive, value) beside them that calls the archive with their
/// members. Reading throws std::logic_error where there is less than asked for: the two sides do
/// not agree, which is a bug.
class Archive {
public:
    Archive() = default;  ///< packs
    /// Reads.
    ///
    /// bytes  outlive this object
    explicit Archive(std::string_view bytes) : m_isReading(true), m_rest(bytes) {}

    template <typename... Values>
    void operator()(Values&&... values) {
        (pass(values), ...);
    }
    [[nodiscard]] std::string bytes() && { return std::move(m_bytes); }

private:
    template <typename Value>
    void pass(Value& value) {
        static_assert(!std::is_pointer_v<Value>);
        if constexpr (std::is_trivially_copyable_v<Value>) {
            passBytes(&value, sizeof(Value));
        } else {
            transfer(*this, value);
        }
    }
    void pass(std::string& text) { passAll(text); }
    template <typename Value>
    void pass(std::vector<Value>& values) {
        passAll(values);
    }
    template <typename Value>
    void pass(std::optional<Value>& value) {
        bool has = value.has_value();
        pass(has);
        if (!has) {
            value.reset();
        } else {
            pass(m_isReading ? value.emplace() : *value);
        }
    }

    template <typename Values>
    void passAll(Values& values) {
        using Value = typename Values::value_type;
        std::size_t size = values.size();
        pass(size);
        check(size);  // each takes a byte or more
        values.resize(size);
        if constexpr (std::is_trivially_copyable_v<Value>) {
            passBytes(values.data(), size * sizeof(Value));
        } else {
            std::for_each(values.begin(), values.end(), [this](Value& value) { pass(value); });
        }
    }
    void passBytes(void* place, std::size_t count) {
        if (m_isReading) {
            check(count);
            std::copy_n(m_rest.data(), count, static_cast<char*>(place));
            m_rest.remove_prefix(count);
        } else {
            m_bytes.append(static_cast<const char*>(place), count);
        }
    }
    void check(std::size_t count) const {
        if (m_isReading && count > m_rest.size()) {
            throw std::logic_error("a packed value is cut short");
        }
    }

    bool m_isReading = false;
    std::string m_bytes{};
    std::string_view m_rest{};
};

/// Processes that do one job together. All have the same inputs and take the same decisions; they
/// divide what takes long into units and tell each other what these came to.
class Crew {
public:
    virtual ~Crew() = default;

    [[nodiscard]] virtual int size() const = 0;
    /// The unit that this process does next, of so many; nothing when there are no more for it.
    /// Numbers rise from 0. Called by one thread at a time.
    [[nodiscard]] virtual std::optional<std::int64_t> next(std::int64_t units) = 0;
    /// Texts of all processes, in the order of their ranks. To be called by all; afterwards next()
    /// begins again at 0.
    [[nodiscard]] virtual std::vector<std::string> exchange(std::string own) = 0;
    /// No process needs another one any more: what fails from here on is said by the first alone.
    virtual void dismiss() = 0;
};

/// Does the units of a job, each in one of the processes, so that all know the results.
///
/// crew      null: this process does all of them, and nothing is packed
/// run       Result<void>(unit), which keeps the results of the unit
/// transfer  (archive, unit), which calls the archive with the places of these results: it reads or
///           writes them
/// Fails as run does, in every process; with cancelled where units are missing, after those that
/// are finished were exchanged.
template <typename Run, typename Transfer>
[[nodiscard]] Result<void> inUnits(Crew* crew, std::int64_t units, const Run& run,
                                   const Transfer& transfer) {
    if (crew == nullptr) {
        for (std::int64_t unit = 0; unit < units; ++unit) {
            RETURN_IF_ERROR(run(unit));
        }
        return {};
    }
    // Before each unit that is finished a true, then a false and what went wrong.
    Archive own;
    Error problem{ErrorCode::cancelled, {}};
    while (auto unit = crew->next(units)) {
        if (auto done = run(*unit); !done) {
            problem = std::move(done.error());
            break;
        }
        own(true, *unit);
        transfer(own, *unit);
    }
    own(false, problem.code, problem.message);
    std::int64_t found = 0;
    Error failure{ErrorCode::cancelled, "cancelled"};
    for (const std::string& text : crew->exchange(std::move(own).bytes())) {
        Archive archive(text);
        bool isUnit = false;
        for (archive(isUnit); isUnit; archive(isUnit)) {
            std::int64_t unit = 0;
            archive(unit);
            transfer(archive, unit);
            ++found;
        }
        archive(problem.code, problem.message);
        if (problem.code != ErrorCode::cancelled && failure.code == ErrorCode::cancelled) {
            failure = {problem.code, problem.message};
        }
    }
    if (found == units) {
        return {};
    }
    crew->dismiss();
    return tl::unexpected(std::move(failure));
}

/// The same for many small items, of which neighbouring ones make a unit.
///
/// atOnce    items of a unit
/// run       Result<void>(begin, end)
/// transfer  (archive, item)
template <typename Run, typename Transfer>
[[nodiscard]] Result<void> inRanges(Crew* crew, std::int64_t items, std::int64_t atOnce,
                                    const Run& run, const Transfer& transfer) {
    const auto endOf = [=](std::int64_t unit) { return std::min((unit + 1) * atOnce, items); };
    return inUnits(
        crew, (items + atOnce - 1) / atOnce,
        [&](std::int64_t unit) { return run(unit * atOnce, endOf(unit)); },
        [&](Archive& archive, std::int64_t unit) {
            for (std::int64_t item = unit * atOnce; item < endOf(unit); ++item) {
                transfer(archive, item);
            }
        });
}

}  // namespace epsilens
