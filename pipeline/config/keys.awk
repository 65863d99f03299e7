# keys.awk - prints the tables of C that keys.txt describes: sections, presets, fields of documents,
# keys.
# Adds what a part of the head line says to the row.
function add(part,    n, word, i) {
    n = split(part, word, " ")
    if (word[1] == "from") {
        sub(/^from /, "", part)
        i = index(part, " to ")
        least = substr(part, 1, i - 1)
        most = substr(part, i + 4)
        row = row ", .least = " least ", .most = " (most == "any" ? "(double)INT64_MAX" : most)
    } else if (word[1] == "or") {
        i = words++ ? ".other[" (words - 2) "]." : "."
        row = row ", " i "word = " literal(word[2])
        if (n > 2) row = row ", " i (words > 1 ? "" : "word_") "value = " word[3]
    } else if (word[1] == "words") {
        row = row ", .choice = (const char *const[]){"
        for (i = 2; i <= n; i++) row = row literal(word[i]) ", "
        row = row "NULL}"
    } else if (word[1] == "choice") row = row ", .choice = " word[2]
    else if (word[1] == "rows") row = row ", .row = trib_choose_" word[2]
    else if (word[1] == "at") field = word[2]
    else if (word[1] == "effect") row = row ", .effect = TRIB_KEY_" word[2]
    else if (word[1] == "unneeded") row = row ", .unneeded = " literal(word[2])
    else row = row ", .not_known_to_keys_awk"
}
function finish_section() {
    sections = sections literal(substr(head, 2, index(head, "]") - 2)) ", "
    head = ""
}
function finish_preset(    n, part, i, gap) {
    n = split(substr(head, 8), part, / [|] /)
    presets = presets "{" literal(part[1]) ", " literal(part[2]) ", {"
    for (i = 3; i <= n; i++) {
        gap = index(part[i], " ")
        presets = presets "{" literal(substr(part[i], 1, gap - 1)) ", " \
            literal(substr(part[i], gap + 1)) "}, "
    }
    presets = presets "{NULL, NULL}}},\n"
    head = ""
}
function finish_document(    name) {
    name = substr(head, 10)
    sub(/ .*/, "", name)
    documents = documents "{" literal(name) ", " \
        (head ~ /at nothing$/ ? "SIZE_MAX" : "offsetof(trib_corpus_document, " name ")") "},\n"
    head = help = ""
}
function finish(    n, part, i) {
    if (head ~ /^\[/) finish_section()
    if (head ~ /^preset [^|]/) finish_preset()
    if (head ~ /^document /) finish_document()
    if (head == "") return
    n = split(head, part, / [|] /)
    field = part[1]
    words = 0
    row = ".type = &trib_key_" part[2] ", .standard = " literal(part[3])
    for (i = 4; i <= n; i++) add(part[i])
    keys = keys "{.path = " literal(part[1]) ", .offset = offsetof(trib_config, " field "), " row \
        ", .help = " literal(help) "},\n"
    head = help = ""
}
{ finish(); head = $0 }
END {
    finish()
    print "#include \"pipeline/config/documents.h\"\n#include \"pipeline/config/keys.h\""
    print "#include <math.h>"
    print "const char *const trib_sections[] = {" sections "NULL};"
    print "const trib_preset trib_presets[] = {\n" presets "{.name = NULL}};"
    print "const trib_document_field trib_document_fields[] = {\n" documents "{NULL, 0}};"
    print "const trib_key trib_keys[] = {\n" keys "{.path = NULL}};"
}
