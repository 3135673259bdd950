#include "core/document/json_document.h"

#include <algorithm>
#include <istream>
#include <streambuf>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/io/byte_source.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;

std::string rangeText(double lowest, double highest) {
    if (highest == kLargestNumber) {
        return lowest == -kLargestNumber
                   ? std::string("a finite number")
                   : fmt::format("a finite number of at least {}", formatNumber(lowest));
    }
    return fmt::format("a number from {} to {}", formatNumber(lowest), formatNumber(highest));
}

using Members = ordered_json::object_t;

/// Whether a place begins with a key.
bool isMember(const std::string& place) {
    return !place.empty() && place.front() != '[';
}

/// Stands for a member that is not there.
const ordered_json kNothing = nullptr;

/// The way from a value to another that is part of it, found by its address.
std::optional<std::string> placeWithin(const ordered_json& whole, const ordered_json& part) {
    if (&whole == &part) {
        return std::string();
    }
    if (whole.is_array()) {
        for (std::size_t i = 0; i < whole.size(); ++i) {
            if (const auto inner = placeWithin(whole[i], part)) {
                return fmt::format("[{}]{}{}", i, isMember(*inner) ? "." : "", *inner);
            }
        }
    } else if (whole.is_object()) {
        for (const auto& [key, value] : whole.get_ref<const Members&>()) {
            if (const auto inner = placeWithin(value, part)) {
                return fmt::format("{}{}{}", key, isMember(*inner) ? "." : "", *inner);
            }
        }
    }
    return std::nullopt;
}

/// "epsilens.session/" of "epsilens.session/1"
std::string_view familyOf(std::string_view schema) {
    return schema.substr(0, schema.find('/') + 1);
}

}  // namespace

JsonDocument::JsonDocument() : JsonDocument(nullptr, {}) {}

JsonDocument::JsonDocument(ordered_json value, std::stop_token stop)
    : m_value(std::make_shared<const ordered_json>(std::move(value))), m_stop(std::move(stop)) {}

bool JsonNode::isNull() const {
    return m_value->is_null();
}

bool JsonNode::isObject() const {
    return m_value->is_object();
}

JsonNode JsonNode::memberFrom(std::size_t& start, std::string_view key) const {
    if (!isObject()) {
        complain("it is not an object");
        return {*this, kNothing};
    }
    for (std::size_t i = 0; i < size(); ++i) {
        const std::size_t index = (start + i) % size();
        if (keyAt(index) == key) {
            start = index + 1;
            return valueAt(index);
        }
    }
    complain(fmt::format("it has no \"{}\"", key));
    return {*this, kNothing};
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
    if (!has(key)) {
        return std::nullopt;
    }
    const JsonNode member = at(key);
    return member.isNull() ? std::nullopt : std::optional(member);
}

bool JsonNode::has(std::string_view key) const {
    return isObject() && m_value->contains(key);
}

bool JsonNode::isArrayOf(std::size_t most) const {
    const bool isArray = m_value->is_array() && size() <= most;
    if (!isArray) {
        complain(fmt::format("it is not an array of at most {} elements", most));
    }
    return isArray;
}

std::size_t JsonNode::size() const {
    return m_value->size();
}

JsonNode JsonNode::valueAt(std::size_t index) const {
    const auto offset = static_cast<std::ptrdiff_t>(index);
    return {*this, isObject() ? m_value->get_ref<const Members&>().begin()[offset].second
                              : (*m_value)[index]};
}

std::string_view JsonNode::keyAt(std::size_t index) const {
    const auto offset = static_cast<std::ptrdiff_t>(index);
    return m_value->get_ref<const Members&>().begin()[offset].first;
}

double JsonNode::number(double lowest, double highest) const {
    const double value =
        m_value->is_number() ? m_value->get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!(value >= lowest && value <= highest)) {
        complain(fmt::format("it is not {}", rangeText(lowest, highest)));
        return lowest;
    }
    return value;
}

std::int64_t JsonNode::integer(std::int64_t lowest, std::int64_t highest) const {
    const bool isWhole = m_value->is_number_integer() &&
                         !(m_value->is_number_unsigned() &&
                           m_value->get<std::uint64_t>() > std::uint64_t{kLargestInteger});
    const auto value = isWhole ? m_value->get<std::int64_t>() : 0;
    if (!isWhole || value < lowest || value > highest) {
        complain(highest == kLargestInteger
                     ? fmt::format("it is not a whole number of at least {}", lowest)
                     : fmt::format("it is not a whole number from {} to {}", lowest, highest));
        return lowest;
    }
    return value;
}

bool JsonNode::boolean() const {
    if (!m_value->is_boolean()) {
        complain("it is neither true nor false");
        return false;
    }
    return m_value->get<bool>();
}

std::string_view JsonNode::textView(std::size_t most) const {
    if (!m_value->is_string() || m_value->get_ref<const std::string&>().size() > most) {
        complain(most == kAnyNumber ? std::string("it is not a text")
                                    : fmt::format("it is not a text of at most {} bytes", most));
        return {};
    }
    return m_value->get_ref<const std::string&>();
}

std::string JsonNode::place() const {
    return placeWithin(m_document->value(), *m_value).value_or("");
}

void JsonNode::complain(std::string_view message) const {
    if (!*m_problem) {
        const std::string where = place();
        *m_problem =
            Error{ErrorCode::badFile,
                  where.empty() ? std::string(message) : fmt::format("\"{}\": {}", where, message),
                  {},
                  0};
    }
}

bool JsonNode::goesOn() const {
    if (!*m_problem && m_document->stop().stop_requested()) {
        *m_problem = Error{ErrorCode::cancelled, "cancelled", {}, 0};
    }
    return !*m_problem;
}

void checkSchema(const JsonNode& document, std::string_view schema) {
    const JsonNode node = document.at("schema");
    const std::string_view found = node.textView(kLongestName);
    if (found == schema) {
        return;
    }
    node.complain(found.starts_with(familyOf(schema))
                      ? fmt::format("this program reads {}, the file is {}; a newer version of "
                                    "Epsilens made it",
                                    schema, found)
                      : fmt::format("it is \"{}\" instead of \"{}\"", found, schema));
}

bool isFamily(const JsonDocument& document, std::string_view schema) {
    std::optional<Error> ignored;
    const auto found = JsonNode(document, ignored).find("schema");
    return found && found->textView().starts_with(familyOf(schema));
}

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
                               fmt::format("the {} bytes of the file", formatCount(m_bytes)),
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
                        fmt::format("the file has more than {} bytes", formatCount(kMostBytes)));
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

/// Makes a value of what the parser finds, and looks for what the parser lets pass. (The parser
/// with a callback looks at all elements of an array after each of them.)
class ValueBuilder final : public nlohmann::json_sax<ordered_json> {
public:
    /// budget  null for a text that is in memory already
    ValueBuilder(const std::stop_token& stop, ReadingBudget* budget)
        : m_stop(stop), m_budget(budget) {}

    [[nodiscard]] std::optional<Error>& problem() { return m_problem; }
    [[nodiscard]] ordered_json& value() { return m_value; }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override {
        return add(value);
    }
    bool string(string_t& value) override {
        m_held += kMemoryOfNode + static_cast<double>(value.size());
        return add(std::move(value));
    }
    bool binary(binary_t& /*value*/) override { return false; }
    bool key(string_t& value) override {
        std::unordered_set<std::string>& known = m_open.back().keys;
        if (known.size() == kMostMembers) {
            return refuse(fmt::format("an object has more than {} members", kMostMembers));
        }
        if (!known.insert(value).second) {
            return refuse(fmt::format("the key \"{}\" stands twice in one object", value));
        }
        m_held += static_cast<double>(sizeof(std::string) + value.size());
        m_key = std::move(value);
        return true;
    }
    bool start_object(std::size_t /*size*/) override { return open(ordered_json::object()); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t /*size*/) override { return open(ordered_json::array()); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& /*error*/) override {
        return refuse("it is not a whole JSON document; it may be damaged or cut short");
    }

private:
    /// Of a text, array or object, with what the system takes to keep it.
    static constexpr double kMemoryOfNode = 64.0;

    /// An array or object that has not ended. Its place in memory is fixed until then.
    struct Open {
        ordered_json* value = nullptr;
        std::unordered_set<std::string> keys{};
    };

    bool refuse(std::string message) {
        m_problem = Error{ErrorCode::badFile, std::move(message), {}, 0};
        return false;
    }

    /// Puts a value where the text has it.
    ordered_json& put(ordered_json value) {
        if (m_open.empty()) {
            return m_value = std::move(value);
        }
        ordered_json& owner = *m_open.back().value;
        if (owner.is_array()) {
            return owner.emplace_back(std::move(value));
        }
        return owner.get_ref<ordered_json::object_t&>()
            .emplace_back(std::move(m_key), std::move(value))
            .second;
    }

    bool add(ordered_json value) {
        put(std::move(value));
        return mayGoOn();
    }

    bool open(ordered_json value) {
        if (m_open.size() == kMostLevels) {
            return refuse(fmt::format("it is nested more than {} levels deep", kMostLevels));
        }
        m_held += kMemoryOfNode;
        m_open.push_back({&put(std::move(value))});
        return mayGoOn();
    }

    bool close() {
        m_open.pop_back();
        return true;
    }

    bool mayGoOn() {
        constexpr std::size_t kStopEvery = 1024;
        m_held += sizeof(ordered_json);
        if (++m_values % kStopEvery != 0) {
            return true;
        }
        if (m_stop.stop_requested()) {
            m_problem = Error{ErrorCode::cancelled, "cancelled", {}, 0};
        } else if (m_budget != nullptr) {
            if (auto enough = m_budget->check(0, m_held); !enough) {
                m_problem = std::move(enough.error());
            }
        }
        return !m_problem;
    }

    const std::stop_token& m_stop;
    ReadingBudget* m_budget;
    ordered_json m_value{};
    std::optional<Error> m_problem{};
    std::vector<Open> m_open{};
    std::string m_key{};
    double m_held = 0.0;
    std::size_t m_values = 0;
};

template <typename... Input>
Result<JsonDocument> parse(const std::stop_token& stop, ReadingBudget* budget, Input&&... input) {
    ValueBuilder builder(stop, budget);
    if (!ordered_json::sax_parse(std::forward<Input>(input)..., &builder)) {
        return tl::unexpected(std::move(*builder.problem()));
    }
    return JsonDocument(std::move(builder.value()), stop);
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
    auto document = parse(stop, &budget, stream);
    if (buffer.problem()) {
        return tl::unexpected(std::move(*buffer.problem()));
    }
    return document;
}

}  // namespace

Result<JsonDocument> parseJson(std::string_view text, const std::stop_token& stop) {
    return parse(stop, nullptr, text.begin(), text.end());
}

Result<JsonDocument> openJson(const std::string& path, const std::stop_token& stop,
                              const MemoryQuestion& memory) {
    return read(path, stop, memory).map_error(inFile(path));
}

}  // namespace epsilens::document
