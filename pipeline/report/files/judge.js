/* judge.js - judgements of passages: accepted, rejected, tags and a note, on the list of finds, on
 * the reading pages and of allusions, by buttons and by keys; texts and kinds of passages that are
 * left out; and references to copy. All of it is one JSON value, {run, by, own: {KEY: [verdict,
 * note, tags]}, others: {JUDGE: the same}, out: {texts, kinds}}, which the browser stores under the
 * hash of the run. A program around the page reads and sets it by `tributary_judgements`, and hears
 * the event "judged" of the document. Judgements are written to and read from a CSV file, which
 * `tributary report --judgements` reads, too; rows of other judges are kept beside one's own. */
const judge=(function(){

const box=document.querySelector('[data-run]');
if(!box)return null;

const make=(name,set,...inside)=>{
    const e=Object.assign(document.createElement(name),set);
    e.append(...inside);
    return e};

const columns=['target','source','target_first','target_last','source_first','source_last',
    'judgement','note','judge','tags'];
const stored='tributary judgements '+box.dataset.run,listeners=[];
let storage=null,own={},by='',others={},out={texts:[],kinds:[]};
const changed=()=>listeners.forEach(f=>f());

/* Of two texts that are sources of each other a passage has a key in both directions: what is
 * judged of one is judged of the other. The list of finds says which they are. */
const twins={};
const both=key=>[key,...twins[key]||[]];
const spread=()=>[own,...Object.values(others)].forEach(all=>Object.keys(all).forEach(
    key=>both(key).forEach(k=>{all[k]||=all[key]})));
const pair=found=>{
    Object.assign(twins,found);
    spread()};

const value=()=>JSON.stringify({run:box.dataset.run,by,own,others,out});
const adopt=text=>{
    const all=JSON.parse(text||'{}');
    own=all.own||(all.by||all.others||all.out?{}:all);
    by=all.by||'';
    others=all.others||{};
    out={texts:[],kinds:[],...all.out};
    spread()};
const read=()=>{try{adopt(storage.getItem(stored))}catch(e){own={}}};

try{
    storage=window.localStorage;
    storage.setItem(stored+' test','1');
    storage.removeItem(stored+' test')
}catch(e){storage=null}

if(storage)read();

const keep=()=>{
    spread();
    if(storage)try{storage.setItem(stored,value())}catch(e){storage=null}
    changed();
    document.dispatchEvent(new CustomEvent('judged',{detail:value()}))};

window.tributary_judgements={get:value,set:text=>{
    adopt(text);
    if(storage)try{storage.setItem(stored,value())}catch(e){storage=null}
    changed()}};

/* In a frame of the application (pipeline/app), which has another port of this machine, its page
 * keeps the judgements in the project's folder: it is told those that change, and sends all. */
const app=/^(127\.0\.0\.1|localhost)$/.test(location.hostname)&&top!==window&&top;
const tell=(some,left)=>{
    if(app)app.postMessage({judgements:box.dataset.run,own:some,by,others,out:left},'*')};

window.addEventListener('message',e=>{
    if(!app||e.source!==app||new URL(e.origin).hostname!==location.hostname||
        e.data.judgements!==box.dataset.run)return;
    ({own,by,others}=e.data);
    out={texts:[],kinds:[],...e.data.out};
    keep()});
tell({});

window.addEventListener('storage',e=>{
    if(e.key!==stored)return;
    read();
    changed()});

/* A judgement without a verdict, a note and tags is none. */
const set=(key,judgement,note,tags)=>{
    both(key).forEach(k=>{
        own[k]=[judgement,note,tags];
        if(!judgement&&!note&&!tags)delete own[k]});
    keep();
    tell(Object.fromEntries(both(key).map(k=>[k,[judgement,note,tags]])))};

/* What is judged, each passage once. */
const judged=()=>Object.keys(own).filter(key=>!(twins[key]||[]).some(k=>k<key&&own[k]));

const of=key=>[...own[key]||[],'','',''].slice(0,3);

/* What the others say: "CD: rejected". */
const told=key=>Object.keys(others).filter(o=>others[o][key]).map(o=>o+': '+
    others[o][key].filter(s=>s).join(', ')).join('; ');

/* Whether all who judged a passage rejected it. */
const isRejected=key=>{
    const all=[own,...Object.values(others)].map(o=>o[key]&&o[key][0]).filter(v=>v);
    return all.length>0&&all.every(v=>v==='rejected')};

/* Kinds of passages that can be left out; a passage that was accepted stays. */
const imprint=RegExp('\\b(1[4-9]|20)\\d\\d\\b|\\bpp?\\. ?\\d|\\b(vol|eds?)\\.|'+
    '\\b(ibid|doi|press)\\b|:\/\/','gi');
const kinds={
    quotations:['Quotations: in quotation marks or with the name of their author',
        r=>/(^|; )(quoted|attributed)/.test(r.told)],
    formulas:['Formulas: in five texts or more',r=>r.held>4],
    bibliography:['Bibliography: two or more years, pages, volumes or imprints',
        r=>(r.text.match(imprint)||[]).length>1],
    short:['Short: less than eight words',r=>r.words<8]};
const isOf=(kind,r)=>{
    r.is||={};
    return r.is[kind]??=!!kinds[kind]&&kinds[kind][1](r)};
const isOut=r=>isRejected(r.key)||of(r.key)[0]!=='accepted'&&(out.texts.includes(r.sid)||
    out.kinds.some(k=>isOf(k,r)));
const leave=(list,name,isLeft)=>{
    out[list]=out[list].filter(n=>n!==name).concat(isLeft?[name]:[]);
    keep();
    tell({},out)};

/* Whether there is a judgement, or something is left out. */
const isAny=()=>[own,...Object.values(others)].some(o=>Object.keys(o).length)||
    out.texts.length+out.kinds.length>0;

const count=()=>{
    const list=judged().map(of);
    return{accepted:list.filter(j=>j[0]==='accepted').length,
        rejected:list.filter(j=>j[0]==='rejected').length,
        notes:list.filter(j=>j[1]).length}};

/* How far another judge agrees beyond chance (Cohen 1960). */
const agreement=other=>{
    const n={};
    let sum=0,same=0,chance=0;
    judged().forEach(key=>{
        const a=own[key][0],b=(others[other][key]||[''])[0];
        if(!a||!b)return;
        sum++;
        same+=a===b;
        n['1'+a]=(n['1'+a]||0)+1;
        n['2'+b]=(n['2'+b]||0)+1});
    ['accepted','rejected'].forEach(v=>{chance+=(n['1'+v]||0)/sum*(n['2'+v]||0)/sum});
    return other+(sum?' agrees on '+same+' of '+sum+(chance<1?' (kappa '+
        ((same/sum-chance)/(1-chance)).toFixed(2)+')':''):' judged no passage that you judged')};

/* A cell of CSV. An apostrophe is put before what a spreadsheet would take for a formula. */
const cell=value=>{
    const text=String(value),safe=/^[=+\-@\t\r]/.test(text)?"'"+text:text;
    return/[",\r\n]/.test(safe)?'"'+safe.replace(/"/g,'""')+'"':safe};
const csv=rows=>rows.map(row=>row.map(cell).join(',')+'\n').join('');

/* What is left out as a kind or a text is written as rejected, for the program to do the same. */
const write=rows=>{
    const mine={...own};
    rows.forEach(r=>{if(!of(r.key)[0]&&isOut(r)&&!isRejected(r.key))
        mine[r.key]=['rejected',of(r.key)[1],of(r.key)[2]||'left out']});
    return csv([columns,...[[by,mine],...Object.entries(others)].flatMap(([name,all])=>
        Object.keys(all).sort().map(key=>[...key.match(/[^ ]+/g),...all[key].slice(0,2),name,
            all[key][2]||'']))])};

const save=(text,type,name)=>{
    const url=URL.createObjectURL(new Blob([text],{type}));
    make('a',{href:url,download:name}).click();
    setTimeout(()=>URL.revokeObjectURL(url),60000)};

/* The rows of a CSV text, each a list of cells. */
const rows=text=>{
    const list=[];
    let row=[],at='',quoted=false;

    for(let i=text.charCodeAt(0)===0xfeff?1:0;i<text.length;i++){
        const c=text[i];
        if(quoted){
            if(c!=='"')at+=c;
            else if(text[i+1]==='"'){at+=c;i++}
            else quoted=false
        }else if(c==='"')quoted=true;
        else if(c===','||c==='\n'){
            row.push(at);
            at='';
            if(c==='\n'){list.push(row);row=[]}
        }else if(c!=='\r')at+=c}

    if(at||row.length)list.push([...row,at]);
    return list.filter(r=>r.length>1||r[0])};

/* Adds the judgements of a CSV text; returns a sentence about it. Rows of another judge are his;
 * who has judged nothing yet and opens the file of one judge goes on with it. */
const take=(text,isFind)=>{
    const list=rows(text),head=(list.shift()||[]).map(c=>c.trim());
    const place=columns.map(c=>head.indexOf(c));
    const absent=columns.filter((c,i)=>place[i]<0&&i<7);
    if(absent.length)return'This file has no column '+absent.join(', ')+
        '. Take a file that was saved here, with commas between the columns.';

    let n=0,strange=0;
    const all=list.map(r=>place.map(i=>i<0?'':(r[i]||'').trim()));
    const names=new Set(all.map(cells=>cells[8]));
    if(!by&&!Object.keys(own).length&&names.size===1)[by]=names;

    all.forEach(cells=>{
        const key=cells.slice(0,6).join(' '),judgement=cells[6],name=cells[8];
        if(!isFind(key)||!['accepted','rejected',''].includes(judgement)){strange++;return}
        const note=cells[7].replace(/^'(?=[=+\-@\t\r])/,'');
        const to=name&&name!==by?others[name]||={}:own;
        if(judgement||note||cells[9])to[key]=[judgement,note,cells[9]];
        n++});

    keep();
    tell(own);
    return n+(n===1?' judgement read.':' judgements read.')+(strange?' '+strange+(strange===1?
        ' row is':' rows are')+' not about a find of this run, or not accepted or rejected.':'')};

/* ---- Controls and references ---- */

const copy=text=>{
    const area=make('textarea',{value:text});
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove()};

/* A text as a reference names it: [author, title, date, place]; then the passage of the two. */
const whole=(t,quote)=>(t[0]?t[0]+', ':'')+(quote?'\u201c'+t[1]+'\u201d':t[1])+
    (t[2]?' ('+t[2]+')':'')+', '+t[3];
const styles={
    Chicago:(a,b,url)=>whole(a,true)+'; shared with '+whole(b,true)+'. Found with tributary, run '+
        box.dataset.run.slice(0,16)+', '+url+'.',
    MLA:(a,b,url)=>(a[0]?a[0]+'. ':'')+'\u201c'+a[1]+'.\u201d '+(a[2]?a[2]+', ':'')+a[3]+
        '. Shared with '+whole(b,true)+'. Tributary, run '+box.dataset.run.slice(0,16)+', '+url+'.',
    BibTeX:(a,b,url)=>'@misc{tributary-'+box.dataset.run.slice(0,8)+'-'+
        a[3].replace(/[^A-Za-z0-9]+/g,'-')+',\n'+[['author',a[0]],['title',a[1]],['year',a[2]],
            ['note',a[3]+'; shared with '+whole(b,false)+'; tributary, run '+
                box.dataset.run.slice(0,16)],['url',url]].filter(f=>f[1]).map(f=>'  '+f[0]+' = {'+
            f[1].replace(/[{}\\]/g,'')+'}').join(',\n')+'\n}\n'};

/* Buttons to judge a passage and to copy its reference: `ends` gives both texts and the address. */
const controls=(key,ends)=>{
    const[note,tags]=[1,2].map(i=>make('input',{type:'text',value:of(key)[i]}));
    const says=make('output',{}),words=()=>[note.value.trim(),tags.value.trim()];
    tags.setAttribute('list','judge-tags');
    const buttons=['accepted','rejected'].map(verdict=>{
        const button=make('button',{type:'button',className:verdict});
        button.addEventListener('click',()=>
            set(key,of(key)[0]===verdict?'':verdict,...words()));
        button.verdict=verdict;
        return button});
    const cites=Object.keys(styles).map(style=>{
        const button=make('button',{type:'button',textContent:style});
        button.addEventListener('click',()=>{
            copy(styles[style](...ends()));
            says.textContent='Copied.'});
        return button});
    const div=make('div',{className:'judge'},...buttons,make('label',{},'Note ',note),
        make('label',{},'Tags ',tags),
        make('span',{className:'cite'},'Copy reference ',...cites),says);

    div.redraw=()=>{
        const is=of(key);
        div.parentNode.dataset.judged=is[0];
        says.textContent=told(key);
        [note,tags].forEach((e,i)=>{if(document.activeElement!==e)e.value=is[i+1]});
        buttons.forEach(b=>{
            b.setAttribute('aria-pressed',is[0]===b.verdict);
            b.textContent=is[0]!==b.verdict?b.verdict==='accepted'?'Accept':'Reject':
                b.verdict==='accepted'?'\u2713 Accepted':'\u2717 Rejected'})};

    [note,tags].forEach(e=>{
        e.addEventListener('change',()=>set(key,of(key)[0],...words()));
        e.addEventListener('keydown',k=>{if(k.key==='Escape')e.blur()})});
    return div};

/* All tags, which a field of tags offers. */
const tagsOf=key=>(of(key)[2].match(/[^,]+/g)||[]).map(t=>t.trim()).filter(t=>t);
const allTags=()=>[...new Set(Object.keys(own).flatMap(tagsOf))].sort();
const offered=make('datalist',{id:'judge-tags'});
document.body.append(offered);
const offer=()=>offered.replaceChildren(...allTags().map(value=>make('option',{value})));
listeners.push(offer);
offer();

/* Keys: j and k step; a and r accept and reject what is `at` hand, n writes a note. */
const keys=(step,at)=>addEventListener('keydown',e=>{
    const name=e.target.localName,acts={a:'.accepted',r:'.rejected',n:'input'};
    if(e.ctrlKey||e.metaKey||e.altKey||e.target.type!=='checkbox'&&/^(input|textarea|select)$/.test(
        name))return;
    if(e.key==='j'||e.key==='k')step(e.key==='j'?1:-1);
    else{
        const on=acts[e.key]&&at(),control=on&&on.querySelector('.judge '+acts[e.key]);
        if(!control)return;
        if(e.key==='n')control.focus();else control.click()}
    e.preventDefault()});

/* Boxes for kinds of passages and for texts, [id, title], to leave out of all numbers. */
const leaving=texts=>{
    const box=(list,name,text)=>{
        const check=make('input',{type:'checkbox'});
        check.redraw=()=>{check.checked=out[list].includes(name)};
        check.addEventListener('change',()=>leave(list,name,check.checked));
        listeners.push(check.redraw);
        check.redraw();
        return make('label',{},check,' ',text)};
    return make('details',{className:'rarely leaving'},
        make('summary',{textContent:'Leave out kinds of passages, or sources'}),
        ...Object.keys(kinds).map(k=>box('kinds',k,kinds[k][0])),
        make('p',{className:'sources-out'},...texts.map(([id,name])=>box('texts',id,name))))};

return{leaving,of,count,write,take,csv,save,controls,keys,agreement,isRejected,isOut,isAny,kinds,
    pair,leave,tagsOf,allTags,out:()=>out,names:()=>Object.keys(others),by:()=>by,
    sign:name=>{by=name;keep();tell({})},
    isStored:()=>!!storage,whenChanged:f=>{listeners.push(f)}}})();

