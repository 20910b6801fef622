"""What can be changed in Rust source.

`steps` are places in kernels: comparisons, bounds of ranges and numbers of steps. `decisions` are
besides those the places where code of rules decides: conditions, what joins and negates them, calls
for the sake of their refusal, arms of matches, bodies of functions that answer.
"""

import re

TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<string>b?r\#*".*?"\#*|b?"(?:\\.|[^"\\])*"|b?'(?:\\.[^']*|[^'\\])')
  | (?P<life>'[A-Za-z_]\w*)
  | (?P<number>0[xbo][0-9a-fA-F_]+\w*|\d[\d_]*(?:\.\d+)?\w*)
  | (?P<word>[A-Za-z_]\w*!?)
  | (?P<sign>\.\.=|\.\.\.|<<=|>>=|=>|->|::|&&|\|\||<=|>=|==|!=|<<|>>|\+=|-=|\*=|/=|%=|\^=|&=|\|=|\.\.|.)
    """,
    re.X | re.S,
)

OPEN, CLOSE = "([{", ")]}"

# How tightly an operator binds.
BINDS = {text: level for level, texts in enumerate((
    "= += -= *= /= %= ^= &= |= <<= >>=", "||", "&&", "== != < > <= >=",
    "|", "^", "&", "<< >>", "+ -", "* / %")) for text in texts.split()}
TIGHTEST = 10
KEYWORDS = set("as break const continue else fn for if in let loop match move mut ref return static "
               "type unsafe use where while".split())

# What a comparison of steps becomes, and what an operator does where rules are decided.
MORE_OR_LESS = {">": ">=", ">=": ">", "<": "<=", "<=": "<"}
OPERATORS = {"==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+", "&": "|", "|": "&",
             "^": "|"}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "|=": "&=", "&=": "|="}
PAIRS = (("and", "or"), ("any", "all"), ("min", "max"), ("is_some", "is_none"), ("is_ok", "is_err"),
         ("is_some_and", "is_none_or"), ("starts_with", "ends_with"))
METHODS = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}
# What a function of this type returns at once.
ANSWERS = (
    (r"", [""]),
    (r"bool", ["true", "false"]),
    (r"Choice", ["Choice::TRUE", "Choice::FALSE"]),
    (r"Result<\(\)(, .*)?>", ["Ok(())"]),
    (r"Result<bool(, .*)?>", ["Ok(true)", "Ok(false)"]),
    (r"Result<Result<\(\), .*>, .*>", ["Ok(Ok(()))"]),
    (r"Option<bool>", ["None", "Some(true)", "Some(false)"]),
    (r"Option<Result<bool>>", ["None", "Some(Ok(true))", "Some(Ok(false))"]),
    (r"Option<.*>", ["None"]),
    (r"usize|u(8|16|32|64)", ["0", "1"]),
    (r"Vec<.*>", ["Vec::new()"]),
    (r"\[u8; \w+\]", ["[0; _]"]),
    (r"Result<\[u8; \w+\](, .*)?>", ["Ok([0; _])"]),
)


class Place:
    """A change of the text from start to end into another, shown by the line of `at`. Where it can
    be chosen at run time, `before` and `after` stand around the text as it is, with %d for the
    number that chooses."""

    def __init__(self, start, end, old, new, text, before="", after="", at=None):
        self.start, self.end, self.old, self.new = start, end, old, new
        self.text, self.before, self.after = text, before, after
        self.at = start if at is None else at

    @property
    def runs(self):
        return bool(self.before)

    @property
    def row(self):
        return self.path, self.line, self.old, self.new

    def seen(self, sources):
        """The row with the line's text in the place of its number, which moves."""
        return self.path, sources[self.path].split("\n")[self.line - 1].strip(), self.old, self.new


def instead(start, end, old, new, text, at=None):
    """The place of an expression."""
    before = f"(if crate::mutant::on(%d) {{ {text} }} else {{ "
    return Place(start, end, old, new, text, before, " })", at)


class Token:
    def __init__(self, kind, text, at):
        self.kind, self.text, self.at = kind, text, at
        self.end = at + len(text)


def tokens(source):
    found = []
    for match in TOKEN.finditer(source):
        if match.lastgroup != "space":
            found.append(Token(match.lastgroup, match.group(), match.start()))
    return found


def partners(toks):
    """Which bracket closes which, both ways."""
    stack, pairs = [], {}
    for i, token in enumerate(toks):
        if token.text in OPEN and token.kind == "sign":
            stack.append(i)
        elif token.text in CLOSE and token.kind == "sign" and stack:
            j = stack.pop()
            pairs[i], pairs[j] = j, i
    return pairs


def functions(toks, pairs):
    """Places in bodies of functions that run; bodies of const functions, constants and patterns
    are compiled in."""
    runs = [False] * len(toks)
    for i, token in enumerate(toks):
        name = i + 2 if i + 2 < len(toks) and toks[i + 1].text == "$" else i + 1
        if token.text != "fn" or name >= len(toks) or toks[name].kind != "word":
            continue
        constant = any(toks[k].text == "const" for k in range(max(0, i - 3), i))
        j = i
        while j < len(toks) and toks[j].text not in ("{", ";"):
            # Brackets of arguments and types.
            j = pairs[j] + 1 if toks[j].text in "([" and j in pairs else j + 1
        if j < len(toks) and toks[j].text == "{" and j in pairs and not constant:
            for k in range(j, pairs[j]):
                runs[k] = True
    for i, token in enumerate(toks):
        # Constants, attributes, types of arrays and arguments of generics within them.
        # A parameter of generics is none.
        if token.text in ("const", "static") and 0 < i < len(toks) - 1 and toks[i - 1].text not in "<,":
            j = i + 1
            if toks[j].text in ("fn", "unsafe", "extern"):
                continue
            if toks[j].text == "{" and j in pairs:
                end = pairs[j]
            else:
                end = j
                while end < len(toks) and toks[end].text not in (";",):
                    end = pairs[end] + 1 if toks[end].text in OPEN and end in pairs else end + 1
                    if end < len(toks) and toks[end].text in ")]}":
                        break
            for k in range(i, min(end, len(toks))):
                runs[k] = False
        if token.text == "#" and i + 1 in pairs:
            for k in range(i, pairs[i + 1] + 1):
                runs[k] = False
        if token.text == "::" and i + 1 < len(toks) and toks[i + 1].text == "<":
            for k in range(i + 1, min(i + 14, len(toks))):
                runs[k] = False
                if toks[k].text.startswith(">"):
                    break
        if token.text == "[" and i in pairs:
            inside = range(i + 1, pairs[i])
            semicolons = [k for k in inside if toks[k].text == ";"]
            for k in range(semicolons[0], pairs[i]) if semicolons else ():
                runs[k] = False
        if token.text.endswith("!") and token.text in ("debug_assert!", "assert!", "debug_assert_eq!",
                                                      "assert_eq!", "concat!", "debug_assert_ne!"):
            for k in range(i, pairs.get(i + 1, i) + 1):
                runs[k] = None
        if token.text == "matches!" and i + 1 in pairs:
            j = i + 2
            while j < pairs[i + 1] and toks[j].text != ",":
                j = pairs[j] + 1 if toks[j].text in OPEN and j in pairs else j + 1
            while j < pairs[i + 1] and toks[j].text != "if":
                runs[j] = False
                j += 1
    # Patterns of matches: the tokens before an arrow, or before a condition that is before it.
    for i, token in enumerate(toks):
        if token.text == "=>":
            first, end = i, i
            # What closes a pattern's fields is followed by that; else it closes the arm before.
            while first > 0 and (toks[first - 1].text not in ("{", "}", ",", "=>", ";")
                                 or toks[first - 1].text == "}" and toks[first].text in ("=>", "|", "if")):
                first -= 1
                if toks[first].text in CLOSE and first in pairs:
                    first = pairs[first]
                if toks[first].text == "if":
                    end = first
            for k in range(first, end):
                runs[k] = False
    # Tests beside the code.
    for i, token in enumerate(toks):
        if token.text == "#" and [t.text for t in toks[i + 1 : i + 4]] == ["[", "test", "]"]:
            body = next(k for k in range(i, len(toks)) if toks[k].text == "{")
            for k in range(i, pairs[body] + 1):
                runs[k] = None
    return runs


# Functions and signs before a number that make it a bound or a step.
STEPS = re.compile(
    r"(saturating_sub|checked_sub|split_at|split_at_mut|chunks|chunks_mut|min|max|clamp|take|skip|"
    r"step_by|div_ceil|is_multiple_of|next_multiple_of|wrapping_add|wrapping_sub|checked_add)$"
)


class Source:
    """A file and its tokens."""

    def __init__(self, text):
        self.text = text
        self.toks = tokens(text)
        self.pairs = partners(self.toks)
        self.runs = functions(self.toks, self.pairs)
        self.angles = self.generics()
        # Unit tests within the file.
        tests = text.find("#[cfg(test)]\nmod tests {")
        self.end = len(text) if tests < 0 else tests

    def is_spaced(self, token):
        return self.text[token.at - 1].isspace() and self.text[token.end].isspace()

    def is_value(self, i):
        """Whether an expression can end with this token."""
        token = self.toks[i]
        return (token.kind in ("number", "string") or token.text in (")", "]", "?")
                or token.kind == "word" and token.text not in KEYWORDS or i in self.angles)

    def is_binary(self, i):
        token = self.toks[i]
        return token.kind == "sign" and token.text in BINDS and self.is_spaced(token) and (
            self.is_value(i - 1) or token.text in ("&&", "||") and self.toks[i - 1].text == "}")

    def generics(self):
        """Which angle bracket closes which, both ways."""
        self.angles, found = {}, {}
        for i, token in enumerate(self.toks):
            if token.text != "<" or i in found or self.text[token.end].isspace():
                continue
            stack = []
            for j in range(i, len(self.toks)):
                text = self.toks[j].text
                if text == "<":
                    stack.append(j)
                elif text in (">", ">>"):
                    for _ in text:
                        if stack:
                            last = stack.pop()
                            found[last] = j
                            found[j] = last
                elif text in ";{}":
                    break
                if not stack:
                    break
        return found

    def operand(self, i, step, level=None):
        """The last token of an operand, seen from the token of its operator."""
        toks = self.toks
        level = BINDS[toks[i].text] if level is None else level
        j, block = i + step, False
        while 0 < j < len(toks) - 1:
            text = toks[j].text
            if toks[j].kind == "sign":
                if text == "{" and block and step > 0:
                    j = self.pairs[j] + 1
                    block = toks[j].text == "else"
                    continue
                if text in (CLOSE if step < 0 else OPEN) and text not in "{}":
                    j = self.pairs[j] + step
                    continue
                if j in self.angles and (self.angles[j] > j) == (step > 0):
                    j = self.angles[j] + step
                    continue
                if text in OPEN + CLOSE + ",;:" or text in ("=>", "->", "..", "..=", "="):
                    break
                if self.is_binary(j):
                    if BINDS[text] < level or step > 0 and BINDS[text] == level:
                        break
                elif text in ("|", "||", "#") and step < 0:
                    # What is seen from a closure's body ends there.
                    break
            elif text in ("match", "if", "unsafe") and step > 0:
                block = True
            elif text in KEYWORDS - {"as", "mut"} and (step < 0 or text != "else" or not block):
                break
            j += step
        return j - step

    def receiver(self, dot):
        """The first token of what a method is called of."""
        toks, j = self.toks, dot - 1
        while True:
            if toks[j].text == "?":
                j -= 1
                continue
            if toks[j].text in (")", "]") or j in self.angles:
                j = self.pairs[j] if j in self.pairs else self.angles[j]
                if self.is_value(j - 1):
                    j -= 1
                    continue
                if toks[j - 1].text != "::":
                    return j
            elif not self.is_value(j):
                return None
            if toks[j - 1].text not in (".", "::"):
                return j - (toks[j - 1].text == "$")
            j -= 2

    def until(self, i, texts):
        """The first of these tokens after the token i, not within brackets."""
        while i < len(self.toks):
            text = self.toks[i].text
            if text in texts:
                return i
            if text in CLOSE and self.toks[i].kind == "sign":
                return None
            if text == "match":
                i = self.until(i + 1, ("{",))
                text = "{"
            i = self.pairs.get(i, i) + 1 if text in OPEN else i + 1
        return None

    def span(self, first, last):
        return self.toks[first].at, self.toks[last].end

    def short(self, first, last):
        """What stands there, on a line."""
        words = [self.text[t.at : t.end] + " " * (self.text[t.end] in " \n")
                 for t in self.toks[first : last + 1]]
        line = " ".join("".join(words).split()).replace("`", "'")
        return line if len(line) <= 56 else f"{line[:34]}…{line[-20:]}"


def steps(source):
    """What kernels compare and count by."""
    toks, runs = source.toks, source.runs
    for i, token in enumerate(toks):
        if runs[i] is None or token.at > source.end or not 0 < i < len(toks) - 1:
            continue
        before, after = toks[i - 1], toks[i + 1]
        if token.kind == "sign" and token.text in MORE_OR_LESS:
            if not (source.text[token.at - 1] == " " and source.text[token.end] == " "):
                continue
            new = MORE_OR_LESS[token.text]
            if runs[i]:
                yield exchanged(source, i, new)
            else:
                yield Place(token.at, token.end, token.text, new, new)
        elif token.kind == "number" and re.fullmatch(r"\d[\d_]*", token.text):
            value = int(token.text.replace("_", ""))
            if before.text in (".", "$", "'"):
                continue
            # Of generic arguments only the lengths of chunks; others choose shuffles.
            generic = any(toks[k].text == "::" and toks[k + 1].text == "<" for k in range(max(0, i - 4), i - 1))
            if generic and not any(toks[k].text.startswith(("as_chunks", "first_chunk")) for k in range(max(0, i - 6), i)):
                continue
            bound = (
                before.text in ("..", "..=", "<", "<=", ">", ">=", "==", "%", "/", "!=")
                or after.text in ("..", "..=", "<", "<=", ">", ">=")
                or before.text == "(" and STEPS.search(toks[i - 2].text)
                or after.text == "-" and before.text == "("
                or before.text in ("-", "+") and after.text in (")", "]", ";", "{", "..", "..=")
                or before.text == "*" and not runs[i]
                or before.text == "=" and not runs[i] and toks[i - 2].text in ("usize", "u32", "u64")
            )
            if not bound:
                continue
            for new in {value + 1, value - 1} - {-1}:
                chosen = ("crate::mutant::pick(%d, ", f", {new})") if runs[i] else ()
                yield Place(token.at, token.end, token.text, str(new), str(new), *chosen)


def exchanged(source, i, new):
    """The place of an operator's expression, with another operator."""
    toks = source.toks
    a, b = source.operand(i, -1), source.operand(i, 1)
    left, right = source.text[toks[a].at : toks[i - 1].end], source.text[toks[i + 1].at : toks[b].end]
    text = f"{left} {new} {right}" if toks[i].text in ASSIGNMENTS else f"({left}) {new} ({right})"
    return instead(*source.span(a, b), toks[i].text, new, text, toks[i].at)


def decisions(source):
    """What code of rules decides by."""
    toks = source.toks
    chained = set()
    for i, token in enumerate(toks):
        if not source.runs[i] or token.at > source.end:
            continue
        if token.text in ("if", "while"):
            yield from conditions(source, i, chained)
        elif token.text == "match":
            yield from arms(source, i)
        elif token.text == "rules!" and toks[i + 1].text == "{":
            yield from rules(source, i)
        elif token.text == "!" and not source.is_value(i - 1):
            last = source.operand(i, 1, TIGHTEST)
            yield instead(*source.span(i, last), source.short(i, last), source.short(i + 1, last),
                          source.text[toks[i + 1].at : toks[last].end])
        elif token.text in OPERATORS and source.is_binary(i) and i not in chained:
            yield exchanged(source, i, OPERATORS[token.text])
        elif token.text in ASSIGNMENTS:
            yield exchanged(source, i, ASSIGNMENTS[token.text])
        elif token.text == "." and toks[i + 1].text in METHODS and toks[i + 2].text == "(":
            first, last = source.receiver(i), source.pairs[i + 2]
            if first is not None:
                old, new = toks[i + 1].text, METHODS[toks[i + 1].text]
                text = source.text[toks[first].at : token.end] + new + source.text[toks[i + 1].end : toks[last].end]
                yield instead(*source.span(first, last), f".{old}", f".{new}", text, token.at)
        if toks[i - 1].text in ("{", "}", ";"):
            yield from statement(source, i)
    yield from answers(source)


def conditions(source, i, chained):
    """Of `if` and of guards, each part of a chain that is no pattern."""
    toks = source.toks
    end = source.until(i + 1, ("{", "=>"))
    if end is None:
        return
    parts, first = [], i + 1
    while (j := source.until(first, ("&&", "{", "=>"))) < end:
        parts.append((first, j))
        first = j + 1
    parts.append((first, end))
    if any(toks[a].text == "let" for a, _ in parts):
        chained.update(b for _, b in parts)
        parts = [(a, b) for a, b in parts if toks[a].text != "let"]
    elif len(parts) > 1:
        parts = [(i + 1, end)]
    if toks[i].text == "if":
        for a, b in parts:
            for new in ("true", "false"):
                yield instead(*source.span(a, b - 1), "if " + source.short(a, b - 1), new, new)


def arms(source, i):
    """Of a match with an arm for everything else, those without a condition."""
    toks = source.toks
    opening = source.until(i + 1, ("{",))
    if opening is None:
        return
    found, first, end = [], opening + 1, source.pairs[opening]
    while first < end:
        arrow = source.until(first, ("=>",))
        if arrow is None:
            return
        found.append((first, arrow))
        if toks[arrow + 1].text == "{":
            first = source.pairs[arrow + 1] + 1
            first += toks[first].text == ","
        else:
            comma = source.until(arrow + 1, (",",))
            first = end if comma is None else comma + 1
    if found and toks[found[0][0]].text in ("true", "false"):
        for new in ("true", "false"):
            yield instead(*source.span(i + 1, opening - 1), source.short(i, opening - 1), new, new)
    # The last takes everything.
    first, arrow = found[-1] if found else (0, 0)
    if arrow != first + 1 or not re.fullmatch("[a-z_]+", toks[first].text) or toks[first].text in ("true", "false"):
        return
    for first, arrow in found[:-1]:
        if not any(toks[k].text == "if" for k in range(first, arrow)):
            at = toks[arrow - 1].end
            yield Place(at, at, f"{source.short(first, arrow - 1)} =>", "left out", " if false",
                        " if !crate::mutant::on(%d)")


def rules(source, i):
    """Each of a list of rules with what breaks them."""
    first, end = i + 2, source.pairs[i + 1]
    while first < end:
        arrow, last = source.until(first, ("=>",)), source.until(first, (";",))
        yield instead(*source.span(arrow + 1, last - 1), source.short(first, arrow - 1), "true", "true")
        first = last + 1


def statement(source, i):
    """A call or an assignment for its effect alone."""
    toks = source.toks
    if toks[i].text in KEYWORDS or toks[i].text.endswith("!") or toks[i].kind == "sign" and toks[i].text not in "*(":
        return
    end = source.until(i, (";", ",", "=>", ":"))
    if end is None or toks[end].text != ";":
        return
    assigns = any(toks[k].kind == "sign" and toks[k].text in ({"="} | set(ASSIGNMENTS))
                  for k in range(i, end))
    if toks[end - 1].text in (")", "?") or assigns:
        yield Place(*source.span(i, end), source.short(i, end), "left out", "",
                    "if !crate::mutant::on(%d) { ", " }")


def answers(source):
    """Of functions, what they may answer without a look."""
    toks = source.toks
    for i, token in enumerate(toks):
        if token.text != "fn" or token.at > source.end or toks[i + 1].kind != "word":
            continue
        opening = source.until(i, ("{", ";"))
        if opening is None or not source.runs[opening] or source.pairs[opening] == opening + 1:
            continue
        arrow = source.until(i, ("->", "{"))
        end = next((k for k in range(arrow, opening) if toks[k].text == "where"), opening)
        kind = source.short(arrow + 1, end - 1) if arrow < end else ""
        at = toks[opening].end
        for pattern, values in ANSWERS:
            if re.fullmatch(pattern, kind):
                for value in values:
                    yield Place(at, at, f"fn {toks[i + 1].text}", value or "()", f" return {value};",
                                f" if crate::mutant::on(%d) {{ return {value}; }}")
                break


def places(path, text, rules):
    """All that can be changed in a file; rules ask for decisions too."""
    source = Source(text)
    found = list(steps(source))
    if rules:
        found += decisions(source)
    alike = {}
    for place in found:
        place.path, place.line = path, text.count("\n", 0, place.at) + 1
        count = alike[place.row] = alike.get(place.row, 0) + 1
        # The second such change of a line is told from the first.
        place.old += f" ({count})" * (count > 1)
    return found
