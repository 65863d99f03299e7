"""Texts from memory: lists, mappings, Series and DataFrames give the same runs as files."""
import copy
import datetime
import gc
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas
import pytest

import tributary
from conftest import TEXTS

FAST = {"influence_methods": ["split"], "influence_headline": "split"}


def split(run, target="guide"):
    table = run.shares("split", target=target)
    return dict(zip(table["source"], table["share"]))


@pytest.fixture(scope="module")
def wanted(texts):
    return split(tributary.run(texts, target="guide", **FAST))


def test_every_form_gives_the_same_shares(texts, wanted):
    series = pandas.Series(texts)
    table = pandas.DataFrame({"speech": series})
    ids = table.reset_index().rename(columns={"index": "id"})
    files = {name: TEXTS / f"{name}.txt" for name in texts}
    for form, more in ((series, {}), (table, {"text": "speech"}), (ids, {"text": "speech"}),
                       (files, {})):
        assert split(tributary.run(form, target="guide", **more, **FAST)) == wanted


def test_a_folder_of_files_is_a_corpus(wanted):
    run = tributary.run(TEXTS, target="guide", **FAST)
    assert split(run) == wanted and len(run.kwic("the sea")) == 4
    assert len(tributary.run(str(TEXTS), **FAST).targets) == 4
    with pytest.raises(tributary.ConfigError, match="target 'nobody' is not a document"):
        tributary.run(TEXTS, target="nobody")


def test_a_list_is_numbered(texts, wanted):
    run = tributary.run(list(texts.values()), target=3, **FAST)
    assert run.targets == ["text-04"]
    found = split(run, "text-04")
    assert found["text-01"] == wanted["keeper"] and found["author"] == wanted["author"]
    assert tributary.run(list(texts.values()), target=[-1, 0], **FAST).targets == [
        "text-04", "text-01"]
    numbered = pandas.DataFrame({"text": list(texts.values())}, index=[5, 6, 7, 8])
    assert tributary.run(numbered, target=8, **FAST).targets == ["8"]
    assert tributary.run(numbered["text"], target=[5, "7"], **FAST).targets == ["5", "7"]
    with pytest.raises(tributary.ConfigError, match="'3' is not a document.*5, 6, 7, 8"):
        tributary.run(numbered, target=3, **FAST)


def test_names_become_ids_and_titles():
    run = tributary.run({"Gospel of Luke": "a b c d e f", "Gospel of Luke!": "a b c d x y",
                         "author": "a b c g h i"}, target="Gospel of Luke", **FAST)
    table = run.documents
    assert sorted(table["id"]) == ["Gospel-of-Luke", "Gospel-of-Luke-2", "author-2"]
    assert sorted(table["title"]) == ["Gospel of Luke", "Gospel of Luke!", "author"]
    assert run.targets == ["Gospel-of-Luke"]
    assert len(run.shares(target="Gospel of Luke")) == 3
    run = tributary.run({"Чехов": "a b c d e f", "Brief 09 – Mu\u0308ller": "a b c d x y"},
                        target="Чехов", **FAST)
    assert sorted(run.documents["id"]) == ["Brief-09-Müller", "Чехов"]


def test_columns_become_fields(texts):
    table = pandas.DataFrame({
        "id": list(texts), "text": list(texts.values()),
        "author": ["Keeper", "Office", None, "Visitor"],
        "date": [pandas.Timestamp("1871-04-01"), datetime.date(1884, 1, 2), pandas.NaT, 1907],
        "role": ["source", "source", "decoy", "target"]})
    found = tributary.run(table, target="guide", **FAST).documents.set_index("id")
    assert list(found["date"][["keeper", "letter", "recipe", "guide"]]) == [
        "1871-04-01", "1884-01-02", "", "1907"]
    assert found["author"]["recipe"] == "" and found["author"]["keeper"] == "Keeper"
    assert found["is_decoy"]["recipe"] and found["is_target"]["guide"]


def test_years_are_dates():
    table = pandas.DataFrame({"text": ["a b c d", "a b c e"], "date": [-43, 70]},
                             index=["cicero", "mark"])
    run = tributary.run(table, target="mark", corpus_order="by-date", **FAST)
    assert list(run.documents["date"]) == ["-0043", "0070"]
    assert list(run.documents["year"]) == [-43, 70]


def test_texts_lie_beside_the_run_and_run_again(texts, tmp_path):
    run = tributary.run(texts, target="guide", output=tmp_path / "x", name="bay", **FAST)
    assert run.name == "bay"
    again = tributary.run(tmp_path / "x-texts" / "experiment.yaml", output=tmp_path / "y")
    assert split(again) == split(run) and len(again.kwic("the sea")) == 4
    reopened = tributary.open(tmp_path / "x")
    assert split(reopened) == split(run) and len(reopened.kwic("the sea")) == 4


def test_a_temporary_run_lasts_as_long_as_its_object(texts):
    run = tributary.run(texts, target="guide", **FAST)
    directory = Path(run.directory)
    assert (directory / "report.html").exists()
    del run
    assert not directory.exists()
    with tributary.run(texts, target="guide", **FAST) as run:
        table = run.shares()
    assert not Path(run.directory).exists() and len(table) == 4
    for ask in (run.shares, run.passages, lambda: run.kwic("sea"), lambda: run.report):
        with pytest.raises(tributary.UsageError, match="the run is closed"):
            ask()
    run.close()


def test_a_temporary_run_that_fails_or_is_forked_leaves_what_it_should(texts, tmp_path):
    code = f"""
import os, tempfile, tributary
tempfile.tempdir = {str(tmp_path)!r}
try:
    tributary.run({texts!r}, target="nobody")
except tributary.ConfigError:
    pass
assert not os.listdir(tempfile.tempdir), os.listdir(tempfile.tempdir)
run = tributary.run({texts!r}, target="guide", **{FAST!r})
child = os.fork()
if child == 0:
    raise SystemExit(len(run.shares()))
assert os.waitpid(child, 0)[1] == 4 << 8
print(len(run.shares()), len(os.listdir(tempfile.tempdir)))
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True,
                          text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "4 1\n", "")
    assert not list(tmp_path.iterdir())


def test_copies_and_pickles_of_a_run_read_its_directory(texts):
    run = tributary.run(texts, target="guide", **FAST)
    table = run.shares()
    for other in (copy.copy(run), copy.deepcopy(run), pickle.loads(pickle.dumps(run))):
        assert other.shares().equals(table) and len(other.kwic("the sea")) == 4
    shallow = copy.copy(run)
    del run, other
    gc.collect()
    assert len(shallow.kwic("the sea")) == 4


def test_words_are_texts(texts, wanted):
    words = {name: text.split() for name, text in texts.items()}
    assert split(tributary.run(words, target="guide", **FAST))["letter"] == wanted["letter"]


def test_what_is_no_text_is_said(texts):
    with pytest.raises(tributary.DocumentError, match="text 'a': character 4 is half a surrogate"):
        tributary.run({"a": "one \udce9", "b": "two"})
    with pytest.raises(tributary.ConfigError, match="text 'b' is of the type bytes"):
        tributary.run({"a": "one two", "b": b"three"})
    with pytest.raises(tributary.ConfigError, match="text 'b' is of the type int"):
        tributary.run({"a": "one two", "b": 3})
    with pytest.raises(tributary.ConfigError, match="no column 'text'"):
        tributary.run(pandas.DataFrame({"speech": ["a"]}))
    with pytest.raises(tributary.ConfigError, match="there are no texts"):
        tributary.run([])
    with pytest.raises(tributary.ConfigError, match="target 'nobody' is not a document"):
        tributary.run(texts, target="nobody")


def test_a_passage_is_found_in_a_library(tmp_path):
    folder = tmp_path / "library"
    subprocess.run([tributary.program(), "-q", "index", "add", folder, TEXTS], check=True,
                   capture_output=True)
    with tributary.Library(folder) as library:
        asked = ("the keeper came in the spring of the year, when the ice had just gone out of "
                 "the bay")
        place, = library.find(asked)
        assert (place.title, place.n_equal, place.line, place.reference) == ("keeper", 16, 3, "")
        assert place.text == ("in the spring of the year, when the ice had [only] just gone out "
                              "of the bay")
        text = (TEXTS / "keeper.txt").read_bytes()[place.start:place.end].decode()
        assert " ".join(text.split()) == place.text.replace("[", "").replace("]", "")
        assert asked.split()[place.first] == "in" and place.n == 16
        assert library.find("no text of this library has any of these words in a row") == []
        with pytest.raises(tributary.UsageError, match="3 words"):
            library.find("of the year")
        assert copy.copy(library).find(asked) == [place]
        assert pickle.loads(pickle.dumps(library)).find(asked) == [place]
        child = os.fork()
        if child == 0:
            library._lock.acquire(blocking=False)  # as by another thread at the fork
            os._exit(7 if library.find(asked) == [place] else 8)
        assert os.waitpid(child, 0)[1] == 7 << 8
        with ThreadPoolExecutor(4) as threads:
            assert all(threads.map(lambda _: library.find(asked) == [place], range(40)))
    with pytest.raises(ValueError, match="closed"):
        library.find(asked)
    library.close()
    with pytest.raises(ValueError, match="closed"):
        copy.copy(library)
    with pytest.raises(tributary.DocumentError, match="no library is here"):
        tributary.Library(tmp_path)
