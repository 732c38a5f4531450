import { strToU8 } from "fflate";
import { randomInteger, seededRandom } from "../../../src/core/random.ts";
import { counted, filled, HAN, type Kinds, noise, SENTENCE, SIZE } from "./made-text.ts";

/** Text that is the same in every format that holds it as it is. */
export const TEXTS: Kinds = {
  "unbroken letters": () => filled("a"),
  "unbroken random letters": () => noise("abcdefghijklmnopqrstuvwxyz", 1),
  "unbroken capitals": () => filled("ABCDEFGH"),
  "combining marks": () => filled("\u0301", "e"),
  "letters with many marks": () => filled(`e${"\u0301".repeat(200)} `),
  newlines: () => filled("\n"),
  "spaces and newlines": () => filled("   \n"),
  spaces: () => filled(" ", "a", "b"),
  tabs: () => filled("\t", "a", "b"),
  "carriage returns": () => filled(`${SENTENCE}\r\r`),
  "form feeds": () => filled("\f"),
  quotes: () => filled('"'),
  "opening quotes": () => filled("“"),
  apostrophes: () => filled("'"),
  hashes: () => filled("#"),
  "lines of hashes": () => filled("# #\n"),
  digits: () => filled("7"),
  "lines of digits": () => counted((number) => `${number}\n`),
  "roman numerals": () => filled("I\n\nV\n\nX\n\n"),
  "roman I unbroken": () => filled("I"),
  "the word chapter": () => filled("CHAPTER "),
  "chapter lines": () => filled("CHAPTER\n\n"),
  "chapter one again and again": () => filled("CHAPTER I\n\n"),
  "100,000 chapters": () => counted((number) => `CHAPTER ${number}\n\n`),
  "chapters of a word": () => counted((number) => `CHAPTER ${number}\n\nrain\n\n`),
  "chapters of a sentence": () => counted((number) => `CHAPTER ${number}\n\n${SENTENCE}\n\n`),
  "chapters counting down": () => counted((number) => `CHAPTER ${60_000 - number}\n\nrain\n\n`),
  "contents without end": () =>
    counted((number) => `${number === 1 ? "CONTENTS\n\n" : ""}${number}. The Rain .... ${number}\n`),
  "contents again and again": () => filled("CONTENTS\n\nCHAPTER I\nCHAPTER II\nCHAPTER III\nCHAPTER IV\n\n"),
  "parts again and again": () => counted((number) => `PART ${number}\n\nCHAPTER 1\n\nrain\n\n`),
  "capital lines": () => filled("THE RAIN CAME DOWN\n\nrain\n\n"),
  "named headings": () => filled("PROLOGUE\n\nrain\n\nNOTE\n\nrain\n\n"),
  "page numbers": () => counted((number) => `the rain came down on the harbour and\n\n- ${number} -\n\nthe wind `),
  "page numbers without text": () => counted((number) => `- ${number} -\n`),
  "dashed headings": () => counted((number) => `- ${number} -\n\n${SENTENCE.repeat(16)}\n\n`),
  "numbers in every setting": () => {
    const signs = [..."-–—~·.*=|"];
    return counted(
      (number) => `${signs[number % 9]} ${1 + Math.floor(number / 81)} ${signs[Math.floor(number / 9) % 9]}\n\n`,
    );
  },
  "headlines after a chapter": () =>
    filled(`GALE STRIKES\n\n\n${SENTENCE.repeat(16)}\n\n\n\n`, "CHAPTER I\n\nrain\n\nCHAPTER II\n\nrain\n\n\n\n"),
  "excerpts from other books": () => filled("An excerpt from The Rain\n\nrain\n\n"),
  "the end": () => filled("THE END\n\n"),
  brackets: () => filled("["),
  "nested brackets": () => strToU8("[(".repeat(250_000) + ")]".repeat(250_000)),
  "illustrations unclosed": () => filled("[Illustration: "),
  underscores: () => filled("_"),
  "words in underscores": () => filled("_a "),
  hyphens: () => filled("-"),
  "broken words": () => filled("rain-\n"),
  dots: () => filled("."),
  "spaced dots": () => filled(". "),
  "dotted lines": () => filled(`rain ${". ".repeat(70)}x\n`),
  asterisks: () => filled("*"),
  "lines of asterisks": () => filled("* * *\n"),
  emoji: () => filled("😀"),
  "emoji with joiners": () => filled("👩‍👩‍👧‍👦"),
  "joiners alone": () => filled("\u200d"),
  "right to left": () => filled("שלום עולם، مرحبا بالعالم. "),
  "right-to-left marks": () => filled("\u202e\u202d"),
  "one-line novel": () => filled(SENTENCE),
  "one word a line": () => filled("rain\n"),
  "repeated sentence": () => filled(`${SENTENCE}\n\n`),
  "repeated paragraph": () => filled(`${SENTENCE.repeat(20)}\n\n`),
  "questions and exclamations": () => filled("?!"),
  abbreviations: () => filled("Mr. Dr. St. "),
  base64: () => noise("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 2),
  "base64 in lines": () => counted((number) => `${"QUJDREVGRw".repeat(7)}${number}\n`),
  "signs at random": () => noise("abc \n.*-=_[](){}0123456789IVX#", 3),
  "every sign at random": () => {
    const random = seededRandom(4);
    let text = "";
    while (text.length < SIZE / 3) text += String.fromCharCode(0x20 + randomInteger(random, 0xd000));
    return strToU8(text);
  },
  "Han unbroken": () => filled("天"),
  "Han in one line": () => filled(HAN),
  "Han headings in one line": () => counted((number) => `第${number}回 风雨 归来 ${HAN}`),
  "Han headings without text": () => counted((number) => `第${number}章\n`),
  "Han numerals": () => filled("一二三四五六七八九十"),
  "Han ordinals unbroken": () => filled("第一"),
  "Han chapter one again": () => filled("第一回 "),
  "Han jumps": () => counted((number) => `第${number * 3}章\n${HAN}\n`),
  "Han numerals inline": () => counted((number) => `${HAN}${number}、风雨 `),
  "Han book names": () => filled("《"),
  "Han contents": () => filled("目录 "),
  "Hangul and kana": () => filled("그날은 비가 왔다。その日は雨だった。"),
  "Thai without spaces": () => filled("ฝนตกหนักในวันนั้น"),
  links: () => filled("http://www.example.com "),
  "html tags": () => filled("<p>"),
  entities: () => filled("&amp;&lt;&#x10FFFF;&nbsp;"),
  "the end before a last chapter": () => filled("THE END\n", "CHAPTER I\n\nrain\n\n", "\nCHAPTER II\n\nrain\n"),
  "notes after the last chapter": () =>
    filled("NOTE\n\na\n\n", `CHAPTER I\n\nrain\n\nCHAPTER II\n\n${SENTENCE.repeat(15_000)}\n\n`),
  "lists of chapters between prose": () => filled(`I\n\nII\n\nIII\n\nIV\n\n${"a ".repeat(26)}\n\n`),
  "numbers in every setting in a list": () => {
    const signs = [..."-–—~·.*=|"];
    const numbers = (at: number) => signs.flatMap((one) => signs.map((other) => `${one} ${at} ${other}\n\n`)).join("");
    return strToU8([1, 2, 3].map((at) => `${numbers(at)}${"a\n".repeat(SIZE / 6)}`).join(""));
  },
  "letters and broken lines": () => strToU8(`${"a".repeat(SIZE)} -\n${`${"a".repeat(40)}-\n`.repeat(20)}`),
  "words broken at every line": () =>
    filled(
      "the rain came down on the harbour and nobody inter-\nested in it came down on the long pier be-\n",
      "",
      "\n\na\n\n",
    ),
  "dots up to a letter": () => strToU8(`a${" .".repeat(SIZE / 2)}yi\na\n\nb\n`),
  "headings glued to headings": () => filled(`CHAPTER ONE ${"THE LONG RAIN ".repeat(4)}\n`, "", "\n\na\n".repeat(300)),
  "decorated lines": () => counted((number) => `${number} ${"-".repeat(150)}x\n\n`),
  "stanzas again and again": () => counted((number) => `${(number % 5) + 1}\n\n${"a ".repeat(65)}\n\n`),
  "Han contents in one line": () => counted((number) => `${number === 1 ? "目录 " : ""}第${number}回 风 `),
  "Han signs at random": () => noise("第章回节卷一二十百上下　 \n。、：《》（）", 6),
  "heading words at random": () => {
    const random = seededRandom(7);
    const words = [
      "CHAPTER",
      "PART",
      "I",
      "II",
      "3",
      "THE END",
      "NOTE",
      "CONTENTS",
      "PROLOGUE",
      "rain",
      "\n",
      "\n\n",
      "\n\n\n",
    ];
    return counted(() => `${words[randomInteger(random, words.length)]} `);
  },
};
