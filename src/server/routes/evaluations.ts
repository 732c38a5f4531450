import { type Context, Hono } from "hono";
import { z } from "zod";
import type { EvaluationDetails } from "../../api/evaluations.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { letterView } from "../../report/letter/letter-view.ts";
import { wordLetter } from "../../report/letter/word-letter.ts";
import { clientAddress } from "../http/client-address.ts";
import { attachment } from "../http/file-name.ts";
import { queryOf } from "../http/json-body.ts";
import { pageOf, pageQuery } from "../http/paging.ts";
import { compareEvaluations } from "../report/compare-evaluations.ts";
import { EXPORT_FORMATS, type ExportedFile, exportEvaluation } from "../report/export-evaluation.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

const listQuery = pageQuery.extend({ book: z.string().max(64).optional() });
const detailsQuery = z.object({ language: z.enum(["en", "zh"]).optional() });
const exportQuery = z.object({ format: z.enum(EXPORT_FORMATS) });
const comparisonQuery = z.object({ left: z.string().max(64), right: z.string().max(64) });

export function evaluationRoutes({ books, evaluations, settings }: Services): Hono {
  return new Hono()
    .get("/", (context) => {
      const { book, ...page } = queryOf(context, listQuery);
      return context.json(pageOf(evaluations.list(book), page));
    })
    .get("/judges", (context) => context.json(evaluations.judges()))
    .get("/:id", async (context) => {
      const { language } = queryOf(context, detailsQuery);
      const summary = evaluations.summary(context.req.param("id"));
      const evaluation = await evaluations.evaluation(summary.id);
      const worded = language === undefined ? evaluation : letterIn(evaluation, language);
      const details: EvaluationDetails = { ...summary, evaluation: worded, letter: letterView(worded) };
      return context.json(details);
    })
    .delete("/:id", async (context) => {
      await evaluations.delete(context.req.param("id"));
      return context.body(null, 204);
    })
    .get("/:id/export", async (context) => {
      const { format } = queryOf(context, exportQuery);
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
    // Should a browser show it after all, it may do nothing.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  });
}

/** The letter in the language of whoever reads it; its facts are in none. */
export function letterIn(evaluation: BookEvaluation, language: "en" | "zh"): BookEvaluation {
  const { letter } = evaluation;
  if (!letter || letter.words.language === language) return evaluation;
  return { ...evaluation, letter: { ...letter, words: wordLetter(letter, evaluation, language) } };
}

export function comparisonRoutes({ evaluations }: Services): Hono {
  return new Hono().get("/", async (context) => {
    const query = queryOf(context, comparisonQuery);
    const side = async (id: string) => ({
      summary: evaluations.summary(id),
      evaluation: await evaluations.evaluation(id),
    });
    return context.json(compareEvaluations(await side(query.left), await side(query.right)));
  });
}
