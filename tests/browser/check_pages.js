// check_pages.js - what holds for a page of every kind, of every run: it opens from disk without a
// message, without a request and without its scripts; it fits at every width and on paper; axe-core
// finds no fault, light or dark.
'use strict';
const path = require('path'), assert = require('assert');
const {visit, change, axeFaults} = require('./browser'), layout = require('./layout');

const opens = 'it opens from disk without a message or a request';
const without = 'without scripts the same text is there';
const widths = [390, 800, 1400];

// The text that a reader sees who scrolls to the end.
const seen = page => page.evaluate(() => {
    for (const e of document.querySelectorAll('main *'))
        if (getComputedStyle(e).contentVisibility === 'auto') e.style.contentVisibility = 'visible';
    return document.body.innerText.replace(/\s+/g, ' ');
});

// What is looked at in one visit: [CHECK, how the page is opened, function that returns faults].
const looks = [].concat(
    ['light', 'dark'].map(scheme => [`axe finds no fault, ${scheme}`, {scheme}, axeFaults]),
    widths.map(width => [
        `everything fits at ${width} pixels`, {width}, page => page.evaluate(layout.faults, false)
    ]),
    Object.entries(layout.paper).map(([paper, width]) => [
        `everything fits on ${paper}`, {width, media: 'print'},
        page => page.evaluate(layout.faults, true)
    ]));

// Looks at a page in every way that is wanted: {CHECK: faults}.
async function look(browser, file, isWanted) {
    const found = {[opens]: []};
    await visit(browser, file, {}, async page => {
        for (const [what, how, faults] of looks.filter(l => isWanted(l[0]))) {
            await change(page, how);
            found[what] = await faults(page);
        }
    }).catch(error => found[opens].push(error.message));
    return found;
}

async function checkPage(check, browser, name, file) {
    const isWanted = what => check.isWanted(`${name}: ${what}`);
    if (isWanted(opens) || looks.some(([what]) => isWanted(what))) {
        const found = await look(browser, file, isWanted);
        for (const [what, faults] of Object.entries(found))
            await check(`${name}: ${what}`, () => assert.strictEqual(faults.join('\n'), ''));
    }
    await check(`${name}: ${without}`, async () => {
        const [off, on] = await Promise.all(
            [false, true].map(scripts => visit(browser, file, {scripts}, seen)));
        assert.ok(off.length > 0.7 * on.length,
                  `${off.length} characters without scripts, ${on.length} with them`);
    });
}

// Whether the page of this path shows the passage that the target copies: all words of it, in
// their order, in one element.
async function showsPassage(browser, file, passage, how) {
    const letters = text => text.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '');
    return visit(browser, file, how, async page => {
        const text = await seen(page);
        assert.ok(letters(text).includes(letters(passage)), `not there: ${passage.slice(0, 60)}`);
    });
}

// Several pages are looked at at the same time.
async function atOnce(n, jobs) {
    const work = async () => {
        for (let job = jobs.shift(); job; job = jobs.shift()) await job();
    };
    await Promise.all(Array.from({length: n}, work));
}

async function checkPassage(check, browser, run) {
    const isTarget = file => path.basename(file) === `${run.target}.html`;
    const report = (run.pages.targets || []).find(isTarget) || run.pages.first[0];
    for (const scripts of [true, false])
        await check(`${run.name}: the copied passage is shown, ` +
                    (scripts ? 'with scripts' : 'without scripts'), () =>
            showsPassage(browser, report, run.passage, {scripts}));
}

module.exports = async (check, browser, {runs}) => {
    const jobs = [];
    for (const run of runs) {
        for (const [kind, files] of Object.entries(run.pages)) {
            const name = `${run.name}, ${kind}/${path.basename(files[0])}`;
            jobs.push(() => checkPage(check, browser, name, files[0]));
        }
        if (run.passage) jobs.push(() => checkPassage(check, browser, run));
    }
    await atOnce(3, jobs);
};
