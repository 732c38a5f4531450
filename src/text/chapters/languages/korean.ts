import { parseHan } from "../numbers/numbers.ts";
import type { Recognition } from "../recognition.ts";

/** 제3장 돌아온 사람, 3화, 제2부; 제삼장 in words needs its 제. */
const NUMBERED = /^(?:(?:제\s*)?(\d{1,4})|제\s*([일이삼사오육칠팔구십백]{1,7}))\s*([장화회부권])(?=$|[\s:.,])(.*)$/u;
/** 프롤로그, 외전 2, 에필로그: 그 후. Korean has no capitals, so only a mark or the line's end closes the word. */
const NAMED =
  /^(프롤로그|에필로그|서장|종장|서문|머리말|후기|외전|막간|들어가며)(?:\s*\d{1,3})?(?=$|\s*[:：.—–-])(.*)$/u;
const SINO_KOREAN = "일이삼사오육칠팔구십백";
const HAN = "一二三四五六七八九十百";

export function recogniseKorean(line: string): Recognition | null {
  const numbered = NUMBERED.exec(line);
  if (numbered) {
    const [, digits, words = "", unit = "", rest = ""] = numbered;
    const number =
      digits === undefined ? parseHan(words.replace(/./gu, (sign) => HAN[SINO_KOREAN.indexOf(sign)]!)) : Number(digits);
    return { kind: "부권".includes(unit) ? "division" : "chapter", series: `제…${unit}`, number, rest: tidy(rest) };
  }
  const named = NAMED.exec(line);
  return named ? { kind: "named", series: named[1]!, number: null, rest: tidy(named[2]!) } : null;
}

function tidy(rest: string): string {
  return rest.replace(/^[\s.:：,—–-]+/u, "").trim();
}
