import { sumBy } from "../../stats/distribution.ts";
import type { Removal } from "../book.ts";
import { recogniseHeading } from "../chapters/recognise.ts";
import type { RawChapter } from "../manuscript.ts";
import { countWords } from "../words.ts";
import { AUTHORS_NOTE } from "./html-treatments.ts";

/** How many paragraphs a site may add at either end of a chapter. */
const REACH = 8;
/** Longer paragraphs are story, even if they recur. */
const MOST_WORDS = 25;
const FEWEST_CHAPTERS = 4;
/** The share of chapters that must have the line. */
const SHARE = 0.6;
const NAVIGATION =
  /^\W*(?:(?:next|previous|prev|last|first)(?: chapter| part| page)?|table of contents|contents|index|chapter list|continue reading(?: next part)?|support (?:the )?(?:author|"?[^"]{1,40}"?)|report(?: chapter)?|donate|share|vote|comments?(?: \(#\))?|add (?:a )?(?:comment|to library)|follow|favou?rite|(?:views?|reads?|votes?|words?|likes?|followers|stars?)\s*:?\s*#.*|#[\s#.,km]*(?:views?|reads?|votes?|comments?|words?|likes?)?)(?:\W{1,3}(?:next|previous|index|contents|chapter|#)\b.*)?\W*$/i;
/** What writers of serials call a note to their readers; a novel may have an "author's note" of its own. */
const SITE_NOTE = /^\W{0,3}(?:A\/N\b|A note from \S.{0,40}$)/;
const NOTE = /^\W{0,3}(?:(?:A\/N|Author['’]?s['’]? Notes?|Note from the author)\b\s*[:：–—-]?|A note from \S.{0,40}$)/i;
/** More than this may be a chapter that only calls itself a note. */
const LONGEST_NOTE_WORDS = 250;

interface Cleaned {
  readonly chapters: readonly RawChapter[];
  readonly removed: readonly Removal[];
}

/**
 * Removes what a site puts around every chapter of a story copied from it: counters, "Next Chapter", notes to the readers. The
 * evidence is the same short line at the ends of most chapters; a refrain is a sentence, and stays.
 */
export function withoutSiteFurniture(chapters: readonly RawChapter[]): Cleaned {
  if (chapters.length < FEWEST_CHAPTERS) return { chapters, removed: [] };
  const ends = chapters.map(({ text }) => endsOf(text));
  const times = new Map<string, number>();
  let notes = 0;
  let named = 0;
  for (const { head, tail } of ends) {
    for (const key of new Set([...head, ...tail].map(keyOf))) times.set(key, (times.get(key) ?? 0) + 1);
    if ([...head, ...tail].some((paragraph) => SITE_NOTE.test(paragraph))) notes++;
    if ([...head, ...tail].some((paragraph) => NOTE.test(paragraph))) named++;
  }
  const isCommon = (key: string) => key !== "" && times.get(key)! >= chapters.length * SHARE;
  const isFromSite = [...times.keys()].some((key) => isCommon(key) && NAVIGATION.test(key));
  if (!isFromSite && notes < 2) return { chapters, removed: [] };
  // If some lines are certainly a site's, its other repeated lines go too. Otherwise a repeated line is a signature or a refrain.
  const isFurniture = (paragraph: string) =>
    isFromSite && isCommon(keyOf(paragraph)) && paragraph !== "* * *" && !/[.!?…。！？"”’」』]$/u.test(paragraph);
  const isNoted = notes >= 2 || (isFromSite && named >= 2);
  const removed: Removal[] = [];
  const cleaned = chapters.map((chapter, at) => {
    const { head, middle, tail } = ends[at]!;
    const take = (rule: string, text: string) => {
      const words = countWords(text);
      removed.push({
        rule,
        where: chapter.title ?? `chapter ${at + 1}`,
        text,
        ...(words > 40 && { words, mayBeStory: true }),
      });
    };
    const keep = (paragraphs: readonly string[]) =>
      paragraphs.filter((paragraph) => {
        const isGone = isFurniture(paragraph);
        if (isGone) take("site notice", paragraph);
        return !isGone;
      });
    const note = isNoted ? tail.findIndex((paragraph) => NOTE.test(paragraph)) : -1;
    if (note >= 0 && countWords(tail.slice(note).join(" ")) <= LONGEST_NOTE_WORDS) {
      take(AUTHORS_NOTE, tail.splice(note).join("\n\n"));
    }
    const [first, last] = [keep(head), keep(tail)];
    if (isNoted && NOTE.test(first[0] ?? "") && countWords(first[0]!) <= LONGEST_NOTE_WORDS)
      take(AUTHORS_NOTE, first.shift()!);
    const text = [...first, ...(middle === "" ? [] : [middle]), ...last].join("\n\n").replace(/(?:\n\n\* \* \*)+$/, "");
    return text.trim() === "" || text.length === chapter.text.length ? chapter : { ...chapter, text };
  });
  return { chapters: cleaned, removed };
}

/** A key that is the same in every chapter: counters differ only in their numbers. */
function keyOf(paragraph: string): string {
  return paragraph.length > 200 || countWords(paragraph) > MOST_WORDS
    ? ""
    : paragraph.replace(/\d[\d.,]*[km]?/gi, "#").toLowerCase();
}

/** The first and the last paragraphs of a chapter, so that a long one need not be parsed completely. */
function endsOf(text: string): { head: string[]; middle: string; tail: string[] } {
  const head: string[] = [];
  const tail: string[] = [];
  let [from, to] = [0, text.length];
  // Takes from both ends in turn, so that a short chapter has a head and a tail.
  while (tail.length < REACH) {
    const start = text.lastIndexOf("\n\n", to - 1);
    if (start < from) return { head, middle: "", tail: from < to ? [text.slice(from, to), ...tail] : tail };
    tail.unshift(text.slice(start + 2, to));
    to = start;
    const end = text.indexOf("\n\n", from);
    if (end < 0 || end >= to) return { head: from < to ? [...head, text.slice(from, to)] : head, middle: "", tail };
    head.push(text.slice(from, end));
    from = end + 2;
  }
  return { head, middle: text.slice(from, to), tail };
}

/**
 * The patterns of LiteraryQA's second cleaning algorithm (appendix B), as data. Each is tested against a line of a plain text, or
 * a block of a marked-up one. A rule names what it removes, and `fabula read --show-removed` prints that name.
 */
interface LineRule {
  readonly rule: string;
  readonly pattern: RegExp;
  /** Not for a line that continues the one above it, since a wrapped sentence may contain the same words. */
  readonly isOwnLine?: true;
  /** What must occur somewhere above the line, because the words alone prove nothing. */
  readonly above?: RegExp;
  /** Words that a paragraph of this length must contain, because novels have credits and notes of their own. */
  readonly proof?: { readonly words: RegExp; readonly from: number };
}

/** Topics of real transcribers' notes. An invented transcriber in a novel writes about other things. */
const TRANSCRIBING = {
  from: 6,
  words:
    /typograph|spelling|spelt|punctuat|hyphen|error|correct|obvious|printe[dr]|original|edition|footnote|illustration|italic|underscore|e-?text|e-?book|gutenberg|scan|page|cover|public domain|https?:/i,
};

/** The text before such a line is not the book: collecting starts again after it. */
const START_RULES: readonly LineRule[] = [
  { rule: "Project Gutenberg header", pattern: /^\W*START OF (?:THE|THIS) PROJECT GUTENBERG/i },
  { rule: "Project Gutenberg header", pattern: /\*END\*?\s*THE SMALL PRINT|^\s*\*END THE SMALL PRINT/i },
  { rule: "Project Gutenberg header", pattern: /\*END\*\s*$/i, above: /SMALL PRINT|PROJECT GUTENBERG/i },
  { rule: "site header", pattern: /^[\s　]*[-—=*]+章节内容开始[-—=*]+/u },
];

/** The text after such a line is not the book, wherever the line is, because no story says these words. */
const CERTAIN_END_RULES: readonly LineRule[] = [
  { rule: "Project Gutenberg footer", pattern: /^\W*END OF (?:THE |THIS )?PROJECT GUTENBERG/i },
  { rule: "Project Gutenberg footer", pattern: /^\W*End of (?:the |this )?Project Gutenberg['’]?s?\b/i },
  { rule: "Project Gutenberg licence", pattern: /^\W*(?:THE FULL PROJECT GUTENBERG LICEN[SC]E|START:? FULL LICENSE)/i },
];

/**
 * Lines that probably end the story. They count only in the last tenth of the text and if no chapter follows; otherwise the line
 * is kept. A character may say "the end", so only the capitals of a title count.
 */
const LIKELY_END_RULES: readonly LineRule[] = [
  {
    rule: "end matter",
    pattern:
      /^\W*(?:THE END|The End|END|FINIS|Finis|FIN|Fin|ENDE|Ende|КОНЕЦ|Конец|全书完|（?全文完）?|本书完|完結)\W*$/u,
  },
  { rule: "transcriber's note", pattern: /^\W*Transcriber['’]?s['’]? notes?\b/i, proof: TRANSCRIBING },
];
/** The share of the text after which a likely end counts. */
const END_SHARE = 0.9;

/** Lines that are never narrative. */
const SKIP_RULES: readonly LineRule[] = [
  {
    rule: "illustration",
    pattern: /^\s*\[\s*(?:Illustration|Frontispiece|Decoration|Blank page)\b[^\]]{0,400}\]?\s*$/i,
  },
  { rule: "illustration", pattern: /^\s*(?:\[?(?:left|right) side image\]?\s*)+$/i },
  {
    rule: "page number",
    pattern:
      /^\s*(?:\[?\s*(?:page|pg\.?|p\.)\s*\d+(?:\s*(?:of|\/)\s*\d+)?\s*\]?|[-–—]+\s*\d+\s*[-–—]+|\{\d+\}|\[\d+\])\s*$/i,
  },
  {
    rule: "credits",
    pattern:
      /^\s*(?:P(?:roduced|RODUCED) (?:by|BY) (?:an? |the )?\p{Lu}|(?:and )?(?:the )?(?:Project Gutenberg )?Online Distributed Proofread|Distributed Proofread(?:ing|ers) (?:Team )?(?:at|of) |E-?[Tt]ext (?:prepared|produced|scanned)|This (?:[Ee]-?[Tt]ext|[Ee][Bb]ook) was (?:prepared|produced|created|typed|scanned)|This file was (?:prepared|produced|created|typed|scanned) (?:by \p{Lu}|from (?:images|scans|page))|Scanned (?:and (?:proof|OCR|correct|format|convert|edit)|by \p{Lu})|Transcribed (?:by \p{Lu}|from the .{0,60}(?:\d{4}|edition))|HTML version by|This book has been put on-?line|Updated editions? will replace|Note: Project Gutenberg also has)/u,
    isOwnLine: true,
    proof: { from: 40, words: /gutenberg|proof|e-?text|e-?book|https?:|www\.|@|archive|images|scan|edition|html/i },
  },
  { rule: "Project Gutenberg notice", pattern: /^\W*(?:The )?Project Gutenberg(?:['’]s)? (?:e-?text|ebook|editor)/i },
  {
    rule: "Project Gutenberg notice",
    // A note that only says "Editor's" may be by an editor whom the novel invents.
    pattern: /^\s*\[(?:Project Gutenberg|Transcriber)['’]?s? (?:Editor['’]?s )?note/i,
  },
  {
    rule: "transcriber's note",
    pattern: /^\s*[[({]?\s*Transcriber['’]?s['’]? notes?\b/i,
    proof: TRANSCRIBING,
  },
  {
    rule: "site notice",
    pattern: /^.{0,40}(?:更新时间|更新時間|更新日期|本章字数|本章字數|字数|字數)[\s　]*[:：]\D{0,6}\d.{0,60}$/u,
  },
  { rule: "site notice", pattern: /^[\s　]*[（(【]?本章(?:未完.{0,20}|完)[）)】]?[\s　]*$/u },
  {
    rule: "site notice",
    pattern: /^(?=.*\p{Script=Han}).{0,60}(?:https?:\/\/|www\.)[\w.-]+\.(?:com|net|org|cn|cc|info|la)\b.{0,60}$/iu,
  },
  {
    // A web address alone, or after the words of a notice: in a story somebody may read one out.
    rule: "site notice",
    pattern:
      /^[^\p{L}\p{N}"“”‘'«]*(?:(?:read|visit|download(?:ed)?|source|find|more|posted|from|for|see|free|e-?books?|chapters?|updates?|updated|support|follow|translat(?:ed|ion|or)|published)\b.{0,80})?(?:https?:\/\/|www\.)[\w.-]+\.[a-z]{2,6}\b\S*.{0,25}$/iu,
    isOwnLine: true,
  },
  {
    rule: "site notice",
    pattern:
      /^[\s　]*(?:作品仅供读者预览|(?=.*(?:[网站吧组【[]|论坛|书屋|TXT|电子书|预览))本书由.{0,40}(?:制作|整理|下载|提供|扫描).{0,40}$|.{0,20}(?:请购买正版|支持正版|手机用户请|最新章节请|全集下载|TXT下载|电子书下载|求收藏(?!家)|求推荐票|求月票).{0,40}$)/iu,
  },
  {
    rule: "site notice",
    pattern:
      /^[\s　]*(?:声明|聲明|版权声明)[:：].{0,120}(?:转载|轉載|版权|版權|互联网|来自网络|侵权|仅供.{0,8}(?:学习|交流|预览)|僅供.{0,8}(?:學習|交流))/u,
  },
  {
    rule: "site notice",
    pattern:
      /^\s*(?:(?:.{0,160}\n)?Posted originally on the .{0,40}Archive|Please drop by the Archive and comment|See the end of the (?:chapter|work) for (?:more )?(?:notes|other works))\b.{0,200}$/i,
  },
  { rule: "rule", pattern: /^[\s　]*[-—=_~]{6,}[\s　]*$/u },
];

export interface LinePass {
  /** The story is `lines[from]` up to, not including, `lines[to]`. */
  readonly from: number;
  readonly to: number;
  /** Lines between that are not narrative. */
  readonly skipped: ReadonlyMap<number, string>;
  readonly removed: readonly Removal[];
}

interface LineKinds {
  /** Lines that are known to be headings and so are not noise. */
  readonly headings?: ReadonlySet<number>;
  /** Whether each line is a whole paragraph, however long. */
  readonly areWhole?: boolean;
}

/** LiteraryQA's second algorithm: find where the story starts and ends, and what in between is noise. */
export function passOverLines(
  lines: readonly string[],
  where: (line: number) => string,
  { headings = new Set(), areWhole = false }: LineKinds = {},
): LinePass {
  let from = 0;
  let startRule: string | null = null;
  let certain: End | null = null;
  const suspects: number[] = [];
  const startRuleOf = startFinder(lines);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (!isSuspect(line) || headings.has(index)) continue;
    const end = matching(CERTAIN_END_RULES, line);
    // A certain end before any story is only mentioned in a header.
    if (end !== null && index > from + MINIMUM_STORY_LINES) {
      certain = { at: index, rule: end };
      break;
    }
    const start = startRuleOf(index);
    if (start !== null) {
      from = index + 1;
      startRule = start;
      suspects.length = 0;
    } else suspects.push(index);
  }
  const limit = certain?.at ?? lines.length;
  const likely = likelyEnd(lines, suspects, from, limit);
  const to = likely?.at ?? limit;
  const skipped = new Map<number, string>();
  for (const index of suspects) {
    const skip = index < to && !skipped.has(index) ? skipRule(lines, index, areWhole) : null;
    // 第三章 归来（求月票）: a heading may beg for votes.
    if (skip === null || recogniseHeading(lines[index]!.trim())?.kind === "chapter") continue;
    const isCredit = skip === "credits" && !areWhole;
    const end =
      skip === "illustration" ? endOfBracket(lines, index, to) : isCredit ? endOfCredit(lines, index, to) : index + 1;
    for (let line = index; line < end; line++) skipped.set(line, skip);
  }
  const removed: Removal[] = [];
  if (startRule !== null) removed.push(beforeStart(lines, startRule, from, where));
  for (const [index, rule] of skipped) {
    const text = lines[index]!.trim();
    if (text !== "") removed.push({ rule, where: where(index), text });
  }
  if (likely !== null) removed.push(endMatter(lines, likely, limit, where));
  if (certain !== null) removed.push(afterNotice(lines, certain, where));
  return { from, to, skipped, removed };
}

/** Finds the rule by which the story starts after a line; a start with nothing after it does not count. */
function startFinder(lines: readonly string[]): (index: number) => string | null {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const firstOf = new Map<RegExp, number>();
  const occurs = (pattern: RegExp, before: number) => {
    const first = firstOf.get(pattern) ?? lines.findIndex((line) => pattern.test(line));
    firstOf.set(pattern, first);
    return first >= 0 && first < before;
  };
  return (index) => {
    if (index >= last) return null;
    const line = lines[index]!;
    const found = START_RULES.find(({ pattern, above }) => pattern.test(line) && (!above || occurs(above, index)));
    return found?.rule ?? null;
  };
}

function beforeStart(lines: readonly string[], rule: string, from: number, where: (line: number) => string): Removal {
  const words = sumBy(lines.slice(0, from), countWords);
  const mayBeStory = words > LONGEST_HEADER_WORDS;
  return { rule, where: where(0), text: excerpt(lines, 0, from), ...(mayBeStory && { words, mayBeStory }) };
}

/** Project Gutenberg's old "small print" has about 3,000 words. */
const LONGEST_HEADER_WORDS = 5000;

function skipRule(lines: readonly string[], index: number, areWhole: boolean): string | null {
  const line = lines[index]!;
  const found = SKIP_RULES.find(
    ({ pattern, isOwnLine, proof }) =>
      pattern.test(line) &&
      !(isOwnLine && goesOn(lines[index - 1] ?? "")) &&
      (!proof || isProved(areWhole ? line : paragraphFrom(lines, index), proof)),
  );
  return found?.rule ?? null;
}

/** A novel that uses the words of a notice continues with other things. */
function isProved(paragraph: string, { words, from }: NonNullable<LineRule["proof"]>): boolean {
  return words.test(paragraph) || countWords(paragraph) < from;
}

function paragraphFrom(lines: readonly string[], index: number): string {
  const following = lines.slice(index, index + LINES_OF_A_NOTE);
  const end = following.findIndex((line) => line.trim() === "");
  return following.slice(0, end < 0 ? undefined : end).join(" ");
}

/** Whether a sentence of hard-wrapped prose continues in the next line. */
function goesOn(line: string): boolean {
  return line.length > SHORTEST_WRAPPED && line.length < LONGEST_WRAPPED && /[\p{L}\p{N},;—–-]\s*$/u.test(line);
}

const SHORTEST_WRAPPED = 40;
const LONGEST_WRAPPED = 110;

/** The line after a picture's bracket, which may span several lines; if nothing closes it nearby, the second line. */
function endOfBracket(lines: readonly string[], from: number, to: number): number {
  let depth = 0;
  for (let index = from; index < Math.min(to, from + MOST_CAPTION_LINES); index++) {
    for (const sign of lines[index]!) if (sign === "[" || sign === "]") depth += sign === "[" ? 1 : -1;
    if (depth <= 0) return index + 1;
  }
  return from + 1;
}

const MOST_CAPTION_LINES = 12;

/** Credits run on to the next blank line: names, the team of proofreaders, an address. */
function endOfCredit(lines: readonly string[], from: number, to: number): number {
  let end = from + 1;
  while (end < Math.min(to, from + MOST_CREDIT_LINES) && lines[end]!.trim() !== "") {
    if (recogniseHeading(lines[end]!.trim()) !== null) break;
    end++;
  }
  return end;
}

const MOST_CREDIT_LINES = 8;
const LINES_OF_A_NOTE = 20;

interface End {
  readonly at: number;
  readonly rule: string;
}

/** "THE END" in the last tenth of the text before the licence, if no chapter follows. */
function likelyEnd(lines: readonly string[], suspects: readonly number[], from: number, limit: number): End | null {
  let lastHeading: number | null = null;
  for (const at of suspects) {
    if (at < from + (limit - from) * END_SHARE || at <= from + MINIMUM_STORY_LINES) continue;
    const found = LIKELY_END_RULES.find(({ pattern }) => pattern.test(lines[at]!));
    if (!found || isTitle(lines, at)) continue;
    const { rule, proof } = found;
    if (proof && !isProved(lines.slice(at, at + LINES_OF_A_NOTE).join(" "), proof)) continue;
    lastHeading ??= lastHeadingBefore(lines, at, limit);
    if (lastHeading <= at) return { at, rule };
  }
  return null;
}

/** What follows "THE END" is usually advertising or a transcriber's list, and sometimes an epilogue without a heading. */
function endMatter(
  lines: readonly string[],
  { at, rule }: End,
  limit: number,
  where: (line: number) => string,
): Removal {
  const text = lines.slice(at + 1, limit).join("\n");
  const words = countWords(text);
  const mayBeStory =
    words > FEWEST_STORY_WORDS && !END_BOILERPLATE.test(rule) && !END_BOILERPLATE.test(text.slice(0, 400));
  return { rule, where: where(at), text: excerpt(lines, at, limit), words, ...(mayBeStory && { mayBeStory }) };
}

/** Usually the licence. In a file of several books each has its own, so what follows the first is more than a licence. */
function afterNotice(lines: readonly string[], { at, rule }: End, where: (line: number) => string): Removal {
  const words = lines.slice(at).reduce((sum, line) => sum + countWords(line), 0);
  const hasAnother =
    words > LONGEST_LICENCE_WORDS ||
    lines.slice(at).some((line) => isSuspect(line) && matching(START_RULES, line) !== null);
  return {
    ...{ rule, where: where(at), text: excerpt(lines, at, lines.length) },
    ...(hasAnother && { words, mayBeStory: true }),
  };
}

const LONGEST_LICENCE_WORDS = 6000;
const FEWEST_STORY_WORDS = 40;
const END_BOILERPLATE =
  /transcriber|typographical errors|project gutenberg|e-?text|copyright|printed (?:in|by)|by the same author/i;

/** Under "CHAPTER XIV" even "THE END" is a title. */
function isTitle(lines: readonly string[], at: number): boolean {
  let above = at - 1;
  while (above >= 0 && lines[above]!.trim() === "") above--;
  const label = above >= 0 ? recogniseHeading(lines[above]!.trim()) : null;
  return label?.kind === "chapter" && label.rest === "";
}

/** The last line after `end` that begins a piece of the book; `end` itself if none does. */
function lastHeadingBefore(lines: readonly string[], end: number, limit: number): number {
  for (let index = limit - 1; index > end; index--) {
    const kind = recogniseHeading(lines[index]!.trim())?.kind;
    if (kind === "chapter" || kind === "named" || kind === "division") return index;
  }
  return end;
}

const MINIMUM_STORY_LINES = 3;
const LONGEST_SUSPECT = 600;

/**
 * A cheap check before all the other patterns: it rules out almost every line of prose. The first pattern fails at a line's first
 * letters; the others are plain searches.
 */
const SUSPICIOUS_START =
  /^[\s*_=[({<-]*(?:[[({]|[-–—=_~]{3}|the end|the project|the full|finis?\b|ende\b|конец|end of|end\W*$|start|project g|transcrib|produced|posted originally|please drop|e-?text|this |scanned|html v|updated|note:|page|pg|p\.|left side|right side|\d)/i;
const SUSPICIOUS_HAN = /[完始]|更新|字数|字數|正版|下载|手机|月票|推荐票|收藏|声明|聲明|整理|制作|扫描|预览/;

function isSuspect(line: string): boolean {
  if (line.length === 0 || line.length > LONGEST_SUSPECT) return false;
  if (SUSPICIOUS_START.test(line) || line.includes("://") || line.includes("www.") || line.includes("*END"))
    return true;
  if (line.length >= 150) return false;
  const isHan = line.charCodeAt(line.length >> 1) >= 0x2e80 || line.charCodeAt(0) >= 0x2e80;
  return isHan && SUSPICIOUS_HAN.test(line);
}

function matching(rules: readonly LineRule[], line: string): string | null {
  return rules.find(({ pattern }) => pattern.test(line))?.rule ?? null;
}

/** The beginning of removed text, enough to recognise it: notices run to hundreds of lines. */
function excerpt(lines: readonly string[], from: number, to: number): string {
  const text = lines
    .slice(from, Math.min(to, from + 400))
    .join("\n")
    .trim();
  return text.length > 4000 ? `${text.slice(0, 4000)}…` : text;
}
