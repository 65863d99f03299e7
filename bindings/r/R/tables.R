# Tables of a run directory, with the types of their columns.

columns <- function(text) strsplit(trimws(text), "[[:space:]]+")[[1]]

# The type of a column by its name; all others are texts.
counts <- columns("bytes words ngrams target_count source_count other_documents phrases rank
    target_first target_words target_from target_to source_first source_words source_from source_to
    target_word source_word shared documents targets word flows target_texts source_texts count
    first number components iterations cut left_out family places passages sources year
    target_from_character target_to_character source_from_character source_to_character distance
    component headings front notes notes_out forms_out furniture_out others_out stripped_out
    numbers_out joined unseen lost signs alone short_alone")
fractions <- columns("share low high mass score rarity cosine strongest_share probability lambda
    error l1_error core_consistency mean_distance matched credited belief value")
truths <- columns("is_target is_decoy below_floor notable chosen translated")
# Columns that are texts in one table and numbers in others.
text_columns <- list(parallels = "shared", formulas = "first", factors = "word",
                     inputs = "left_out")

# A tibble where the package tibble is installed and the option tributary.tibble is not FALSE.
as_table <- function(frame) {
    rownames(frame) <- NULL
    if (isTRUE(getOption("tributary.tibble", TRUE)) && requireNamespace("tibble", quietly = TRUE))
        tibble::as_tibble(frame)
    else
        frame
}

# Numbers as integers where they are small enough.
whole <- function(values) {
    numbers <- as.numeric(values)
    if (all(is.na(numbers) | abs(numbers) <= .Machine$integer.max)) as.integer(numbers) else numbers
}

# A cell that a spreadsheet would take for a formula begins with an apostrophe.
without_apostrophe <- function(cells) {
    marked <- grepl("^'[-=+@\t\r]", cells)
    cells[marked] <- substring(cells[marked], 2)
    cells
}

# Control characters in a table with tabs are written as \x09.
with_controls <- function(cells) {
    for (row in grep("\\\\x[0-9a-f]{2}", cells)) {
        found <- gregexpr("\\\\x[0-9a-f]{2}", cells[row])
        codes <- strtoi(substring(regmatches(cells[row], found)[[1]], 3), 16L)
        regmatches(cells[row], found) <- list(vapply(codes, intToUtf8, ""))
    }
    cells
}

# Reads a .csv or .tsv file of a run directory.
read_table <- function(path) {
    name <- sub("[.][a-z]+$", "", basename(path))
    tabs <- grepl("[.]tsv$", path)
    frame <- if (tabs)
        read.delim(path, quote = "", colClasses = "character", na.strings = character(),
                   check.names = FALSE, comment.char = "", encoding = "UTF-8")
    else
        read.csv(path, colClasses = "character", na.strings = character(), check.names = FALSE,
                 comment.char = "", encoding = "UTF-8")
    for (column in names(frame)) {
        cells <- frame[[column]]
        is_text <- column %in% text_columns[[name]]
        frame[[column]] <-
            if (column %in% counts && !is_text) whole(ifelse(nzchar(cells), cells, NA))
            else if (column %in% fractions) as.numeric(ifelse(nzchar(cells), cells, NA))
            else if (column %in% truths) cells == "TRUE"
            else without_apostrophe(if (tabs) with_controls(cells) else cells)
    }
    frame
}

# Rows of passages.tsv with the texts that are left out because the row above has them.
fill_texts <- function(frame) {
    texts <- frame$target_text
    above <- c(FALSE, frame$target[-1] == frame$target[-nrow(frame)])
    for (row in which(!nzchar(texts) & above[seq_along(texts)]))
        texts[row] <- texts[row - 1]
    frame$target_text <- texts
    empty <- !nzchar(frame$source_text)
    frame$source_text[empty] <- texts[empty]
    frame
}
