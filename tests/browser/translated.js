// translated.js - a text in Hebrew and one in English, fourteen lines of which are in both; a
// dictionary has half of the words.
'use strict';

const words = (
    'ספינה ship מגדל tower נמל harbour רוח wind סערה storm דייג ' +
    'fisherman רשת net לחם bread מלח salt אור light לילה night בוקר ' +
    'morning ילדה girl זקן elder מכתב letter גשר bridge נהר river הר ' +
    'mountain שדה field חלון window דלת door מפתח key שוק market אבן ' +
    'stone עץ wood כלב dog חתול cat סוס horse שמש sun ירח moon ' +
    'כוכב star ים sea חוף shore גל wave ספר book שיר song מלך king ' +
    'מלכה queen כפר village עיר city דרך road יין wine שמן oil זהב ' +
    'gold כסף silver ברזל iron אש fire מים water גשם rain שלג snow').split(' ');

// Lines of sixteen words each, in the language k of the list.
function lines(first, end, k) {
    let seed = 7, text = '';
    for (let i = 0; i < 16 * end; i++) {
        seed = seed * 16807 % 2147483647;
        const word = words[2 * Math.floor(seed / 2147483647 * words.length / 2) + k];
        if (i >= 16 * first) text += word + (i % 16 === 15 ? '.\n' : ' ');
    }
    return text;
}

exports.corpus = {
    name: 'translated',
    texts: {
        'he.txt': lines(0, 70, 0),
        'en.txt': lines(56, 120, 1),
        'words.tsv': words.map((w, i) => i % 4 ? '' : `${w}\t${words[i + 1]}\n`).join('')
    },
    passage: null,
    target: 'he',
    config: {
        tributary: 1,
        name: 'translated',
        corpus: {
            root: 'texts',
            target: ['he'],
            documents: [
                {id: 'en', file: 'en.txt', title: 'The harbour', role: 'source', language: 'en'},
                {id: 'he', file: 'he.txt', title: 'הנמל', role: 'target', language: 'he'}
            ]
        },
        translations: {dictionary: 'texts/words.tsv'},
        report: {formats: ['html', 'json', 'csv']},
        output: 'run'
    }
};
