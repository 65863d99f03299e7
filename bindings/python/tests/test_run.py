"""Experiments and their results, compared with the files of the program."""
import csv
import filecmp
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings

import numpy as np
import pandas
import pytest

import tributary
from conftest import CONFIG, FORMATS, SOURCES, TEXTS


def rows(run, name):
    with open(run.directory / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t" if name.endswith(".tsv") else ","))


def test_a_run_writes_the_bytes_of_the_program(bay, tmp_path):
    subprocess.run([tributary.program(), "run", str(CONFIG), "-o", str(tmp_path / "own"),
                    "--no-cache", "-q", "--set", f"report.formats={json.dumps(FORMATS)}"],
                   check=True, stdout=subprocess.DEVNULL)
    assert filecmp.cmp(tmp_path / "own" / "SHA256SUMS", bay.directory / "SHA256SUMS", False)


def test_shares_are_those_of_the_file(bay):
    table = bay.shares("all")
    assert len(table) == len(rows(bay, "influence.csv"))
    assert list(table.columns) == list(rows(bay, "influence.csv")[0])
    assert table["share"].dtype == np.float64 and table["below_floor"].dtype == bool
    by_key = {(r["target"], r["source"], r["method"]): r for r in rows(bay, "influence.csv")}
    for row in table.itertuples():
        written = by_key[row.target, row.source, row.method]
        assert row.share == float(written["share"])
        assert np.isnan(row.low) if not written["low"] else row.low == float(written["low"])
        assert row.below_floor == (written["below_floor"] == "TRUE")
    headline = bay.shares()
    assert set(headline["method"]) == {bay.headline} == {"extent"}
    assert headline["source"].iloc[-1] == "author"
    assert abs(headline["share"].sum() - 1) < 1e-12
    assert list(bay.shares("split", source="keeper")["source"]) == ["keeper"]


def test_only_what_was_found(bay):
    table = bay.shares(found_only=True)
    assert list(table["source"]) == ["keeper", "letter"]
    named = bay.with_documents(table)
    assert list(named["source_title"])[0] == "The Keeper's Account"
    assert list(named["source_year"]) == [1871, 1884] and "target_author" in named
    words = bay.with_documents(bay.shares(), "words")["source_words"]
    assert words[0] > 300 and words[3] is pandas.NA
    with pytest.raises(tributary.UsageError, match="column 'target_words' already"):
        bay.with_documents(bay.passages(), "words")
    assert list(bay.with_documents(bay.kwic("the sea"), "date")["document_date"])[0] == "1907"
    table["share"] = 0  # a copy
    assert bay.shares(found_only=True)["share"].min() > 0


def test_documents_have_types(bay):
    table = bay.documents.set_index("id")
    assert table.loc["keeper", "words"] > 300 and table["words"].dtype == np.int64
    assert str(table["year"].dtype) == "Int64" and table.loc["keeper", "year"] == 1871
    assert list(table.index[table["is_target"]]) == bay.targets == ["guide"]
    assert list(table.index[table["is_decoy"]]) == ["recipe"]


def test_passages_are_selected_and_ordered(bay):
    every, long = bay.passages(), bay.passages("guide", "letter", min_words=8)
    assert len(every) == len(rows(bay, "passages.tsv"))
    assert (long["shared"] >= 8).all() and set(long["source"]) == {"letter"}
    assert list(every["shared"]) == sorted(every["shared"], reverse=True)
    text = (TEXTS / "guide.txt").read_bytes()
    first = every.iloc[0]
    quoted = text[first["target_from"]:first["target_to"]].decode("utf-8")
    assert " ".join(quoted.split()) == " ".join(first["target_text"].split())
    by_title = bay.passages(source="A Letter from the Harbour Office", min_words=8)
    pandas.testing.assert_frame_equal(by_title, long)


def test_texts_that_the_row_above_has_are_filled_in():
    table = tributary._tables.frame({
        "target": ["a", "a", "a", "b"], "target_text": ["x", "", "y", ""],
        "source_text": ["", "z", "", ""]})
    filled = tributary._tables.fill_texts(table)
    assert list(filled["target_text"]) == ["x", "x", "y", ""]
    assert list(filled["source_text"]) == ["x", "z", "y", ""]


def test_phrases_are_selected(bay):
    table = bay.phrases("guide", "keeper", containing="headland")
    assert len(table) and all("headland" in phrase for phrase in table["phrase"])
    assert (table["mass"].diff().dropna() <= 0).all()
    assert (bay.phrases(min_count=2)["target_count"] >= 2).all()


def test_a_trace_has_the_places_of_words(bay):
    table = bay.trace("guide")
    assert len(table) > 3
    assert table["words"].dtype == np.int64 and table["probability"].between(0, 1).all()
    text = (TEXTS / "guide.txt").read_bytes()
    source = (TEXTS / f"{table['source'][1]}.txt").read_bytes()
    there = text[table["target_from"][1]:table["target_to"][1]].decode("utf-8")
    here = source[table["source_from"][1]:table["source_to"][1]].decode("utf-8")
    assert there.split()[0].strip(".,").lower() == here.split()[0].strip(".,").lower()


def test_words_in_context(bay):
    table = bay.kwic("the SEA")
    assert set(table["document"]) == {"guide", "keeper", "letter"} and len(table) == 4
    assert set(table["keyword"]) == {"the sea"} and table["first"].dtype == np.int64
    assert len(bay.kwic("no such phrase")) == len(bay.kwic("--help")) == 0


def test_a_graph_has_the_shares_above_the_floor(bay):
    graph = bay.graph()
    assert set(graph.nodes) == {"keeper", "letter", "recipe", "guide"}
    shares = bay.shares().set_index("source")["share"]
    assert {(u, v): d["weight"] for u, v, d in graph.edges(data=True)} == {
        ("keeper", "guide"): shares["keeper"], ("letter", "guide"): shares["letter"]}
    assert list(bay.graph(min_share=0.2).edges) == [("keeper", "guide")]
    assert graph.nodes["keeper"]["title"] == "The Keeper's Account"


def test_factors_and_distances_are_those_of_the_matrices(bay):
    factors = bay.factors("guide")
    assert factors.rank == 50 and 0 < factors.fit < 1
    np.testing.assert_array_equal(
        factors.weights, np.load(bay.directory / "factors" / "guide.lambda.npy"))
    for m in range(3):
        np.testing.assert_array_equal(
            factors.factors[m], np.load(bay.directory / "factors" / f"guide.mode{m + 1}.npy"))
    words = (bay.directory / "factors" / "guide.words").read_text(encoding="utf-8").split("\n")
    assert all(mine in (word, "") for mine, word in zip(factors.words, words))
    assert [bool(word) for word in factors.words] == list(
        np.sum(factors.factors, axis=(0, 2)) > 0)
    top = factors.top(0, 2)
    assert list(top["label"]) == [factors.words[row] for row in top["row"]]
    distances = bay.distances()
    assert distances.shape == (50, 200) and distances.loc[("guide", 3), ("guide", 3)] == 0
    assert distances.values.max() <= 2
    near = bay.document_distances()
    for source in near.columns:
        nearest = distances.xs(source, axis=1, level="document").min(axis=1)
        assert near.loc["guide", source] == pytest.approx(
            np.average(nearest, weights=factors.weights), rel=1e-12)
    assert bay.document_distances("matched").shape == near.shape


def test_a_tensor_has_the_counts_of_the_text(bay):
    tensor = bay.tensor("guide")
    assert tensor.has_counts and tensor.values.sum() == bay.documents.set_index("id").loc[
        "guide", "ngrams"]
    index = tuple(tensor.words.index(word) for word in ("there", "was", "no"))
    assert tensor[index] == 2
    assert list(tensor.frame(1).iloc[0]) == ["there", "was", "no", 2.0]
    again = tensor.cp(50, threads=1)  # the settings of the experiment
    np.testing.assert_allclose(again.weights, bay.factors("guide").weights, rtol=1e-9)


def test_pictures(bay):
    picture = bay._repr_html_()
    assert picture.count("<rect") >= 3 and "Visitor" in picture and "23.8 %" in picture
    axes = bay.plot()
    assert len(axes.patches) >= 3
    assert bay.report.name == "report.html" and "carrow-bay" in repr(bay)
    assert "<table>" in bay.factors("guide")._repr_html_()


def test_pictures_of_many_targets_show_those_with_the_largest_shares():
    many = [" ".join(f"w{100 * i + j}" for j in range(30)) for i in range(14)]
    many[12] = many[11] + " " + many[12]
    run = tributary.run(many, influence_methods="split", influence_headline="split")
    axes = run.plot()
    shown = [label.get_text() for label in axes.get_yticklabels()]
    assert len(shown) == 12 and "text-13" in shown and "text-11" not in shown
    assert shown == sorted(shown) and "the 12 of 14 targets" in axes.get_xlabel()
    assert "The 12 of 14 targets" in run._repr_html_()


def test_small_shares_are_drawn_to_the_end_of_the_axis(bay):
    many = [" ".join(f"w{100 * i + j}" for j in range(30)) for i in range(3)]
    many[2] += " " + " ".join(many[0].split()[:6])
    run = tributary.run(many, influence_methods="split", influence_headline="split",
                        influence_floor=0)
    axes = run.plot()
    assert axes.get_xlim() == (0, 20) and "cut at 20" in axes.get_xlabel()
    assert bay.plot().get_xlim() == (0, 100)


def test_what_is_not_there_is_an_error_that_says_what_to_do(bay, tmp_path):
    with pytest.raises(tributary.UsageError, match="holds no run"):
        tributary.open(tmp_path)
    with pytest.raises(tributary.UsageError, match="'recip' in this run; did you mean 'recipe'"):
        bay.passages("recip")
    with pytest.raises(tributary.UsageError, match="this run has extent"):
        bay.shares("lowe-soft")
    split = tributary.run(CONFIG, output=tmp_path / "split", influence_methods=["split"],
                          influence_headline="split")
    with pytest.raises(tributary.UsageError, match="again with the method traced"):
        split.passages()
    with pytest.raises(tributary.UsageError, match="again with the methods traced and split"):
        split.ranking()
    plain = tributary.run(CONFIG, output=tmp_path / "plain")
    with pytest.raises(tributary.UsageError, match="again with 'npy' in report_formats"):
        plain.distances()
    assert plain.trace("guide").equals(bay.trace("guide"))


def test_errors_have_the_words_of_the_program(tmp_path):
    with pytest.raises(tributary.ConfigError, match="did you mean 'rank'") as caught:
        tributary.run(CONFIG, output=tmp_path / "a", cp_rnak=3)
    assert caught.value.status == 3
    with pytest.raises(tributary.ConfigError, match="nowhere.yaml.*No such file"):
        tributary.run(tmp_path / "nowhere.yaml")
    with pytest.raises(tributary.DocumentError):
        tributary.run({"a": "", "b": "one two three"}, target="b")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("x")
    with pytest.raises(tributary.UsageError):
        tributary.run(CONFIG, output=tmp_path / "full")
    assert (tmp_path / "full" / "mine").read_text() == "x"


def test_warnings_are_issued_and_kept(texts, tmp_path):
    twice = {**texts, "copy": texts["guide"]}
    with pytest.warns(tributary.RunWarning):
        run = tributary.run(twice, target="guide", output=tmp_path / "twice", cache=False)
    assert run.warnings


def test_a_bar_is_shown_with_and_without_tqdm(bay, capsys, monkeypatch):
    from tributary._experiment import _Bar
    bar = _Bar()
    for stage, share in (("tokens", 0.5), ("tokens", 1), ("factors", 0.25)):
        bar(stage, share)
    bar.close()
    shown = capsys.readouterr().err
    assert "tokens" in shown and "25%" in shown.replace(" ", "")
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    bar = _Bar()
    bar("factors", 0.25)
    bar.close()
    assert "factors: 25 %" in capsys.readouterr().err
    again = tributary.run(CONFIG, output=bay.directory, report_formats=FORMATS, progress=True)
    assert again.shares().equals(bay.shares())


# A decomposition that does not end by itself.
ENDLESS = {"influence_methods": ["lowe"], "influence_headline": "lowe", "cp_tolerance": 0,
           "cp_iterations": 1000000, "cache": False}


def test_progress_is_reported_and_may_stop_the_run(tmp_path):
    big = {f"t{i}": " ".join(f"w{(i * 7 + j * j) % 997}" for j in range(6000)) for i in range(3)}
    heard = []

    def stop(stage, share):
        heard.append((stage, share))
        raise RuntimeError("enough")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(RuntimeError, match="enough"):
            tributary.run(big, output=tmp_path / "stopped", progress=stop, **ENDLESS)
    assert heard and 0 <= heard[0][1] <= 1
    assert json.loads((tmp_path / "stopped" / "status").read_text())["state"] != "complete"


def test_a_run_that_was_stopped_goes_on(bay, tmp_path):
    subprocess.run([tributary.program(), "run", str(CONFIG), "-o", str(tmp_path / "run"),
                    "--until", "tokens", "--set", f"report.formats={json.dumps(FORMATS)}", "-q"],
                   check=True, stdout=subprocess.DEVNULL)
    with pytest.raises(tributary.UsageError, match="resume"):
        tributary.run(CONFIG, output=tmp_path / "run", report_formats=FORMATS, resume=False)
    run = tributary.run(CONFIG, output=tmp_path / "run", report_formats=FORMATS)
    assert run.shares().equals(bay.shares())


def test_an_interrupt_stops_the_program(tmp_path):
    script = textwrap.dedent("""
        import json, signal, sys, tributary
        signal.signal(signal.SIGINT, signal.default_int_handler)  # also where it was ignored
        big = {f"t{i}": " ".join(f"w{(i * 7 + j * j) % 997}" for j in range(6000))
               for i in range(3)}
        def say(stage, share):
            print(stage, flush=True)
        try:
            tributary.run(big, output=sys.argv[1], progress=say, **json.loads(sys.argv[2]))
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    process = subprocess.Popen([sys.executable, "-W", "ignore", "-c", script,
                                str(tmp_path / "run"), json.dumps(ENDLESS)], stdout=subprocess.PIPE)
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert b"interrupted" in out and process.returncode == 0
    state = json.loads((tmp_path / "run" / "status").read_text())["state"]
    assert state not in ("complete", "running")


def test_settings_reach_the_program(texts, tmp_path):
    run = tributary.run(texts, target="guide", output=tmp_path / "set", tensor_n=4, cp={"rank": 7},
                        influence_methods=["traced", "lowe"], corpus={"encoding": "utf-8"})
    resolved = (run.directory / "config.resolved.yaml").read_text()
    assert "n: 4" in resolved and "rank: 7" in resolved and "methods: [traced, lowe]" in resolved
    assert run.methods == ["traced", "lowe"] and run.tensor("guide").ndim == 4


def test_without_pandas_tables_are_arrays(bay):
    script = textwrap.dedent("""
        import sys
        sys.modules["pandas"] = None
        import tributary
        run = tributary.open(sys.argv[1])
        table = run.shares()
        assert table.dtype.names[:4] == ("target", "source", "method", "share"), table.dtype
        print(round(float(table["share"].sum()), 9), len(run.passages(min_words=20)),
              len(run.trace("guide")), run.documents["year"][0], run.distances().shape,
              "svg" in run._repr_html_())
    """)
    out = subprocess.run([sys.executable, "-c", script, str(bay.directory)], check=True,
                         stdout=subprocess.PIPE, text=True).stdout.split(" ", 3)
    assert out[0] == "1.0" and int(out[1]) == len(bay.passages(min_words=20))
    assert int(out[2]) == len(bay.trace("guide"))


def test_every_column_of_the_tables_has_a_type(bay):
    page = (SOURCES / "docs" / "run-directory" / "tables.md").read_text(encoding="utf-8")
    from tributary import _tables
    texts = 0
    for section in page.split("\n## ")[1:]:
        name = section.split("\n", 1)[0]
        if not name.endswith((".csv", ".tsv")) or "/" in name:
            continue
        for line in section.split("\n"):
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) < 5 or not cells[1].startswith("`") or cells[2].startswith("unit"):
                continue
            for column in cells[1].replace("`", "").split(", "):
                kind = _tables.TYPES.get(column, "t")
                if column in _tables.TEXTS.get(name[:-4], ()):
                    kind = "t"
                unit = cells[2]
                wanted = "b" if unit.startswith("`TRUE`") else \
                    "f" if unit.startswith(("0 to 1", "above 0", "number", "nats")) else \
                    "c" if unit.startswith(("count", "from 1", "bytes")) else \
                    "n" if unit.startswith("year") else "t"
                if "or empty" in unit and wanted == "c":
                    wanted = "n"
                if unit == "likewise":
                    continue
                assert kind == wanted, (name, column, unit)
                texts += 1
    assert texts > 60


def test_overlong_runs_of_threads_do_not_block_python(bay):
    ticks = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    tensor = bay.tensor("guide")
    tensor.cp(60, iterations=300, tolerance=0, threads=1)
    stop.set()
    thread.join()
    assert len(ticks) > 3
