/* across.js - questions across the corpus, as tables of the finds that are listed: who copies whom
 * by the years of the texts and by each column of their list, such as the author, which works and
 * passages are copied most, and in which chapters. A row is a link that narrows the list to what
 * it counts. */
const across=(function(){

if(!document.getElementById('finds-list'))return null;
const ROWS=12,YEARS=14;
const grouped=numbers.grouped;
const make=(name,set,...inside)=>{
    const e=Object.assign(document.createElement(name),set);
    e.append(...inside);
    return e};

/* The columns of the list of texts: the author, and those that a text has as "genre: play; place:
 * Ely"; what a text has in one, and the name of its filter. */
let known=null;
const columnsOf=texts=>{
    known=new Map([['author',texts.map(text=>text[2])]]);
    texts.forEach((text,t)=>{
        for(const[,column,value]of(text[6]||'').matchAll(/(?:^|; )([^:;]*): ([^;]*)/g))
            known.set(column,Object.assign(known.get(column)||[],{[t]:value}))});
    return[...known.keys()]};
const valueOf=(t,column)=>known.get(column)[t]||'';
const filterOf=(side,column)=>column!=='author'?side+'.'+column.replace(/\s+/g,'-'):
    side==='target'?'author':'from';

const link=(set,text)=>make('a',{href:'#finds?'+new URLSearchParams(set),textContent:text});

/* What rows add up to by a key: {key, n finds, words, texts}, the most words first. */
const sums=(rows,keyOf)=>{
    const all=new Map();
    rows.forEach(r=>{
        const key=keyOf(r);
        if(key===null)return;
        const sum=all.get(key)||{key,n:0,words:0,texts:new Set(),r};
        sum.n++;
        sum.words+=r.words;
        sum.texts.add(r.target);
        all.set(key,sum)});
    return[...all.values()].sort((a,b)=>b.words-a.words||(a.key<b.key?-1:1))};

const table=(caption,heads,rows)=>{
    const save=make('button',{type:'button',textContent:'CSV'});
    save.setAttribute('aria-label','Save as CSV: '+caption);
    save.addEventListener('click',()=>judge.save(judge.csv([heads,...rows.map(row=>row.map(
        c=>c.textContent??c))]),'text/csv','table.csv'));
    const head=make('tr',{},...heads.map((h,i)=>make('th',{scope:'col',textContent:h,
        className:i?'n':''})));
    const made=make('table',{className:'numbers'},make('caption',{},caption+' ',save),
        make('thead',{},head),make('tbody',{},...rows.map(row=>make('tr',{},...row.map((c,i)=>
            i?make('td',{className:'n'},c):make('th',{scope:'row'},c))))));
    const box=make('div',{className:'scroll',tabIndex:0},made);
    box.setAttribute('role','region');
    box.setAttribute('aria-label',caption);
    return box};

/* Finds as annotations of the W3C, one page of JSON-LD: each links its place in both texts, whose
 * reading pages are below `read`, and has what was judged and noted. */
const annotations=(rows,texts,read)=>{
    const here=location.href.replace(/#.*/,'');
    const place=(t,text)=>{
        const pieces=text.filter(p=>p!==true),ends=pieces.length%2?-1:pieces.length;
        return{source:texts[t][4]&&read?new URL(read+texts[t][0]+'.html',here).href:here,
            selector:{type:'TextQuoteSelector',prefix:pieces[0],
                exact:pieces.slice(1,ends).join(''),suffix:pieces.slice(ends).join('')}}};
    const body=(purpose,value)=>value?[{type:'TextualBody',purpose,value}]:[];
    return JSON.stringify({'@context':'http://www.w3.org/ns/anno.jsonld',type:'AnnotationPage',
        id:here+'#finds',items:rows.map(r=>({id:here+'#find-'+r.id,type:'Annotation',
            motivation:'linking',body:[...body('commenting',judge.of(r.key)[1]),
                ...[judge.of(r.key)[0],...judge.tagsOf(r.key)].flatMap(v=>body('tagging',v))],
            target:[place(r.target,r.left),place(r.source,r.right)]}))},null,1)};

/* A table of sums, with a bar as long as its words. */
const bars=(caption,head,list,label)=>{
    if(list.length<2)return'';
    const most=list[0].words;
    return table(caption+(list.length>ROWS?', the first '+ROWS+' of '+grouped(list.length):''),
        [head,'Texts','Finds','Words'],list.slice(0,ROWS).map(s=>{
            const bar=make('span',{className:'long'}),name=make('span',{},label(s),bar);
            bar.style.width=100*s.words/most+'%';
            return[name,grouped(s.texts.size),grouped(s.n),grouped(s.words)]}))};

/* The finds of texts of some years from texts of some years; the shortest spans of years of which
 * there are few enough. */
const years=(rows,year)=>{
    const dated=rows.filter(r=>year(r.target)!==null&&year(r.source)!==null);
    const of=(t,span)=>Math.floor(year(t)/span)*span;
    const span=[10,25,50,100,500,1000].find(s=>new Set(dated.flatMap(
        r=>[of(r.target,s),of(r.source,s)])).size<=YEARS)||5000;
    const cells=sums(dated,r=>of(r.target,span)+' '+of(r.source,span));
    if(cells.length<2)return'';
    const both=cells.map(c=>c.key.match(/[^ ]+/g).map(Number));
    const sorted=side=>[...new Set(both.map(b=>b[side]))].sort((a,b)=>a-b);
    const name=y=>y+span>1?y+'\u2013'+(y+span-1):1-y+'\u2013'+(2-y-span)+' BC';
    const words={},most=cells[0].words,columns=sorted(1);
    cells.forEach(c=>{words[c.key]=c});
    return table('Who copies whom: words of texts of these years (rows) from texts of those '+
        '(columns)',['Years',...columns.map(name),'all'],sorted(0).map(y=>{
        const row=columns.map(x=>{
            const cell=words[y+' '+x];
            if(!cell)return'';
            const a=link({since:y,until:y+span-1,earliest:x,latest:x+span-1},
                grouped(cell.words));
            a.style.setProperty('--part',25*cell.words/most+'%');
            return a});
        const all=columns.reduce((sum,x)=>sum+(words[y+' '+x]?.words||0),0);
        return[link({since:y,until:y+span-1},name(y)),...row,grouped(all)]}))};

/* The first words of a passage, from the first that both texts hold. */
const begin=r=>{
    const text=r.left.slice(1).filter(p=>p!==true).join('').trim();
    return text.length>90?text.slice(0,90).replace(/\s*\S*$/,' \u2026'):text||r.id};

/* The passages that most texts hold. */
const passages=(rows,held)=>{
    const list=rows.map(r=>({r,n:held(r)})).filter(p=>p.n>2).sort(
        (a,b)=>b.n-a.n||b.r.words-a.r.words||a.r.i-b.r.i).slice(0,ROWS);
    return list.length<2?'':table('Passages that most texts hold',['Passage','Texts','Words'],
        list.map(({r,n})=>[make('a',{href:'#find-'+r.id,textContent:begin(r)}),grouped(n),
            grouped(r.words)]))};

/* The chapter of a reference, "3" of "3:7" and "ACT I" of "ACT I, 22"; none of "lines 4-9". */
const chapter=reference=>/^(lines?|words?|pages?|pp?\.)\b/.test(reference)?'':
    /^[^:,.;\u2013]*/.exec(reference)[0].trim();

const box=make('details',{className:'across'},make('summary',{textContent:
    'Tables of these finds: by years, authors \u2026, works, passages, chapters'}));

/* Shows the tables of rows, of which each passage is one, when no key was pressed for a moment;
 * `of`: what finds.js knows of texts. */
let draw=()=>{},waits=0;
box.addEventListener('toggle',()=>draw());
const show=(rows,of)=>{
    draw=()=>{
        if(!box.open)return;
        const name=t=>of.texts[t][1]||of.texts[t][0],id=t=>of.texts[t][0];
        const made=[years(rows,of.year),...of.columns.map(c=>{
            const both=r=>[valueOf(r.target,c),valueOf(r.source,c)];
            return bars((of.isDated?'Who copies whom, by ':'Who shares with whom, by ')+c,
                c[0].toUpperCase()+c.slice(1)+' \u2190 '+c+' of the source',
                sums(rows,r=>both(r).every(v=>v)?both(r).join(' \u2190 '):null),
            s=>link({[filterOf('target',c)]:both(s.r)[0],[filterOf('source',c)]:both(s.r)[1]},
                s.key))}),
            bars(of.isDated?'Works that are copied most':'Works of which others have most',
                'Source',sums(rows,r=>r.source),
                s=>link({source:id(s.key)},name(s.key))),
            passages(rows,of.held),
            bars('Reuse by chapter','Chapter of the target',sums(rows,r=>chapter(r.here)?
                r.target+' '+chapter(r.here):null),s=>link({target:id(s.r.target),
                chapter:chapter(s.r.here)},name(s.r.target)+', '+chapter(s.r.here)))];
        const tables=made.filter(e=>e);
        box.replaceChildren(box.firstChild,tables.length?make('div',{},...tables):
            make('p',{className:'note',textContent:'There is nothing to count in so few finds.'
                }))};
    clearTimeout(waits);
    waits=setTimeout(()=>draw(),box.open?200:0)};
return{box,show,chapter,annotations,columnsOf,valueOf,filterOf}})();
