# text_formats.awk - prints the table of C that text_formats.txt describes.
function add(part,    key, gap) {
    gap = index(part, " ")
    key = gap ? substr(part, 1, gap - 1) : part
    part = substr(part, gap + 1)
    if (key == "magic") magics = magics part ", "
    else if (key == "within") row = row ", .within = " part
    else if (key == "at") row = row ", .at = " part
    else if (key == "sure") row = row ", .is_sure = true"
    else if (key == "reader") row = row ", .reader = " literal(part)
    else if (key == "read") row = row ", .read = trib_" part "_text"
    else if (key == "decoder") row = row ", .decoder = " literal(part)
    else row = row ", .not_known_to_text_formats_awk"
}
function finish(    n, part, i, gap) {
    if (head == "") return
    n = split(head, part, / [|] ?/)
    row = "{" literal(part[1]) ", " literal(part[2]) ", TRIB_TEXT_FORMAT_" toupper(part[3])
    magics = ""
    for (i = 4; i <= n; i++) add(part[i])
    gap = index(help, "=> ")
    if (gap) row = row ", .remedy = " literal(substr(help, gap + 3))
    if (gap) help = substr(help, 1, gap - 2)
    print row ", .magic = {" (magics == "" ? "NULL" : magics) "}, .left_out = " literal(help) "},"
    head = help = ""
}
BEGIN {
    print "#include \"pipeline/text/text_formats.h\""
    print "const trib_text_format trib_text_formats[] = {"
}
{ finish(); head = $0 }
END { finish(); print "{.name = NULL}};" }
