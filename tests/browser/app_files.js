// app_files.js - files as historians have them, made here: twelve of six kinds, with names in three
// scripts; files that cannot be read; names and titles that are markup.
'use strict';
const fs = require('fs'), path = require('path');
const corpora = require('./corpora');

const passage = 'The lamp of the northern tower was trimmed by three sisters, who counted every ' +
    'sail that passed the reef and wrote its number on a slate beside the kettle.';
exports.passage = passage;

const table = Array.from({length: 256}, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ n >>> 1 : n >>> 1;
    return n >>> 0;
});
const crc32 = bytes => (bytes.reduce((sum, b) => table[(sum ^ b) & 255] ^ sum >>> 8, 0xffffffff) ^
    0xffffffff) >>> 0;

// A ZIP of files that are not compressed.
function zip(files) {
    const parts = [], listed = [];
    let at = 0;
    for (const [name, text] of Object.entries(files)) {
        const bytes = Buffer.from(text), said = Buffer.from(name);
        const head = Buffer.alloc(26);
        head.writeUInt16LE(20, 0);
        head.writeUInt16LE(0x800, 2); // the name is UTF-8
        head.writeUInt32LE(0x00210000, 6);
        head.writeUInt32LE(crc32(bytes), 10);
        head.writeUInt32LE(bytes.length, 14);
        head.writeUInt32LE(bytes.length, 18);
        head.writeUInt16LE(said.length, 22);
        const place = Buffer.alloc(14);
        place.writeUInt32LE(at, 10);
        listed.push(Buffer.from('PK\x01\x02\x14\0'), head, place, said);
        const part = Buffer.concat([Buffer.from('PK\x03\x04'), head, said, bytes]);
        parts.push(part);
        at += part.length;
    }
    const list = Buffer.concat(listed), end = Buffer.alloc(18), n = Object.keys(files).length;
    end.writeUInt16LE(n, 4);
    end.writeUInt16LE(n, 6);
    end.writeUInt32LE(list.length, 8);
    end.writeUInt32LE(at, 12);
    return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end]);
}

const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const paragraphs = (text, before, after) =>
    text.split(/\n+/).map(p => before + escaped(p.trim()) + after).join('\n');
const open = '<?xml version="1.0" encoding="UTF-8"?>';

const docx = text => zip({
    '[Content_Types].xml': `${open}<Types xmlns="http://schemas.openxmlformats.org/package/2006/` +
        'content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    '_rels/.rels': `${open}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/` +
        'relationships"><Relationship Id="a" Target="word/document.xml" Type="http://schemas.' +
        'openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>',
    'word/document.xml': `${open}<w:document xmlns:w="http://schemas.openxmlformats.org/` +
        'wordprocessingml/2006/main"><w:body>' +
        paragraphs(text, '<w:p><w:r><w:t>', '</w:t></w:r></w:p>') + '</w:body></w:document>'
});
const odt = text => zip({
    'mimetype': 'application/vnd.oasis.opendocument.text',
    'content.xml': `${open}<office:document-content xmlns:office="urn:oasis:names:tc:` +
        'opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:' +
        'text:1.0">' +
        '<office:body><office:text>' + paragraphs(text, '<text:p>', '</text:p>') +
        '</office:text></office:body></office:document-content>'
});
const epub = text => zip({
    'mimetype': 'application/epub+zip',
    'META-INF/container.xml': `${open}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:` +
        'container" version="1.0"><rootfiles><rootfile full-path="book.opf" media-type=' +
        '"application/oebps-package+xml"/></rootfiles></container>',
    'book.opf': `${open}<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/>` +
        '<manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>' +
        '<spine><itemref idref="a"/></spine></package>',
    'a.xhtml': `${open}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>a</title></head>` +
        `<body>${paragraphs(text, '<p>', '</p>')}</body></html>`
});
const tei = text => `${open}<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>` +
    '<titleStmt><title>A log of the harbour</title></titleStmt><publicationStmt><p>none</p>' +
    '</publicationStmt><sourceDesc><p>none</p></sourceDesc></fileDesc></teiHeader><text><body>' +
    paragraphs(text, '<p>', '</p>') + '</body></text></TEI>';
const html = text => `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Sermon</title>` +
    `</head><body>${paragraphs(text, '<p>', '</p>')}</body></html>`;

const prose = (seed, words) => words ? corpora.withPassage(corpora.randomText(seed, 24),
    words === true ? passage : words) : corpora.randomText(seed, 24);
const other = 'Nobody in the village would say who had hung the seven copper kettles in the old ' +
    'pear tree behind the chapel, nor why they rang on the eve of every wedding.';

function write(folder, files) {
    fs.mkdirSync(folder, {recursive: true});
    return Object.entries(files).map(([name, bytes]) => {
        fs.writeFileSync(path.join(folder, name), bytes);
        return path.join(folder, name);
    });
}

// Twelve files; "1871 Keeper.txt" is the oldest that holds the passage, "1907 Guide.docx" the last.
// The letter and the novel hold another.
exports.twelve = folder => write(folder, {
    '1871 Keeper.txt': prose(1, true), '1907 Guide.docx': docx(prose(2, true)),
    '1884 Letter.odt': odt(prose(3, other)), '1890 Novel.epub': epub(prose(4, other)),
    '1866 Log.xml': tei(prose(5)), '1879 Sermon.html': html(prose(6)),
    'Επιστολή 1820.txt': prose(7), 'Ημερολόγιο 1825.docx': docx(prose(8)),
    'מכתב 1850.txt': prose(9), 'יומן 1855.odt': odt(prose(10)),
    '1895 Report.xml': tei(prose(11)), '1899 Diary.html': html(prose(12))
});

exports.small = (folder, n) => write(folder, Object.fromEntries(Array.from({length: n}, (_, i) =>
    [`letter ${String(i + 1).padStart(4, '0')}.txt`, corpora.randomText(i + 1, 3)])));

exports.unreadable = folder => write(folder, {'broken.docx': 'this is no document of Word'});

// Names that would be markup, a formula or a path where they were not text.
exports.hostile = folder => write(folder, {
    '<img src=x onerror=alert(1)>.txt': prose(21, true),
    '"><script>alert(2)<&#x2f;script>.txt': prose(22, true),
    '=HYPERLINK("x").txt': prose(23), "' onfocus='alert(3).txt": prose(24)
});

// Texts that are written from the right to the left; two hold the passage.
exports.hebrew = 'המגדל הישן עמד על הסלע והשומר כתב ' +
    'את שם כל ספינה בספר ליד החלון';
const letters = 'אבגדהוזחטיכלמנסעפצקרשת';
const hebrewProse = seed => Array.from({length: 400}, (_, i) => letters.slice(
    (i * seed * 7 + i * i) % 17, (i * seed * 7 + i * i) % 17 + 2 + (i * seed) % 4)).join(' ');
exports.rtl = folder => write(folder, {
    'יומן 1850.txt': `${hebrewProse(3)} ${exports.hebrew} ${hebrewProse(5)}`,
    'מכתב 1870.txt': `${hebrewProse(11)} ${exports.hebrew} ${hebrewProse(13)}`
});
