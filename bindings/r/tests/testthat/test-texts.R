test_that("texts in memory give the shares of the configuration", {
    run <- trib_run(bay_texts, target = "guide")
    expect_equal(shares(run, "extent")$share, shares(bay)$share)
    expect_equal(shares(run, "extent")$source, shares(bay)$source)
    expect_equal(run$targets, "guide")
})

test_that("a vector, a list, files and a folder are the same texts", {
    plain <- quick(bay_texts, "guide")
    unnamed <- quick(unname(bay_texts), 1)
    expect_equal(unnamed$targets, "text-01")
    expect_equal(shares(unnamed)$share, shares(plain)$share)
    lines <- lapply(bay_texts, function(text) strsplit(text, "\n", fixed = TRUE)[[1]])
    expect_equal(shares(quick(lines, "guide")), shares(plain))
    folder <- file.path(dirname(config), "texts")
    files <- quick(list.files(folder, full.names = TRUE), "guide")
    expect_equal(shares(files), shares(plain))
    expect_equal(shares(quick(folder, target = "guide")), shares(plain))
    read <- sapply(list.files(folder, full.names = TRUE), function(path)
        paste(readLines(path), collapse = "\n"))
    expect_equal(shares(quick(read, "guide")), shares(plain))
    expect_equal(shares(quick(data.frame(text = read), "guide")), shares(plain))
    expect_length(quick(folder)$targets, 4)
    expect_length(quick(bay_texts)$targets, 4)
})

test_that("a data frame has texts, ids and fields", {
    frame <- data.frame(
        id = names(bay_texts), speech = unname(bay_texts), Year = c(1907, 1871, 1884, 1880),
        author = factor(c("Guide", NA, "Office", "Cook")), stringsAsFactors = FALSE)
    run <- quick(frame, "guide", text = "speech", date = "Year")
    known <- documents(run)
    expect_equal(known$year, c(1907L, 1871L, 1884L, 1880L))
    expect_equal(known$author, c("Guide", "", "Office", "Cook"))
    names(frame)[1:2] <- c("doc_id", "text")
    expect_equal(quick(frame, 1)$targets, "guide")
    frame$doc_id <- NULL
    expect_equal(quick(frame, 1)$targets, "text-01")
    rownames(frame) <- names(bay_texts)
    expect_equal(quick(frame, "guide")$targets, "guide")
    files <- data.frame(id = names(bay_texts), file = file.path(
        dirname(config), "texts", paste0(names(bay_texts), ".txt")))
    expect_equal(shares(quick(files, "guide")), shares(quick(bay_texts, "guide")))
    expect_error(quick(frame, text = "speech"), "no column 'speech'", class = "trib_config_error")
    expect_error(quick(frame, text = "speech"), "name it with text =; there are text, Year, author")
    expect_error(quick(frame, date = "year"), "no column 'year' with the date; there are Year")
    expect_error(quick(bay_texts, date = "year"), "only a data frame or a corpus has columns")
})

test_that("a tibble is a data frame", {
    skip_if_not_installed("tibble")
    frame <- tibble::tibble(id = names(bay_texts), text = bay_texts,
                            date = as.Date(paste0(c(1907, 1871, 1884, 1880), "-05-01")))
    run <- quick(frame, "guide")
    expect_equal(documents(run)$date[1], "1907-05-01")
    expect_equal(shares(run), shares(quick(bay_texts, "guide")))
})

test_that("a corpus of quanteda is read by its documented form", {
    docvars <- data.frame(docname_ = names(bay_texts), docid_ = factor(names(bay_texts)),
                          segid_ = 1L, Year = c(1907L, 1871L, 1884L, NA), author = letters[1:4])
    corpus <- structure(bay_texts, class = c("corpus", "character"), docvars = docvars,
                        meta = list(system = list(), object = list(unit = "documents"),
                                    user = list()))
    run <- quick(corpus, "guide", date = "Year")
    expect_equal(documents(run)$year, c(1907L, 1871L, 1884L, NA))
    expect_equal(documents(run)$author, letters[1:4])
    expect_equal(shares(run), shares(quick(bay_texts, "guide")))
    names(corpus) <- NULL
    expect_equal(quick(corpus, "guide")$targets, "guide")
    attr(corpus, "docvars") <- NULL
    expect_equal(quick(corpus, 1)$targets, "text-01")
})

test_that("names become ids, and titles where they differ", {
    expect_equal(ids_of(c("a b", "a/b", "author", "\u00c9.", "")),
                 c("a-b", "a-b-2", "author-2", "\u00c9", "text"))
    expect_equal(numbered(2), c("text-01", "text-02"))
    expect_equal(numbered(100)[1], "text-001")
    run <- quick(stats::setNames(bay_texts, c("The Guide", "k", "l", "r")), "The Guide")
    expect_equal(run$targets, "The-Guide")
    expect_equal(unname(run$titles[1]), "The Guide")
    expect_equal(phrases(run, "The Guide"), phrases(run))
})

test_that("dates are written as the program reads them", {
    expect_equal(dates_of(c(1907, -44, NA)), c("1907", "-0044", NA))
    expect_equal(dates_of(as.Date("1907-05-01")), "1907-05-01")
    expect_equal(dates_of(as.POSIXct("1907-05-01 12:00", tz = "UTC")), "1907-05-01")
    expect_equal(dates_of(factor("c. 1900")), "c. 1900")
})

test_that("texts of any language are written as UTF-8", {
    latin <- "Un vaisseau passa pr\xe8s de l'\xeele, et personne ne parla des bateaux perdus."
    Encoding(latin) <- "latin1"
    run <- suppressWarnings(trib_run(c(a = latin, b = paste("Le soir,", latin)), "b"))
    expect_match(passages(run)$target_text[1], "pr\u00e8s de l'\u00eele", fixed = TRUE)
    expect_equal(nrow(kwic(run, "pr\u00e8s de")), 2)
})

test_that("what is no text is refused with its place", {
    expect_error(trib_run(character()), "there are no texts", class = "trib_config_error")
    expect_error(trib_run(42), "this is of class numeric")
    there <- list.files(file.path(dirname(config), "texts"), full.names = TRUE)
    expect_error(trib_run(c(there, "nowhere/x.txt")), "nowhere/x.txt: there is no such file",
                 class = "trib_document_error")
    expect_error(trib_run(list("a", 42)), "text 2 is of class numeric")
    expect_error(trib_run(c(a = "x", b = NA)), "'b' is NA", class = "trib_document_error")
    expect_error(trib_run(list(a = "", b = "one two three"), "b"), class = "trib_document_error")
})

test_that("a passage is found in a library", {
    path <- tempfile("library-")
    call_program(c("index", "add", path, file.path(trib_example(), "texts")))
    letters <- tributary_library(path)
    found <- find(letters, "the keeper came in the spring of the year, when the ice was gone")
    expect_equal(found$id[1], "keeper")
    expect_true(found$equal[1] >= 8)
    expect_equal(nrow(find(letters, "one two three four five six")), 0)
    expect_error(find(letters, "too few"), class = "trib_usage_error")
    expect_error(tributary_library(tempfile()), "no library", class = "trib_document_error")
    expect_equal(find("lm"), utils::find("lm"))
})
