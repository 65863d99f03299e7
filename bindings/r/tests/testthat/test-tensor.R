# Sparse tensors, to and from what others have; tables for broom; the generics of others.

x <- array(0, c(3, 2, 4), list(letters[1:3], NULL, LETTERS[1:4]))
x[1, 2, 3] <- 2
x[3, 1, 4] <- -1.5
x[3, 2, 1] <- 7

test_that("an array comes back", {
    found <- trib_tensor(x)
    expect_identical(as.array(found), x)
    expect_equal(dim(found), dim(x))
    expect_equal(nrow(as.data.frame(found)), 3)
    expect_identical(trib_tensor(found), found)
    expect_output(print(found), "<trib_tensor> 3 x 2 x 4, 3 nonzeros", fixed = TRUE)
    expect_equal(as.array(trib_tensor(c(TRUE, FALSE) & array(TRUE, c(2, 2)))),
                 array(c(1, 0, 1, 0), c(2, 2)))
})

test_that("slam's arrays come and go", {
    form <- to_simple_sparse_array(trib_tensor(x))
    expect_s3_class(form, "simple_sparse_array")
    expect_type(form$i, "integer")
    expect_identical(as.array(trib_tensor(form)), x)
    # entries at the same place are added; a sum of zero is none
    twice <- structure(list(i = rbind(c(1, 1), c(2, 2), c(1, 1), c(2, 2)), v = c(1, 3, 1, -3),
                            dim = c(2, 2), dimnames = NULL), class = "simple_sparse_array")
    expect_equal(as.array(trib_tensor(twice)), rbind(c(2, 0), 0))
    triplet <- structure(list(i = 2L, j = 1L, v = 5, nrow = 2L, ncol = 3L, dimnames = NULL),
                         class = "simple_triplet_matrix")
    expect_equal(as.array(trib_tensor(triplet)), rbind(0, c(5, 0, 0)))
})

test_that("matrices of Matrix come and go, whatever their form", {
    skip_if_not_installed("Matrix")
    dense <- rbind(a = c(0, 2, 0), b = c(2, 1, 4), c = c(0, 4, 3))
    forms <- list(Matrix::Matrix(dense, sparse = TRUE), methods::as(dense, "RsparseMatrix"),
                  methods::as(dense, "TsparseMatrix"), Matrix::Matrix(dense, sparse = FALSE))
    for (form in forms)
        expect_equal(unname(as.array(trib_tensor(form))), unname(dense))
    expect_equal(as.array(trib_tensor(Matrix::Diagonal(2))), diag(2))
    expect_equal(as.array(trib_tensor(methods::as(forms[[3]] != 0, "nMatrix"))),
                 as.array(trib_tensor((dense != 0) + 0)), ignore_attr = TRUE)
    back <- to_Matrix(trib_tensor(dense))
    expect_s4_class(back, "dgCMatrix")
    expect_equal(as.matrix(back), dense, ignore_attr = TRUE)
    expect_error(to_Matrix(trib_tensor(x)), "has 2 modes", class = "trib_usage_error")
})

test_that("wrong tensors are errors that say what is wrong", {
    expect_error(trib_tensor("a"), "class character", class = "trib_usage_error")
    expect_error(trib_tensor(array(c(1, NA), c(1, 2))), "missing", class = "trib_usage_error")
    expect_error(trib_tensor(array(1i, c(1, 1))), "class", class = "trib_usage_error")
    wrong <- function(i, dim, v = 1)
        trib_tensor(structure(list(i = i, v = v, dim = dim, dimnames = NULL),
                              class = "simple_sparse_array"))
    expect_error(wrong(cbind(3, 1), c(2, 2)), "from 1 to the size", class = "trib_usage_error")
    expect_error(wrong(cbind(1.5, 1), c(2, 2)), "whole number", class = "trib_usage_error")
    expect_error(wrong(cbind(1, 1), c(2, 2, 2)), "3 sizes", class = "trib_usage_error")
    expect_error(wrong(cbind(1, 1), c(2, 0)), "1 to 8 modes", class = "trib_usage_error")
    empty <- wrong(matrix(0, 0, 2), c(2, 3), numeric())
    expect_equal(as.array(empty), matrix(0, 2, 3))
    expect_error(factors(empty, 1), "no nonzero", class = "trib_document_error")
})

test_that("a tensor is decomposed by the program", {
    exact <- outer(c(a = 1, b = 2, c = 0), outer(c(3, 4), c(1, 0, 2)))
    found <- factors(trib_tensor(exact), rank = 1, cp_solver = "als")
    expect_equal(found$fit, 1, tolerance = 1e-6)
    expect_equal(vapply(found$factors, nrow, 0L), c(3L, 2L, 3L))
    expect_equal(rownames(found$factors[[1]]), c("a", "b", "c"))
    model <- found$weights * outer(found$factors[[1]][, 1],
                                   outer(found$factors[[2]][, 1], found$factors[[3]][, 1]))
    expect_equal(model, exact, tolerance = 1e-6, ignore_attr = TRUE)
    expect_error(factors(trib_tensor(exact), 1, cp_solvre = "als"), "solver",
                 class = "trib_config_error")
    expect_equal(glance(found)$rank, 1)
    expect_equal(nrow(tidy(found, n = 1)), 3)
})

test_that("the tensor of a text has its counts", {
    run <- quick(bay_texts, target = "guide", report_formats = c("json", "csv", "tensors"))
    found <- trib_tensor(run, "guide")
    expect_equal(length(dim(found)), 3)
    entries <- as.data.frame(found)
    words <- strsplit(tolower(bay_texts[["guide"]]), "[^a-z']+")[[1]]
    expect_equal(entries$value[entries$mode_1 == "of" & entries$mode_2 == "the" &
                               entries$mode_3 == "headland"],
                 sum(words == "of" & c(words[-1], "") == "the" &
                     c(words[-(1:2)], "", "") == "headland"))
    expect_error(trib_tensor(bay, "guide"), "with 'tensors' in report_formats")
})

test_that("tidy and glance are tables, also by the generics of broom", {
    expect_equal(tidy(bay), shares(bay))
    expect_equal(glance(bay)[c("texts", "targets", "method")],
                 data.frame(texts = 4L, targets = 1L, method = bay$headline), ignore_attr = TRUE)
    skip_if_not_installed("generics")
    expect_equal(generics::tidy(bay), shares(bay))
    expect_equal(generics::glance(bay)$name, bay$name)
    expect_error(tidy(structure(1, class = "strange")), "strange")
})

test_that("attached after quanteda, the generics of quanteda answer for its objects", {
    # a namespace that stands for quanteda's, with its generic and a method
    script <- tempfile(fileext = ".R")
    writeLines(c(
        'folder <- file.path(tempfile(), "quanteda")',
        'dir.create(file.path(folder, "R"), recursive = TRUE)',
        'writeLines(c("Package: quanteda", "Version: 4.0.0", "Title: A", "Description: A.",',
        '             "License: GPL-3", "Author: A", "Maintainer: A <a@b.invalid>"),',
        '           file.path(folder, "DESCRIPTION"))',
        'writeLines(c("export(kwic)", "S3method(kwic, tokens)"), file.path(folder, "NAMESPACE"))',
        'writeLines(c("kwic <- function(x, ...) UseMethod(\\"kwic\\")",',
        '             "kwic.tokens <- function(x, pattern, window = 5, ...)",',
        '             "    paste(\\"tokens\\", pattern, window)"), file.path(folder, "R", "a.R"))',
        'dir.create(library <- tempfile())',
        'install.packages(folder, library, repos = NULL, type = "source", quiet = TRUE)',
        'for (order in list(c("quanteda", "tributary"), c("tributary", "quanteda"))) {',
        '    for (name in order) suppressMessages(library(name, character.only = TRUE,',
        '        lib.loc = c(library, .libPaths()), warn.conflicts = FALSE))',
        '    toks <- structure(list(), class = "tokens")',
        '    cat(kwic(toks, "sea", window = 3), "\\n")',
        '    said <- tryCatch(kwic(structure(list(), class = "trib_run")), error = identity)',
        '    cat(grepl("directory|phrase|pattern", conditionMessage(said)), "\\n")',
        '    for (name in order) detach(paste0("package:", name), character.only = TRUE)',
        '}'), script)
    said <- system2(file.path(R.home("bin"), "Rscript"), shQuote(script), stdout = TRUE,
                    stderr = TRUE)
    expect_equal(trimws(said), rep(c("tokens sea 3", "TRUE"), 2))
    expect_error(kwic(1, "sea"), "no method for an object of class numeric",
                 class = "trib_usage_error")
})

test_that("tokens and factors are texts, a dfm is none", {
    words <- strsplit(bay_texts, "[^A-Za-z']+")
    types <- unique(unlist(words))
    toks <- structure(lapply(words, function(one) c(0L, match(one, types))), types = types,
                      docvars = data.frame(docname_ = names(words),
                                           year = c(1907, 1871, 1884, 1880)),
                      names = names(words), class = c("tokens", "list"))
    found <- shares(quick(toks, target = "guide", date = "year"))
    expect_setequal(found$source, c("keeper", "letter", "recipe", "author"))
    expect_equal(shares(quick(factor(unname(bay_texts)), target = 1))$target[1], "text-01")
    expect_error(trib_run(structure(list(), class = "dfm")), "trib_tensor() takes a dfm",
                 fixed = TRUE, class = "trib_config_error")
})

test_that("names of any script stay", {
    names <- c("\u6e90\u6c0f", "\u5e73\u5bb6", "\u0418\u043b\u0438\u0430\u0434\u0430 1", "a/b",
               "\u0301x", "...")
    expect_equal(ids_of(names), c(names[1:2], "\u0418\u043b\u0438\u0430\u0434\u0430-1", "a-b",
                                  "x", "text"))
    texts <- stats::setNames(c("a b c d e", "a b c d f"), names[1:2])
    run <- quick(texts, target = names[1])
    expect_equal(run$targets, names[1])
    expect_true(file.exists(file.path(paste0(run$directory, "-texts"),
                                      paste0(names[1], ".txt"))))
})

test_that("another version of the program is refused", {
    other <- tempfile("other-")
    writeLines(c("#!/bin/sh", "echo '{\"version\": \"9.8.7\"}'"), other)
    Sys.chmod(other, "755")
    before <- Sys.getenv("TRIBUTARY")
    on.exit(if (nzchar(before)) Sys.setenv(TRIBUTARY = before) else Sys.unsetenv("TRIBUTARY"))
    Sys.setenv(TRIBUTARY = other)
    expect_error(trib_example(), paste0("package is tributary .*, and the program ", other, " is ",
                                        "9.8.7; install the same version"), class = "trib_error")
    expect_false(trib_is_installed())
    Sys.setenv(TRIBUTARY = "/nowhere/tributary")
    expect_error(trib_example(), "no program tributary that runs here", class = "trib_error")
})
