/* numbers.js - the numbers of a page without the passages that were rejected or left out. Elements
 * name what their number is of: data-share, data-held and data-same 'TARGET SOURCE...' (- is the
 * author, no source: all), data-count the passages; the element with data-run may name the file of
 * the finds (data-finds). What a passage gave is the author's then. */
const numbers=(function(){

if(!judge)return null;
const box=document.querySelector('[data-run]');
const make=(name,set,...inside)=>{
    const e=Object.assign(document.createElement(name),set);
    e.append(...inside);
    return e};

/* 23684 as 23 684, with thin spaces. */
const grouped=n=>String(n).replace(/\B(?=(\d{3})+$)/g,'\u202f');

/* Finds of the same words of two texts in the other direction, of which each is a source of the
 * other: most words of both are the same. */
const meet=rows=>{
    const near={},key=(a,b,word)=>a+' '+b+' '+(word>>9);
    const common=(a,b,c,d)=>2*(Math.min(b,d)-Math.max(a,c))>Math.min(b-a,d-c);
    rows.forEach(r=>(near[key(r.source,r.target,r.tf)]||=[]).push(r));
    rows.forEach(r=>{
        r.twins=[-1,0,1].flatMap(d=>near[key(r.target,r.source,r.sf+512*d)]||[]).filter(
            o=>common(r.tf,r.tl,o.sf,o.sl)&&common(r.sf,r.sl,o.tf,o.tl))});
    judge.pair(Object.fromEntries(rows.filter(r=>r.twins.length).map(
        r=>[r.key,r.twins.map(o=>o.key)])));
    return rows};

/* The finds of a list as objects (pipeline/report/finds.c). */
const rowsOf=data=>{
    data.texts.forEach(t=>{names[t[0]]=t[1]||t[0]});
    return meet(data.finds.map((f,i)=>({i,id:f[0],target:f[1],source:f[2],words:f[3],
    rarity:f[4],percent:f[5],tf:f[6],tl:f[6]+f[7]-1,sf:f[8],sl:f[8]+f[9]-1,left:f[10],
    right:f[11].map(p=>typeof p==='number'?f[10][p]:p),here:f[12]||'',there:f[13]||'',
    family:f[14]===undefined?'':f[1]+' '+f[14],told:f[15]||'',
    held:+(/(\d+) texts hold it/.exec(f[15])||[0,2])[1],
    tid:data.texts[f[1]][0],sid:data.texts[f[2]][0],
    key:[data.texts[f[1]][0],data.texts[f[2]][0],f[6],f[6]+f[7]-1,f[8],f[8]+f[9]-1].join(' '),
    get text(){return this.left.join('')+' '+this.right.join('')}})))};

/* What every element showed at first. */
const kinds=['share','held','count','same'];
const elements=kinds.flatMap(kind=>[...document.querySelectorAll('[data-'+kind+']')].filter(
    e=>e!==box&&!e.closest('svg')).map(e=>({e,kind,of:e.dataset[kind].match(/[^ ]+/g),
    was:(e.firstChild||e).textContent})));
const whole=+box.dataset.n||0;

/* Cells of the map and arcs of texts name their pair by their link. */
if(!document.querySelector('.matrix.grouped'))document.querySelectorAll(
    '.matrix td a,svg.time a').forEach(a=>{
    const pair=/#([^:]+):(.+)$/.exec(decodeURIComponent(a.getAttribute('href')||'')),
        e=a.querySelector('title')||a;
    if(pair)elements.push({e,kind:'share',of:[pair[1],pair[2]],was:e.textContent})});
const shown=/([\d.]+)(?=[\s\u202f]*%)|(?<=^\(?)[\d.]+(?=\)?$)/;
const number=(text,kind)=>kind==='share'?+(shown.exec(text)||[0,0])[0]:
    +text.replace(/[^\d.]/g,'');

const head=make('p',{className:'curated',hidden:true});
(document.querySelector('.masthead')||box).after(head);

/* The titles of the texts, once the list is read. */
const names={};

/* Says by whom and how the page was curated. */
const say=(rows,n)=>{
    const count=judge.count(),out=judge.out(),all=[judge.by(),...judge.names()].filter(b=>b);
    const left=[...out.texts.map(t=>names[t]||t),...out.kinds.map(k=>
        judge.kinds[k]?judge.kinds[k][0].replace(/:.*/,'').toLowerCase():k)];
    head.hidden=!judge.isAny();
    const again=(rows||[]).filter(r=>r.twins.some(o=>o.i<r.i));
    const nJudged=count.accepted+count.rejected;
    const nOut=rows&&rows.filter(judge.isOut).length-again.filter(judge.isOut).length;
    n-=again.length;
    head.replaceChildren(make('b',{textContent:'Curated in this browser'}),
        (all.length?' by '+all.join(' and ')+'. ':'. ')+(n?'Of '+grouped(n)+' passages ':'')+
        nJudged+(nJudged===1?' was':' were')+' judged: '+count.accepted+' accepted, '+
        count.rejected+' rejected.'+(left.length?' Left out: '+left.join(', ')+'.':'')+(nOut?
            ' The numbers of this page are without '+grouped(nOut)+' of them; intervals are '+
            'not known then.':''))};

/* A bar, a stream or an arc is drawn as wide as its number. */
const draw=(e,part)=>{
    const isAll=e.dataset.share&&!e.dataset.share.includes(' ');
    const bar=e.matches('td')&&e.parentNode.querySelector(isAll?'.whole .flows':'.bars svg .water');
    if(bar&&(isAll||e.closest('.bars')))bar.style.transform='scaleX('+part+')';
    if(e.localName==='title')e.parentNode.style.opacity=part};

/* Shows all numbers without the rows that are out; n: all passages of the run. */
const show=(rows,n)=>{
    const lost={},counts={},part={},left={},add=(list,key,d)=>{list[key]=(list[key]||0)+d};
    const outs=new Set();
    rows.forEach(r=>{
        const[t,s]=[r.tid,r.sid];
        if(!judge.isOut(r)){
            left[t+' '+s]=true;
            return}
        outs.add(r.key);
        for(const[a,b]of r.twins.length?[[t,s]]:[[t,s],[s,t]]){
            add(counts,a+' '+b,1);
            add(counts,a,1)}
        add(lost,t+' '+s,r.percent)});

    /* A source loses no more than it had; without all passages of the list, all of it. */
    elements.forEach(({kind,of,was})=>{
        const pair=of.join(' '),had=number(was,kind)||0;
        if(kind==='share'&&of.length===2&&lost[pair])
            lost[pair]=left[pair]?Math.min(lost[pair],had):had});
    Object.keys(lost).forEach(pair=>{
        const t=/[^ ]+/.exec(pair)[0];
        add(lost,t,lost[pair]);
        add(lost,t+' -',-lost[pair])});

    elements.forEach(({e,kind,of,was})=>{
        const[t,...sources]=of,keys=sources.length?sources.map(s=>t+' '+s):[t];
        const less=keys.reduce((sum,k)=>sum+((kind==='count'?counts:lost)[k]||0),0);
        const before=number(was,kind),digits=(/\.(\d+)/.exec(was)||['',''])[1].length;
        let now=before;
        if(!/\d/.test(was))return;
        if(kind==='share'||kind==='count')now=before-less;
        if(kind==='held')now=before-Math.round(less/100*(+e.dataset.n||whole));
        if(kind==='same')now=Math.round(before*(part[keys[0]]??1));
        if(less&&kind!=='count'&&of[1]&&of[1]!=='-'&&!keys.some(k=>left[k]))now=0;
        now=Math.min(Math.max(0,now),kind==='share'?100:Infinity);
        if(kind!=='same')part[keys[0]]=before?now/before:1;
        const isSame=!less&&(kind!=='same'||(part[keys[0]]??1)===1);
        const text=isSame?was:kind==='share'?was.replace(shown,now.toFixed(digits)):
            grouped(now);
        if(e.firstChild&&e.firstChild.textContent!==text)e.firstChild.textContent=text;
        e.classList.toggle('recomputed',!isSame);
        if(e.localName!=='title'&&!e.closest('.matrix'))e.title=
            isSame?'':'without what was rejected or left out; '+was.trim()+' with it';
        draw(e,less?part[keys[0]]:1)});

    document.querySelectorAll('[data-key]').forEach(e=>
        e.classList.toggle('out',outs.has(e.dataset.key)||judge.isRejected(e.dataset.key)));
    document.dispatchEvent(new CustomEvent('out',{detail:outs}));
    say(rows,n)};

/* The list of finds beside the page, of which all files are read, when something was judged. */
let rows=null,all=0,waits=false;
const load=(then,file=1)=>{
    const script=make('script',{src:box.dataset.finds.replace(/(-\d+)?\.js$/,
        file>1?'-'+file+'.js':'.js')});
    script.onload=()=>{
        const data=window.tributary_finds;
        if(file===1)load.data=data;
        else load.data.finds=load.data.finds.concat(data.finds);
        if(file<(load.data.files||1))return load(then,file+1);
        then(load.data)};
    script.onerror=()=>say(null,0);
    document.head.append(script)};
const update=()=>{
    if(rows)return show(rows,all);
    if(!judge.isAny()||waits)return say(null,0);
    waits=true;
    load(data=>{
        rows=rowsOf(data);
        all=data.all||rows.length;
        show(rows,all)})};

if(box.dataset.finds){
    judge.whenChanged(update);
    update()}
return{rowsOf,show,say,grouped}})();

/* Possible allusions are judged as passages are, on the page of their target. */
(function(){

const list=[...document.querySelectorAll('#allusions .passages li')];
if(!judge||!list.length)return;
const h1=document.querySelector('h1').textContent;

list.forEach(li=>{
    const key=li.querySelector('[data-key]').dataset.key,[,source,a,b,c,d]=key.match(/[^ ]+/g);
    const name=li.querySelector('.note b')?.textContent||source;
    const controls=judge.controls(key,()=>[['',h1,'','words '+a+'\u2013'+b],
        ['',name,'','words '+c+'\u2013'+d],location.href.replace(/#.*/,'')+'#allusions']);
    li.append(controls);
    li.redraw=controls.redraw;
    li.redraw()});
judge.whenChanged(()=>list.forEach(li=>li.redraw()));
if(document.getElementById('finds-list'))return;

let at=null;
judge.keys(by=>{
    const to=list[at?list.indexOf(at)+by:0];
    if(!to)return;
    if(at)at.classList.remove('at');
    at=to;
    at.classList.add('at');
    at.scrollIntoView({block:'nearest',behavior:'instant'})},()=>at)})();
