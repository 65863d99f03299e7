/* main.c - the program is trib_main. */
#include "pipeline/pipeline.h"

int main(int argc, char **argv) { return trib_main(argc, argv); }
