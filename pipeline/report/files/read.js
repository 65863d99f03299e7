/* read.js - optional tools of a reading page: passages are stepped through and judged by keyboard,
 * the number of a word in the address, and where the window is on the map. The page is complete
 * without it. About comments and line ends see report.js. */
'use strict';
(function(){

const text=document.getElementById('text'),places=document.querySelector('.places');
if(!text)return;
const at=(list,low)=>{
    let a=0,b=list.length;
    while(a<b){
        const m=a+b>>1;
        if(low(list[m]))a=m+1;else b=m}
    return a-1};

/* The first piece of each passage in the order of the text, and the blocks with the number of their
 * first word. The places in the sources are in the page, or for a long text in a frame. */
const all=[...text.querySelectorAll('a[data-s]')],frame=places.querySelector('iframe');
const blocks=[...text.querySelectorAll('[data-w]')];
const firsts=blocks.map(b=>+b.id.slice(1));

const digits='ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/* Where each word of a block begins, in its text: by turns a number of words that begin where they
 * are expected, and the step to one that does not (docs/run-directory.md). */
const letters='A-Za-z\u00c0-\u1fff\u2070-\u2fff\u3040-\uffff',letter=RegExp('['+letters+']'),
    word=RegExp("['\u2019]*[0-9"+letters+'][0-9'+letters+"'\u2019]*",'g');

const starts=block=>{
    const text=block.textContent,list=[];
    let n=0,isStep=false,at=0;

    for(const c of block.dataset.w){
        const d=digits.indexOf(c);
        n+=d;
        if(d===63)continue;

        if(isStep)list.push(at+=n);
        else for(word.lastIndex=at;n>0;){
            const run=word.exec(text);
            if(!run)return list;
            if(run.index===at&&list.length||!letter.test(run[0]))continue;
            list.push(at=run.index+run[0].search(/[^'\u2019]/));
            n--}
        n=0;
        isStep=!isStep}
    return list};

/* The text node and the place in it of a character of a block; and back. */
const node=(block,offset)=>{
    const walk=document.createTreeWalker(block,4);
    for(let n;n=walk.nextNode();offset-=n.length)if(offset<n.length)return[n,offset];
    return null};
const offset=(block,n,k)=>{
    const range=document.createRange();
    range.setStart(block,0);
    range.setEnd(n,k);
    return range.toString().length};

/* In a frame scrollIntoView would scroll the page around it, too. */
const top_=e=>e.getBoundingClientRect().top;
const centre=e=>{
    if(parent===window)e.scrollIntoView({block:'center'});
    else scrollBy(0,top_(e)-innerHeight/2)};

/* ---- A passage is chosen ---- */
const title=document.querySelector('h1').textContent;
let chosen=-1;
const say=hash=>history.replaceState(null,'',hash);
const runs=i=>i<0?[]:text.querySelectorAll('a[href="'+all[i].getAttribute('href')+'"]');
const placeOf=i=>i<0||frame?null:document.getElementById(all[i].hash.slice(1));
const indexOf=hash=>all.findIndex(a=>a.hash===hash);
const numberOf=a=>{
    const block=a.closest('[data-w]'),from=offset(block,a,0);
    return+block.id.slice(1)+Math.max(0,at(starts(block),s=>s<=from))};

/* The controls to judge a passage and to cite it, at its place in the other text. */
const judgeIn=place=>{
    if(!judge||!place.dataset.key)return;
    if(!place.querySelector('.judge')){
        const words=[...place.querySelectorAll('p a[href*="#w"]')].slice(0,2);
        const other=place.querySelector('h2').textContent.replace(/^\s*\d+\s*/,'');
        place.append(judge.controls(place.dataset.key,()=>[['',title,'','words '+
            words[0].textContent],['',other,'','words '+(words[1]||words[0]).textContent],
            location.href]))}
    place.querySelector('.judge').redraw()};
if(judge)judge.whenChanged(()=>places.querySelectorAll('.judge').forEach(e=>e.redraw()));

/* Passages that are rejected or left out have no colour. Where no list of finds is beside the page,
 * its own passages say which they are. */
const fade=()=>places.querySelectorAll('[data-key]').forEach(p=>
    text.querySelectorAll('a[href="#'+p.id+'"]').forEach(
        a=>a.classList.toggle('out',p.classList.contains('out'))));
document.addEventListener('out',fade);
if(numbers&&!places.dataset.finds){
    const rows=[...places.querySelectorAll('[data-key]')].map(p=>{
        const[tid,sid,tf,tl]=p.dataset.key.match(/[^ ]+/g),words=tl-tf+1;
        return{key:p.dataset.key,tid,sid,words,told:'',held:2,twins:[],
            percent:100*words/places.dataset.n,text:p.textContent}});
    const update=()=>numbers.show(rows,rows.length);
    judge.whenChanged(update);
    if(judge.isAny())update()}

const choose=(i,follow)=>{
    const place=placeOf(i);
    runs(chosen).forEach(r=>r.classList.remove('on'));
    places.querySelectorAll('.on').forEach(e=>e.classList.remove('on'));
    chosen=i;
    document.body.classList.toggle('chosen',i>=0);
    if(i<0)return;
    const own=runs(i);
    own.forEach(r=>r.classList.add('on'));
    if(frame)frame.contentWindow.location.replace(all[i].href);
    if(place){
        place.classList.add('on');
        judgeIn(place);
        places.scrollTop=0;
        places.scrollTop=place.querySelector('mark').offsetTop-places.clientHeight/3}
    if(!follow)return;
    say('#w'+numberOf(all[i]));
    if(own[0])centre(own[0])};

/* ---- A word is chosen ---- */

/* The place of an element as it is cited: "Luke 3:7". */
const cited=e=>{
    const all=[...text.querySelectorAll('[data-r]')];
    const r=all[at(all,a=>a.contains(e)||a.compareDocumentPosition(e)&4)];
    return r?title+(/^\d/.test(r.dataset.r)?' ':', ')+r.dataset.r:''};

let mark=null;
const unmark=()=>{
    if(!mark)return;
    const parent=mark.parentNode;
    mark.replaceWith(...mark.childNodes);
    parent.normalize();
    mark=null};

const show=(word,follow)=>{
    const b=at(firsts,f=>f<=word);
    unmark();
    if(b<0)return;
    const block=blocks[b],list=starts(block),k=Math.min(word-firsts[b],list.length-1);
    const[n,from]=node(block,list[k])||[];
    if(!n)return;
    const length=Math.min(n.length-from,k+1<list.length?list[k+1]-list[k]:99);
    const end=n.data.slice(from,from+length).search(/[^\p{L}\p{M}\p{N}'\u2019]/u);
    const range=document.createRange();
    range.setStart(n,from);
    range.setEnd(n,from+(end>0?end:length));
    mark=document.createElement('mark');
    range.surroundContents(mark);
    mark.title=[cited(mark),'word '+(firsts[b]+k)].filter(s=>s).join(', ');
    if(follow)centre(mark);
    const run=mark.closest('a');
    choose(run?indexOf(run.hash):-1,false)};

const arrive=()=>{
    const m=location.hash.match(/^#([wp])(\d+)$/);
    if(!m)return;
    if(m[1]==='w')show(+m[2],true);
    else choose(indexOf(m[0]),true)};

addEventListener('hashchange',arrive);

/* The word at a place of the window. */
const wordAt=e=>{
    const p=document.caretPositionFromPoint?document.caretPositionFromPoint(e.clientX,e.clientY):
        document.caretRangeFromPoint(e.clientX,e.clientY);
    const n=p&&(p.offsetNode||p.startContainer),k=p&&(p.offset===undefined?p.startOffset:p.offset);
    const block=n&&n.nodeType===3&&n.parentNode.closest('[data-w]');
    if(!block)return 0;
    const o=offset(block,n,k);
    return+block.id.slice(1)+Math.max(0,at(starts(block),s=>s<=o))};

text.addEventListener('click',e=>{
    if(e.ctrlKey||e.metaKey||e.shiftKey)return;
    const run=e.target.closest('a');
    if(run){
        e.preventDefault();
        unmark();
        choose(indexOf(run.hash),false);
        say('#w'+numberOf(run));
        return}
    const word=getSelection().isCollapsed?wordAt(e):0;
    if(word){
        say('#w'+word);
        show(word,false)}});

places.addEventListener('click',e=>{
    const link=e.target.closest('a');
    if(!link||!link.getAttribute('href').startsWith('#'))return;
    e.preventDefault();
    unmark();
    if(link.className==='close')choose(-1,false);
    else if(link.hash[1]==='p'&&indexOf(link.hash)>=0)choose(indexOf(link.hash),true);
    else if(link.hash[1]==='p'){ /* a passage whose words are shown as another's */
        places.querySelectorAll('.on').forEach(e=>e.classList.remove('on'));
        document.getElementById(link.hash.slice(1)).classList.add('on')}
    else choose(chosen,true)});

/* ---- Keys ---- */
const isShown=a=>document.getElementById('f'+a.dataset.s).checked;
const here=()=>{
    if(chosen>=0)return chosen;
    if(mark)return at(all,a=>mark.compareDocumentPosition(a)&2);
    return at(all,a=>a.getBoundingClientRect().top<innerHeight/4)};

const step=by=>{
    let i=here()+(by<0&&chosen<0?1:0);
    do i+=by;while(all[i]&&!isShown(all[i]));
    if(!all[i])return;
    unmark();
    choose(i,true)};

const forward=document.body.className==='rtl'?'ArrowLeft':'ArrowRight';

if(judge)judge.keys(step,()=>placeOf(chosen));
addEventListener('keydown',e=>{
    if(e.ctrlKey||e.metaKey||e.altKey||/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)&&
        e.target.type!=='checkbox')return;
    if(e.key===forward)step(1);
    else if(/^Arrow(Left|Right)$/.test(e.key))step(-1);
    else if(e.key==='Escape')choose(-1,false);
    else return;
    e.preventDefault()});

/* ---- Words and heights ---- */

/* The word at a height of the window, with a fraction. The browser guesses the heights of groups of
 * blocks that were never seen, so that only those in view are measured block by block. */
const groups=[...text.children],last=blocks.length-1;
const end=last<0?1:firsts[last]+starts(blocks[last]).length;
const under=(list,y)=>list[Math.max(0,at(list,e=>top_(e)<=y))];
const wordAtHeight=y=>{
    const block=under([...under(groups,y).querySelectorAll('[data-w]')],y);
    const box=block.getBoundingClientRect(),b=at(firsts,f=>f<=+block.id.slice(1));
    return firsts[b]+Math.min(Math.max((y-box.top)/box.height,0),1)*
        ((firsts[b+1]||end)-firsts[b])};
const scrollToWord=(word,y)=>{
    const b=Math.max(0,at(firsts,f=>f<=word));
    const box=blocks[b].getBoundingClientRect();
    scrollBy(0,box.top+box.height*(word-firsts[b])/((firsts[b+1]||end)-firsts[b])-y)};

/* ---- Two texts side by side: ID.html?with=OTHER has OTHER.html?in=ID in a frame ---- */
const pair=last<0?null:location.search.match(/^\?(with|in)=(.+)$/);

if(pair){
    const id=decodeURIComponent(pair[2]),own=location.pathname.match(/([^/]*)\.html$/);
    const link=[...document.querySelectorAll('.sources a')].find(
        a=>new URLSearchParams(a.search).get('with')===id);
    const s=link?link.closest('li').querySelector('input').id.slice(1):'';
    const shared=groups.map(g=>[...g.querySelectorAll('a.s'+s+'[data-t]')]);
    let leads=pair[1]==='with',other=parent,told=null,height=()=>0;

    /* Tells the other text to show the same words at the same height; of a window, the shared
     * words next to its middle. */
    const tell=(piece,isChosen)=>{
        if(piece&&other)other.postMessage([+piece.dataset.t,top_(piece)-height(),isChosen],'*')};
    const tellScroll=()=>{
        if(!leads)return;
        const y=innerHeight*.4,g=Math.max(0,at(groups,g=>top_(g)<=y));
        const near=shared.slice(Math.max(0,g-1),g+2).flat(),i=at(near,a=>top_(a)<=y);
        const[a,b]=[near[i],near[i+1]];
        tell(a&&(!b||y-top_(a)<top_(b)-y)?a:b,false)};

    if(leads&&own){
        const frame=document.createElement('iframe');
        frame.className='whole';
        frame.title='The other text';
        frame.src=encodeURIComponent(id)+'.html?in='+own[1];
        frame.addEventListener('load',()=>{
            other=frame.contentWindow;
            tellScroll()});
        other=null;
        height=()=>top_(frame);
        const title=document.createElement('h2'),page=document.createElement('a');
        page.href=encodeURIComponent(id)+'.html';
        page.append(...link?link.closest('li').querySelector('label').cloneNode(true).childNodes:
            [id]);
        page.querySelector('input')?.remove();
        title.append(page);
        places.append(title,frame);
        places.querySelector('.close').href=location.pathname}
    document.body.classList.add(leads?'two':'inside');

    /* The text that is scrolled leads, the other follows. */
    for(const kind of['wheel','pointerdown','keydown','touchstart'])
        addEventListener(kind,()=>{
            if(!leads&&other)other.postMessage('follow','*');
            leads=true},{passive:true});
    addEventListener('scroll',()=>requestAnimationFrame(()=>requestAnimationFrame(tellScroll)),
        {passive:true});
    /* groups that come into view get their true heights, which moves what is below */
    new ResizeObserver(()=>{
        if(leads)tellScroll();
        else if(told)scrollToWord(...told)}).observe(text);
    text.addEventListener('click',e=>{
        const run=e.target.closest('a');
        if(run&&run.classList.contains('s'+s))tell(run,true)});
    addEventListener('message',e=>{
        if(e.source!==other)return;
        if(e.data==='follow')leads=false;
        if(leads||!Array.isArray(e.data))return;
        const[word,y,isChosen]=e.data;
        told=[+word,+y+height()];
        scrollToWord(...told);
        if(isChosen)show(+word,false)})}

/* ---- Where the window is on the map ---- */
const strip=document.querySelector('.strip svg');

if(strip){
    const window_=document.createElement('div');
    window_.className='window';
    strip.after(window_);
    let waits=false;

    const draw=()=>{
        waits=false;
        const from=(wordAtHeight(0)-1)/(end-1),to=(wordAtHeight(innerHeight)-1)/(end-1);
        window_.style.insetInlineStart=from*100+'%';
        window_.style.width=Math.max(to-from,.004)*100+'%'};

    addEventListener('scroll',()=>{
        if(!waits)requestAnimationFrame(draw);
        waits=true},{passive:true});
    addEventListener('resize',draw);
    new ResizeObserver(draw).observe(text);
    draw()}

arrive()})();
