/* map.js - optional tools of the map and of the figure of time: arrow keys move between the cells
 * of the map and between the arcs, so that they are one stop of the tab key; a slider hides small
 * flows. */
'use strict';
(function(){

/* One of the links is a stop of the tab key: the one that had the focus last. */
const rove=(links,near)=>{
    if(links.length===0)return;
    const stop=link=>links.forEach(a=>a.setAttribute('tabindex',a===link?'0':'-1'));
    stop(links[0]);

    links.forEach(link=>{
        link.addEventListener('focus',()=>stop(link));
        link.addEventListener('keydown',event=>{
            const next=near(link,event.key);
            if(!next)return;
            event.preventDefault();
            stop(next);
            next.focus()})})};

/* The nearest link of the map in the direction of an arrow key. */
document.querySelectorAll('.matrix tbody').forEach(body=>{

    const links=[...body.querySelectorAll('td a')];
    const place=a=>[a.closest('tr').rowIndex,a.closest('td').cellIndex];

    rove(links,(link,key)=>{
        const[row,column]=place(link);
        const step={ArrowUp:[-1,0],ArrowDown:[1,0],ArrowLeft:[0,-1],ArrowRight:[0,1]}[key];
        if(!step)return null;
        let best=null,least=Infinity;

        links.forEach(a=>{
            const[r,c]=place(a);
            const ahead=(r-row)*step[0]+(c-column)*step[1];
            const aside=Math.abs((r-row)*step[1])+Math.abs((c-column)*step[0]);
            if(ahead>0&&ahead+3*aside<least)best=a,least=ahead+3*aside});
        return best})});

document.querySelectorAll('svg.time').forEach((figure,i)=>{

    const arcs=[...figure.querySelectorAll('[data-share]')];
    const shown=()=>arcs.filter(a=>a.style.display!=='none');

    rove(arcs,(arc,key)=>{
        const list=shown(),at=list.indexOf(arc);
        const step={ArrowUp:-1,ArrowLeft:-1,ArrowDown:1,ArrowRight:1}[key];
        return step?list[at+step]:null});

    const shares=arcs.map(a=>Number(a.dataset.share));
    const least=Math.min(...shares),most=Math.max(...shares);
    if(arcs.length<5||!(most>least))return;

    /* The slider is logarithmic, like the map. */
    const label=document.createElement('label'),slider=document.createElement('input'),
        said=document.createElement('output');
    Object.assign(slider,{type:'range',min:0,max:100,step:1,value:0,id:'time-floor'+i});
    label.htmlFor=said.htmlFor=slider.id;
    label.textContent='Draw flows of at least ';

    const draw=()=>{
        const floor=least*Math.pow(most/least,slider.value/100)*(1-1e-9);
        let n=0;
        arcs.forEach((a,k)=>{
            const is=shares[k]>=floor;
            a.style.display=is?'':'none';
            n+=is});
        said.textContent=(100*floor).toPrecision(2)+'\u202f%: '+n+' of '+arcs.length;
        slider.setAttribute('aria-valuetext',said.textContent);
        const first=shown();
        if(!first.some(a=>a.getAttribute('tabindex')==='0'))first[0].setAttribute('tabindex','0')};

    slider.addEventListener('input',draw);
    draw();

    const tool=document.createElement('p');
    tool.className='tool';
    tool.append(label,slider,' ',said);
    figure.closest('figure').before(tool)})})();

