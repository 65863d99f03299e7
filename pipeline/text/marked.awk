# marked.awk - prints the table of C that marked.txt describes.
function set(line,    key, gap) {
    gap = index(line, " ")
    key = substr(line, 1, gap - 1)
    line = substr(line, gap + 1)
    if (key == "sign") signs = signs line ", "
    else if (key == "is") row = row ", .is = " literal(line)
    else if (key == "text") texts = texts line ", "
    else if (key == "id") row = row ", .about[0] = " literal(line)
    else if (key == "title") row = row ", .about[1] = " literal(line)
    else if (key == "date") row = row ", .about[2] = " literal(line)
    else if (key == "must") row = row ", .must = " literal(line)
    else if (key == "rule") {
        gap = match(line, / => "([^"\\]|\\.)*"$/)
        rules = rules "{" literal(substr(line, 1, gap - 1)) ", " substr(line, gap + 4) "}, "
    } else row = row ", .not_known_to_marked_awk"
}
function finish() {
    if (pending != "") set(pending)
    pending = ""
    if (row == "") return
    if (texts != "") row = row ", .text = {" texts "}"
    print row ", .sign = {" signs "}, .rule = {" rules "{NULL, NULL}}},"
    row = ""
}
BEGIN {
    own = 1
    print "#include \"pipeline/text/text_formats.h\""
    print "const trib_marked_format trib_marked_formats[] = {"
}
/^    [+] / { pending = pending substr($0, 7); next }
/^    / {
    if (pending != "") set(pending)
    pending = substr($0, 5)
    next
}
{
    finish()
    row = "{.name = " literal($0)
    signs = rules = texts = ""
}
END { finish(); print "{.name = NULL}};" }
