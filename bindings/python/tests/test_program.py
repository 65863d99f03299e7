"""The package, the program and the library are of one version; a caller's mistakes are errors."""
import os
import subprocess
import sys

import pytest

import tributary


def python(code, **environment):
    return subprocess.run([sys.executable, "-c", "import tributary\n" + code], text=True,
                          capture_output=True, check=False, env={**os.environ, **environment})


def test_another_version_of_the_program_is_refused(tmp_path):
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\necho '{\"version\": \"9.8.7\"}'\n", encoding="utf-8")
    other.chmod(0o755)
    done = python("tributary.run(['a b c', 'a b d'])", TRIBUTARY=str(other))
    assert done.stderr.rstrip().endswith(
        f"Error: the Python package is tributary {tributary.__version__}, and the program {other} "
        "is 9.8.7; install the same version of both, or name another program by the variable "
        "TRIBUTARY")
    for wrong in (tmp_path / "none", tmp_path, "/bin/true"):
        done = python("tributary.run(['a b c', 'a b d'])", TRIBUTARY=str(wrong))
        assert f"tributary._errors.Error: {wrong} is no program tributary that runs here" in \
            done.stderr


def test_another_library_is_refused(tmp_path):
    make = "import tributary._library as l; l.library()"
    source = tmp_path / "other.c"
    source.write_text('const char *trib_version(void) { return "9.8.7"; }', encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "other.so", source], check=True)
    other = str(tmp_path / "other.so")
    done = python(make, TRIBUTARY_LIBRARY=other)
    assert f"Error: the Python package is tributary {tributary.__version__}, and the library " \
        f"{other} is 9.8.7; install the same version" in done.stderr
    source.write_text(f'const char *trib_version(void) {{ return "{tributary.__version__}"; }}',
                      encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", other, source], check=True)
    done = python(make, TRIBUTARY_LIBRARY=other)
    assert f"Error: the library {other} has no function trib_" in done.stderr
    source.write_text("int nothing;", encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", other, source], check=True)
    done = python(make, TRIBUTARY_LIBRARY=other)
    assert f"Error: {other} is no libtributary" in done.stderr
    done = python(make, TRIBUTARY_LIBRARY=str(tmp_path / "none"))
    assert "Error: libtributary is not installed; a wheel has it inside" in done.stderr


HOSTILE = {
    "NUL in the path of a run": (lambda bay: tributary.open("a\0b"), (ValueError,)),
    "NUL in an output": (lambda bay: tributary.run(["a b", "a c"], output="a\0b"), (ValueError,)),
    "NUL in a configuration": (lambda bay: tributary.run("a\0b.yaml"), (ValueError,)),
    "NUL in a library": (lambda bay: tributary.Library("a\0b"), (ValueError,)),
    "NUL in a phrase": (lambda bay: bay.kwic("the\0sea"), (ValueError,)),
    "NUL in the name of a text": (
        lambda bay: tributary.run({"a\0b": "one two"}, target="c"), (tributary.ConfigError,)),
    "NUL in a setting": (
        lambda bay: tributary.run(["a b", "a c"], tokens_locale="e\0n"), (tributary.ConfigError,)),
    "a phrase that is a flag": (lambda bay: bay.kwic("--help"), ()),
    "an id that leads out": (lambda bay: bay.trace("../../x"), (tributary.UsageError,)),
    "no words": (lambda bay: tributary.run(["", ""]), (tributary.DocumentError,)),
    "a number of threads that is none": (
        lambda bay: tributary.run(["a b", "a c"], threads=-1), (tributary.Error,)),
    "a setting that JSON does not know": (
        lambda bay: tributary.run(["a b", "a c"], cp_rank=object()),
        (TypeError, tributary.ConfigError)),
    "a setting that is nan": (
        lambda bay: tributary.run(["a b", "a c"], cp_tolerance=float("nan")),
        (tributary.ConfigError,)),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_callers_mistake_is_an_error_of_a_known_kind(bay, what):
    call, kinds = HOSTILE[what]
    if kinds:
        with pytest.raises(kinds):
            call(bay)
    else:
        assert len(call(bay)) == 0


def test_a_progress_function_may_run_and_fork():
    big = {f"t{i}": " ".join(f"w{(i * 7 + j * j) % 997}" for j in range(6000)) for i in range(2)}
    found = []

    def progress(_stage, _share):
        found.append(tributary.run(["a b c d", "a b c e"], influence_methods=["split"],
                                   influence_headline="split").targets)
        child = os.fork()
        if child == 0:
            os._exit(7)
        assert os.waitpid(child, 0)[1] == 7 << 8
        raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough"):
        tributary.run(big, progress=progress, cache=False, cp_tolerance=0, cp_iterations=1000000,
                      influence_methods=["lowe"], influence_headline="lowe")
    assert found == [["text-01", "text-02"]]
