#include "core/document/json_parser.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <istream>
#include <optional>
#include <streambuf>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/io/raw_input.h"

namespace epsilens::document {

using nlohmann::ordered_json;

namespace {

constexpr std::size_t kMostLevels = 64;
/// Members of an object are looked up one after the other.
constexpr std::size_t kMostMembers = 1'000;
/// Memory for each byte of a file that is one long text: what the parser holds of it twice while it
/// grows, and what the text is unpacked to.
constexpr double kMemoryPerByte = 4.0;
/// Below, the system is not asked for its memory; beyond, it is asked for this much at a time.
constexpr double kMemoryStep = 16.0 * (1 << 20);

/// What reading may take of memory.
class ReadingBudget {
public:
    explicit ReadingBudget(const MemoryQuestion& memory) : m_memory(memory) {}

    /// bytes  of the file, as far as they are known
    /// held   memory that the document takes
    [[nodiscard]] Result<void> check(std::uint64_t bytes, double held) {
        m_bytes = std::max(m_bytes, bytes);
        const double needed = std::max(kMemoryPerByte * static_cast<double>(m_bytes), held);
        if (needed <= m_allowed) {
            return {};
        }
        if (!m_budget) {
            m_budget.emplace(m_memory());
        }
        m_allowed = std::max(needed, held + kMemoryStep);
        return m_budget->check(m_allowed,
                               fmt::format("the {} bytes of the file",
                                           formatCount(static_cast<std::int64_t>(m_bytes))),
                               "close other programs, or calibrate fewer words or a smaller grid");
    }

private:
    const MemoryQuestion& m_memory;
    std::optional<io::MemoryBudget> m_budget{};
    std::uint64_t m_bytes = 0;
    double m_allowed = kMemoryPerByte * kMemoryStep;
};

/// Hands a file to the parser piece by piece.
class FileBuffer final : public std::streambuf {
public:
    FileBuffer(io::RawInput& input, ReadingBudget& budget) : m_input(input), m_budget(budget) {}

    [[nodiscard]] std::optional<Error>& problem() { return m_problem; }

protected:
    int_type underflow() override {
        const auto count = next();
        if (!count) {
            m_problem = count.error();
        }
        const std::size_t given = count.value_or(0);
        setg(m_piece.data(), m_piece.data(), m_piece.data() + given);
        return given == 0 ? traits_type::eof() : traits_type::to_int_type(m_piece.front());
    }

private:
    [[nodiscard]] Result<std::size_t> next() {
        if (m_input.bytesRead() > kMostBytes) {
            return fail(ErrorCode::resourceLimit,
                        fmt::format("the file has more than {} bytes",
                                    formatCount(static_cast<std::int64_t>(kMostBytes))));
        }
        if (auto enough = m_budget.check(m_input.bytesRead(), 0.0); !enough) {
            return tl::unexpected(std::move(enough.error()));
        }
        return m_input.read(m_piece.data(), m_piece.size());
    }

    io::RawInput& m_input;
    ReadingBudget& m_budget;
    std::vector<char> m_piece = std::vector<char>(std::size_t{1} << 16);
    std::optional<Error> m_problem{};
};

}  // namespace

/// Makes a document of what the parser finds, and looks for what the parser lets pass.
class DocumentBuilder final : public nlohmann::json_sax<ordered_json> {
public:
    /// budget  null for a text that is in memory already
    DocumentBuilder(std::stop_token stop, ReadingBudget* budget) : m_budget(budget) {
        m_document.m_stop = std::move(stop);
    }

    [[nodiscard]] std::optional<Error>& problem() { return m_problem; }
    [[nodiscard]] JsonDocument& document() { return m_document; }

    bool null() override { return add(JsonKind::null, 0); }
    bool boolean(bool value) override { return add(value ? JsonKind::yes : JsonKind::no, 0); }
    bool number_integer(number_integer_t value) override {
        return add(JsonKind::integer, static_cast<std::uint64_t>(value));
    }
    bool number_unsigned(number_unsigned_t value) override {
        return value <= static_cast<std::uint64_t>(kLargestInteger)
                   ? add(JsonKind::integer, value)
                   : number_float(static_cast<double>(value), {});
    }
    bool number_float(number_float_t value, const string_t& /*text*/) override {
        return add(JsonKind::number, std::bit_cast<std::uint64_t>(value));
    }
    bool string(string_t& value) override {
        const bool isAdded = add(JsonKind::text, m_document.m_texts.size());
        addText(std::move(value));
        return isAdded;
    }
    bool binary(binary_t& /*value*/) override { return false; }
    bool key(string_t& value) override {
        if (++m_open.back().members > kMostMembers) {
            return refuse(fmt::format("an object has more than {} members", kMostMembers));
        }
        const auto [known, isNew] = m_keys.try_emplace(value, m_document.m_texts.size());
        if (isNew) {
            constexpr double kMapEntry = 100.0;
            m_held += kMapEntry + static_cast<double>(value.size());
            addText(std::move(value));
        }
        return add(JsonKind::text, known->second);
    }
    bool start_object(std::size_t /*size*/) override { return open(JsonKind::object); }
    bool end_object() override {
        const std::size_t object = close();
        for (std::size_t i = object + 1; i < m_document.m_bits.size();
             i = m_document.after(i + 1)) {
            std::size_t& owner = m_owners[m_document.m_bits[i]];
            if (owner == object + 1) {
                return refuse(fmt::format("the key \"{}\" stands twice in one object",
                                          m_document.m_texts[m_document.m_bits[i]]));
            }
            owner = object + 1;
        }
        return true;
    }
    bool start_array(std::size_t /*size*/) override { return open(JsonKind::array); }
    bool end_array() override {
        close();
        return true;
    }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& /*error*/) override {
        return refuse("it is not a whole JSON document; it may be damaged or cut short");
    }

private:
    struct Open {
        std::size_t at = 0;
        std::size_t members = 0;
    };

    bool refuse(std::string message) {
        m_problem = Error{ErrorCode::badFile, std::move(message), {}, 0};
        return false;
    }

    bool add(JsonKind kind, std::uint64_t bits) {
        constexpr std::size_t kStopEvery = 1024;
        m_document.m_kinds.push_back(kind);
        m_document.m_bits.push_back(bits);
        m_held += sizeof(kind) + sizeof(bits);
        if (m_document.m_bits.size() % kStopEvery != 0) {
            return true;
        }
        if (m_document.m_stop.stop_requested()) {
            m_problem = Error{ErrorCode::cancelled, "cancelled", {}, 0};
        } else if (m_budget != nullptr) {
            if (auto enough = m_budget->check(0, m_held); !enough) {
                m_problem = std::move(enough.error());
            }
        }
        return !m_problem;
    }

    void addText(std::string text) {
        m_held += static_cast<double>(sizeof(std::string) + text.size());
        m_document.m_texts.push_back(std::move(text));
        m_owners.push_back(0);
    }

    bool open(JsonKind kind) {
        m_open.push_back({m_document.m_bits.size(), 0});
        return m_open.size() > kMostLevels
                   ? refuse(fmt::format("it is nested more than {} levels deep", kMostLevels))
                   : add(kind, 0);
    }

    /// Returns the place of what ends here.
    std::size_t close() {
        const std::size_t at = m_open.back().at;
        m_open.pop_back();
        m_document.m_bits[at] = m_document.m_bits.size();
        return at;
    }

    JsonDocument m_document{};
    std::optional<Error> m_problem{};
    ReadingBudget* m_budget;
    double m_held = 0.0;
    std::vector<Open> m_open{};
    /// Places of keys among the texts.
    std::unordered_map<std::string, std::size_t> m_keys{};
    /// For every text 1 + the place of the last object that has it as a key.
    std::deque<std::size_t> m_owners{};
};

namespace {

template <typename... Input>
Result<JsonDocument> build(DocumentBuilder& builder, Input&&... input) {
    if (!ordered_json::sax_parse(std::forward<Input>(input)..., &builder)) {
        return tl::unexpected(std::move(*builder.problem()));
    }
    return std::move(builder.document());
}

Result<JsonDocument> read(const std::string& path, const std::stop_token& stop,
                          const MemoryQuestion& memory) {
    auto input = io::RawInput::open(path, stop);
    if (!input) {
        return tl::unexpected(std::move(input.error()));
    }
    ReadingBudget budget(memory);
    if (auto enough = budget.check((*input)->size().value_or(0), 0.0); !enough) {
        return tl::unexpected(std::move(enough.error()));
    }
    FileBuffer buffer(**input, budget);
    std::istream stream(&buffer);
    DocumentBuilder builder(stop, &budget);
    auto document = build(builder, stream);
    if (buffer.problem()) {
        return tl::unexpected(std::move(*buffer.problem()));
    }
    return document;
}

}  // namespace

Result<JsonDocument> parseJson(std::string_view text, const std::stop_token& stop) {
    DocumentBuilder builder(stop, nullptr);
    return build(builder, text.begin(), text.end());
}

Result<JsonDocument> openJson(const std::string& path, const std::stop_token& stop,
                              const MemoryQuestion& memory) {
    auto document = read(path, stop, memory);
    if (!document) {
        return tl::unexpected(inFile(std::move(document.error()), path));
    }
    return document;
}

}  // namespace epsilens::document
