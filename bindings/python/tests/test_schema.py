"""The JSON Schema of a configuration and the loader accept the same values, key by key."""
import ctypes
import json
import re
import subprocess
from ctypes import byref, c_char_p, c_int, c_void_p
from functools import lru_cache

import jsonschema
import pytest

from conftest import SOURCES
from tributary._library import LibraryError, library
from tributary._program import call, program

SCHEMA = json.loads(call(["help", "keys", "--schema"]))
KEYS = sorted(SCHEMA["definitions"])
DOCUMENT = SCHEMA["properties"]["corpus"]["properties"]["documents"]["items"]["anyOf"][1]
FIELDS = DOCUMENT["properties"]
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
BASE = {"documents": [{"id": "a", "file": "a.txt"}, {"id": "b", "file": "b.txt"}]}


@lru_cache(maxsize=None)
def parse():
    function = library().trib_experiment_parse
    function.restype = c_int
    function.argtypes = [ctypes.POINTER(c_void_p), c_char_p, c_char_p, c_void_p, c_void_p,
                         ctypes.POINTER(LibraryError)]
    library().trib_experiment_close.argtypes = [c_void_p]
    return function


def errors_of_the_loader(document):
    """The errors of the loader; JSON is YAML."""
    handle, error = c_void_p(), LibraryError()
    if parse()(byref(handle), b"test.yaml", json.dumps(document).encode(), None, None,
               byref(error)) == 0:
        library().trib_experiment_close(handle)
        return ""
    return error.message.decode("utf-8", "replace")


def document_with(key, value):
    document = {"tributary": 1, "corpus": {"target": ["a"], **BASE}}
    section, _, name = key.partition(".")
    if name:
        document.setdefault(section, {})[name] = value
    else:
        document[section] = value
    return document


def rejected_by_the_loader(key, value):
    """Whether the value of this key is wrong; that it does not suit other keys is not asked."""
    text = errors_of_the_loader(document_with(key, value))
    shape = re.compile(rf"'{re.escape(key)}' (must be|is empty|is out of range|has more)"
                       rf"|occurs twice in '{re.escape(key)}'|pattern of 'reference' is wrong")
    return bool(shape.search(text))


def candidates(definition):
    """Values around those that a definition of the schema names."""
    values = [None, True, False, "", "x-no-such-word", 0, 1, -1, 2, 3, 0.5, 1.5, -0.5, 1e300,
              [], [1], ["x-no-such-word"], {}, {"a": 1}, "2 GiB", "30 min", "2GiB", "GiB",
              "3 parsecs", 10**12, "1", "auto", "none", "all", [0.5, 1], [1, 1], [None], [[1]]]

    def walk(part):
        if isinstance(part, dict):
            for word in part.get("enum", ()):
                values.extend([word, [word], [word, word], str(word).upper()])
            for limit in ("minimum", "maximum"):
                if limit in part:
                    values.extend([part[limit], part[limit] - 1, part[limit] + 1])
            values.append(part.get("default", 1))
            if len(part.get("enum", ())) > 1:
                values.append(part["enum"][:2])
            for inner in part.values():
                walk(inner)
        elif isinstance(part, list):
            for inner in part:
                walk(inner)

    walk(definition)
    unique = []
    for value in values:
        if json.dumps(value) not in [json.dumps(other) for other in unique]:
            unique.append(value)
    return unique


def is_whole_float(value):
    """3.0 is an integer to JSON Schema; the loader asks for 3."""
    return isinstance(value, float) and value == int(value)


# Relations between values that a schema of one key cannot say, or says with less detail.
def is_excused(key, value):
    flat = value if isinstance(value, list) else [value]
    if any(is_whole_float(item) for item in flat):
        return True
    if key in ("corpus.target", "corpus.reference") and any(
            isinstance(item, bool) for item in flat):
        return True  # a word like any other to the loader, but hardly meant
    if key == "tokens.stop" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return not isinstance(value, int) or value < 0  # the name of a file, but hardly meant
    if isinstance(value, list) and len(set(map(str, value))) < len(value):
        return len(set(map(repr, value))) == len(value)  # 1 and "1" are the same to the loader
    if key in ("tensor.block", "tensor.superblock") and isinstance(value, int):
        return value < 1 or value & (value - 1) != 0  # the loader asks for a power of two
    return False


@pytest.mark.parametrize("key", KEYS)
def test_schema_and_loader_agree(key):
    validator = jsonschema.Draft7Validator(SCHEMA["definitions"][key])
    accepted = rejected = 0
    for value in candidates(SCHEMA["definitions"][key]):
        if is_excused(key, value):
            continue
        by_schema = validator.is_valid(value)
        by_loader = not rejected_by_the_loader(key, value)
        accepted, rejected = accepted + by_schema, rejected + (not by_schema)
        assert by_schema == by_loader, (key, value, by_schema,
                                        errors_of_the_loader(document_with(key, value)))
    assert accepted and rejected


def test_the_schema_is_one_and_names_the_table_of_keys():
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    table = json.loads(call(["help", "keys", "--json"]))
    named = {row["name"] for row in table["Keys of a configuration (--set KEY=VALUE)"]}
    assert named == set(KEYS)
    for key in KEYS:  # every default is a value of its key
        definition = SCHEMA["definitions"][key]
        assert jsonschema.Draft7Validator(definition).is_valid(definition["default"]), key


def test_unknown_keys_and_wrong_parts_are_rejected_by_both():
    good = {"tributary": 1, "corpus": {"target": "a", **BASE}, "cp": None,
            "sweep": {"grid": {"cp.rank": [10, 50], "tensor.n": 3}, "failures": 1}}
    assert VALIDATOR.is_valid(good) and not errors_of_the_loader(good)
    for change in ({"tributary": 2}, {"cpp": {}}, {"cp": {"rnak": 3}}, {"cp": [1]},
                   {"cp": "rank"}, {"corpus": {"target": "a", "documents": {"a": 1}}},
                   {"corpus": {"target": "a", "documents": [{"id": "a"}]}},
                   {"corpus": {"target": "a", "documents": [{"file": "a", "titel": "x"}]}},
                   {"corpus": {"target": "a", "documents": [{"file": "a", "role": "x"}]}},
                   {"corpus": {"target": "a", "documents": [["a"]]}}):
        bad = {**good, **change}
        assert not VALIDATOR.is_valid(bad) and errors_of_the_loader(bad), change
    without = {key: value for key, value in good.items() if key != "tributary"}
    assert not VALIDATOR.is_valid(without) and errors_of_the_loader(without)
    assert not VALIDATOR.is_valid({**good, "sweep": {"grid": {"corpus.root": ["a"]}}})


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_schema_and_loader_agree_on_the_fields_of_documents(field):
    # the words of an id, a date, a language or an encoding, and that a file has a name, are for the
    # loader
    by_words = re.compile(r"is not a (valid id|date)|cannot be an id|has no 'file'"
                          r"|pattern of 'reference' is wrong: it is empty|unknown (language|encoding)"
                          r"|'pages: true' is for a folder")
    accepted = rejected = 0
    for value in candidates(FIELDS[field]):
        document = {"file": "a.txt", **{field: value}}
        text = errors_of_the_loader({"tributary": 1, "corpus": {
            "target": "b", "documents": [document, {"id": "b", "file": "b.txt"}]}})
        by_schema = jsonschema.Draft7Validator(DOCUMENT).is_valid(document)
        accepted, rejected = accepted + by_schema, rejected + (not by_schema)
        assert bool(text) != by_schema or by_words.search(text), (value, by_schema, text)
    assert accepted and rejected


def test_schema_and_program_agree_on_what_a_sweep_varies(tmp_path):
    (tmp_path / "a.txt").write_text("the old ferry leaves at dawn", encoding="utf-8")
    (tmp_path / "b.txt").write_text("the old ferry leaves at noon", encoding="utf-8")
    shape = re.compile(r"must be|is empty|is out of range|has more|has no value|cannot vary it")
    for key in KEYS:
        definition = SCHEMA["definitions"][key]
        for value in ({}, [], {"a": 1}, [{}], definition["default"], [definition["default"]]):
            document = {"tributary": 1, "corpus": {"target": ["a"], **BASE},
                        "sweep": {"grid": {key: value}}}
            (tmp_path / "s.yaml").write_text(json.dumps(document), encoding="utf-8")
            said = subprocess.run([program(), "check", str(tmp_path / "s.yaml")], text=True,
                                  capture_output=True, check=False)
            by_program = not shape.search(said.stderr)
            assert VALIDATOR.is_valid(document) == by_program, (key, value, said.stderr)


def test_the_experiments_of_the_sources_are_valid():
    yaml = pytest.importorskip("yaml")
    files = sorted((SOURCES / "configs").glob("*.yaml"))
    assert files
    for path in files + [SOURCES / "corpora" / "carrow-bay" / "experiment.yaml"]:
        found = list(VALIDATOR.iter_errors(yaml.safe_load(path.read_text(encoding="utf-8"))))
        assert not found, (path, found)
