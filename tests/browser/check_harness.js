// check_harness.js - the checks find what they look for, on pages made wrong on purpose.
'use strict';
const fs = require('fs'), path = require('path'), assert = require('assert');
const {visit, axeFaults} = require('./browser'), layout = require('./layout');

const wide = '<p style="width:3000px">wide</p>';
const cut = '<p style="width:4em;overflow:hidden;white-space:nowrap">a long line of text</p>';
const box = '<div style="width:9em;overflow-x:auto"><p style="width:20em">scrolls</p></div>';
const label = '<svg width="40" height="20"><text x="10" y="12">a label that is long</text></svg>';

// What is wrong, the body of a page, and a part of the message.
const wrong = [
    ['a message on the console', '<script>console.log("hello")</script>', /on the console: hello/],
    ['an exception', '<script>nothing()</script>', /exception/],
    ['a script that a policy forbids', '<meta http-equiv="Content-Security-Policy" ' +
        'content="script-src \'none\'"><script>1</script>', /Content Security Policy/],
    ['a request to a network', '<img alt="" src="http://localhost/a.png">', /request: http:/],
    ['a missing file', '<script src="missing.js"></script>', /missing.js/],
    ['a page that is too wide', wide, /3\d\d\d pixels wide/],
    ['text that is cut off', cut, /cut off: p/],
    ['a box that no keyboard scrolls', box, /scrolls, not by keyboard/],
    ['a label outside its figure', label, /outside its figure: text/],
    ['an image without a text', '<img src="data:,">', /axe: image-alt/],
    ['grey on grey', '<p style="color:#888;background:#999">grey</p>', /axe: color-contrast/]
];

module.exports = async (check, browser, made) => {
    const page = body => {
        const file = path.join(made.folder, 'wrong.html');
        fs.writeFileSync(file, '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">' +
            `<title>wrong</title></head><body><main><h1>Wrong</h1>${body}</main></body></html>`);
        return file;
    };
    const faultsOf = async body => {
        try {
            const found = await visit(browser, page(body), {}, async opened =>
                (await axeFaults(opened)).concat(await opened.evaluate(layout.faults, false)));
            return found.join('\n');
        } catch (error) {
            return error.message;
        }
    };
    await check('harness: a page without a fault has none', async () => {
        assert.strictEqual(await faultsOf('<p>right</p>'), '');
    });
    for (const [what, body, message] of wrong)
        await check(`harness: ${what} is found`, async () => {
            assert.match(await faultsOf(body), message);
        });
    await check('harness: on paper, a box that scrolls is cut off', async () => {
        const found = await visit(browser, page(box), {media: 'print'},
                                  opened => opened.evaluate(layout.faults, true));
        assert.match(found.join('\n'), /cut off: div/);
    });
};
