import type { Recognition } from "../manuscript.ts";
import { HAN_NUMBER_CHARACTERS, parseHan } from "./numbers.ts";

const NUMBER = `[${HAN_NUMBER_CHARACTERS}]+`;
/** 第三回, 第12章, 正文 第一章: a volume's name or a word like 正文 may come before it. */
const NUMBERED = new RegExp(
  `^(?:(?:正文|正篇|本文)[\\s　]*)?(?:《[^》]{1,20}》[\\s　]*)?(?:([^\\s　，。]{1,14})[\\s　]+)?第[\\s　]*(${NUMBER})[\\s　]*([章回囘節节话話折幕卷部篇集編编])(.*)$`,
  "u",
);
const VOLUME_AND_CHAPTER = new RegExp(
  `^第[\\s　]*${NUMBER}[\\s　]*[卷部篇集編编][^，。！？]{0,30}?(第[\\s　]*${NUMBER}[\\s　]*[章回囘節节话話].*)$`,
  "u",
);
const VOLUME = new RegExp(`^([卷册冊])[之第]?[\\s　]*(${NUMBER})(?=$|[\\s　：:、.．])(.*)$`, "u");
/** 上篇, 中部, 下卷; 上 or （上） alone. */
const THIRD = /^([上中下])([篇部卷册冊集编編])(?=$|[\s　：:、.．])(.*)$/u;
const THIRD_ALONE = /^[（(【]?([上中下])[）)】]?$/u;
/** 三章 归来, 012章, 章三: without 第 only a gap or the line's end closes the label. */
const WITHOUT_ORDINAL = new RegExp(`^(?:(${NUMBER})([章回囘])|(章)(${NUMBER}))(?=$|[\\s　：:、.．])(.*)$`, "u");
const NUMERAL = new RegExp(`^(${NUMBER})(?:[、.．:：][\\s　]*|[\\s　]+|$)(.*)$`, "u");
const NUMERAL_IN_BRACKETS = new RegExp(`^[（(【〔［]((?:${NUMBER}))[）)】〕］][\\s　、.．:：]*(.*)$`, "u");
/** Ornaments that websites put before or around a heading: ☆、第三章, 【第三章】 归来. */
const ORNAMENT = /^[☆★◆◇■□●○▲△※◎][\s　、.．]*/u;
const BRACKETS = /^[【〖〔［[](第[^】〗〕］\]]*)[】〗〕］\]][\s　]*/u;
const NAMED =
  /^(序|序章|序曲|序言|序幕|自序|代序|引言|前言|导言|開篇|开篇|缘起|緣起|间章|間章|幕间|幕間|尾声|尾聲|尾章|结局|結局|大结局|大結局|结语|結語|后记|後記|终章|終章|终曲|終曲|最终章|最終章|最终回|最終回|最终话|最終話|完结篇|完結篇|番外.{0,20}|外传.{0,20}|外傳.{0,20}|跋|プロローグ|エピローグ|はじめに|あとがき|まえがき|終わりに|結び)(?=$|[\s　：:、.（(])(.*)$/u;
/** A storyteller's lead-in: it has no number because it belongs to the first chapter, and is counted with it. */
const LEAD_IN = /^(楔子|引子|引首|入话|入話)(?=$|[\s　：:、.])(.*)$/u;
const PARATEXT = /^(目录|目錄|目次|もくじ|版权|版權|版权页|作者简介|内容简介|內容簡介|内容提要)$/u;

const DIVISIONS = "卷部篇集編编";

/** Chinese and Japanese headings. A line that ends like a sentence is not a title: 第一回见面时他笑了。 */
export function recogniseEastAsian(source: string): Recognition | null {
  const line = source.replace(ORNAMENT, "").replace(BRACKETS, "$1 ").trimEnd();
  if (line.length > 60 || /[。．，,；;…]$/u.test(line)) return null;
  // 第一卷 风起 第一章 初遇: the chapter counts, and its volume is part of the title.
  const inner = VOLUME_AND_CHAPTER.exec(line)?.[1];
  const numbered = NUMBERED.exec(inner ?? line);
  if (numbered) {
    const [, , digits = "", unit = "", rest = ""] = numbered;
    const number = parseHan(digits);
    if (number === null || (!/^[\s　：:、.．（(【「《—-]/u.test(rest) && /[。．，！？]/u.test(rest))) return null;
    return {
      kind: DIVISIONS.includes(unit) ? "division" : "chapter",
      series: `第…${unit}`,
      number,
      rest: tidy(rest),
    };
  }
  const plain = WITHOUT_ORDINAL.exec(line);
  if (plain) {
    const number = parseHan(plain[1] ?? plain[4] ?? "");
    const unit = plain[2] ?? plain[3] ?? "";
    if (number !== null) return { kind: "chapter", series: `…${unit}`, number, rest: tidy(plain[5] ?? "") };
  }
  const volume = VOLUME.exec(line);
  if (volume) {
    const number = parseHan(volume[2] ?? "");
    if (number !== null) return { kind: "division", series: volume[1] ?? "卷", number, rest: tidy(volume[3] ?? "") };
  }
  const third = THIRD.exec(line);
  if (third) {
    const [, place = "", unit = "", rest = ""] = third;
    return { kind: "division", series: `…${unit}`, number: "上中下".indexOf(place) + 1, rest: tidy(rest) };
  }
  const alone = THIRD_ALONE.exec(line)?.[1];
  if (alone) return { kind: "division", series: "上中下", number: "上中下".indexOf(alone) + 1, rest: "" };
  if (PARATEXT.test(line.replace(/[\s　]/gu, ""))) return { kind: "paratext", series: line, number: null, rest: "" };
  const named = NAMED.exec(line);
  if (named) return { kind: "named", series: named[1] ?? "", number: null, rest: tidy(named[2] ?? "") };
  const leadIn = LEAD_IN.exec(line);
  if (leadIn) return { kind: "lead-in", series: leadIn[1] ?? "", number: null, rest: tidy(leadIn[2] ?? "") };
  const numeral = line.length <= 30 ? (NUMERAL.exec(line) ?? NUMERAL_IN_BRACKETS.exec(line)) : null;
  const number = numeral ? parseHan(numeral[1] ?? "") : null;
  if (numeral && number !== null && number > 0 && !/[。！？]/u.test(numeral[2] ?? "")) {
    return { kind: "numeral", series: "han", number, rest: tidy(numeral[2] ?? "") };
  }
  return null;
}

function tidy(text: string): string {
  return text
    .replace(/^[\s　：:、.．—-]+/u, "")
    .replace(/[\s　]+/gu, " ")
    .trim();
}
