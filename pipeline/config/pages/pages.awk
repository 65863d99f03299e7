# pages.awk - prints a page of docs/ from keys.txt and what the program says of the values of keys
# (`tributary help keys --json`): docs/configuration.md or, with -v section=NAME, the page of a
# section. The texts between the tables are in the folder -v pages=FOLDER.
function finish(    n, part, i, end, gap, name) {
    n = split(head, part, / [|] /)
    if (head ~ /^\[/) {
        end = index(part[1], "]")
        name = substr(part[1], 2, end - 2)
        title[name] = substr(part[1], end + 2)
        more[name] = part[2]
        if (name != "") sections = sections "| [`" name "`](configuration/" name ".md) | " \
            title[name] " |\n"
    } else if (head ~ /^preset [^|]/) {
        presets = presets "| `" substr(part[1], 8) "` | " part[2] " |"
        for (i = 3; i <= n; i++) {
            gap = index(part[i], " ")
            presets = presets (i > 3 ? "," : "") " `" substr(part[i], 1, gap - 1) ": " \
                substr(part[i], gap + 1) "`"
        }
        presets = presets " |\n"
    } else if (head ~ /^document /) {
        split(head, part, " ")
        fields = fields "| `" part[2] "` | " help " |\n"
    } else if (head != "") {
        key[++n_keys] = part[1]
        standard[part[1]] = part[3]
        about[part[1]] = help
        for (i = 4; i <= n; i++)
            if (part[i] ~ /^rows /) {
                rows[part[1]] = part[i]
                alike[part[i]] = alike[part[i]] (alike[part[i]] == "" ? "" : " and ") "`" part[1] "`"
                if (!(part[i] in first)) first[part[i]] = part[1]
            }
    }
    head = help = ""
}
function is_in(name, of) { return of == "" ? name !~ /[.]/ : index(name, of ".") == 1 }
# What a key may be set to.
function values(name,    is_free, text) {
    is_free = type[name] ~ /regular expression/
    text = choices[name] == "" || is_free ? type[name] : type[name] ~ /^a list/ ? "some of " : ""
    text = text (is_free ? ", " : "") choices[name]
    return text words[name]
}
function keys_of(of,    i) {
    print "\n| key | default | values | |\n| --- | --- | --- | --- |"
    for (i = 1; i <= n_keys; i++)
        if (is_in(key[i], of))
            print "| `" key[i] "` | `" standard[key[i]] "` | " values(key[i]) " | " about[key[i]] " |"
}
function text(name,    line) {
    while ((getline line <(pages "/" name)) > 0) {
        if (line == "{sections}") printf "| section | subject |\n| --- | --- |\n%s", sections
        else if (line == "{experiment}") { print "## " title[""]; keys_of("") }
        else if (line == "{presets}")
            printf "| `preset` | | keys that it sets |\n| --- | --- | --- |\n%s", presets
        else if (line == "{fields}") printf "| field | |\n| --- | --- |\n%s", fields
        else print line
    }
}
FNR == 1 && NR > 1 { finish(); is_json = own = 1 }
is_json && /"Presets/ { exit }
is_json && /^   "name": / { name = value(); next }
is_json && /^   "type": / { type[name] = value(); next }
is_json && /^     "name": / {
    choice = value()
    choices[name] = choices[name] (choices[name] == "" ? "" : ", ") "`" choice "`"
    next
}
is_json && /^     "help": / { meaning[name] = meaning[name] "| `" choice "` | " value() " |\n"; next }
is_json && /^    "[^"]*",?$/ {
    gsub(/[ ",]/, "")
    words[name] = words[name] ", or `" $0 "`"
}
is_json { next }
{ finish(); head = $0 }
END {
    if (section == "") {
        text("configuration.md")
        exit
    }
    print "# " section ": " title[section] "\n\nThese are the keys of the section `" section \
        "` of an [experiment](../configuration.md)."
    if (more[section] != "")
        print "[" more[section] "](../" more[section] ") explains the subject."
    keys_of(section)
    if (section == "corpus") text("documents.md")
    for (i = 1; i <= n_keys; i++)
        if (is_in(key[i], section) && (key[i] in rows) && first[rows[key[i]]] == key[i])
            printf "\n## Values of %s\n\n| value | |\n| --- | --- |\n%s", alike[rows[key[i]]], \
                meaning[key[i]]
}
