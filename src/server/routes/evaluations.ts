import { type Context, Hono } from "hono";
import { z } from "zod";
import type { ComparisonNote, ComparisonRow, ComparisonView } from "../../api/comparisons.ts";
import type { EvaluationDetails, EvaluationSummary } from "../../api/evaluations.ts";
import {
  HUNDRED,
  isSameScale,
  isScored,
  rescaleVerdict,
  type ScoredVerdict,
  unscored,
  type Verdict,
} from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { differencesInWords } from "../../judge/settings.ts";
import { letterView } from "../../report/letter/letter-view.ts";
import { wordLetter } from "../../report/letter/letter-words.ts";
import type { Difference } from "../../stats/error-model.ts";
import { bookDifference, evaluationDifferences } from "../../tasks/trust/score-differences.ts";
import { clientAddress } from "../http/client-address.ts";
import { pageOf, pageQuery, query, respond } from "../http/typed-route.ts";
import { attachment } from "../http/upload.ts";
import { EXPORT_FORMATS, type ExportedFile, exportEvaluation } from "../report/export-evaluation.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

interface Side {
  readonly summary: EvaluationSummary;
  readonly evaluation: BookEvaluation;
}

/**
 * Two evaluations side by side, aspect by aspect, on one scale: the one they share, or 0 to 100 where they have none in
 * common. Differences are in points of that scale.
 */
export function compareEvaluations(left: Side, right: Side): ComparisonView {
  const aspects = new Map([...left.evaluation.aspects, ...right.evaluation.aspects].map(({ id, name }) => [id, name]));
  const isShared = isSameScale(left.summary.scale, right.summary.scale);
  const scale = isShared ? left.summary.scale : HUNDRED;
  const shown = ({ summary }: Side, verdict: Verdict) => rescaleVerdict(verdict, summary.scale, scale);
  const verdictIn = (side: Side, id: string): Verdict => {
    const aspect = side.evaluation.aspects.find((candidate) => candidate.id === id);
    return aspect ? shown(side, aspect.verdict) : unscored("it was not asked for");
  };
  const { judge, method } = left.evaluation;
  const isSameWay = judge === right.evaluation.judge && method === right.evaluation.method;
  // Chapters are paired only where both are versions of one book.
  const isVersion = left.evaluation.jury
    ? left.summary.bookId === right.summary.bookId
    : left.evaluation.repeats !== undefined && right.evaluation.repeats !== undefined;
  const differences =
    isSameWay && isVersion ? evaluationDifferences(left.evaluation, right.evaluation) : new Map<string, Difference>();
  const isEmbedded = left.evaluation.jury !== undefined || right.evaluation.jury !== undefined;
  const row = (id: string, name: string, from: Verdict, to: Verdict): ComparisonRow => {
    const compared = comparisonRow(id, name, from, to);
    // The same share of two scales need not mean the same: how far apart they are is shown, whether it is clear is not.
    if (!isShared) return { ...compared, isClear: null };
    const found =
      differences.get(id) ?? (isEmbedded && isScored(from) && isScored(to) ? bookDifference(from, to) : null);
    if (!found) return compared;
    return {
      ...compared,
      interval: found.interval && [found.interval[0], found.interval[1]],
      isClear: found.interval && found.outcome !== "cannot be told",
    };
  };
  const otherSettings = differencesInWords([left.evaluation.settings, right.evaluation.settings]) || null;
  return {
    left: left.summary,
    right: right.summary,
    isSameBook: left.summary.bookId === right.summary.bookId,
    isSameScale: isShared,
    scale: { ...scale },
    rows: [
      row("overall", "Overall", shown(left, left.evaluation.overall), shown(right, right.evaluation.overall)),
      ...[...aspects].map(([id, name]) => row(id, name, verdictIn(left, id), verdictIn(right, id))),
    ],
    otherSettings,
    notes: notesOn(left.summary, right.summary, otherSettings === null),
  };
}

function comparisonRow(id: string, name: string, left: Verdict, right: Verdict): ComparisonRow {
  if (!isScored(left) || !isScored(right)) {
    return { id, name, left, right, difference: null, interval: null, isClear: null };
  }
  const difference = right.score - left.score;
  const interval = differenceInterval(left, right);
  return { id, name, left, right, difference, interval, isClear: interval && (interval[0] > 0 || interval[1] < 0) };
}

/**
 * The interval of a difference from the intervals of both sides, each of which may be lopsided: the method of variance
 * estimates recovery (Zou and Donner, Statistics in Medicine 27, 2008). Both sides are taken as independent.
 */
function differenceInterval(from: ScoredVerdict, to: ScoredVerdict): [number, number] | null {
  if (!from.interval || !to.interval) return null;
  const difference = to.score - from.score;
  const below = Math.hypot(to.score - to.interval[0], from.interval[1] - from.score);
  const above = Math.hypot(to.interval[1] - to.score, from.score - from.interval[0]);
  return [difference - below, difference + above];
}

function notesOn(left: EvaluationSummary, right: EvaluationSummary, isSameSettings: boolean): ComparisonNote[] {
  const isSameBook = left.bookId === right.bookId;
  const isSameJudge = left.judge === right.judge;
  const isSameMethod = left.method === right.method;
  const notes: [ComparisonNote, boolean][] = [
    ["other-scales", !isSameScale(left.scale, right.scale)],
    ["other-judges-and-books", !isSameJudge && !isSameBook],
    ["other-methods-and-books", !isSameMethod && !isSameBook],
    ["other-judges", !isSameJudge && isSameBook],
    ["other-methods", !isSameMethod && isSameBook],
    ["chance", isSameBook && isSameJudge && isSameMethod && isSameSettings],
    ["independent", true],
  ];
  return notes.flatMap(([note, holds]) => (holds ? [note] : []));
}

const listQuery = pageQuery.extend({ book: z.string().max(64).optional() });
const detailsQuery = z.object({ language: z.enum(["en", "zh"]).optional() });
const exportQuery = z.object({ format: z.enum(EXPORT_FORMATS) });
const comparisonQuery = z.object({ left: z.string().max(64), right: z.string().max(64) });

export function evaluationRoutes({ books, evaluations, settings }: Services) {
  return new Hono()
    .get("/", query(listQuery), (context) => {
      const { book, ...page } = context.req.valid("query");
      return respond(context, pageOf(evaluations.list(book), page));
    })
    .get("/judges", (context) => respond(context, evaluations.judges()))
    .get("/:id", query(detailsQuery), async (context) => {
      const { language } = context.req.valid("query");
      const summary = evaluations.summary(context.req.param("id"));
      const evaluation = await evaluations.evaluation(summary.id);
      const worded = language === undefined ? evaluation : letterIn(evaluation, language);
      const details: EvaluationDetails = { ...summary, evaluation: worded, letter: letterView(worded) };
      return respond(context, details);
    })
    .delete("/:id", async (context) => {
      await evaluations.delete(context.req.param("id"));
      return context.body(null, 204);
    })
    .get("/:id/export", query(exportQuery), async (context) => {
      const { format } = context.req.valid("query");
      const { id, title, bookId } = evaluations.summary(context.req.param("id"));
      const evaluation = await evaluations.evaluation(id);
      const file = await exportEvaluation(evaluation, format, {
        findBrowser: settings.findBrowser ?? (() => null),
        notesDocument: () =>
          runTask("notes-document", { folder: books.folderOf(bookId), evaluation }, { client: clientAddress(context) }),
      });
      return sendFile(context, title, file);
    });
}

export function sendFile(context: Context, title: string, { body, type, extension }: ExportedFile): Response {
  return context.body(body, 200, {
    "content-type": type,
    "content-disposition": attachment(title, extension),
    // If a browser shows the file after all, it may do nothing.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  });
}

/** The letter in the reader's language; its facts are the same in every language. */
export function letterIn(evaluation: BookEvaluation, language: "en" | "zh"): BookEvaluation {
  const { letter } = evaluation;
  if (!letter || letter.words.language === language) return evaluation;
  return { ...evaluation, letter: { ...letter, words: wordLetter(letter, evaluation, language) } };
}

export function comparisonRoutes({ evaluations }: Services) {
  return new Hono().get("/", query(comparisonQuery), async (context) => {
    const query = context.req.valid("query");
    const side = async (id: string) => ({
      summary: evaluations.summary(id),
      evaluation: await evaluations.evaluation(id),
    });
    return respond(context, compareEvaluations(await side(query.left), await side(query.right)));
  });
}
