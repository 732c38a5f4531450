import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type { DraftComparison, Revision, RevisionRequest } from "../../api/drafts.ts";
import { readParagraph, reviseBook } from "../../tasks/books/revisions.ts";
import { clientAddress } from "../http/client-address.ts";
import { json, query, respond } from "../http/typed-route.ts";
import { describedBook } from "../library/book-files.ts";
import { copyMarks } from "../library/note-marks.ts";
import { bookIn } from "../library/stored-books.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";
import { bookDetails, summary } from "./books.ts";

const PARAGRAPH_BYTES = 1_000_000;
const REVISIONS_BYTES = 40_000_000;

const revisionSchema = z.strictObject({
  chapter: z.number().int().positive(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  text: z.string(),
}) satisfies z.ZodType<Revision>;
const requestSchema = z.strictObject({
  revisions: z.array(revisionSchema).min(1).max(20_000),
}) satisfies z.ZodType<RevisionRequest>;
const comparisonQuery = z.object({ before: z.string().max(64), after: z.string().max(64) });

/** Rewriting paragraphs of a book: each is read again at once, and the result becomes a draft when the writer says so. */
export function revisionRoutes(services: Services) {
  const { books } = services;
  return new Hono()
    .post("/:id/paragraph", bodyLimit({ maxSize: PARAGRAPH_BYTES }), json(revisionSchema), async (context) => {
      const { chapter, start, end, text } = context.req.valid("json");
      const card = books.card(context.req.param("id"));
      const { text: whole } = await books.chapter(card.id, chapter);
      return respond(context, await readParagraph(whole, { start, end }, text, describedBook(card).language));
    })
    .post(
      "/:id/chapters/:chapter/recheck",
      bodyLimit({ maxSize: REVISIONS_BYTES }),
      json(requestSchema),
      async (context) => {
        const { revisions } = context.req.valid("json");
        const { id } = books.card(context.req.param("id"));
        const input = { folder: books.folderOf(id), revisions, chapter: Number(context.req.param("chapter")) };
        const options = { client: clientAddress(context), abandon: context.req.raw.signal };
        return respond(context, await runTask("recheck-chapter", input, options));
      },
    )
    .post("/:id/drafts", bodyLimit({ maxSize: REVISIONS_BYTES }), json(requestSchema), async (context) => {
      const { revisions } = context.req.valid("json");
      const card = books.card(context.req.param("id"));
      const book = await bookIn(books.folderOf(card.id));
      const number = books.drafts(card.id).length + 1;
      const revised = reviseBook(book, revisions, `${describedBook(card).title}, draft ${number}.json`);
      const draft = await books.addDraft(card.id, revised);
      await copyMarks(books.folderOf(card.id), books.folderOf(draft.id));
      return respond(context, await bookDetails(draft, services), 201);
    });
}

export function draftRoutes(services: Services) {
  const { books, bookCache } = services;
  return new Hono().get("/", query(comparisonQuery), async (context) => {
    const query = context.req.valid("query");
    const [before, after] = [books.card(query.before), books.card(query.after)];
    const languages = [before, after].map((card) => describedBook(card).language).join(" ");
    const folders = { before: books.folderOf(before.id), after: books.folderOf(after.id) };
    const answer: DraftComparison = {
      before: summary(before, services),
      after: summary(after, services),
      changes: await bookCache.get(`drafts ${before.id} ${after.id} ${languages}`, () =>
        runTask("compare-drafts", folders, { client: clientAddress(context) }),
      ),
    };
    return respond(context, answer);
  });
}
