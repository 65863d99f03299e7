// corpora.js - the texts that the reports of the checks are made from. All are our own: short texts
// in five languages, and many texts of random words with passages copied from older ones.
'use strict';

// A passage of each language; a newer text copies it from an older one.
const copied = {
    en: 'The lamp of the northern tower was trimmed by three sisters, who counted every ' +
        'sail that passed the reef and wrote its number on a slate beside the kettle.',
    ar: 'وكان حارس المنارة يكتب في دفتره أخبار الريح والموج والسفن التي تمر بعيدا عن ' +
        'الصخور السوداء ثم يقرأها على ابنته الصغيرة قبل أن تنام.',
    he: 'שומר המגדלור כתב בפנקסו את חדשות הרוח והגלים ואת שמות הספינות שעברו הרחק מן ' +
        'הסלעים השחורים, ואחר כך קרא אותן לבתו הקטנה לפני שנרדמה.',
    ja: '灯台守は帳面に風と波と、黒い岩から遠く離れて通る船の知らせを書きつけ、' +
        '眠る前の小さな娘に声を出して読んで聞かせた。',
    zh: '灯塔的守望人在本子上记下风浪的消息和远远绕过黑色礁石的船只的名字，' +
        '然后在小女儿入睡之前大声读给她听。'
};

// What stands before and after the passage: of the older text, then of the newer one.
const around = {
    ar: [
        [
            'كان الصيادون في الميناء القديم يخرجون قبل الفجر إلى البحر وتعود مراكبهم في ' +
                'المساء محملة بالسمك والملح.',
            'وفي الشتاء كانت الأمطار تغلق الطريق إلى القرية فيبقى الناس في بيوتهم أياما ' +
                'طويلة يصلحون الشباك.'
        ],
        [
            'يزور المسافر اليوم متحفا صغيرا قرب السوق يجد فيه خرائط قديمة وصورا لعائلات سكنت ' +
                'الساحل.',
            'وعند باب المتحف بائع شاي يعرف كل حكاية ويطلب من الزائر أن يجلس قليلا في الظل.'
        ]
    ],
    he: [
        [
            'הדייגים של הנמל הישן יצאו אל הים לפני עלות השחר ושבו בערב בסירות עמוסות דגים ומלח.',
            'בחורף סגרו הגשמים את הדרך אל הכפר, ואנשים נשארו בבתיהם ימים ארוכים ותיקנו רשתות.'
        ],
        [
            'מי שמבקר היום במוזיאון הקטן שליד השוק ימצא בו מפות ישנות ותמונות של משפחות מן החוף.',
            'ליד הדלת יושב מוכר תה שמכיר כל סיפור ומבקש מן האורח לשבת מעט בצל.'
        ]
    ],
    ja: [
        [
            '古い港の漁師たちは夜明け前に海へ出て、夕方になると魚と塩を積んで帰ってきた。',
            '冬には雨が村への道を閉ざし、人々は何日も家にこもって網を繕った。'
        ],
        [
            '今日の旅人は市場の近くにある小さな博物館で、昔の地図や海辺の家族の写真を見ることができる。',
            '入口にはお茶を売る人がいて、どんな話でも知っており、客に日陰で休むようにすすめる。'
        ]
    ],
    zh: [
        [
            '旧港口的渔民在黎明之前出海，傍晚时他们的船满载着鱼和盐归来。',
            '冬天的雨水常常封住通往村子的道路，人们整天留在家里修补渔网。'
        ],
        [
            '今天的旅客可以在市场旁边的小博物馆里看到古老的地图和海岸人家的照片。',
            '门口有一个卖茶的人，他知道每一个故事，总是请客人在树荫下坐一会儿。'
        ]
    ]
};

// The same numbers on every machine.
function random(seed) {
    let state = seed;
    return n => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return (state >>> 16) % n;
    };
}

const words = (
    'anchor barley basket beacon bell boat bread bridge candle canvas chalk chapel cliff ' +
    'cloud coal coast cotton cousin crew current dawn deck ditch door dune eel engine ' +
    'farm ferry field fire flag flour fog ford garden gate geese glass grain gravel gull ' +
    'harbour hay hedge herring hill honey horse island journal keel kitchen ladder lamp ' +
    'ledger lock market mast meadow mill mist moon mortar mud nail needle night north oar ' +
    'orchard oven paper path pebble pilot plank plough pond quarry rain reed reef ridge ' +
    'river road rope sail salt sand school shelf shore shovel silver sister slate smoke ' +
    'snow spade spring stable stair steam stone storm stove stream street summer table ' +
    'tide timber tower turf valley vessel village wagon wall water wheat wheel widow ' +
    'willow wind window winter wool').split(' ');
const verbs = (
    'brought carried counted covered crossed followed held kept left lifted lost mended ' +
    'moved opened passed raised reached sold turned watched').split(' ');
const little = (
    'above across after along before behind below beside beyond near past ' +
    'under').split(' ');

function sentence(next) {
    const some = list => list[next(list.length)];
    const text = `the ${some(words)} ${some(verbs)} the ${some(words)} ${some(little)} ` +
                 `the ${some(words)} and the ${some(words)} of the ${some(words)}`;
    return text[0].toUpperCase() + text.slice(1) + '.';
}

function randomText(seed, nSentences) {
    const next = random(seed);
    const sentences = Array.from({length: nSentences}, () => sentence(next));
    for (let i = 4; i < nSentences; i += 5) sentences[i] += '\n\n'; // a paragraph
    return sentences.join(' ').replace(/\n /g, '\n');
}

// Puts a passage after the sentence that begins nearest to the middle.
function withPassage(text, passage, at = 0.5) {
    const cut = text.indexOf('. ', Math.floor(text.length * at)) + 2;
    return text.slice(0, cut) + passage + ' ' + text.slice(cut);
}

function experiment(name, documents, more) {
    return {
        tributary: 1,
        name,
        corpus: Object.assign({root: 'texts', documents}, more.corpus),
        tokens: Object.assign({locale: 'en'}, more.tokens),
        influence: {methods: ['traced', 'split']},
        report: {formats: ['html', 'json', 'csv']},
        output: 'run'
    };
}

// Two texts of a language, the newer one with the copied passage, and a third without it.
function inLanguage(name, locale, titles) {
    const [older, newer] = around[locale];
    const texts = {
        'older.txt': [older[0], copied[locale], older[1]].join('\n'),
        'newer.txt': [newer[0], copied[locale], newer[1]].join('\n'),
        'other.txt': [older[1], newer[1]].join('\n')
    };
    const documents = [
        {id: 'older', file: 'older.txt', title: titles[0], date: '1850', role: 'source'},
        {id: 'other', file: 'other.txt', title: titles[1], date: '1860', role: 'source'},
        {id: 'newer', file: 'newer.txt', title: titles[2], date: '1910', role: 'target'}
    ];
    return {
        name,
        texts,
        passage: copied[locale],
        target: 'newer',
        source: 'older',
        config: experiment(name, documents, {corpus: {target: ['newer']}, tokens: {locale}})
    };
}

const MANY = 15;
const awkward = '<b>Tides & "Tables"</b> of a coast that has a very long title, and a longer one';
const weathercock = 'Nobody mentions the copper weathercock, which a carpenter had bought at ' +
    'an auction in the rain.';

// What text 12 takes from text 2, one by one and in another order.
const sayings = [
    'A lantern that swings in October warns every skipper who trusts his almanac too much.',
    'Nobody quarrels with the ferryman until both banks have vanished behind him in drizzle.',
    'Bring the magistrate a lobster and he remembers your grandfather fondly until Thursday.',
    'She measured the cellar with a fishing line and sold the echo to a choirmaster.',
    'Three bakers agreed about yeast only once, during an eclipse that frightened the ponies.',
    'Whoever whistles inside the customs house pays a fine in buttons or peppermint.',
    'The apothecary labelled his umbrella because a cormorant had stolen the previous one.',
    'An honest compass, said the tinker, apologises whenever somebody else is lost.'
];

// More targets than one page has room for. Text 14 copies a passage of text 3, with a title that
// would be markup if it were not escaped; every fifth text shares a shorter passage with text 1;
// text 12 shares eight sayings with text 2.
function many() {
    const texts = {}, documents = [];
    for (let i = 1; i <= MANY; i++) {
        let text = randomText(i, 90);
        if (i === 2 || i === 12)
            sayings.forEach((saying, k) => {
                text = withPassage(text, saying, (i === 2 ? k + 1 : sayings.length - k) / 10);
            });
        if (i === 3 || i === 14) text = withPassage(text, copied.en);
        if (i === 1 || i % 5 === 0)
            text = withPassage(text, weathercock, 0.2);
        const id = `text${String(i).padStart(2, '0')}`;
        texts[`${id}.txt`] = text;
        documents.push({
            id,
            file: `${id}.txt`,
            title: i === 14 ? awkward : `Notes from harbour ${i}`,
            author: i % 2 ? 'Ada Brook' : 'Ben Carr',
            date: String(1800 + 10 * i)
        });
    }
    return {
        name: 'many',
        texts,
        passage: copied.en,
        target: 'text14',
        source: 'text03',
        config: experiment('many', documents, {corpus: {target: 'all', order: 'by-date'}})
    };
}

// 2000 short texts by 40 authors. Each takes a passage of its author's text before it, and every
// tenth one of another author's.
function crowd() {
    const texts = {}, documents = [], own = [];
    for (let i = 0; i < 2000; i++) {
        const id = `n${String(i).padStart(4, '0')}`, author = (i * 7) % 40;
        own.push(randomText(100000 + i, 4));
        let text = own[i];
        if (i >= 40) text += ' ' + own[i - 40];
        if (i >= 40 && i % 10 === 0) text += ' ' + own[i - 33];
        texts[`${id}.txt`] = text;
        documents.push({
            id,
            file: `${id}.txt`,
            title: `Note ${i + 1}`,
            author: `Author Number ${author + 1}`,
            date: String(1700 + Math.floor(i / 8))
        });
    }
    const config = experiment('crowd', documents, {corpus: {target: 'all', order: 'by-date'}});
    config.influence = {methods: ['split'], headline: 'split'};
    return {name: 'crowd', texts, passage: null, target: 'n1999', config};
}

// Four versions of one text, each revised from the one before it.
function versions() {
    const texts = {}, documents = [];
    let words = Array.from({length: 12}, (_, i) => randomText(7000 + i, 6)).join('\n\n').split(' ');
    for (let v = 0; v < 4; v++) {
        texts[`v${v}.txt`] = words.join(' ');
        documents.push({id: `v${v}`, file: `v${v}.txt`, title: `Edition ${v + 1}`,
            date: String(1801 + v)});
        words = words.map((w, i) => i % 67 === 11 + 9 * v ? `revised${v}x${i}` : w);
    }
    return {name: 'versions', texts, passage: null, target: 'v3',
        config: experiment('versions', documents, {corpus: {target: 'all', order: 'by-date'}})};
}

// Every corpus: {name, texts: {FILE: TEXT}, config, and what is known of it: the passage that
// `target` copies from `source`}.
exports.all = () => [
    many(),
    crowd(),
    versions(),
    inLanguage('arabic', 'ar', ['أخبار الميناء', 'دفتر السوق', 'دليل الزائر']),
    inLanguage('hebrew', 'he', ['חדשות הנמל', 'פנקס השוק', 'Guide מדריך']),
    inLanguage('japanese', 'ja', ['港の知らせ', '市場の帳面', '旅の案内']),
    inLanguage('chinese', 'zh', ['港口旧闻', '集市账本', '旅客指南'])
];
exports.randomText = randomText;
exports.withPassage = withPassage;
