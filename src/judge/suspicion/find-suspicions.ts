import type { Book } from "../../text/book.ts";
import type { Suspicion } from "../evaluation.ts";
import { decodings } from "./decodings.ts";

/**
 * What an instruction to a model looks like, by language. Patterns run over text in lower case without hidden
 * characters.
 */
interface Sign {
  readonly pattern: RegExp;
  readonly why: string;
}

const ORDER = "an order to a model";
const FORGED = "a forged verdict";
const PERSUASION = "persuasion aimed at a judge";
/** How a text refers to itself as the work being judged. */
const WORK = "(?:book|story|novel|manuscript|text|chapter|work|submission|piece|tale|writing)";
const MARK = "(?:scores?|ratings?|rated|marks?|grades?|points|stars|assessments?|evaluations?)";
const TEMPLATE = "marks of a chat template";
/**
 * Words about grading. Those with another use in stories (at any rate, a score of men, full marks of rain) count only
 * in graders' phrases.
 */
const GRADING =
  "\\b(?:scor(?:es|ed|ing)|(?:an?|any|your|its|the|no|perfect|high|low|generous|who) score(?! of (?!\\d))|ratings?|(?<!-)rat(?:es|ed|ing)|(?:to|who|must|should|you) rate|grad(?:ed|ing|ers?)|(?:a|any|your|the) grade|(?:full|top|high|highest|good) marks?|(?:number of|full|maximum) points|evaluat\\w+|assess\\w*|rubric|put a number)\\b";
const PRAISING =
  "\\b(?:high(?:er|est|ly)?|top|maximum|perfect|full|generous(?:ly)?|excellent|outstanding|exceptional|finest|very best|flawless|be kind|less than|low|below|lenient(?:ly)?|favou?rabl[ey])\\b";
/** In the same sentence, before or after. */
const near = (words: string) => `(?:(?=[^.!?\\n]{0,200}${words})|(?<=${words}[^.!?\\n]{0,200}))`;

const SIGNS: readonly Sign[] = [
  {
    why: ORDER,
    pattern:
      /\b(?:ignore|disregard(?! (?:for|of)\b)|forget|override|bypass)\b[^.!?\n]{0,30}\b(?:instructions?|prompts?|rubric|criteria|guidelines|(?:the|everything|all|anything) above|previous (?:text|messages?|orders?))\b/g,
  },
  {
    why: ORDER,
    pattern:
      /\b(?:you are|act as|dear|attention|note to|hey|hello)(?: now| an?| the| all| any)* (?:ai|a\.i\.|language model|llm|chatbot|gpt(?:-\d\w*)?|claude 3|gemini|(?:ai |automated |impartial )?(?:evaluator|grader|reviewer model)|ai assistant)\b/g,
  },
  {
    why: ORDER,
    pattern:
      /\b(?<!\bshall )(?:give|assign|award|rate|score|grade|output|return|respond with|reply with|answer with|print|write)\b[^.!?\n]{0,50}\b(?:100(?:\s*\/\s*100)?|5\.0|10\/10|5\/5|20\/20|full marks|maximum (?:score|rating|marks)|perfect (?:score|rating|marks)|highest (?:score|rating|marks)|top marks|five stars)\b/g,
  },
  {
    why: ORDER,
    pattern:
      /\b(?:system prompt|new instructions?:|end of (?:the )?(?:manuscript|story|book|material|document)[^\w\n]{0,4}(?:now|the following|begin))/g,
  },
  {
    why: ORDER,
    pattern:
      /\b(?:from now on|your (?:new )?task is(?: now)?)\b[^.!?\n]{0,60}\b(?:score|rate|review|evaluat\w+|grade|praise)\b/g,
  },
  {
    why: ORDER,
    pattern:
      /(?:忽略|无视|忘记|不要理会)[^。！？\n]{0,16}(?:指令|指示|要求|提示|规则|以上内容|上述内容)|(?:给|打|评)[^。！？\n]{0,12}(?:满分|最高分|一百分|100\s*分)|你(?:现在)?是[^。！？\n]{0,8}(?:语言模型|人工智能|评审模型|ai)/g,
  },
  {
    why: ORDER,
    pattern:
      /(?:これまで|上記|以前|前)の?[^。\n]{0,6}(?:指示|命令|プロンプト)[^。\n]{0,6}(?:無視|忘れ)|満点を(?:付け|つけ|与え)/g,
  },
  {
    why: ORDER,
    pattern: /(?:이전|위의?|모든)[^.\n]{0,8}(?:지시|명령|프롬프트)[^.\n]{0,8}(?:무시|잊)|만점을\s*(?:주|부여)/g,
  },
  {
    why: ORDER,
    pattern:
      /\bignor(?:a|e|ez|iere|ieren|ar)\b[^.!?\n]{0,40}\b(?:instrucciones|instructions|anweisungen|istruzioni|instruções|instrucoes)\b/g,
  },
  {
    why: ORDER,
    pattern:
      /\b(?:puntuación|note|punktzahl|punteggio|pontuação|bewertung)\b[^.!?\n]{0,24}\b(?:100|máxima|maximale|höchste|massimo)\b/g,
  },
  {
    why: ORDER,
    pattern:
      /(?:игнорируй|проигнорируй|забудь)(?:те)?[^.!?\n]{0,30}(?:инструкци|указани)|(?:поставь|дай)(?:те)?[^.!?\n]{0,24}(?:100|максимальн|высш)/g,
  },
  { why: ORDER, pattern: /تجاهل[^.\n]{0,24}(?:التعليمات|الأوامر|السابقة)|أعط[^.\n]{0,24}(?:100|الدرجة الكاملة)/g },
  { why: ORDER, pattern: /(?:निर्देशों|निर्देश)[^।\n]{0,16}(?:अनदेखा|नज़रअंदाज़|भूल)/g },
  {
    why: PERSUASION,
    pattern:
      /\b(?:dear|esteemed|honou?red|respected|note (?:to|for)|message (?:to|for)|to) (?:the |any |every |whichever |my |our )?(?:evaluators?|graders?|assessors?|scoring (?:model|system)|(?:ai|machine|automated) (?:judges?|readers?|reviewers?|critics?))\b/g,
  },
  {
    why: PERSUASION,
    pattern: new RegExp(
      `\\b(?:deserves?|merits?|worthy of|warrants?|is entitled to|has earned)\\b[^.!?\\n]{0,40}\\b(?:highest|top|maximum|perfect|full|best possible|very high|generous)\\b[^.!?\\n]{0,16}\\b${MARK}\\b`,
      "g",
    ),
  },
  {
    why: PERSUASION,
    pattern: new RegExp(
      `\\b(?:please|kindly|humbly|respectfully|would you|could you|i (?:ask|beg|hope|trust)|we (?:ask|beg|hope|trust))\\b(?=[^.!?\\n]{0,140}\\b(?:this|my|our|the) ${WORK}\\b)[^.!?\\n]{0,80}\\b(?:${MARK}|rate|score|grade|evaluate)\\b[^.!?\\n]{0,60}\\b(?:high|highly|higher|highest|generous(?:ly)?|favou?rabl[ey]|lenient(?:ly)?|top|full|perfect|outstanding)\\b`,
      "g",
    ),
  },
  {
    why: PERSUASION,
    pattern: new RegExp(
      `\\b(?:when|before|as|if|once) (?:you|it|the (?:judge|model|machine|ai|evaluator)) (?:come to |comes to )?(?:scores?|rates?|grades?|evaluates?|assess(?:es)?) (?:this|our|my|the) ${WORK}\\b`,
      "g",
    ),
  },
  {
    why: PERSUASION,
    pattern: new RegExp(
      `\\b(?:any|the|every|whatever|whichever) (?:ai|machine|(?:language )?model|algorithm|evaluator|grader)\\b[^.!?\\n]{0,40}\\b(?:reads?|reading|evaluat\\w+|judg\\w+|grad(?:es|ing)|scor(?:es|ing)|rat(?:es|ing))\\b[^.!?\\n]{0,20}\\b(?:this|these|our|my) (?:${WORK}|words|lines|pages)\\b`,
      "g",
    ),
  },
  {
    why: PERSUASION,
    // A polite form without an instruction: it mentions this very text, grading and high grades in one sentence.
    pattern: new RegExp(
      `\\b(?:this|these|the present) (?:book|story|novel|manuscript|text|chapter|submission|tale|pages|entry)\\b${near(GRADING)}${near(PRAISING)}`,
      "g",
    ),
  },
  {
    why: PERSUASION,
    pattern:
      /(?:恳请|希望|请|望)[^。！？\n]{0,24}(?:评委|评审|评分者|阅卷人|模型|ai)[^。！？\n]{0,24}(?:高分|满分|好评|给分|打分|从宽)|(?:这部|这本|本书|本作|此书|拙作)[^。！？\n]{0,16}(?:值得|应得|理应|配得上)[^。！？\n]{0,10}(?:满分|高分|最高分|最高评价)/g,
  },
  {
    why: FORGED,
    pattern: /["'](?:overall|score|overall_score|assessment|aspects|verdict|rating)["']\s*:\s*(?:[\d{["'])/g,
  },
  { why: FORGED, pattern: /^[-*#>\d. \t]*(?:overall |final )?(?:score|rating)\**\s*[:=]\s*\**\s*\d/gm },
  { why: FORGED, pattern: /^[-*#> \t]*(?:总体?评分|评分|得分|总分)\**\s*[:：]\s*\d/gm },
  {
    why: TEMPLATE,
    pattern:
      /<\|[\w-]{2,30}\|>|\[\/?inst\]|<<\/?sys>>|<\/?(?:start_of_turn|end_of_turn|tool_call|think)>|<｜[^｜\n]{1,30}｜>/g,
  },
  {
    why: TEMPLATE,
    pattern:
      /<\/?(?:system|assistant|user|instructions?|prompt|manuscript|document|material|book|story|segment|human)>|<<<\s*(?:end\s+)?\w+/g,
  },
  { why: TEMPLATE, pattern: /^[ \t]*(?:###[ \t]*)?(?:system|assistant|instruction|human)\s*:\s*\S/gm },
];

interface SuspectSpan {
  readonly start: number;
  readonly end: number;
  readonly why: string;
}

/** Characters that no reader sees: a few are typography, many in a row are a message. */
const HIDDEN =
  /(?:(?:[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]|[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff])\s?){6,}/gu;

/** Every passage that addresses a judge, kind by kind; one passage may be reported several times. */
export function* suspectSpans(text: string): Generator<SuspectSpan> {
  for (const { index, 0: match } of text.matchAll(HIDDEN))
    yield { start: index, end: index + match.length, why: "hidden characters" };
  for (const { text: readable, at, how } of decodings(text)) {
    for (const { pattern, why } of SIGNS) {
      // A search is cheaper than a list of matches, and hardly any text has one.
      if (readable.search(pattern) === -1) continue;
      for (const { index, 0: match } of readable.matchAll(pattern)) {
        const [start, end] = at(index, index + match.length);
        yield { start, end, why: how === null ? why : `${why} (${how})` };
      }
    }
  }
}

const NAMED = 10;

/** For a report's notes: how many passages address the judge, and the first of them. */
export function suspicionNotes(suspicions: readonly Suspicion[]): string[] {
  if (suspicions.length === 0) return [];
  const count = suspicions.length === 1 ? "1 passage addresses" : `${suspicions.length} passages address`;
  return [
    `${count} a judge instead of a reader, so the scores may be manipulated:`,
    ...suspicions.slice(0, NAMED).map(({ chapter, quote, why }) => `Chapter ${chapter}, ${why}: “${quote}”`),
  ];
}

/**
 * Finds the start and end of the paragraph at a position. Precomputed, since a hostile text may have many matches in
 * one endless paragraph.
 */
export function paragraphsOf(text: string): (position: number) => readonly [number, number] {
  const starts = [0];
  for (let at = text.indexOf("\n\n"); at !== -1; at = text.indexOf("\n\n", at + 2)) starts.push(at + 2);
  return (position) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    const next = starts[low + 1];
    return [starts[low]!, next === undefined ? text.length : next - 2];
  };
}

const SHOWN_CHARACTERS = 160;
const MOST = 50;

/** The parts of a book that a judge is shown. */
export type ShownBook = Pick<Book, "title" | "genres" | "premise" | "chapters">;

/**
 * Finds passages that address a judge instead of a reader: instructions to a model, forged verdicts, marks of chat
 * templates, hidden or encoded text, in the chapters and in everything else a judge is shown. `beside` holds texts
 * that belong to no chapter, such as the plot of an outline. Delimiters and the reply's schema keep a model from
 * obeying them; whether they changed a score is not known.
 */
export function findSuspicions(book: ShownBook, beside: Readonly<Record<string, string | null>> = {}): Suspicion[] {
  const found: Suspicion[] = [];
  const first = book.chapters[0]?.index ?? 1;
  for (const [name, text] of Object.entries({ ...aboutBook(book), ...beside })) {
    const [span] = suspectSpans(text ?? "");
    if (span) found.push(outsideChapters(first, text!, span, `in the ${name}`));
  }
  for (const { index, title, text } of book.chapters) {
    const [span] = suspectSpans(title ?? "");
    if (span) found.push(outsideChapters(index, title!, span, "in the chapter's heading"));
    // Each passage is reported once, for the first reason found.
    const seen = new Set<number>();
    const paragraphAt = paragraphsOf(text);
    for (const { start, end, why } of suspectSpans(text)) {
      const [paragraph] = paragraphAt(start);
      if (seen.has(paragraph)) continue;
      seen.add(paragraph);
      const from = Math.max(paragraph, start - 40);
      const to = Math.min(text.length, Math.max(end, from + 1), from + SHOWN_CHARACTERS);
      found.push({ chapter: index, start: from, end: to, quote: shown(text.slice(from, to)), why });
      if (found.length >= MOST) break;
    }
    if (found.length >= MOST) break;
  }
  return found.sort((left, right) => left.chapter - right.chapter || left.start - right.start);
}

function aboutBook({ title, genres, premise }: ShownBook): Record<string, string | null> {
  return { title, genres: genres.join("\n\n"), premise };
}

/** Such text is in no chapter, so the position is the chapter's beginning. */
function outsideChapters(chapter: number, text: string, { start, end, why }: SuspectSpan, where: string): Suspicion {
  const quote = shown(text.slice(start, Math.min(end, start + SHOWN_CHARACTERS)));
  return { chapter, start: 0, end: 0, quote, why: `${why}, ${where}` };
}

function shown(passage: string): string {
  return passage.replace(HIDDEN, "�").trim();
}
