/* finds.js - the list of finds: order, filters, words to find, judgements, and a link to each find.
 * The page has the beginning of the list. The whole list is in the page (#finds-data) or in files
 * that script elements load: the first of them always, the others when the reader asks for them. A
 * link "#finds?target=ID&source=ID" shows the finds of a pair. */
(function(){

const box=document.getElementById('finds-list');
if(!box)return;

const make=(name,set,...inside)=>{
    const e=Object.assign(document.createElement(name),set);
    e.append(...inside);
    return e};

/* Of the finds first .. shown - 1 are in the page, at most MOST. */
const list=box.querySelector('.finds'),FIRST=10,STEP=100,MOST=200;
const said=make('output',{className:'said'}),filters=make('div',{className:'filters'});
const more=make('button',{type:'button',textContent:'Show '+STEP+' more',hidden:true});
const judged=make('p',{className:'tool judgements'});
const everywhere=make('section',{className:'everywhere',hidden:true});
const less=make('button',{type:'button',textContent:'Show those before',hidden:true});
const rarely=make('details',{className:'rarely'},make('summary',{textContent:'More filters'}));
let data=null,rows=[],sorted={},places=0,ofPair={},holders={},found=[],first=0,shown=FIRST;

/* ---- The data ---- */

/* The first and the last year of a text, and the one that it is counted under. */
const dated=t=>{
    const date=data.texts[t][3];
    if(Array.isArray(date))return[date[0]===null?-Infinity:date[0],
        date[1]===null?Infinity:date[1],date[2]];
    const y=/-?\d{4}/.exec(date);
    return y?[+y[0],+y[0],+y[0]]:null};

const year=t=>{const d=dated(t);return d?d[2]:null};

/* The years between target and source: at least and at most. */
const years=r=>r.when===null||r.before===null?[null,null]:
    [Math.max(0,r.when[0]-r.before[1],r.before[0]-r.when[1]),
        Math.max(r.when[1]-r.before[0],r.before[1]-r.when[0])];

const between=r=>{
    const[few,many]=years(r);
    if(!many||!few&&many===Infinity)return'';
    return' \u00b7 '+(many===Infinity?'at least '+few:few<many?few+'\u2013'+many:few)+
        ((many===Infinity?few:many)===1?' year':' years')+' between'};

const placeOf=r=>r.family||r.id;

/* The first row of each place. */
const once=list=>{
    const seen=new Set();
    return list.filter(r=>!seen.has(r.place)&&seen.add(r.place))};

const prepare=()=>{
    rows=numbers.rowsOf(data);
    const place={};
    rows.forEach(r=>{
        r.when=dated(r.target);
        r.before=dated(r.source);
        r.place=place[placeOf(r)]??=r.i});

    /* a place of two texts that are sources of each other is one */
    const of=i=>rows[i].place===i?i:of(rows[i].place);
    rows.forEach(r=>r.twins.forEach(t=>{
        const[a,b]=[of(r.i),of(t.i)];
        rows[Math.max(a,b)].place=Math.min(a,b)}));
    rows.forEach(r=>{r.place=of(r.i)});
    sorted={};
    warm(rows);
    places=once(rows).length;
    ofPair={};
    holders={};
    const counted=new Set();
    rows.forEach(r=>{
        (holders[placeOf(r)]||=new Set()).add(data.texts[r.source][0]);
        r.pair='#finds?target='+data.texts[r.target][0]+'&source='+data.texts[r.source][0];
        const place=r.pair+' '+(placeOf(r));
        if(!counted.has(place))ofPair[r.pair]=(ofPair[r.pair]||0)+1;
        counted.add(place)})};

/* A place as it is cited: "Luke 3:7", "Hamlet, ACT I". */
const name=t=>data.texts[t][1]||data.texts[t][0];
const gap=reference=>!reference?'':/^\d/.test(reference)?' ':', ';
const cited=(t,reference)=>reference&&name(t)+gap(reference)+reference;

const text=r=>r.lower||=[r.text,cited(r.target,r.here),cited(r.source,r.there)].join(
    '\n').toLowerCase();

/* Makes these texts before a key asks for them, while there is nothing else to do. */
const warm=(list,i=0)=>{
    for(const end=Math.min(i+200,list.length);i<end;i++)text(list[i]);
    if(i<list.length&&list===rows)setTimeout(()=>warm(list,i),0)};

const loadFile=(name,then)=>{
    const script=make('script',{src:name});
    script.onload=()=>then(window.tributary_finds);
    script.onerror=()=>{said.textContent='The list is in '+name+', which is not beside this page.'};
    document.head.append(script)};

const load=then=>{
    const inside=document.getElementById('finds-data');

    const ready=found=>{data=found;prepare();then()};

    if(inside)return ready(JSON.parse(inside.textContent));
    loadFile(box.dataset.from,ready)};

/* Loads the other files of the list, one after the other. */
const loadRest=(then,file=2)=>{
    if(file>data.files){prepare();return then()}
    said.textContent='Reading the list, '+file+' of '+data.files+' \u2026';
    loadFile(box.dataset.from.replace(/\.js$/,'-'+file+'.js'),found=>{
        data.finds=data.finds.concat(found.finds);
        loadRest(then,file+1)})};

/* ---- A find ---- */

const title=t=>make('bdi',{},name(t));

const grouped=numbers.grouped;

const place=(r,isSource)=>{
    const t=isSource?r.source:r.target,from=isSource?r.sf:r.tf,to=isSource?r.sl:r.tl;
    const[id,,,,isTarget]=data.texts[t],page=box.dataset.pages,read=box.dataset.read;
    const words='words '+grouped(from)+' to '+grouped(to),reference=isSource?r.there:r.here;
    return[page&&isTarget?make('a',{href:page+id+'.html'},title(t)):title(t),gap(reference),
        make('bdi',{textContent:reference}),', ',
        read&&isTarget?make('a',{href:read+id+'.html#w'+from,textContent:words}):words]};

/* The language of a row of data.texts; none: that of the page. */
const language=text=>text[5]||document.documentElement.lang;

const quotation=(pieces,t)=>{
    const quote=make('blockquote',{dir:'auto',lang:language(data.texts[t])});
    const isCut=pieces[pieces.length-1]===true,n=pieces.length-isCut;
    for(let i=0;i<n;i++)
        quote.append(i%2?make('mark',{textContent:pieces[i]}):pieces[i]);
    if(isCut)quote.append(' \u2026');
    return quote};

const measures=r=>
    make('p',{className:'measures'},make('b',{textContent:grouped(r.words)+' words'}),
        (r.rarity===null?'':' \u00b7 rarity '+r.rarity.toFixed(0)+' ('+
            (r.rarity/r.words).toFixed(1)+' a word)')+
        ' \u00b7 '+(r.percent<.01?'< 0.01':r.percent.toFixed(2))+'\u202f% of the target'+
        between(r)+(r.told&&' \u00b7 '),make('bdi',{textContent:r.told}));

/* Both texts of a find as a reference names them, and the address of the find. */
const ends=r=>[...[false,true].map(isSource=>{
    const[,title,author,date]=data.texts[isSource?r.source:r.target];
    const reference=isSource?r.there:r.here,from=isSource?r.sf:r.tf,to=isSource?r.sl:r.tl;
    return[author,title||name(r.target),Array.isArray(date)?date[2]+'':date,
        (reference?reference+', ':'')+'words '+from+'\u2013'+to]}),
    location.href.replace(/#.*/,'')+'#find-'+r.id];

const item=r=>{
    const li=make('li',{id:'find-'+r.id});
    const link=make('a',box.dataset.passages?{href:box.dataset.passages+
        r.key.replace(/ /g,'.')+'.html',textContent:'Page'}:
        {href:'#find-'+r.id,textContent:'Link'});
    li.append(measures(r),make('p',{className:'places'},...place(r,false),' \u2190 ',
        ...place(r,true),' ',link,...(ofPair[r.pair]<2?[]:[' ',make('a',{href:r.pair,
            textContent:ofPair[r.pair]+' finds of this pair'})])));
    if(r.left.length)li.append(make('div',{className:'pair'},quotation(r.left,r.target),
        quotation(r.right,r.source)));
    const judging=judge.controls(r.key,()=>ends(r));
    li.append(judging);
    li.redraw=judging.redraw;
    li.redraw();
    return li};

/* ---- Filters and order ---- */

const input={};

const field=(name,label,control)=>{
    input[name]=control;
    control.id='finds-'+name;
    return make('div',{className:'field'},make('label',{htmlFor:control.id,textContent:label}),
        control)};

const choose=(select,options)=>{
    const value=select.value;
    select.replaceChildren(...options.map(o=>make('option',{value:o[0],textContent:o[1]})));
    select.value=value};

const choice=(...options)=>{
    const select=make('select');
    choose(select,options);
    select.selectedIndex=0;
    return select};

const numeric=()=>make('input',{type:'number',step:'any'});

const least=a=>a===null?-Infinity:a;

const orders={
    rarity:['rarity',(a,b)=>least(b.rarity)-least(a.rarity)],
    each:['rarity a word',(a,b)=>least(b.rarity)/b.words-least(a.rarity)/a.words],
    words:['length',(a,b)=>b.words-a.words],
    share:['share of the target',(a,b)=>b.percent-a.percent],
    years:['years between, most first',(a,b)=>least(years(b)[0])-least(years(a)[0])],
    near:['years between, fewest first',(a,b)=>least(years(a)[1])-least(years(b)[1])],
    date:['date of the target',(a,b)=>least(year(a.target))-least(year(b.target))],
    target:['target',(a,b)=>rank[a.target]-rank[b.target]],
    source:['source',(a,b)=>rank[a.source]-rank[b.source]],
    author:['author of the target',(a,b)=>data.texts[a.target][2].localeCompare(
        data.texts[b.target][2])]};

let rank=[];

/* Texts by date, then by title. */
const by=(a,b)=>least(year(a))-least(year(b))||
    data.texts[a][1].localeCompare(data.texts[b][1],undefined,{numeric:true})||a-b;

const texts=side=>{
    const n={};
    rows.forEach(r=>{n[r[side]]=(n[r[side]]||0)+1});
    return[['','all'],...Object.keys(n).map(Number).sort(by).map(
        t=>[data.texts[t][0],(data.texts[t][1]||data.texts[t][0])+' ('+n[t]+')'])]};

/* Something of the filter of each column of the list of texts, on both sides. */
let columns=[];
const ofEach=f=>columns.flatMap(c=>['target','source'].map(
    side=>f(across.filterOf(side,c),side,c)));
const values=(side,column)=>{
    const names=new Set(rows.map(r=>across.valueOf(r[side],column)));
    names.delete('');
    return[['','all'],...[...names].sort((a,b)=>a.localeCompare(b,undefined,{numeric:true})).map(
        a=>[a,a])]};

/* Whether the authors of both texts are known, and are one. */
const hasBoth=r=>!!data.texts[r.target][2]&&!!data.texts[r.source][2];
const isOwn=r=>data.texts[r.target][2]===data.texts[r.source][2];

/* Whether a find passes a filter of value v. */
const atLeast=of=>(r,v)=>of(r)!==null&&of(r)>=+v,atMost=of=>(r,v)=>of(r)!==null&&of(r)<=+v;
const textOf=(side,column)=>(r,v)=>data.texts[r[side]][column]===v;
const holdersOf=r=>holders[placeOf(r)];
const passes={
    find:(r,v)=>text(r).includes(v),
    target:textOf('target',0),source:textOf('source',0),
    who:(r,v)=>(v==='same')===isOwn(r)&&hasBoth(r),
    held:(r,v)=>(v==='one')===(holdersOf(r).size===1),
    also:(r,v)=>holdersOf(r).has(v),not:(r,v)=>!holdersOf(r).has(v),
    chapter:(r,v)=>across.chapter(r.here)===v,
    length:atLeast(r=>r.words),rare:atLeast(r=>r.rarity),share:atLeast(r=>r.percent),
    since:atLeast(r=>r.when&&r.when[0]),until:atMost(r=>r.when&&r.when[1]),
    earliest:atLeast(r=>r.before&&r.before[0]),latest:atMost(r=>r.before&&r.before[1]),
    apart:atLeast(r=>years(r)[0]),within:atMost(r=>years(r)[1]),
    tag:(r,v)=>judge.tagsOf(r.key).includes(v),
    judged:(r,v)=>{
        const is=judge.of(r.key);
        return v==='none'?!is[0]:v==='note'?!!is[1]:v==='out'?judge.isOut(r):is[0]===v}};

const filtered=()=>{
    const set=Object.keys(input).filter(n=>passes[n]&&input[n].value.trim()).map(
        n=>[passes[n],n==='find'?input[n].value.trim().toLowerCase():input[n].value.trim()]);
    const order=input.order.value;
    sorted[order]||=rows.slice().sort((a,b)=>orders[order][1](a,b)||a.i-b.i);
    return sorted[order].filter(r=>set.every(([test,value])=>test(r,value)))};

const say=()=>{
    less.hidden=!first;
    more.hidden=shown>=found.length;
    said.textContent=grouped(found.length)+' of '+grouped(places)+' finds'+
        (first?', '+grouped(first+1)+' to '+grouped(Math.min(shown,found.length))+' shown':
            shown<found.length?', '+shown+' of them shown':'')};

const draw=()=>{
    list.replaceChildren(...found.slice(first,shown).map(item));
    say()};

/* The address names the filters, as soon as no key follows. */
let waits=0;
const address=()=>{
    clearTimeout(waits);
    waits=setTimeout(setAddress,200)};
const setAddress=()=>{
    const set=Object.keys(input).filter(n=>input[n].value&&(n!=='order'||
        input[n].selectedIndex)).map(n=>new URLSearchParams({[n]:input[n].value}));
    try{history.replaceState(null,'',set.length?'#finds?'+set.join('&'):'#finds')}
    catch(e){/**/}};

/* Of a family the first that is found is shown. */
const filter=()=>{
    found=once(filtered());
    first=0;
    shown=FIRST;
    draw();
    across.show(found,{texts:data.texts,year,columns,
        isDated:data.texts.every((t,i)=>year(i)!==null),
        held:r=>Math.max(r.held,holdersOf(r).size+1)})};

const tally=()=>{
    const n=judge.count();
    judged.querySelector('output').textContent=n.accepted+' accepted, '+n.rejected+
        ' rejected, '+n.notes+(n.notes===1?' note':' notes')+
        judge.names().map(name=>'; '+judge.agreement(name)).join('')};

const recompute=()=>numbers.show(rows,data.all||rows.length);

/* ---- The controls ---- */

const build=()=>{
    const hasDates=new Set(data.texts.map((t,i)=>year(i))).size>1;
    columns=across.columnsOf(data.texts).filter(c=>['target','source'].some(
        side=>values(side,c).length>2));
    ofEach((name,side,c)=>{passes[name]=(r,v)=>across.valueOf(r[side],c)===v});
    const hasAuthors=columns.includes('author');
    rank=[];
    data.texts.map((t,i)=>i).sort(by).forEach((t,i)=>{rank[t]=i});
    const hasRarity=rows.some(r=>r.rarity!==null);
    const order=Object.keys(orders).filter(o=>(hasRarity||!/rarity|each/.test(o))&&
        (hasDates||!/years|near|date/.test(o))&&(hasAuthors||o!=='author'));

    filters.append(field('find','Words in it',make('input',{type:'search'})),
        field('order','Order',choice(...order.map(o=>[o,orders[o][0]]))),
        field('target','Target',choice(...texts('target'))),
        field('source','Source',choice(...texts('source'))));
    if(hasAuthors)filters.append(field('who','Taken from',choice(['','all'],
        ['other','another author'],['same','the same author'])));
    filters.append(field('length','Words at least',numeric()));

    const few=make('div',{className:'filters'},
        field('held','Held by',choice(['','all'],['one','one source alone'],
            ['more','two sources or more'])),
        field('also','Also held by',choice(...texts('source'))),
        field('not','Not held by',choice(...texts('source'))));
    few.append(...ofEach((name,side,c)=>field(name,c[0].toUpperCase()+c.slice(1)+' of the '+side,
        choice(...values(side,c)))));
    if(hasRarity)few.append(field('rare','Rarity at least',numeric()));
    few.append(field('share','Percent of the target at least',numeric()));
    if(rows.some(r=>across.chapter(r.here)))few.append(
        field('chapter','Chapter of the target',make('input',{type:'search'})));
    if(hasDates)few.append(field('since','Target from the year',numeric()),
        field('until','to the year',numeric()),
        field('earliest','Source from the year',numeric()),
        field('latest','to the year (source)',numeric()),
        field('apart','Years between, at least',numeric()),field('within','at most',numeric()));
    few.append(field('judged','Judgement',choice(['','all'],['accepted','accepted'],
        ['rejected','rejected'],['none','not judged'],['note','with a note'],
        ['out','rejected or left out'])),field('tag','Tag',make('input',{type:'search'})));
    input.tag.setAttribute('list','judge-tags');
    rarely.append(few);

    Object.values(input).forEach(i=>i.addEventListener('input',()=>{filter();address()}));
    const clear=make('button',{type:'button',textContent:'Clear the filters'});
    clear.addEventListener('click',()=>{
        Object.values(input).forEach(i=>{if(i.options)i.selectedIndex=0;else i.value=''});
        filter();
        address()});

    const wide=make('details',{className:'narrowing',
        open:window.matchMedia('(min-width:48rem)').matches},
        make('summary',{textContent:'Find, filter and order'}),filters,rarely);

    const all=make('button',{type:'button',textContent:'Look in all texts',hidden:true});
    if(search){
        const look=()=>search.show(everywhere,input.find.value.trim(),data.texts,
            language);
        all.addEventListener('click',look);
        input.find.addEventListener('input',()=>{
            all.hidden=!input.find.value.trim();
            everywhere.hidden=true});
        input.find.addEventListener('keydown',e=>{if(e.key==='Enter')look()})}

    everywhere.setAttribute('aria-label','Places in all texts');
    const save=make('button',{type:'button',textContent:'Save these finds as CSV'});
    save.addEventListener('click',()=>judge.save(judge.csv([['target','source','target_first',
        'target_last','source_first','source_last','words','rarity','percent','target_reference',
        'source_reference','judgement','note','target_text','source_text'],...found.map(r=>[
        ...r.key.match(/[^ ]+/g),r.words,r.rarity===null?'':r.rarity,r.percent,r.here,r.there,
        ...judge.of(r.key),...[r.left,r.right].map(side=>side.filter(p=>p!==true).join(''))])]),
        'text/csv','finds.csv'));
    const link=make('button',{type:'button',textContent:'as W3C annotations'});
    link.addEventListener('click',()=>judge.save(across.annotations(found,data.texts,
        box.dataset.read),'application/ld+json','finds.jsonld'));
    box.before(wide,make('p',{className:'tool'},said,' ',clear,' ',save,' ',link,' ',all),
        everywhere,across.box);
    list.before(less);
    box.append(more)};

const judging=()=>{
    const save=make('button',{type:'button',textContent:'Save judgements as CSV'});
    const sign=make('input',{type:'text',size:4,value:judge.by()});
    const open=make('input',{type:'file',accept:'.csv,text/csv',id:'judgements-file'});
    const told=make('output',{className:'told'});

    save.addEventListener('click',()=>judge.save(judge.write(rows),'text/csv','judgements.csv'));
    sign.addEventListener('change',()=>judge.sign(sign.value.trim()));

    open.addEventListener('change',()=>{
        if(!open.files.length)return;
        const reader=new FileReader(),ids=new Set(data.texts.map(t=>t[0]));
        const keys=new Set(rows.map(r=>r.key)),isKnown=k=>keys.has(k)||data.all&&
            k.match(/[^ ]+/g).every((w,i)=>i<2?ids.has(w):+w>0)||judge.of(k)[0];
        reader.onload=()=>{told.textContent=judge.take(reader.result,isKnown)};
        reader.readAsText(open.files[0]);
        open.value=''});

    judged.append(make('output',{}),' ',make('label',{},'Your initials ',sign),' ',save,' ',
        make('label',{htmlFor:'judgements-file',
        textContent:'Read a CSV of judgements '}),open,' ',told,make('small',{textContent:
        judge.isStored()?'This browser keeps the judgements of this run. ':
            'This browser does not let a page from a disk keep anything: save the judgements '+
            'before the page is closed. '}),make('small',{},make('code',{textContent:
            'tributary report RUN --judgements judgements.csv'}),
            ' makes a report of what was accepted. Keys: j and k step, a accepts, r rejects, '+
            'n writes a note.'));
    box.before(judged,judge.leaving([...new Set(rows.map(r=>r.source))].sort(by).map(
        t=>[data.texts[t][0],title(t)])));
    let at=null;
    judge.keys(by=>{
        const next=()=>at&&at.isConnected?(by>0?at.nextSibling:at.previousSibling):
            list.firstChild;
        if(!next())(by>0?more:less).click();
        const to=next();
        if(!to)return;
        if(at)at.classList.remove('at');
        at=to;
        at.classList.add('at');
        at.scrollIntoView({block:'nearest',behavior:'instant'})},()=>at&&at.isConnected&&at);
    judge.whenChanged(()=>{
        list.querySelectorAll('li').forEach(li=>li.redraw());
        sign.value=judge.by();
        tally();
        recompute();
        if(input.judged.value)filter()});
    tally();
    recompute()};

/* ---- Links ---- */

/* Shows the find, or the filter, that the address of the page names. */
const follow=()=>{
    clearTimeout(waits);
    const hash=decodeURIComponent(location.hash);

    if(hash.startsWith('#finds?')){
        const wanted=new URLSearchParams(location.hash.slice(7));
        Object.keys(input).forEach(n=>{
            if(input[n].options&&!wanted.get(n))input[n].selectedIndex=0;
            else input[n].value=wanted.get(n)||'';
            if(input[n].value&&rarely.contains(input[n]))rarely.open=true});
        filter();
        filters.parentNode.scrollIntoView()}

    if(!hash.startsWith('#find-'))return;
    const row=rows.find(r=>r.id===hash.slice(6));
    const isIt=r=>row&&(r===row||row.family&&r.family===row.family);
    if(!found.some(isIt)){
        Object.values(input).forEach(i=>{if(i.options)i.selectedIndex=0;else i.value=''});
        filter()}
    const at=found.findIndex(isIt);
    if(at<0)return;
    if(at<first||at>=shown||found[at]!==row){
        found[at]=row;
        if(at<first||at>=first+MOST)first=Math.max(0,at-FIRST);
        shown=Math.min(first+MOST,Math.max(shown,at+1));
        draw()}
    const li=document.getElementById('find-'+row.id);
    list.querySelectorAll('.here').forEach(l=>l.classList.remove('here'));
    li.classList.add('here');
    li.scrollIntoView()};

/* What leaves the window is taken out of the page. */
more.addEventListener('click',()=>{
    if(shown>=found.length)return;
    list.append(...found.slice(shown,shown+STEP).map(item));
    shown=Math.min(shown+STEP,found.length);
    while(shown-first>MOST){
        list.firstChild.remove();
        first++}
    say()});

less.addEventListener('click',()=>{
    const from=Math.max(0,first-STEP);
    list.prepend(...found.slice(from,first).map(item));
    first=from;
    while(shown-first>MOST){
        list.lastChild.remove();
        shown--}
    say()});

/* Says what the list leaves out, and offers the other files. */
const saySome=()=>{
    if(!data.all)return;
    const note=make('p',{className:'note'}),rest=make('button',{type:'button',
        textContent:'Read the others, too'});
    let isRead=!data.files;

    const tell=()=>{
        note.hidden=rows.length===data.all;
        note.replaceChildren('The list has the '+grouped(rows.length)+' rarest of '+
            grouped(data.all)+' finds. ',isRead?
            'The others are on the pages of the targets and in passages.tsv.':rest)};

    rest.addEventListener('click',()=>{
        rest.disabled=true;
        loadRest(()=>{
            isRead=true;
            ['target','source'].forEach(side=>choose(input[side],texts(side)));
            ['also','not'].forEach(name=>choose(input[name],texts('source')));
            ofEach((name,side,c)=>choose(input[name],values(side,c)));
            tell();
            filter()})});

    tell();
    box.before(note)};

const start=()=>load(()=>{
    const rest=box.querySelector('.shown');
    if(rest)rest.remove();
    saySome();
    build();
    judging();
    filter();
    follow();
    /* the list may stand above the section that the address names */
    const section=document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if(section)section.scrollIntoView({behavior:'instant'});
    window.addEventListener('hashchange',follow)});

if(document.getElementById('finds-data')||location.hash.startsWith('#find'))start();
else window.addEventListener('load',()=>setTimeout(start,0))})();

