# The facts of tests/conformance: tensors give what NumPy gives of the same cells.

path <- file.path(Sys.getenv("TRIBUTARY_SOURCES"), "tests", "conformance", "answers.txt")

# The blocks of lines of a group of the file, without its head.
blocks <- function(group) {
    lines <- readLines(path)
    heads <- c(grep("^\\[", lines), length(lines) + 1)
    first <- grep(paste0("^\\[", group), lines)
    lines <- lines[(first + 1):(min(heads[heads > first]) - 1)]
    Filter(length, lapply(split(lines, cumsum(lines == "")), function(block)
        block[block != ""]))
}

# The cells, whose last index changes fastest, as an array; "one" is a number.
cells <- function(size, values) {
    values <- as.numeric(strsplit(values, " ")[[1]])
    if (size == "one")
        return(values)
    size <- as.numeric(strsplit(size, " ")[[1]])
    aperm(array(values, rev(size)))
}

test_that("the facts hold", {
    skip_if_not(file.exists(path), "the facts are not here")
    inputs <- lapply(blocks("input"), function(block) trib_tensor(cells(block[2], block[3])))
    names(inputs) <- vapply(blocks("input"), `[`, "", 1)
    facts <- Filter(function(block) block[3] != "-", blocks("fact"))
    expect_gt(length(facts), 150)
    for (block in facts) {
        found <- tryCatch(eval(parse(text = block[3]), list2env(inputs, parent = globalenv())),
                          error = conditionMessage)
        wanted <- cells(block[4], block[5])
        if (inherits(found, "trib_tensor")) {
            expect_true(all(unclass(found)$value != 0), label = block[3])
            found <- as.array(found)
        }
        if (is.null(dim(found)))
            wanted <- as.vector(wanted)
        expect_equal(found + 0, wanted, info = block[3], ignore_attr = "dimnames")
    }
})

test_that("subscripts and sizes that do not fit are refused", {
    x <- trib_tensor(array(1:6, c(2, 3), list(c("a", "b"), NULL)))
    expect_equal(as.array(x["b", ]), array(c(2, 4, 6)), ignore_attr = TRUE)
    expect_equal(dimnames(x[2, 1:2, drop = FALSE]), list("b", NULL))
    expect_error(x[3, ], "none of the 2 indices", class = "trib_usage_error")
    expect_error(x["c", ], "none of the 2 indices", class = "trib_usage_error")
    expect_error(x[1, 1, 1], "2 subscripts", class = "trib_usage_error")
    expect_error(x[1:2], "mask", class = "trib_usage_error")
    expect_error(x[0, ], "takes no index", class = "trib_usage_error")
    expect_error(x + x[, 1:2], "2 x 3 and 2 x 2", class = "trib_usage_error")
    expect_error(x * 1e308 * 1e308, "infinite", class = "trib_usage_error")
    expect_error(x[, 1] <- 1:3, "3 values do not fill 2 cells", class = "trib_usage_error")
    expect_error(aperm(x, c(1, 1)), "once", class = "trib_usage_error")
    expect_error(collapse(x, 3), "from 1 to 2", class = "trib_usage_error")
    expect_error(ttv(x, 1:2, 2), "3 indices, and the vector 2", class = "trib_usage_error")
    expect_error(ttm(x, diag(2), 2), "3 indices, and the matrix 2", class = "trib_usage_error")
    large <- trib_tensor(structure(list(i = cbind(7, 7, 7), v = 2, dim = rep(2^20, 3),
                                        dimnames = NULL), class = "simple_sparse_array"))
    expect_error(as.array(large), "too many", class = "trib_limit_error")
    expect_error(large + large, "2\\^53", class = "trib_limit_error")
    expect_equal(sum(collapse(large, 3)[7, ]), 2)
    expect_equal(range(large), c(0, 2))
    expect_equal(as.numeric(x), 1:6)
    expect_equal(nrow(head(x, 2)), 2)
    dimnames(x) <- list(NULL, c("p", "q", "r"))
    expect_equal(as.numeric(x[2, "q"]), 4)
    expect_error(dimnames(x) <- list(1), "dimnames")
    expect_equal(factors(x, 1, solver = "als", iterations = 3)$weights,
                 factors(x, 1, cp_solver = "als", cp_iterations = 3)$weights)
    expect_error(factors(x, 1, slover = "als"), "did you mean 'solver'",
                 class = "trib_config_error")
})
