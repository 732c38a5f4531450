import type { ReportSection } from "../../api/evaluations.ts";
import { type Finding, isStrength, SEVERITIES } from "../../core/finding.ts";
import { judgeInWords } from "../../core/wording.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type {
  ClosePart,
  EditLetter,
  LetterBlock,
  LetterView,
  QuotationView,
  QuotedPassage,
} from "../../judge/letter/parts.ts";
import { isQuestion } from "../../prose/checks/check-book.ts";
import { SHIPPED } from "../../prose/reference/reference-novels.ts";
import { chapterInWords } from "../wording.ts";
import { type LetterLanguage, tenthsInWords } from "./figure-words.ts";
import { fill, type LetterTexts, loadLetterTexts } from "./letter-words.ts";

export interface NotesView {
  readonly heading: string;
  readonly intro: string;
  readonly notes: readonly QuotationView[];
}

export function notesSection({ heading, intro, notes }: NotesView): ReportSection {
  return {
    heading,
    parts: [
      { kind: "text", text: intro },
      { kind: "quotes", quotes: notes },
    ],
  };
}

/** How many questions are shown; a longer list would not be read. */
const MOST_QUESTIONS = 6;

export function letterView(evaluation: BookEvaluation): LetterView | null {
  const { letter } = evaluation;
  if (!letter) return null;
  const blocks = letterBlocks(letter, evaluation);
  return {
    language: letter.words.language,
    blocks: blocks.filter((block) => block.kind !== "text" || block.text !== ""),
  };
}

const heading = (text: string): LetterBlock => ({ kind: "heading", text });
const text = (line: string): LetterBlock => ({ kind: "text", text: line });
const quiet = (line: string): LetterBlock => ({ kind: "text", text: line, quiet: true });
const list = (entries: readonly string[], numbered = true): LetterBlock => ({ kind: "list", entries, numbered });

/**
 * The letter in one form, whatever the source of its findings: a first page, then every finding by severity, then
 * less certain ones, then what only a reading can add (threads and a plan) or what no reading has judged.
 */
function letterBlocks(letter: EditLetter, evaluation: BookEvaluation): LetterBlock[] {
  const { words, findings, close, reference } = letter;
  const { language } = words;
  const { headings } = loadLetterTexts(language);
  const faults = findings.filter((finding) => !isStrength(finding));
  const claims = faults.filter((finding) => !isQuestion(finding));
  const questions = faults.filter(isQuestion);
  const numbers = new Map([...claims, ...questions].map(({ id }, at) => [id, at + 1]));
  const quotes = (passages: Finding["passages"]) =>
    passages.map((passage) => beginning(quotationView({ ...passage, mark: null }, evaluation, language)));
  const item = ({ id, title, claim, passages, advice }: Finding, isMinor: boolean): LetterBlock => ({
    kind: "item",
    id,
    number: numbers.get(id)!,
    title,
    text: claim,
    quotes: quotes(passages),
    advice,
    ...(isMinor && { minor: true as const }),
  });
  // A strength has no number in the list, so nothing refers to it.
  const referring = (line: string, ids: readonly string[]) => {
    const shown = ids.flatMap((id) => numbers.get(id) ?? []).sort((left, right) => left - right);
    return shown.length === 0 ? line : `${line} (${shown.join(", ")})`;
  };
  const section = (title: string, blocks: readonly LetterBlock[]) =>
    blocks.length === 0 ? [] : [heading(title), ...blocks];
  const praised = (ids: readonly string[]) =>
    findings.find((finding) => isStrength(finding) && ids.includes(finding.id));
  const page = close?.page ?? null;
  const open = (close?.story.threads ?? []).filter(({ closed }) => closed === null);
  return [
    ...(close
      ? closeOpening(findings, close, evaluation, headings)
      : section(headings.short!, words.opening.map(text))),
    ...section(
      headings.works!,
      (page?.works ?? []).flatMap(({ text: line, findings: ids }): LetterBlock[] => [
        text(line),
        ...quotes(praised(ids)?.passages.slice(0, 1) ?? []).map((quote) => ({ kind: "quote" as const, quote })),
      ]),
    ),
    ...section(
      headings.first!,
      page && page.first.length > 0 ? [list(page.first.map((entry) => referring(entry.text, entry.findings)))] : [],
    ),
    ...section(
      headings.problems!,
      (page?.problems ?? []).map(({ title, text: line, findings: ids }) => text(`${title}. ${referring(line, ids)}`)),
    ),
    ...SEVERITIES.flatMap((severity) =>
      section(
        headings[severity]!,
        claims.filter((finding) => finding.severity === severity).map((each) => item(each, severity === "consider")),
      ),
    ),
    ...section(
      headings.look!,
      questions.length === 0
        ? []
        : [
            quiet(claims.length === 0 ? headings.lookOnly! : headings.lookIntro!),
            ...questions.slice(0, MOST_QUESTIONS).map((each) => item(each, true)),
            ...(questions.length > MOST_QUESTIONS
              ? [quiet(fill(headings.lookMore!, { count: questions.length - MOST_QUESTIONS }))]
              : []),
          ],
    ),
    ...section(
      headings.threads!,
      open.length === 0
        ? []
        : [
            list(
              open.map(({ thread, opened }) => fill(headings.thread!, { thread, chapter: opened?.chapter ?? "?" })),
              false,
            ),
          ],
    ),
    ...section(
      headings.plan!,
      page && page.plan.length > 0
        ? [list(page.plan.map(({ title, text: line, findings: ids }) => referring(`${title}: ${line}`, ids)))]
        : [],
    ),
    ...(close ? [] : [quiet(words.notJudged), quiet(words.figures)]),
    ...(reference && words.figures !== ""
      ? [
          quiet(
            fill(reference.id === SHIPPED ? headings.reference! : headings.referenceOwn!, {
              description: reference.description,
            }),
          ),
        ]
      : []),
  ];
}

/** The book as a model read it, and what its letter covers. */
function closeOpening(
  findings: readonly Finding[],
  { page, pageMissing, counts, unanswered }: ClosePart,
  evaluation: BookEvaluation,
  headings: LetterTexts["headings"],
): LetterBlock[] {
  return [
    ...(page
      ? [heading(headings.book!), text(page.book)]
      : [text(fill(headings.noPage!, { reason: pageMissing ?? "" }))]),
    quiet(fill(headings.covers!, coverage(evaluation, findings, counts, headings))),
    ...unanswered.map(({ question, reason }) =>
      quiet(fill(headings.unanswered!, { question: headings[question] ?? question, reason })),
    ),
  ];
}

/** What the letter covers and what was dropped, for the sentence that says so. */
function coverage(
  { judge, book }: BookEvaluation,
  findings: readonly Finding[],
  { made, unsupported, explained, refuted, quotations, quotationsMissing }: ClosePart["counts"],
  headings: LetterTexts["headings"],
) {
  const heading = quotations === 0 ? "noneQuoted" : quotationsMissing === 0 ? "allFound" : "someMissing";
  const dropped = unsupported + explained + refuted;
  return {
    judge: judgeInWords(judge),
    words: book.words.toLocaleString("en-GB"),
    chapters: book.chapters.length,
    findings: findings.length,
    made,
    dropped: dropped === 0 ? "" : fill(headings.dropped!, { dropped }),
    checked: fill(headings[heading]!, { quotations, missing: quotationsMissing }),
  };
}

/** Line notes, most likely first. The kind of change is not stated, because it is wrong too often. */
export function notesView(evaluation: BookEvaluation): NotesView | null {
  const { lineNotes, letter } = evaluation;
  if (!lineNotes || lineNotes.shown.length === 0) return null;
  const language = letter?.words.language ?? "en";
  const { headings, rate } = loadLetterTexts(language);
  const { shown, any } = lineNotes.rates;
  const rates = fill(rate, { shown: tenthsInWords(shown, language), any: tenthsInWords(any, language) });
  const marked = lineNotes.marked.toLocaleString("en-GB");
  const intro = lineNotes.shown.length < lineNotes.marked ? headings.notesIntro! : headings.notesAll!;
  return {
    heading: headings.notes!,
    intro: [
      fill(intro, { shown: lineNotes.shown.length, marked, rate: rates }),
      ...(lineNotes.isOutside ? [headings.notesOutside!] : []),
    ].join(language === "zh" ? "" : " "),
    notes: lineNotes.shown.map((note) => ({
      ...quotationView({ ...note, mark: null }, evaluation, language),
      note: fill(headings.chance!, { tenths: tenthsInWords(note.change, language) }),
    })),
  };
}

export function quotationView(
  { chapter, start, end, quote, mark }: QuotedPassage,
  { book }: BookEvaluation,
  language: LetterLanguage,
): QuotationView {
  const [from, to] = mark ?? [0, quote.length];
  const piece = (first: number, last?: number) => quote.slice(first, last).replace(/\s+/g, " ");
  const title = book.chapters.find(({ index }) => index === chapter)?.title;
  const isWhole = /[.!?…。．！？:;—–-]["”’'」』)\]]*$/u.test(quote.trimEnd());
  const isCutBefore = /^\p{Ll}/u.test(quote);
  return {
    chapter,
    start,
    end,
    before: `${isCutBefore ? "…" : ""}${mark ? piece(0, from) : ""}`,
    marked: piece(from, to),
    after: `${mark ? piece(to) : ""}${isWhole ? "" : "…"}`,
    where: chapterInWords(chapter, title, language),
    note: null,
  };
}

/**
 * A passage in the letter shows where to look; a whole page of text instead of its first lines would hide the
 * comment.
 */
function beginning(quote: QuotationView): QuotationView {
  const { marked } = quote;
  const isHan = /\p{Script=Han}/u.test(marked);
  const most = isHan ? LONGEST_QUOTATION.han : LONGEST_QUOTATION.letters;
  // If only a few more words would be cut, they are kept.
  if (marked.length <= 1.25 * most) return quote;
  const cut = marked.slice(0, isHan ? most : marked.lastIndexOf(" ", most));
  return { ...quote, marked: cut.replace(/[\s,;:，、；：—–-]+$/u, ""), after: "…" };
}

const LONGEST_QUOTATION = { letters: 280, han: 110 };

export function quoteText({ before, marked, after }: QuotationView): string {
  return `${before}${marked}${after}`;
}
