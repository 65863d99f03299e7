test_that("shares are those of the file", {
    written <- rows_of(bay, "influence.csv")
    table <- shares(bay, "all")
    expect_equal(names(table), names(written))
    expect_equal(nrow(table), nrow(written))
    key <- function(t) paste(t$target, t$source, t$method)
    same <- match(key(table), key(written))
    expect_false(anyNA(same))
    expect_identical(table$share, as.numeric(written$share[same]))
    expect_identical(table$low, as.numeric(written$low[same]))
    expect_identical(table$below_floor, written$below_floor[same] == "TRUE")
})

test_that("the shares of the small corpus are the known ones", {
    table <- shares(bay)
    expect_equal(table$source, c("keeper", "letter", "recipe", "author"))
    expect_equal(round(table$share, 3), c(0.238, 0.135, 0, 0.626))
    expect_equal(sum(table$share), 1)
    expect_equal(unique(table$method), "extent")
    expect_equal(shares(bay, "split", source = "keeper")$source, "keeper")
    expect_equal(shares(bay, found_only = TRUE)$source, c("keeper", "letter"))
})

test_that("documents have types", {
    table <- documents(bay)
    expect_equal(names(table), names(rows_of(bay, "documents.csv")))
    keeper <- table[table$id == "keeper", ]
    expect_identical(keeper$year, 1871L)
    expect_type(table$words, "integer")
    expect_equal(table$id[table$is_target], bay$targets)
    expect_equal(table$id[table$is_decoy], "recipe")
})

test_that("tables have titles and years of their documents", {
    named <- with_documents(shares(bay), bay)
    expect_equal(named$source_title[1], "The Keeper's Account")
    expect_equal(named$source_year, c(1871L, 1884L, 1880L, NA))
    expect_equal(with_documents(kwic(bay, "the sea"), bay, "date")$document_date[1], "1907")
    expect_error(with_documents(passages(bay), bay, "words"), "column 'target_words' already")
    expect_error(with_documents(passages(bay), bay, "weight"), "no column 'weight'")
    expect_error(with_documents(bay, shares(bay)), "with a table and its run")
})

test_that("passages are those of the file, the longest first", {
    every <- passages(bay)
    written <- rows_of(bay, "passages.tsv")
    expect_setequal(names(every), names(written))
    expect_equal(names(every)[1:4], c("target", "source", "shared", "target_text"))
    same <- match(every$id, written$id)
    expect_equal(sort(same), seq_len(nrow(written)))
    expect_equal(every$target_text, written$target_text[same])
    expect_equal(every$shared, sort(as.integer(written$shared), decreasing = TRUE))
    long <- passages(bay, "guide", "letter", min_words = 8)
    expect_equal(long$shared, 41L)
    expect_equal(passages(bay, source = "A Letter from the Harbour Office", min_words = 8), long)
    bytes <- charToRaw(bay_texts[["guide"]])
    quoted <- rawToChar(bytes[(every$target_from[1] + 1):every$target_to[1]])
    expect_equal(gsub("\\s+", " ", quoted), gsub("\\s+", " ", every$target_text[1]))
})

test_that("texts that the row above has are filled in", {
    filled <- fill_texts(data.frame(
        target = c("a", "a", "a", "b"), target_text = c("x", "", "y", ""),
        source_text = c("", "z", "", "")))
    expect_equal(filled$target_text, c("x", "x", "y", ""))
    expect_equal(filled$source_text, c("x", "z", "y", ""))
    expect_equal(nrow(fill_texts(filled[0, ])), 0)
})

test_that("phrases are selected", {
    table <- phrases(bay, "guide", "keeper", containing = "headland")
    expect_setequal(table$phrase, c("headland and at", "of the headland", "the headland and"))
    expect_equal(nrow(phrases(bay)), nrow(rows_of(bay, "phrases.csv")))
    expect_false(is.unsorted(-phrases(bay)$mass))
    expect_true(all(phrases(bay, min_count = 2)$target_count >= 2))
})

test_that("a trace names the runs of words that are copied", {
    table <- traced(bay)
    keeper <- table[table$source == "keeper", ]
    expect_setequal(table$source, c("keeper", "letter"))
    expect_equal(sum(table$words), 123)
    expect_equal(keeper$words, c(21, 14, 3, 18, 14, 4))
    expect_true(all(diff(table$first) > 0))
    expect_true(all(table$probability > 0.5 & table$probability <= 1))
    expect_equal(traced(bay, "guide"), table)
    damaged <- tempfile()
    writeBin(charToRaw("TRIBRUNS"), damaged)
    expect_error(read_trace(damaged), "is damaged", class = "trib_document_error")
})

test_that("words are shown in context", {
    table <- kwic(bay, "the SEA")
    expect_equal(table$document, c("guide", "keeper", "letter", "letter"))
    expect_equal(table$first, c(37L, 44L, 119L, 125L))
    expect_equal(unique(table$keyword), "the sea")
    expect_equal(nrow(kwic(bay, "no such phrase")), 0)
    expect_equal(nrow(kwic(bay, "--help")), 0)
    expect_equal(names(kwic(bay, "no such phrase")), names(table))
    expect_error(kwic(bay, c("a", "b")), "one text")
})

test_that("a ranking and missing files", {
    expect_equal(ranking(bay)$source, c("keeper", "letter"))
    expect_error(parallels(bay), "again with parallels_unit", class = "trib_usage_error")
})

test_that("tables are tibbles, or plain data frames", {
    skip_if_not_installed("tibble")
    expect_s3_class(shares(bay), "tbl_df")
    before <- options(tributary.tibble = FALSE)
    on.exit(options(before))
    expect_identical(class(shares(bay)), "data.frame")
    expect_identical(rownames(shares(bay))[1], "1")
    expect_identical(class(kwic(bay, "the sea")), "data.frame")
})

test_that("cells of spreadsheets and control characters are read as they were", {
    folder <- tempfile()
    dir.create(folder)
    path <- file.path(folder, "documents.csv")
    writeLines(c("id,title,words", "a,\"'=x, \"\"y\"\"\",", "b,'tis,3000000000"), path)
    table <- read_table(path)
    expect_equal(table$title, c("=x, \"y\"", "'tis"))
    expect_equal(table$words, c(NA, 3e9))
    path <- file.path(folder, "passages.tsv")
    writeLines(c("id\ttarget_text\tshared", "a:1\tone\\x09\"two\\x0a#3\t7"), path)
    expect_equal(read_table(path)$target_text, "one\t\"two\n#3")
    expect_identical(read_table(path)$shared, 7L)
})

test_that("every column of the tables has a type", {
    page <- file.path(Sys.getenv("TRIBUTARY_SOURCES", "/nowhere"), "docs/run-directory/tables.md")
    skip_if_not(file.exists(page), "the sources are elsewhere")
    name <- NULL
    seen <- 0
    for (line in readLines(page, encoding = "UTF-8")) {
        if (startsWith(line, "## "))
            name <- sub("## ", "", line)
        cells <- trimws(strsplit(line, "|", fixed = TRUE)[[1]])
        if (!grepl("[.](csv|tsv)$", name) || grepl("/", name) || length(cells) < 4 ||
            !startsWith(cells[2], "`") || cells[3] == "likewise")
            next
        unit <- cells[3]
        for (column in strsplit(gsub("`", "", cells[2]), ", ")[[1]]) {
            is_text <- column %in% text_columns[[sub("[.].*", "", name)]]
            kind <- if (is_text) "text" else if (column %in% counts) "count"
                else if (column %in% fractions) "fraction" else if (column %in% truths) "truth"
                else "text"
            wanted <- if (startsWith(unit, "`TRUE`")) "truth"
                else if (grepl("^(0 to 1|above 0|number|nats)", unit)) "fraction"
                else if (grepl("^(count|from 1|bytes|year)", unit)) "count" else "text"
            expect_equal(kind, wanted, info = paste(name, column))
            seen <- seen + 1
        }
    }
    expect_gt(seen, 60)
})
