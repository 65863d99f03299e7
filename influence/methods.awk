# methods.awk - prints the table of C that methods.txt describes.
function add(part,    n, word, i) {
    n = split(part, word, " ")
    if (word[1] == "floor") row = row ", .floor = " word[2]
    else if (word[1] == "measure") row = row ", .measure = trib_" word[2] "_measure"
    else if (word[1] == "reads") {
        row = row ", .reads = 0"
        for (i = 2; i <= n; i++) row = row " | TRIB_READS_" word[i]
    } else for (i = 1; i <= n; i++) row = row ", ." word[i] " = true"
}
function finish(    n, part, i) {
    if (head == "") return
    n = split(head, part, / [|] /)
    row = "{.name = \"" part[1] "\", .help = \"" help "\""
    for (i = 2; i <= n; i++) add(part[i])
    print row "},"
    head = help = ""
}
BEGIN {
    print "#include \"influence/methods.h\""
    print "const trib_influence_method trib_influence_methods[] = {"
}
{ finish(); head = $0 }
END { finish(); print "{.name = NULL}};" }
