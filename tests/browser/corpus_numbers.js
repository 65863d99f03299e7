// corpus_numbers.js - two targets that each take passages from two sources, by all default methods.
'use strict';
const {randomText} = require('./corpora');

module.exports = () => {
    const texts = {}, documents = [];
    const part = (id, from, n) => texts[`${id}.txt`].split(' ').slice(from, from + n).map(
        (w, i) => i % 11 === 5 ? `changed${id}x${i}` : w).join(' ');
    const add = (id, title, date, text) => {
        texts[`${id}.txt`] = text;
        documents.push({id, file: `${id}.txt`, title, date,
            columns: `made of: ${/mint|kiln/.test(id) ? 'clay' : 'wool'}`});
    };
    add('kiln', 'The Kiln', '1801', randomText(31, 70));
    add('loom', 'The Loom', '1811', randomText(32, 70));
    add('mint', 'The Mint', '1821', [randomText(33, 20), part('kiln', 100, 300),
        randomText(34, 20), part('loom', 400, 150), randomText(35, 5)].join(' '));
    add('quay', 'The Quay', '1831', [part('loom', 50, 200), randomText(36, 30),
        part('mint', 20, 130), randomText(37, 20)].join(' '));
    const corpus = {root: 'texts', documents, target: ['mint', 'quay'], order: 'by-date'};
    const config = {tributary: 1, name: 'numbers', corpus, tokens: {locale: 'en'},
        report: {formats: ['html', 'json', 'csv', 'sqlite']}, output: 'run'};
    return {name: 'numbers', texts, passage: null, target: 'mint', config};
};
