/* judge.js - judgements of finds: accepted, rejected, and a note. The browser stores them under the
 * hash of the run; they are written to and read from a CSV file, which `tributary report
 * --judgements` reads, too. finds.js shows the controls. */
const judge=(function(){

const box=document.getElementById('finds-list');
if(!box)return null;

const columns=['target','source','target_first','target_last','source_first','source_last',
    'judgement','note'];
const stored='tributary judgements '+box.dataset.run;
let storage=null,all={},changed=()=>{};

const read=()=>{
    try{
        const text=storage.getItem(stored);
        all=text?JSON.parse(text):{}
    }catch(e){all={}}};

try{
    storage=window.localStorage;
    storage.setItem(stored+' test','1');
    storage.removeItem(stored+' test')
}catch(e){storage=null}

if(storage)read();

const keep=()=>{
    if(storage)try{storage.setItem(stored,JSON.stringify(all))}catch(e){storage=null}
    changed()};

window.addEventListener('storage',e=>{
    if(e.key!==stored)return;
    read();
    changed()});

/* A judgement without a verdict and a note is none. */
const set=(key,judgement,note)=>{
    if(judgement||note)all[key]=[judgement,note];
    else delete all[key];
    keep()};

const of=key=>all[key]||['',''];

const count=()=>{
    const list=Object.values(all);
    return{accepted:list.filter(j=>j[0]==='accepted').length,
        rejected:list.filter(j=>j[0]==='rejected').length,
        notes:list.filter(j=>j[1]).length}};

/* A cell of CSV. An apostrophe is put before what a spreadsheet would take for a formula. */
const cell=text=>{
    const safe=/^[=+\-@\t\r]/.test(text)?"'"+text:text;
    return/[",\r\n]/.test(safe)?'"'+safe.replace(/"/g,'""')+'"':safe};

const write=()=>columns.join(',')+'\n'+Object.keys(all).sort().map(
    key=>[...key.match(/[^ ]+/g),...all[key]].map(cell).join(',')+'\n').join('');

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

/* Adds the judgements of a CSV text; returns a sentence about it. */
const take=(text,isFind)=>{
    const list=rows(text),head=(list.shift()||[]).map(c=>c.trim());
    const place=columns.map(c=>head.indexOf(c));
    const absent=columns.filter((c,i)=>place[i]<0&&c!=='note');
    if(absent.length)return'This file has no column '+absent.join(', ')+
        '. Take a file that was saved here, with commas between the columns.';

    let n=0,strange=0;

    list.forEach(r=>{
        const cells=place.map(i=>i<0?'':(r[i]||'').trim());
        const key=cells.slice(0,6).join(' '),judgement=cells[6];
        if(!isFind(key)||!['accepted','rejected',''].includes(judgement)){strange++;return}
        const note=cells[7].replace(/^'(?=[=+\-@\t\r])/,'');
        if(judgement||note)all[key]=[judgement,note];
        n++});

    keep();
    return n+(n===1?' judgement read.':' judgements read.')+(strange?' '+strange+(strange===1?
        ' row is':' rows are')+' not about a find of this run, or not accepted or rejected.':'')};

return{of,set,count,write,take,isStored:()=>!!storage,whenChanged:f=>{changed=f}}})();

