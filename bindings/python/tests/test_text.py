"""The vectoriser and the estimator of tributary.text."""
import inspect
import re

import numpy
import pandas
import pytest

import tributary
from conftest import TEXTS
from tributary.text import Influence, Vectorizer

POEMS = {"Ilias Α": "sing goddess the anger sing goddess", "源氏": "the anger of the goddess",
         "b": "the the the anger"}


def counted(text, n):
    """N-grams by Python."""
    words = text.split()
    found = {}
    for i in range(len(words) - n + 1):
        gram = tuple(words[i:i + n])
        found[gram] = found.get(gram, 0) + 1
    return found


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_n_gram_is_counted_at_its_words(n):
    vectorizer = Vectorizer(ngram=n)
    x = vectorizer.fit_transform(POEMS)
    words = vectorizer.get_feature_names_out()
    assert x.shape == (3,) + (len(words),) * n and vectorizer.names_ == list(POEMS)
    assert [vectorizer.vocabulary_[word] for word in words] == list(range(len(words)))
    found = {}
    for place, value in zip(*x.entries()):
        found[(int(place[0]), *words[place[1:]])] = value
    assert found == {(number, *gram): count for number, text in enumerate(POEMS.values())
                     for gram, count in counted(text, n).items()}


def test_new_texts_are_counted_over_the_words_that_were_fitted():
    vectorizer = Vectorizer(ngram=2).fit(list(POEMS.values()))
    x = vectorizer.transform(["the anger of nobody", "sing goddess"])
    words = vectorizer.get_feature_names_out()
    assert x.shape == (2, len(words), len(words)) and vectorizer.names_ == ["text-01", "text-02"]
    assert sorted((int(p[0]), *words[p[1:]]) for p in x.coords) == [
        (0, "anger", "of"), (0, "the", "anger"), (1, "sing", "goddess")]
    assert vectorizer.transform(["nobody here"]).nnz == 0
    with pytest.raises(tributary.UsageError, match="not fitted"):
        Vectorizer().transform(["a"])


def test_settings_files_and_words_are_those_of_a_run(bay):
    stemmed = Vectorizer(1, settings={"tokens": {"stem": "en"}, "vocabulary_size": 20})
    x = stemmed.fit_transform({"a": ["boats", "boat", "the"], "b": "the boat"})
    assert x.get([[0, stemmed.vocabulary_["boat"]]])[0] == 2
    files = Vectorizer().fit_transform(TEXTS)
    guide = bay.tensor("guide")
    assert files.shape[0] == 4
    coords, values = files.entries()
    assert values[coords[:, 0] == 0].sum() == guide.values.sum()
    with pytest.raises(tributary.ConfigError, match="unknown key 'steem'"):
        Vectorizer(settings={"tokens_steem": "en"}).fit(POEMS)
    with pytest.raises(tributary.ConfigError, match="there are no texts"):
        Vectorizer().fit([])


def test_shares_are_those_of_the_run(texts):
    found = Influence(target="guide").fit(texts)
    shares = found.shares_
    assert list(shares.index) == list(shares.columns) == list(texts) == found.names_
    table = found.run_.shares(found_only=True)
    assert {(t, s): v for t, s, v in zip(table["target"], table["source"], table["share"])} == {
        (t, s): shares.loc[t, s] for t in shares.index for s in shares.columns
        if shares.loc[t, s] > 0}
    likeness = found.similarity_matrix_
    assert numpy.array_equal(likeness, likeness.T) and (likeness.diagonal() == 1).all()
    guide, keeper = found.names_.index("guide"), found.names_.index("keeper")
    assert likeness[keeper, guide] == shares.loc["guide", "keeper"] > .2
    table = pandas.DataFrame({"text": list(texts.values())}, index=["β", "a b", "a-b", "源"])
    assert list(Influence(method="split").fit(table).shares_.index) == ["β", "a b", "a-b", "源"]
    assert Influence(method="split").fit(TEXTS).names_ == sorted(texts)


def test_parameters_are_as_scikit_learn_asks():
    for estimator in (Vectorizer(2, settings={"tokens_stem": "en"}), Influence(method="split")):
        params = estimator.get_params()
        assert list(params) == list(inspect.signature(type(estimator)).parameters)
        copy = type(estimator)(**params)
        assert all(copy.get_params()[name] is value for name, value in params.items())
        assert copy.set_params(settings=None) is copy and copy.settings is None
        with pytest.raises(ValueError, match="no parameter 'ngrams'; it has .*settings"):
            copy.set_params(ngrams=3)
        assert repr(copy).startswith(type(copy).__name__ + "(")


@pytest.mark.parametrize("wrong, says", [
    (lambda x: x.toarray(), "here it is to_dense()"),
    (lambda x: x.subs, "here it is coords"),
    (lambda x: x.cp(1).factor_matrices, "here it is factors"),
    (lambda x: x.cp(1, "als", maxiters=5), "here it is iterations"),
    (lambda x: tributary.CP(n_components=2), "here it is rank"),
    (lambda x: tributary.CP(1).fit(x).components_, "here it is factors_.factors"),
    (lambda x: Vectorizer(ngram_range=(1, 2)), "here it is ngram, one number"),
    (lambda x: tributary.sptensor, "here it is Tensor("),
    (lambda x: tributary.cp_als(x, 2), "here it is Tensor.cp"),
])
def test_names_of_other_packages_are_answered_by_ours(wrong, says):
    x = tributary.Tensor([[0, 0], [1, 1]], [1.0, 2.0])
    with pytest.raises((AttributeError, TypeError, tributary.UsageError), match=re.escape(says)):
        wrong(x)
    for one in (x, x.cp(1), tributary.CP(1), Vectorizer(), tributary):
        with pytest.raises(AttributeError, match="has no attribute 'nowhere'$"):
            one.nowhere
    assert "rank" in tributary.CP().get_params() and not hasattr(x, "toarray")
