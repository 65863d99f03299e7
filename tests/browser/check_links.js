// check_links.js - every link of a report leads to a file of the run and to a place in it.
'use strict';
const fs = require('fs'), path = require('path'), assert = require('assert');

const unescaped = text => text.replace(/&#(\d+);/g, (_, n) => String.fromCodePoint(n))
    .replace(/&quot;/g, '"').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');

function places(file, known) {
    if (!known.has(file)) {
        const html = fs.readFileSync(file, 'utf8');
        const ids = [...html.matchAll(/\sid="?([^\s">]+)/g)].map(m => unescaped(m[1]));
        known.set(file, new Set(ids));
    }
    return known.get(file);
}

// The links of a page that lead nowhere. `checks` counts those that were looked at.
function deadLinks(file, known, checks) {
    const dead = [], html = fs.readFileSync(file, 'utf8');
    for (const match of html.matchAll(/<a\s[^>]*?href=(?:"([^"]*)"|([^\s">]+))/g)) {
        const link = unescaped(match[1] === undefined ? match[2] : match[1]);
        if (/^https?:/.test(link)) continue;
        const [page, place] = link.split('#'), to = page.split('?')[0];
        const target = to ? path.join(path.dirname(file), decodeURIComponent(to)) : file;
        checks.n++;
        if (!fs.existsSync(target)) dead.push(`${path.basename(file)} -> ${link}: no such file`);
        else if (place && !/^w\d+(-\d+)?$/.test(place) &&
                 !places(target, known).has(decodeURIComponent(place)))
            dead.push(`${path.basename(file)} -> ${link}: no such place`);
    }
    return dead;
}

module.exports = async (check, browser, {runs}) => {
    for (const run of runs)
        await check(`${run.name}: every link leads somewhere`, async () => {
            const known = new Map(), checks = {n: 0};
            const dead = Object.values(run.pages).flat()
                .flatMap(file => deadLinks(file, known, checks));
            assert.strictEqual(dead.slice(0, 8).join('\n'), '');
            assert.ok(checks.n > 5, `${checks.n} links`);
        });
};
module.exports.deadLinks = deadLinks;
