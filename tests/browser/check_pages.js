// check_pages.js - what holds for a page of every kind, of every run: it opens from disk without a
// message, without a request and without its scripts; it fits at every width and on paper; axe-core
// finds no fault, light or dark.
'use strict';
const path = require('path'), assert = require('assert');
const {visit, change, axeFaults} = require('./browser'), layout = require('./layout');

const opens = 'it opens from disk without a message or a request';
const widths = [390, 800, 1400];

// The text that a reader sees.
const seen = page => page.evaluate(() => document.body.innerText.replace(/\s+/g, ' '));

// Everything that is looked at in one visit: {CHECK: faults}.
async function look(browser, file) {
    const found = {[opens]: []};
    await visit(browser, file, {}, async page => {
        for (const scheme of ['light', 'dark']) {
            await change(page, {scheme});
            found[`axe finds no fault, ${scheme}`] = await axeFaults(page);
        }
        for (const width of widths) {
            await change(page, {width});
            found[`everything fits at ${width} pixels`] =
                await page.evaluate(layout.faults, false);
        }
        for (const [paper, width] of Object.entries(layout.paper)) {
            await change(page, {width, media: 'print'});
            found[`everything fits on ${paper}`] = await page.evaluate(layout.faults, true);
        }
    }).catch(error => found[opens].push(error.message));
    return found;
}

async function checkPage(check, browser, name, file) {
    for (const [what, faults] of Object.entries(await look(browser, file)))
        await check(`${name}: ${what}`, () => assert.strictEqual(faults.join('\n'), ''));
    await check(`${name}: without scripts the same text is there`, async () => {
        const [without, withScripts] = await Promise.all(
            [false, true].map(scripts => visit(browser, file, {scripts}, seen)));
        assert.ok(without.length > 0.8 * withScripts.length,
                  `${without.length} characters without scripts, ${withScripts.length} with them`);
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
