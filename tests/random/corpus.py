"""Random corpora: texts that quote each other, in every form of docs/inputs/.

A corpus is made in memory. `Corpus.files` maps a path to its bytes, `Corpus.plain` does so for the
same texts as plain UTF-8; `Corpus.section` and `Corpus.plain_section` list the documents.
"""
import bz2
import csv
import gzip
import io
import json
import lzma
import re
import shutil
import struct
import tarfile
import zipfile
from xml.sax.saxutils import escape

# Letters, and the encodings that contain them.
ALPHABETS = [
    ('abcdefghij', ('utf-8', 'windows-1252', 'utf-16', 'utf-16le', 'utf-16be', 'utf-32le')),
    ('aeioéèüßçñAEÉ', ('utf-8', 'windows-1252', 'iso-8859-15', 'utf-16le')),
    ('абвгдежзийЖЁ', ('utf-8', 'windows-1251', 'koi8-r', 'utf-16be')),
    ('αβγδεζηθςσΣΩ', ('utf-8', 'windows-1253', 'iso-8859-7')),
    ('aıiİIşğçöü', ('utf-8', 'windows-1254')),
    ('山川日本人口大小', ('utf-8', 'gbk', 'shift_jis', 'euc-jp')),
]
ODD_WORDS = ["don't", 'o’er', 'well-known', "rock-'n'-roll", '3rd', '1999', '1,000.5', 'e\u0301a',
             '\u0301', 'a\u200db', '😀', 'x_y', 'http://a.b/c?d=e', 'a@b.c', 'ﬃ', 'ſ', '\u1e9e',
             'A.B.C.', '--', "''",
             '\U000e0041', 'w' * 300, '<b>&amp;']
GAPS = ['\n', '\n\n', '\t', '\u00a0', '\r\n', ', ', '. ', '—', '\u00ad', '! ', '\u2029',
        '\x0c', '  ']
TITLES = ['Mark', 'Le Père Goriot', '</script><script>alert(1)</script>', '"&\'<>', '=1+1', 'a\tb',
          'x\x1b[31mred', '\u202eevil', 'one\ntwo', '${x} %s {{7*7}}', '']
NAMES = ['odd name %d', 'dé%d', '-o%d', "q'uo\"te%d", 'a&b<%d>', 'x,%d', '=x%d', 'a.b.%d',
         'esc\x1b[1m%d', 'new\nline%d']
GUTENBERG = ('The Project Gutenberg EBook of A\n\n'
             '*** START OF THIS PROJECT GUTENBERG EBOOK A ***\n\n',
             '\n\n*** END OF THIS PROJECT GUTENBERG EBOOK A ***\nLicence.\n')

# ---- texts ----


def vocabulary(r, letters):
    """Makes words of one alphabet. The first ones are short."""
    words = []
    for _ in range(r.choice([1, 3, 10, 30, 60, 60, 100])):
        words.append(''.join(r.choice(letters) for _ in range(r.randint(1, 7))))
    return words


def write_text(r, words, common, earlier, length):
    """Makes the words of a text: its own, words of all texts, and quotations from earlier texts."""
    text = []
    while len(text) < length:
        source = r.choice(earlier) if earlier else []
        kind = r.random()
        if source and kind < .35:
            start = r.randrange(len(source))
            text += source[start:start + r.randint(1, 40)]
        elif common and kind < .45:
            text += common
        elif kind < .48:
            text += [r.choice(words)] * r.randint(2, 20)
        else:
            text += [words[min(len(words), int(r.paretovariate(.8))) - 1]
                     for _ in range(r.randint(1, 10))]
    return text[:length]


def write_texts(r, words):
    common = [r.choice(words) for _ in range(r.choice([0, 5, 12]))]
    texts = []
    for _ in range(r.choice([2, 3, 3, 4, 4, 5, 6])):
        is_short = r.random() < .07
        length = r.choice([0, 1, 2, 3, 5] if is_short else [30, 60, 100, 150, 250, 400])
        copied = texts and r.random() < .06
        texts.append(list(r.choice(texts)) if copied
                     else write_text(r, words, common, texts, length))
    return texts


def join_words(r, words, is_odd):
    """Joins words to a text; an odd text has unusual characters between them."""
    gaps = GAPS if is_odd else ['. ', ', ', '\n']
    return ''.join(word + (r.choice(gaps) if r.random() < .15 else ' ') for word in words)

# ---- forms ----


def drop_controls(text):
    return re.sub('[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]', ' ', text)


def make_html(text, encoding):
    page = HTML % (encoding, escape(drop_controls(text)))
    return page.encode(encoding, 'xmlcharrefreplace')


def encode_xml(document, encoding):
    head = '<?xml version="1.0" encoding="%s"?>\n' % encoding
    return (head + document).encode(encoding, 'xmlcharrefreplace')


def make_xml(text, encoding, pattern):
    return encode_xml(pattern % escape(drop_controls(text)), encoding)


def make_alto(text, encoding):
    """Writes an element for every word, eight per line."""
    words = drop_controls(text).split(' ')
    strings = ['<String CONTENT="%s"/>' % escape(word, {'"': '&quot;'}) for word in words]
    lines = [''.join(strings[i:i + 8]) for i in range(0, len(strings), 8)]
    return encode_xml(ALTO % ''.join('<TextLine>%s</TextLine>' % x for x in lines), encoding)


def make_pages(text, encoding):
    """Writes pages of 25 words as ALTO, and METS that names them: name and bytes of each file."""
    words = drop_controls(text).split(' ')
    pages = [' '.join(words[i:i + 25]) for i in range(0, len(words), 25)]
    made = [('alto/%d.xml' % n, make_alto(page, encoding)) for n, page in enumerate(pages)]
    files = ''.join('<file ID="f%d"><FLocat href="%s"/></file>' % (n, name)
                    for n, (name, _) in enumerate(made))
    order = ''.join('<div ORDER="%d"><fptr FILEID="f%d"/></div>' % (n + 1, n)
                    for n in range(len(made)))
    return [('mets.xml', encode_xml(METS % (files, order), 'utf-8'))] + made


def make_page(text, encoding):
    """Writes a region in two parts, named by the reading order in the other order."""
    words = drop_controls(text).split(' ')
    # the end of a region ends a word of a script without spaces: such a text has one region
    half = len(words) if re.search('[\u2e80-\u9fff]', text) else len(words) // 2
    parts = [escape(' '.join(part)) for part in (words[half:], words[:half])]
    return encode_xml(PAGE % tuple(parts), encoding)


def make_hocr(text, encoding):
    words = drop_controls(text).split(' ')
    spans = ["<span class='ocrx_word' title='bbox 1 2 3 4'>%s</span>" % escape(w) for w in words]
    lines = [' '.join(spans[i:i + 8]) for i in range(0, len(spans), 8)]
    page = HOCR % (encoding, ''.join("<span class='ocr_line'>%s</span>" % x for x in lines))
    return page.encode(encoding, 'xmlcharrefreplace')


def make_usfm(text, _):
    """Writes verses of eight words. What USFM gives a meaning is no part of a word."""
    words = re.sub(r'[\\\\|~/]', ' ', drop_controls(text)).split(' ')
    verses = [' '.join(words[i:i + 8]) for i in range(0, len(words), 8)]
    body = ''.join('\\v %d %s\n' % (n + 1, verse) for n, verse in enumerate(verses))
    return ('\\id GEN no\n\\c 1\n\\p\n' + body + '\\f + \\fr 1 \\ft no\\f*\n').encode()


HTML = ('<!DOCTYPE html><html><head><meta charset="%s"><title>t</title><script>var no = 1</script>'
        '</head><body><p>%s</p></body></html>')
XHTML = ('<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head>'
         '<body><p>%s</p></body></html>')
TEI = ('<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc/></teiHeader>'
       '<text><body><p>%s<note>a note, left out</note></p></body></text></TEI>')
DOCX_TYPES = ('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
              '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats'
              '-officedocument.wordprocessingml.document.main+xml"/></Types>')
DOCX_RELATIONS = ('<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
                  'relationships"><Relationship Id="r1" Target="word/document.xml" Type="http://'
                  'schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/>'
                  '</Relationships>')
DOCX_DOCUMENT = ('<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/'
                 'main"><w:body><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:body></w:document>')
TEI_GROUP = ('<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc/></teiHeader>'
             '<text><front><p>no</p></front><group>%s</group></text></TEI>')
TEI_TEXT = '<text><body><p>%s<note>a note, left out</note></p></body></text>'
TEI_CORPUS = '<teiCorpus xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/>%s</teiCorpus>'
FICTION_BOOK = ('<?xml version="1.0" encoding="UTF-8"?><FictionBook xmlns="http://www.gribuser.ru/'
                'xml/fictionbook/2.0"><description><title-info/></description><body><section><p>%s'
                '</p></section></body></FictionBook>')
DOCBOOK = '<article xmlns="http://docbook.org/ns/docbook" version="5.0"><para>%s</para></article>'
ODT_CONTENT = ('<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office'
               ':1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body>'
               '<office:text><text:p>%s</text:p></office:text></office:body>'
               '</office:document-content>')
ODT_STYLES = ('<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office'
              ':1.0"><office:styles/></office:document-styles>')
OSIS = ('<osis xmlns="http://www.bibletechnologies.net/2003/OSIS/namespace"><osisText><header/>'
        '<div><p>%s<note>a note, left out</note></p></div></osisText></osis>')
METS = ('<mets xmlns="http://www.loc.gov/METS/"><fileSec><fileGrp USE="FULLTEXT">%s</fileGrp>'
        '</fileSec><structMap TYPE="PHYSICAL"><div>%s</div></structMap></mets>')
ALTO = ('<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page><PrintSpace>'
        '<TextBlock>%s</TextBlock></PrintSpace></Page></Layout></alto>')
PAGE = ('<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page>'
        '<ReadingOrder><OrderedGroup id="o"><RegionRefIndexed index="1" regionRef="b"/>'
        '<RegionRefIndexed index="0" regionRef="a"/></OrderedGroup></ReadingOrder>'
        '<TextRegion id="n" type="page-number"><TextEquiv><Unicode>no</Unicode></TextEquiv>'
        '</TextRegion><TextRegion id="b"><TextLine><TextEquiv><Unicode>%s</Unicode></TextEquiv>'
        '</TextLine></TextRegion><TextRegion id="a"><TextLine><TextEquiv><Unicode>%s</Unicode>'
        '</TextEquiv></TextLine></TextRegion></Page></PcGts>')
HOCR = ("<!DOCTYPE html><html><head><meta charset='%s'><meta name='ocr-system' content='none'>"
        "</head><body><div class='ocr_page'><div class='ocr_header'>no</div>%s</div></body></html>")
CONTAINER = ('<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">'
             '<rootfiles><rootfile full-path="c.opf" '
             'media-type="application/oebps-package+xml"/></rootfiles></container>')
PACKAGE = ('<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest>'
           '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
           '<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest>'
           '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>')


def make_zip(members):
    data = io.BytesIO()
    with zipfile.ZipFile(data, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content)
    return data.getvalue()


def make_tar(members, mode='w'):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as archive:
        for name, content in members:
            about = tarfile.TarInfo(name)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    return data.getvalue()


def make_zstd(data):
    """Writes a frame of uncompressed blocks (RFC 8878), since Python's library has no zstd."""
    blocks = [data[i:i + 65536] for i in range(0, len(data), 65536)] or [b'']
    frame = b'\x28\xb5\x2f\xfd\x00\x58'  # magic number, no content size, a window of 2 MiB
    for i, block in enumerate(blocks):
        frame += (len(block) << 3 | (i == len(blocks) - 1)).to_bytes(3, 'little') + block
    return frame


def make_gzip_twice(data):
    half = len(data) // 2
    return gzip.compress(data[:half], mtime=0) + gzip.compress(data[half:], mtime=0)


def make_epub(text, _):
    words = text.split(' ')
    half = len(words) // 2
    chapter = [make_xml(' '.join(part), 'utf-8', XHTML) for part in (words[:half], words[half:])]
    return make_zip([('mimetype', 'application/epub+zip'), ('META-INF/container.xml', CONTAINER),
                     ('c.opf', PACKAGE), ('a.xhtml', chapter[0]), ('b.xhtml', chapter[1])])


def make_pdf(text, _):
    """Writes one page in ASCII, with a line for every eight words, in a standard font. A line
    continues until it has a longer word: pdftotext reads evenly spaced letters as one word."""
    lines, line = [], []
    for word in drop_controls(text).split():
        line.append(word)
        if len(line) >= 8 and any(len(re.sub('[^a-z]', '', w)) > 1 for w in line):
            lines.append(' '.join(line))
            line = []
    lines[-1:] = [' '.join(lines[-1:] + line)]
    show = ''.join('(%s) Tj T*\n' % re.sub(r'([\\()])', r'\\\1', line) for line in lines)
    page = 'BT /F1 8 Tf 10 TL 20 %d Td\n%sET' % (10 * len(lines) + 20, show)
    stream = page.encode('ascii', 'replace')
    objects = [b'<< /Type /Catalog /Pages 2 0 R >>', b'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
               b'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1000 %d] /Contents 4 0 R /Resources '
               b'<< /Font << /F1 5 0 R >> >> >>' % (10 * len(lines) + 40),
               b'<< /Length %d >>\nstream\n%s\nendstream' % (len(stream), stream),
               b'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>']
    data, places = b'%PDF-1.4\n', []
    for i, body in enumerate(objects):
        places.append(len(data))
        data += b'%d 0 obj\n%s\nendobj\n' % (i + 1, body)
    table = b''.join(b'%010d 00000 n \n' % place for place in places)
    return data + (b'xref\n0 6\n0000000000 65535 f \n%strailer\n<< /Size 6 /Root 1 0 R >>\n'
                   b'startxref\n%d\n%%%%EOF\n' % (table, len(data)))


def make_rtf(text, _):
    """Writes each character beyond ASCII, and some others, as code units of UTF-16."""
    units = ''.join(c if c.isascii() and c.isalnum() else
                    ''.join('\\u%d ' % u for u in struct.unpack(
                        '<%dh' % (len(c.encode('utf-16-le')) // 2), c.encode('utf-16-le')))
                    for c in drop_controls(text))
    return ('{\\rtf1\\ansi\\uc0{\\header no}' + units + '}').encode('ascii')


def make_subtitles(text, mark):
    """A cue for every eight words."""
    words = drop_controls(text).split() or ['.']
    cues = ['%d\n00:00:%02d%s000 --> 00:01:00%s000\n%s\n' %
            (i + 1, i % 60, mark, mark, escape(' '.join(words[i:i + 8])))
            for i in range(0, len(words), 8)]
    return ('WEBVTT\n\n' * (mark == '.') + '\n'.join(cues)).encode()


def make_markdown(text, _):
    return re.sub('([^A-Za-z0-9 \n])', r'\\\1', drop_controls(text)).encode()


def make_latex(text, _):
    body = ''.join(c if c.isalnum() or c in " \n.,-'" else ' ' for c in drop_controls(text))
    return ('\\documentclass{book}\n\\begin{document}\n%s\n\\end{document}\n' % body).encode()


def one_line(text):
    return escape(' '.join(drop_controls(text).split()))


def make_docx(text, _):
    return make_zip([('[Content_Types].xml', DOCX_TYPES), ('_rels/.rels', DOCX_RELATIONS),
                     ('word/document.xml', DOCX_DOCUMENT % one_line(text))])


def make_odt(text, _):
    return make_zip([('mimetype', 'application/vnd.oasis.opendocument.text'),
                     ('content.xml', ODT_CONTENT % one_line(text)), ('styles.xml', ODT_STYLES)])


def make_tei_texts(r, texts, encoding):
    """Writes several texts to one file of TEI, as a group or as a corpus."""
    parts = [TEI_TEXT % escape(drop_controls(text)) for text in texts]
    if r.random() < .5:
        return encode_xml(TEI_GROUP % ''.join(parts), encoding)
    members = ''.join('<TEI><teiHeader><fileDesc/></teiHeader>%s</TEI>' % part for part in parts)
    return encode_xml(TEI_CORPUS % members, encoding)


def make_table(r, text, column):
    """A table whose second row is a text: its extension and bytes."""
    separator = r.choice(',;\t')
    rows = [['n', column], ['1', 'other words'], ['2', text]]
    if separator == '\t':
        return '.tsv', '\n'.join('\t'.join(row) for row in rows).encode()
    table = io.StringIO()
    csv.writer(table, delimiter=separator, lineterminator=r.choice(['\n', '\r\n'])).writerows(rows)
    return '.csv', (r.choice(['', '\ufeff']) + table.getvalue()).encode()


def encode(text, encoding):
    return text.encode(encoding, 'replace')


# How a text becomes a file: the extension, and a function of the text and its encoding.
FORMS = {
    'plain': ('.txt', encode),
    'gzip': ('.txt.gz', lambda t, e: gzip.compress(encode(t, e), mtime=0)),
    'two gzips': ('.txt.gz', lambda t, e: make_gzip_twice(encode(t, e))),
    'bzip2': ('.txt.bz2', lambda t, e: bz2.compress(encode(t, e))),
    'xz': ('.txt.xz', lambda t, e: lzma.compress(encode(t, e))),
    'zstd': ('.txt.zst', lambda t, e: make_zstd(encode(t, e))),
    'html': ('.html', make_html),
    'packed html': ('.html.gz', lambda t, e: gzip.compress(make_html(t, e), mtime=0)),
    'xhtml': ('.xhtml', lambda t, e: make_xml(t, e, XHTML)),
    'xml': ('.xml', lambda t, e: make_xml(t, e, '<book><chapter>%s</chapter></book>')),
    'tei': ('.tei', lambda t, e: make_xml(t, e, TEI)),
    'osis': ('.xml', lambda t, e: make_xml(t, e, OSIS)),
    'alto': ('.xml', make_alto),
    'page': ('.xml', make_page),
    'hocr': ('.hocr', make_hocr),
    'usfm': ('.usfm', make_usfm),
    'epub': ('.epub', make_epub),
    'pdf': ('.pdf', make_pdf),
    'rtf': ('.rtf', make_rtf),
    'srt': ('.srt', lambda t, _: make_subtitles(t, ',')),
    'vtt': ('.vtt', lambda t, _: make_subtitles(t, '.')),
}
PLAIN_WORDS = ('pdf', 'markdown', 'latex', 'org', 'wiki')  # forms of texts in plain letters
if shutil.which('pandoc'):
    FORMS.update({'markdown': ('.md', make_markdown), 'latex': ('.tex', make_latex),
                  'docx': ('.docx', make_docx), 'odt': ('.odt', make_odt),
                  'fictionbook': ('.fb2', lambda t, _: (FICTION_BOOK % one_line(t)).encode()),
                  'docbook': ('.dbk', lambda t, _: (DOCBOOK % one_line(t)).encode()),
                  'org': ('.org', lambda t, _: ' '.join(t.split()).encode()),
                  'wiki': ('.wiki', lambda t, _: ' '.join(t.split()).encode())})
MARKUP = ('html', 'packed html', 'xhtml', 'xml', 'tei', 'osis', 'alto', 'epub', 'page', 'hocr',
          'usfm')
RTF, LATEX, WEBVTT, USFM = b'{\\rtf1 heron}', b'\\documentclass{book}', b'WEBVTT\n', b'\\id GEN'
DOCX = make_zip([('[Content_Types].xml', '<Types/>'), ('word/document.xml', '<w/>')])
ODT = make_zip([('mimetype', 'application/vnd.oasis.opendocument.text'), ('content.xml', '<o/>')])
DOC = b'\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'
# Formats that are not read: name, extension, and bytes.
UNREAD = [
    ('RTF', '.txt', RTF), ('DOCX', '.txt', DOCX), ('ODT', '.text', ODT),
    ('DOC', '.doc', DOC), ('DOC', '.txt', DOC), ('MOBI', '.mobi', b'heron'),
    ('MOBI', '.txt', b'x' * 60 + b'BOOKMOBI'), ('FBZ', '.fbz', b'heron'),
    ('SXW', '.sxw', b'heron'), ('FictionBook', '.txt', b'<FictionBook>heron</FictionBook>'),
    ('LaTeX', '.txt', LATEX), ('WebVTT', '.txt', WEBVTT),
    ('USFM', '.txt', USFM),
]
READ = ('.txt', '.text', '.md', '.xml', '.html')  # extensions of other formats
# How files become an archive.
ARCHIVES = {
    '.zip': make_zip,
    '.tar': make_tar,
    '.tar.gz': lambda m: make_tar(m, 'w:gz'),
    '.tgz': lambda m: make_tar(m, 'w:gz'),
    '.tar.bz2': lambda m: make_tar(m, 'w:bz2'),
    '.tar.xz': lambda m: make_tar(m, 'w:xz'),
    '.tar.zst': lambda m: make_zstd(make_tar(m)),
}
# How the documents are listed. With those in BULK, documents have no title, date or role.
LISTINGS = ('documents', 'yaml', 'tsv', 'csv', 'jsonl', 'folder', 'archive', 'glob', 'lines',
            'tei')
BULK = ('folder', 'archive', 'glob', 'lines', 'tei')


def list_table(r, documents, separators):
    text = io.StringIO()
    fields = ('file', 'id', 'title', 'author', 'date', 'role', 'language')
    names = (r.choice(['file', 'filename', 'FileName', 'FILE']), *fields[1:])
    separator = r.choice(separators)
    if separator == '\t':
        clean = {d['id']: {k: re.sub(r'[\t\n"]', ' ', v) for k, v in d.items()} for d in documents}
        rows = ['\t'.join(clean[d['id']].get(f, '') for f in fields) for d in documents]
        return '\n'.join(['\t'.join(names)] + rows) + '\n'
    table = csv.writer(text, delimiter=separator, lineterminator=r.choice(['\n', '\r\n']))
    table.writerow(names)
    table.writerows([d.get(f, '') for f in fields] for d in documents)
    return text.getvalue()


def yaml_documents(documents, indent):
    rows = [', '.join('%s: %s' % (k, json.dumps(v)) for k, v in d.items()) for d in documents]
    return ''.join('%s- {%s}\n' % (indent, row) for row in rows)


class Corpus:
    """The documents of an experiment: their texts, files, and listing."""

    def __init__(self, r):
        letters, encodings = r.choice(ALPHABETS[:1] * 4 + ALPHABETS)
        self.encoding = r.choice(encodings[:1] * 3 + encodings)
        self.is_auto = self.encoding in ('utf-8', 'utf-16') and r.random() < .2
        words = vocabulary(r, letters)
        self.fits_pdf = letters.isascii() and max(map(len, words)) > 1
        self.is_odd = self.encoding.startswith('utf') and r.random() < .25
        if self.is_odd:
            words += r.sample(ODD_WORDS, r.randint(1, 8))
            self.fits_pdf = False
        self.words = words
        self.texts = [join_words(r, text, self.is_odd) for text in write_texts(r, words)]
        self.fits_pdf = self.fits_pdf and all(re.search('[a-z]{2}', text) for text in self.texts)
        self.is_stripped = r.random() < .1
        if self.is_stripped:
            self.texts = [t.join(GUTENBERG) if r.random() < .7 else t for t in self.texts]
        self.ids = ['d%d' % i for i in range(len(self.texts))]
        self.listing = r.choice(LISTINGS[:1] * 6 + LISTINGS)
        self.is_damaged = False
        # A file in a format that is not read: name of the format, name of the file, and whether
        # the file is skipped because of its name.
        self.unread = None
        self.leaves_out = False  # parts of a listed file of TEI
        self.reads_input = False
        self.forms, self.files, self.documents = [], {}, []
        self.language_chance = r.choice([.1, .1, .7])
        self.languages = r.choice([['de', 'pt-BR', 'tr', 'th', 'ell', 'lat', 'auto'],
                                   ['de', 'en', 'de-AT']])
        if self.listing in BULK:
            self.store_bulk(r)
        else:
            self.store_each(r)
        if self.listing not in ('lines', 'tei') and r.random() < .05:
            self.damage(r)
        self.plain = {'plain/%s.txt' % i: t.encode() for i, t in zip(self.ids, self.texts)}

    def choose_form(self, r, among=tuple(FORMS)):
        form = r.choice(('plain',) * 5 + among)
        form = 'plain' if form in PLAIN_WORDS and not self.fits_pdf else form
        self.forms.append(form)
        return form

    def make(self, form, text):
        """The bytes of a text in a form. One that declares its encoding is not in UTF-16 or 32."""
        declares = form in MARKUP and self.encoding.startswith('utf')
        return FORMS[form][1](text, 'utf-8' if declares else self.encoding)

    def store_bulk(self, r):
        """Writes all texts to one folder, archive or JSON Lines file."""
        among = ('plain', 'html', 'xml', 'tei', 'gzip', 'xz')
        made = []
        if self.listing == 'lines':
            lines = [json.dumps({'id': i, 'text': t}, ensure_ascii=r.random() < .5)
                     for i, t in zip(self.ids, self.texts)]
            self.forms.append('jsonl')
            self.files['t/all.jsonl'] = '\n\n'.join(lines).encode()
            return
        if self.listing == 'tei':
            self.ids = ['all.%d' % (k + 1) for k in range(len(self.texts))]
            self.forms.append('tei texts')
            declared = 'utf-8' if self.encoding.startswith('utf') else self.encoding
            self.files['t/all.xml'] = make_tei_texts(r, self.texts, declared)
            self.leaves_out = b'<front>' in self.files['t/all.xml']
            return
        for k, text in enumerate(self.texts):
            form = self.choose_form(r, among)
            name = self.ids[k] + FORMS[form][0]
            self.ids[k] = name.rpartition('.')[0]  # the name without its last ending
            made.append((name, self.make(form, text)))
        made += self.draw_unread(r)
        if self.listing == 'archive':
            ending = r.choice(list(ARCHIVES))
            self.forms.append(ending)
            self.archive = 'all' + ending
            self.files['t/' + self.archive] = ARCHIVES[ending](made)
        else:
            where = {'folder': 'shelf/', 'glob': 't/'}[self.listing]
            self.files.update({where + name: data for name, data in made})

    def store_each(self, r):
        """Writes every text to its own file, archive or JSON Lines file."""
        has_names = self.listing in ('documents', 'yaml')
        for k, (i, text) in enumerate(zip(self.ids, self.texts)):
            name = r.choice(NAMES) % k if has_names and r.random() < .15 else i
            kind = r.random()
            form = self.choose_form(r)
            file, data = name + FORMS[form][0], self.make(form, text)
            if kind < .1:
                ending = r.choice(list(ARCHIVES))
                self.forms.append(ending)
                data = ARCHIVES[ending]([('in/other.txt', b'other words'), ('in/' + file, data)])
                self.files['t/box%d%s' % (k, ending)] = data
                file = 'box%d%s/in/%s' % (k, ending, file)
            elif kind < .2:
                self.forms.append('jsonl')
                self.files['t/%s.jsonl' % name] = ('\n' + json.dumps({'text': text})).encode()
                file = name + '.jsonl/2'
            elif kind < .25 and '\t' not in text and '\r' not in text and '\0' not in text:
                column = r.choice(['text', 'Text', 'speech'])
                ending, data = make_table(r, text.replace('\n', ' '), column)
                self.forms.append('table')
                self.files['t/' + name + ending] = data
                file = name + ending + ('#speech/2' if column == 'speech' else '/2')
            elif kind < .28 and self.listing == 'documents' and not self.reads_input:
                self.forms.append('input')
                self.reads_input, file = True, '-'
                self.files['input'] = encode(text, self.encoding)
            elif form == 'alto' and kind < .7:
                self.forms.append('mets')
                declared = 'utf-8' if self.encoding.startswith('utf') else self.encoding
                file = '%s-pages/mets.xml' % i
                self.files.update({'t/%s-pages/%s' % (i, at): page
                                   for at, page in make_pages(text, declared)})
            elif form == 'tei' and kind < .6:
                self.forms.append('tei texts')
                declared = 'utf-8' if self.encoding.startswith('utf') else self.encoding
                self.files['t/' + file] = make_tei_texts(r, ['other words', text], declared)
                file += '/2'
            elif form == 'plain' and kind < .4 and has_names and '\n' in text.strip():
                self.forms.append('pages')
                cut = r.choice([m.end() for m in re.finditer('\n', text.rstrip())])
                for at, page in ((9, text[:cut]), (10, text[cut:])):
                    self.files['t/%s-leaves/%d.txt' % (i, at)] = encode(page, self.encoding)
                file = '%s-leaves' % i
            else:
                self.files['t/' + file] = data
            self.documents.append(self.describe(r, i, file))
            if file.endswith('-leaves'):
                self.documents[-1]['pages'] = True

        for file, data in self.draw_unread(r):
            self.files['t/' + file] = data
            self.documents.append(self.describe(r, 'unread', file))

    def draw_unread(self, r):
        """Rarely returns a file in a format that is not read: its name and bytes."""
        if r.random() >= .08:
            return []
        kind, ending, data = r.choice(UNREAD)
        is_left_out = self.listing in BULK and ending not in READ
        if r.random() < .2:
            ending, data = ending + '.gz', gzip.compress(data, mtime=0)
        self.forms.append('unread ' + kind)
        self.unread = (kind, 'unread' + ending, is_left_out)
        return [('unread' + ending, data)]

    def describe(self, r, i, file):
        document = {'id': i, 'file': file}
        if r.random() < .4:
            document['title'] = r.choice(TITLES)
        if r.random() < .2:
            document['author'] = r.choice(TITLES)
        if r.random() < .8:
            document['date'] = r.choice(['%04d' % r.randint(1, 1999), '-0%d' % r.randint(100, 900),
                                         '1865-04-15', '1623-11',
                                         'c. 1776', 'ca. 1611-05', '1850?', 'circa 0070'])
        if r.random() < .15:
            document['role'] = r.choice(['both', 'target', 'source', 'decoy'])
        if r.random() < self.language_chance:
            document['language'] = r.choice(self.languages)
        return document

    def damage(self, r):
        """Truncates or deletes one file, or inserts bytes that are not text."""
        path = r.choice(sorted(path for path in self.files if 'unread' not in path))
        data = self.files[path]
        kind = r.choice(['cut', 'bytes', 'gone', 'empty'])
        self.is_damaged = True
        if kind == 'gone' and path != 'input' and self.documents:
            del self.files[path]
        elif kind == 'bytes':
            place = r.randrange(len(data) + 1)
            odd = bytes(r.randrange(128, 256) for _ in range(3))
            self.files[path] = data[:place] + odd + data[place:]
        else:
            self.files[path] = b'' if kind == 'empty' else data[:len(data) // 2]

    def section(self, r, order):
        """The lines of `corpus` that list the documents in this order, and files that they need."""
        documents = [self.documents[i] for i in order] if self.documents else []
        listing = self.listing
        if listing == 'documents':
            return '  root: t\n  documents:\n' + yaml_documents(documents, '    '), {}
        if listing == 'folder':
            return '  documents: [{file: shelf}]\n', {}
        if listing == 'archive':
            return '  root: t\n  documents: [%s]\n' % self.archive, {}
        if listing == 'glob':
            return '  root: t\n  glob: "*.*"\n', {}
        if listing == 'tei':
            return '  root: t\n  documents: [all.xml]\n', {}
        if listing == 'lines':
            return '  manifest: t/all.jsonl\n', {}
        text = {'yaml': lambda: 'documents:\n' + yaml_documents(documents, '  '),
                'tsv': lambda: list_table(r, documents, '\t'),
                'csv': lambda: list_table(r, documents, ',;'),
                'jsonl': lambda: ''.join(json.dumps(d) + '\n' for d in documents)}[listing]()
        name = 'texts.' + listing
        if r.random() < .5:
            return '  manifest: t/%s\n' % name, {'t/' + name: text.encode()}
        return '  root: t\n  manifest: %s\n' % name, {name: text.encode()}

    def plain_section(self):
        """The section for the same documents as plain texts, without the file that is not read."""
        listed = self.documents or [{'id': i} for i in self.ids]
        plain = [dict(d, file=d['id'] + '.txt', pages=False) for d in listed if d['id'] != 'unread']
        return '  root: plain\n  documents:\n' + yaml_documents(plain, '    ')
