/* search.js - finds a phrase in the words of all texts, also where nothing was found to be shared.
 * data/words.js has the words (pipeline/output/words_script.c): each is one character of a string,
 * so a phrase is a part of the string. finds.js shows the places. */
const search=(function(){

const box=document.getElementById('finds-list');
if(!box||!box.dataset.words)return null;

const MOST=200,AROUND=8;
const ranges=[[0x23,0x5b],[0x5d,0x7e],[0xa1,0x2027],[0x202f,0x2065],[0x206a,0xd7ff],
    [0xe000,0xfdcf],[0xfdf0,0xfefe],[0xff00,0xfffd],[0x10000,0x10fffd]];
let data=null,place=null;

const characterOf=id=>{
    for(const[from,to]of ranges){
        if(id<=to-from)return String.fromCodePoint(from+id);
        id-=to-from+1}
    return''};

const wordOf=character=>{
    const c=character.codePointAt(0);
    let before=0;

    for(const[from,to]of ranges){
        if(c>=from&&c<=to)return data.words[before+c-from];
        before+=to-from+1}
    return'\u2026'};

const load=(then,fail)=>{
    if(data)return then();
    const script=document.createElement('script');
    script.src=box.dataset.words;
    script.onload=()=>{
        data=window.tributary_words;
        place=new Map(data.words.map((w,i)=>[w,i]));
        then()};
    script.onerror=fail;
    document.head.append(script)};

/* The words of the vocabulary in a text: a part between spaces, or else the longest words that it
 * begins with, as in languages without spaces. null: with a word that no text has. */
const wordsIn=text=>{
    const words=[];

    for(let part of text.toLowerCase().replace(/[\u2018\u2019]/g,"'").match(
        /[\p{L}\p{N}\p{M}'\u00b7]+/gu)||[]){
        while(part){
            let n=part.length;
            while(n>0&&!place.has(part.slice(0,n)))n--;
            if(!n||(n<part.length&&/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(
                part)))return null;
            words.push(part.slice(0,n));
            part=part.slice(n)}}
    return words};

/* {places: [[id, number of the word, before, found, after], ...], texts, all}. */
const find=text=>{
    const words=wordsIn(text);
    const found={places:[],texts:0,all:0};
    if(!words||!words.length)return found;
    const phrase=words.map(w=>characterOf(place.get(w))).join('');

    Object.keys(data.texts).forEach(id=>{
        const all=data.texts[id];
        let at=all.indexOf(phrase);
        if(at<0)return;
        const characters=[...all];
        let i=0,units=0;
        found.texts++;

        for(;at>=0;at=all.indexOf(phrase,at+phrase.length)){
            while(units<at)units+=characters[i++].length;
            found.all++;
            if(found.places.length>=MOST)continue;
            const say=(from,to)=>characters.slice(Math.max(0,from),to).map(wordOf).join(' ');
            found.places.push([id,i+1,say(i-AROUND,i),say(i,i+words.length),
                say(i+words.length,i+words.length+AROUND)])}});
    return found};

/* Shows in a section where words stand in all texts. */
const show=(section,wanted,texts,language)=>{
    const box=document.getElementById('finds-list'),grouped=numbers.grouped;
    const make=(name,set,...inside)=>{
        const e=Object.assign(document.createElement(name),set);
        e.append(...inside);
        return e};
    const told=make('p',{className:'said',textContent:'Reading all texts \u2026'});
    section.hidden=false;
    section.replaceChildren(told);

    load(()=>{
        const found=find(wanted),name={},isTarget={},spoken={};
        texts.forEach(t=>{name[t[0]]=t[1]||t[0];isTarget[t[0]]=t[4];spoken[t[0]]=language(t)});

        told.textContent=!found.all?'\u201c'+wanted+'\u201d stands in no text.':
            '\u201c'+wanted+'\u201d: '+grouped(found.all)+
            (found.all===1?' place in ':' places in ')+grouped(found.texts)+
            (found.texts===1?' text':' texts')+(found.places.length<found.all?', the first '+
            found.places.length+' of them here':'')+'. Words are shown as they are counted.';

        const rows=found.places.map(([id,word,before,here,after])=>{
            const link=box.dataset.read&&isTarget[id]?make('a',{href:box.dataset.read+id+
                '.html#w'+word}):make('span');
            link.append(make('bdi',{textContent:name[id]}),', word '+grouped(word));
            const line=make('bdi',{lang:spoken[id]},before+' ',make('mark',{textContent:here}),
                ' '+after);
            return make('li',{},link,make('br'),line)});
        section.append(make('ol',{},...rows))},
    ()=>{told.textContent='The words are in '+box.dataset.words+', '+
        'which is not beside this page.'})};

return{show,load,find}})();

