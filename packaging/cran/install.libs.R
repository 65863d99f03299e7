# The compiled program becomes tributary/bin/tributary of the library of packages.
if (file.exists("tributary/build/tributary")) {
    dir.create(file.path(R_PACKAGE_DIR, "bin"), showWarnings = FALSE)
    file.copy("tributary/build/tributary", file.path(R_PACKAGE_DIR, "bin"), overwrite = TRUE)
}
