/* report.js - optional tools of the page: sort a table, find words in the evidence, show the
 * shares at another threshold. The script reads the tables of the page and nothing else, and the
 * page is complete without it.
 * The build removes comments, indentation and line ends (pipeline/report/compact); an empty line
 * stays in the page as a line end. So each statement ends with a semicolon or at an empty line. */
'use strict';
(function(){

const make=(name,set,...inside)=>{
    const e=Object.assign(document.createElement(name),set);
    e.append(...inside);
    return e};

/* The number in a cell: "16.4 %", "< 0.1 %", "1 203"; NaN when there is none. */
const number=c=>{
    const t=c.textContent.replace(/[\s\u2009\u202f\u00a0]/g,'');
    const m=t.match(/-?[\d.]+/);
    return m?parseFloat(m[0])-(t[0]==='<'?1e-9:0):NaN};

/* A link to a closed section opens it. */
const reveal=()=>{
    const to=document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const closed=to&&(to.closest('details')||to.querySelector(':scope>details.methods'));
    if(closed)closed.open=true};
reveal();
window.addEventListener('hashchange',reveal);

/* Every table of numbers with three rows or more can be sorted by each of its columns. */
document.querySelectorAll('table.numbers').forEach(table=>{

    const head=table.tHead,body=table.tBodies[0];
    if(!head||!body||body.rows.length<3)return;

    [...head.rows[0].cells].forEach((cell,column)=>{

        if(cell.className==='drawn')return;
        const button=make('button',{type:'button',className:'sort'});
        while(cell.firstChild)button.append(cell.firstChild);
        cell.append(button);

        button.addEventListener('click',()=>{

            const up=cell.getAttribute('aria-sort')==='descending';
            [...head.rows[0].cells].forEach(c=>c.removeAttribute('aria-sort'));
            cell.setAttribute('aria-sort',up?'ascending':'descending');

            const rows=[...body.rows].map((row,i)=>(
                {row,i,n:number(row.cells[column]),t:row.cells[column].textContent}));
            const plain=rows.some(r=>isNaN(r.n)&&r.t.trim()!=='\u2013'&&r.t!=='none');

            rows.sort((a,b)=>{
                const d=plain?a.t.localeCompare(b.t):(isNaN(a.n)?-1:a.n)-(isNaN(b.n)?-1:b.n);
                return(up?d:-d)||a.i-b.i});
            body.append(...rows.map(r=>r.row))})})});

/* A search field above the evidence hides the phrases and passages without the typed words. */
const evidence=document.getElementById('evidence');

if(evidence){
    const input=make('input',{type:'search',id:'find'}),said=make('output',{htmlFor:'find'});

    evidence.querySelector('h2').after(make('p',{className:'tool'},
        make('label',{htmlFor:'find',textContent:'Find words in phrases and passages '}),
        input,' ',said));

    const items=[...evidence.querySelectorAll(
        'table.phrases tbody tr,.patterns li,.passages li')];

    input.addEventListener('input',()=>{
        const wanted=input.value.trim().toLowerCase();
        let n=0;

        items.forEach(i=>{
            i.hidden=wanted!==''&&!i.textContent.toLowerCase().includes(wanted);
            n+=!i.hidden});
        if(wanted)evidence.querySelectorAll('details.card').forEach(d=>{
            d.open=!!d.querySelector('tbody tr:not([hidden]),.passages li:not([hidden])')});

        said.textContent=wanted?n+' of '+items.length+' shown':''})}

/* A slider shows the shares by `lowe` at each threshold of the table "Threshold". */
const threshold=parseFloat(document.getElementById('distances')?.dataset.threshold);

document.querySelectorAll('#distances').forEach((article,i)=>{

    const table=[...article.querySelectorAll('table')].find(
        t=>t.tHead.rows[0].cells[0].textContent.trim()==='Threshold');
    if(!table)return;

    const names=[...table.tHead.rows[0].cells].slice(1).map(c=>c.textContent);
    const rows=[...table.tBodies[0].rows].map(r=>[...r.cells].map(c=>c.textContent.trim()));

    const slider=make('input',{type:'range',id:'threshold'+i,min:0,max:rows.length-1,step:1}),
        said=make('output',{htmlFor:'threshold'+i}),
        list=make('dl',{className:'redrawn'});

    const start=rows.findIndex(r=>Math.abs(parseFloat(r[0])-threshold)<1e-9);
    slider.value=start<0?0:start;

    const draw=()=>{
        const row=rows[slider.value];
        said.textContent=row[0];
        list.replaceChildren(...names.flatMap((name,k)=>{
            const bar=make('span',{className:'bar'});
            bar.style.width=(parseFloat(row[k+1].replace(/[^\d.]/g,''))||0)+'%';
            return[make('dt',{},name),make('dd',{},bar,' '+row[k+1])]}))};

    slider.addEventListener('input',draw);
    draw();

    article.querySelector('.pair')?.before(make('div',{className:'tool'},
        make('label',{htmlFor:'threshold'+i,textContent:'Shares by lowe at threshold '}),
        said,' ',slider,list))})

/* A figure that has its labels in it can be saved as a file. */
const drawn=['fill','fill-opacity','stroke','stroke-width','stroke-opacity','stroke-dasharray',
    'opacity','font-family','font-size','font-weight','text-anchor'];
[...document.querySelectorAll('svg')].filter(svg=>svg.querySelector('text')).forEach(svg=>{
    const button=make('button',{type:'button',textContent:'Save as SVG'});
    button.addEventListener('click',()=>{
        const copy=svg.cloneNode(true),own=[svg,...svg.querySelectorAll('*')];
        [copy,...copy.querySelectorAll('*')].forEach((e,i)=>{
            const style=getComputedStyle(own[i]);
            drawn.forEach(name=>e.style.setProperty(name,style.getPropertyValue(name)))});
        const box=svg.getBoundingClientRect();
        copy.setAttribute('width',box.width);
        copy.setAttribute('height',box.height);
        const url=URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)],
            {type:'image/svg+xml'}));
        make('a',{href:url,download:(svg.closest('section')?.id||'figure')+'.svg'}).click();
        setTimeout(()=>URL.revokeObjectURL(url),60000)});
    (svg.closest('figure')||svg).after(make('p',{className:'tool'},button))})})();
