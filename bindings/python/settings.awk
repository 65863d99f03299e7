# settings.awk - prints bindings/python/tributary/_settings.py: the type of every setting, from
# keys.txt (base/table.awk before it).
# The type of a key of this kind in Python.
function of_kind(kind) {
    if (kind ~ /^(count|large)$/) return "int"
    if (kind == "bytes" || kind == "seconds") return "float, str"
    if (kind == "number") return "float"
    if (kind ~ /^(texts|rows|flags)$/) return "str, Sequence[str]"
    if (kind == "path") return "str, \"os.PathLike[str]\""
    if (kind == "stop" || kind == "reference") return "Any"
    return "str"
}
# A list of words as parts of a Literal; true and false are Python's.
function literal_of(list,    n, word, i, made) {
    n = split(list, word, " ")
    for (i = 1; i <= n; i++) {
        if (word[i] == "false" || word[i] == "true")
            word[i] = toupper(substr(word[i], 1, 1)) substr(word[i], 2)
        else word[i] = "\"" word[i] "\""
        made = made (made == "" ? "" : ", ") word[i]
    }
    return "Literal[" made "]"
}
function finish(    n, part, i, type, others, section, name) {
    # run() has an argument `output` of its own
    if (head == "" || head ~ /^(\[|document |preset [^|]|output )/) { head = ""; return }
    n = split(head, part, / [|] /)
    type = of_kind(part[2])
    for (i = 4; i <= n; i++) {
        if (part[i] ~ /^words / && part[2] != "texts" && part[2] != "flags")
            type = literal_of(substr(part[i], 7))
        if (part[i] ~ /^or /) {
            split(part[i], others, " ")
            if (type ~ /"\]$/) sub(/\]$/, ", \"" others[2] "\"]", type)
            else type = type ", Literal[\"" others[2] "\"]"
        }
    }
    if (part[2] == "flags" && part[3] == "[]") type = type ", Sequence[int]"
    type = "Union[" type ", None]"
    section = part[1] ~ /[.]/ ? part[1] : ""
    sub(/[.].*/, "", section)
    name = section == "" ? part[1] : substr(part[1], length(section) + 2)
    if (section == "") all = all line(name, type)
    else {
        if (!(section in inner)) order[++n_sections] = section
        inner[section] = inner[section] line(name, type)
        all = all line(section "_" name, type)
    }
    head = ""
}
function line(name, type) {
    if (length(name) + length(type) + 6 <= 100) return "    " name ": " type "\n"
    sub(/^Union\[/, "Union[\n        ", type)
    return "    " name ": " type "\n"
}
{ finish(); head = $0 }
END {
    finish()
    print "\"\"\"The types of settings. Written by `make docs` from pipeline/config/keys.txt.\"\"\""
    print "from __future__ import annotations\n\nimport os"
    print "from typing import Any, Literal, Sequence, TypedDict, Union\n"
    for (i = 1; i <= n_sections; i++) {
        name = toupper(substr(order[i], 1, 1)) substr(order[i], 2) "Settings"
        print "\nclass " name "(TypedDict, total=False):"
        print "    \"\"\"Keys of the section `" order[i] "`.\"\"\"\n" inner[order[i]]
        sections = sections "    " order[i] ": " name "\n"
    }
    print "\nclass Settings(TypedDict, total=False):"
    print "    \"\"\"Settings of `tributary.run`; ``tributary help keys`` explains them.\"\"\""
    printf "%s%s", sections, all
}
