#!/usr/bin/env python3
"""Words of every text of a folder by PyICU, as the table of tests/tokenizer/token.c: file, locale,
words, SHA-256.

usage: pyicu.py FOLDER

An oracle for the tokeniser's default options that shares no code with it but ICU itself: the whole
text goes to one word iterator; single underscores become soft hyphens first; a segment counts when
ICU gives it a word status or it holds a letter; without a letter it is a number and dropped; format
characters are removed, U+2019 becomes U+0027, then NFC, full case folding, NFC. The words, each
followed by a newline, are hashed."""
import hashlib
import pathlib
import re
import sys

import icu

NFC = icu.Normalizer2.getNFCInstance()
FORMAT = icu.UnicodeSet(r"[\p{Word_Break=Format}]")
LOCALES = {"cmn": "zh", "pes": "fa", "arb": "ar", "kafka": "de"}


def locale_of(path):
    """ICU's locale for udhr_deu_1901.txt (ISO 639-3) and the like."""
    stem = path.stem.removeprefix("udhr_").split("_")[0]
    return LOCALES.get(stem) or icu.Locale(stem).getLanguage()


def words(text, locale):
    text = re.sub("(?<!_)_(?!_)", "\u00ad", text).replace("_", " ")
    turkic = locale in ("tr", "az")
    source = icu.UnicodeString(text)
    iterator = icu.BreakIterator.createWordInstance(icu.Locale(locale))
    iterator.setText(source)
    begin = iterator.first()
    for end in iterator:
        segment = str(source[begin:end])
        begin = end
        has_letter = any(icu.Char.isUAlphabetic(c) for c in segment)
        if not has_letter:
            continue
        word = "".join(c for c in segment if c not in FORMAT).replace("\u2019", "'")
        folded = icu.UnicodeString(NFC.normalize(word)).foldCase(1 if turkic else 0)
        yield NFC.normalize(str(folded))


def main():
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.txt")):
        locale = locale_of(path)
        found = list(words(path.read_text(encoding="utf-8-sig"), locale))
        joined = "".join(word + "\n" for word in found).encode()
        print(f'    {{"{path.name}", "{locale}", {len(found)},')
        print(f'     "{hashlib.sha256(joined).hexdigest()}"}},')


if __name__ == "__main__":
    main()
