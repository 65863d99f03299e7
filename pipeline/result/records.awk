# records.awk - prints the table of fields of C from the records of record.h and running_text.h:
# what a member is called, its type, and what the words before it say about how it is written.
BEGIN {
    n_open = split("result target passage manifest summary families running_text", open_types, " ")
    for (i = 1; i <= n_open; i++) is_open[open_types[i]] = 1
    kind["const char *"] = "TEXT"
    kind["bool"] = "FLAG"
    kind["uint64_t"] = "COUNT"
    kind["double"] = "NUMBER"
    kind["trib_texts"] = "TEXTS"
    kind["trib_whole_numbers"] = "COUNTS"
    kind["trib_reals"] = "NUMBERS"
    kind["trib_setting_records"] = "SETTINGS"
    kind["trib_target_texts"] = "TARGETS"
    print "#include \"pipeline/result/fields.h\"\n#include \"pipeline/result/running_text.h\""
}
# The variable of the type of a record.
function type_of(record) {
    sub(/^trib_/, "", record)
    sub(/_record$/, "", record)
    return "trib_type_" record
}
function row(name, offset, type, when, detail, with, of) {
    return "{\"" name "\", " offset ", TRIB_FIELD_" type ", TRIB_FIELD_" when ", " detail ", " \
        (with == "" ? "NULL" : "\"" with "\"") ", " (of == "" ? "NULL" : "&" type_of(of)) "},\n"
}
# Defines the type of a record whose rows are known.
function define(record, form, rows,    name) {
    name = type_of(record)
    n_rows[record] = gsub(/\n/, "\n", rows)
    text[record] = "static const trib_field " name "_fields[] = {\n" rows "};\n" \
        (is_open[substr(name, 11)] ? "" : "static ") "const trib_record_type " name \
        " = {sizeof(" record "), TRIB_RECORD_" form ", " name "_fields, " n_rows[record] "};\n"
    list[++n_records] = record
}
# The type of a list, of which each item is one value of its record.
function define_value(record) {
    if (record in text) return
    define(record, "VALUE", row("words", 0, record in item ? "RECORDS" : kind[record], "ALWAYS",
        "false", "", record in item ? item[record] : ""))
    uses[record] = item[record]
}
# Adds the rows of a declaration such as "TRIB_IF double low, high".
function declare(line,    when, detail, with, is_map, type, of, n, name, i, is_pointer) {
    when = "ALWAYS"
    detail = "false"
    with = ""
    is_map = 0
    while (match(line, /^TRIB_[A-Z_]+([(][a-z_]+[)])? /)) {
        of = substr(line, 1, RLENGTH - 1)
        line = substr(line, RLENGTH + 1)
        if (of == "TRIB_UNWRITTEN") return
        if (of ~ /^TRIB_WITH/) with = substr(of, 11, length(of) - 11)
        else if (of == "TRIB_DETAIL") detail = "true"
        else if (of == "TRIB_MAP") is_map = 1
        else if (of == "TRIB_IF") when = "IF"
        else if (of == "TRIB_OR_NULL") when = "NULL"
        else when = "POSITIVE"
    }
    i = match(line, /^const char /) ? 11 : index(line, " ")
    type = substr(line, 1, i - (line ~ /^const/ ? 0 : 1))
    sub(/ $/, "", type)
    line = substr(line, i + 1)
    is_pointer = line ~ /^ *[*]/
    gsub(/[* ]/, "", line)
    n = split(line, name, ",")
    if (type == "const char") type = "const char *"
    of = ""
    if (!(type in kind)) of = type in item ? item[type] : type
    else if (kind[type] == "TARGETS") of = "trib_target_record"
    if (of in item || of == "trib_texts") define_value(of)
    for (i = 1; i <= n; i++)
        rows = rows row(name[i], "offsetof(" record ", " name[i] ")", type in kind ? kind[type] : \
            is_map ? "MAP" : type in item ? "RECORDS" : is_pointer ? "RECORD" : "MEMBERS", when, \
            detail, with, of)
    uses[record] = uses[record] " " of
}
{ gsub(/\/[*].*[*]\//, "") }
sub(/.*[*]\//, "") { is_comment = 0 }
is_comment { next }
sub(/\/[*].*/, "") { is_comment = 1 }
/^TRIB_RECORD_LIST/ {
    split($0, part, /[(,)] */)
    if (!(part[2] in kind)) item[part[2]] = part[3]
    next
}
/typedef struct trib_[a-z_]+ [{]/ {
    record = $0
    sub(/.*struct /, "", record)
    sub(/ [{].*/, "", record)
    form = /^TRIB_ROW/ ? "ROW" : /^TRIB_VALUE/ ? "VALUE" : "OBJECT"
    rows = declaration = ""
    next
}
record != "" && /^}/ {
    define(record, form, rows)
    record = ""
    next
}
record != "" {
    gsub(/^ +| +$/, "")
    declaration = declaration (declaration == "" ? "" : " ") $0
    if (declaration !~ /;$/) next
    sub(/;$/, "", declaration)
    declare(declaration)
    declaration = ""
}
END {
    for (i = n_records; i > 0; i--) { # of the records, those that are used
        of = type_of(list[i])
        if (!is_open[substr(of, 11)] && !(list[i] in is_used)) continue
        is_used[list[i]] = 1
        n = split(uses[list[i]], part, " ")
        for (k = 1; k <= n; k++) is_used[part[k]] = 1
    }
    for (i = 1; i <= n_records; i++) if (list[i] in is_used) printf "%s", text[list[i]]
}
