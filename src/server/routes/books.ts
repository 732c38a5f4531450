import { readFile } from "node:fs/promises";
import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type {
  BookDetails,
  BookEdit,
  BookSummary,
  DraftSummary,
  PastedBook,
  SampleRequest,
  SearchHit,
  ShelfBook,
} from "../../api/books.ts";
import { assetPath } from "../../core/assets.ts";
import { sha256 } from "../../core/hash.ts";
import { requestedBy } from "../http/client-address.ts";
import { json, jsonOrUpload, pageOf, pageQuery, query, respond } from "../http/typed-route.ts";
import { withPasted, withUpload } from "../http/upload.ts";
import { type BookCard, describedBook, readTexts, readWriterSays, workOf } from "../library/book-files.ts";
import type { BookLibrary, NewBook } from "../library/book-library.ts";
import { closest } from "../library/evaluation-files.ts";
import { currentFindings } from "../report/current-letter.ts";
import { refuseWhileBusy, type Services } from "../services.ts";
import { expectBook } from "../threads/run-task.ts";

const MOST = 200;
const EXCERPT_MARGIN = 80;

/** Finds words in a book, ignoring case, the kind of quotation marks and white space. */
export async function searchBook(books: BookLibrary, id: string, words: string): Promise<SearchHit[]> {
  const { chapters } = await books.contents(id);
  const pattern = patternFor(words);
  if (!pattern) return [];
  const texts = await readTexts(books.folderOf(id), chapters);
  const hits: SearchHit[] = [];
  for (const [position, text] of texts.entries()) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      hits.push({
        chapter: chapters[position]!.index,
        start,
        end,
        before: excerptBefore(text, start),
        after: excerptAfter(text, end),
      });
      if (hits.length === MOST) return hits;
    }
  }
  return hits;
}

/** Begins with a whole word, where words stand apart. */
function excerptBefore(text: string, start: number): string {
  const from = start - EXCERPT_MARGIN;
  return from <= 0 ? text.slice(0, start) : `…${text.slice(from, start).replace(/^\S+(?=\s)/, "")}`;
}

function excerptAfter(text: string, end: number): string {
  const to = end + EXCERPT_MARGIN;
  return to >= text.length ? text.slice(end) : `${text.slice(end, to).replace(/(?<=\s)\S+$/, "")}…`;
}

function patternFor(words: string): RegExp | null {
  const wanted = words.trim();
  if (wanted === "") return null;
  const source = wanted
    .replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replace(/\s+/g, "\\s+")
    .replace(/['‘’]/g, "['‘’]")
    .replace(/["“”„«»]/g, '["“”„«»]');
  return new RegExp(source, "giu");
}

const SAMPLES = { en: "the-inspector-of-weights.md", zh: "the-lamp-at-mist-harbour.zh.md" } as const;

/** A story that ships with Fabula, as if it had been uploaded. */
async function sampleBook(language: keyof typeof SAMPLES): Promise<NewBook> {
  const name = SAMPLES[language];
  const path = assetPath("examples", name);
  return { path, name, sha256: sha256(await readFile(path)) };
}

const PASTED_BYTES = 40_000_000;

const pastedSchema = z.strictObject({
  title: z.string().trim().min(1).max(500),
  text: z.string().min(1),
}) satisfies z.ZodType<PastedBook>;

const line = (most: number) => z.string().trim().min(1).max(most);
const editSchema = z.strictObject({
  title: line(500).exactOptional(),
  author: line(300).nullable().exactOptional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, "a language's code of two letters")
    .nullable()
    .exactOptional(),
  genres: z.array(line(80)).max(40).exactOptional(),
  premise: line(5000).nullable().exactOptional(),
  draftOf: z.string().max(64).nullable().exactOptional(),
}) satisfies z.ZodType<BookEdit>;

const sampleSchema = z.strictObject({ language: z.enum(["en", "zh"]) }) satisfies z.ZodType<SampleRequest>;

const searchQuery = pageQuery.extend({ search: z.string().max(200).default("") });

/** Whether the words occur in a book's title, its author's name or its file's name. */
function matching(search: string): (card: BookCard) => boolean {
  const wanted = search.trim().toLowerCase();
  return (card) => {
    const { title, author } = describedBook(card);
    return `${title}\n${author ?? ""}\n${card.file}`.toLowerCase().includes(wanted);
  };
}

const chapterNumber = z.coerce.number().int().positive();

export async function bookDetails(card: BookCard, services: Services): Promise<BookDetails> {
  const { books, evaluations } = services;
  const { chapters, removed, warnings } = await books.contents(card.id);
  const { genres, premise } = describedBook(card);
  return {
    ...summary(card, services),
    file: card.file,
    format: card.format,
    encoding: card.encoding,
    genres,
    premise,
    removed,
    warnings,
    contents: chapters.map(({ at: _at, bytes: _bytes, ...chapter }) => chapter),
    evaluations: evaluations.list(card.id),
    drafts: draftSummaries(books.drafts(card.id)),
    sameTitle: sameTitle(card, books),
  };
}

function draftSummaries(drafts: readonly BookCard[]): DraftSummary[] {
  return drafts.map(({ id, file, words, addedAt }, position) => ({ id, draft: position + 1, file, words, addedAt }));
}

/** A book as its writer finds it on the shelf: its newest draft, and what is left to do there. */
async function onShelf(drafts: readonly BookCard[], services: Services): Promise<ShelfBook> {
  const { books, evaluations } = services;
  const card = drafts.at(-1)!;
  const { title, author } = describedBook(card);
  const { id, words, addedAt } = card;
  const reading = closest(evaluations.list(id));
  const [found, said] = await Promise.all([
    reading ? currentFindings(reading, services) : null,
    readWriterSays(books.folderOf(id)),
  ]);
  const isOpen = (finding: string) => !["done", "intended"].includes(said.findings[finding]?.mark ?? "");
  const open = found === null ? null : found.filter(isOpen).length;
  return { id, title, author, words, addedAt, drafts: draftSummaries(drafts), open };
}

/** The newest other book with this title, if this one was not made a draft yet. */
function sameTitle(card: BookCard, books: BookLibrary): string | null {
  if (card.draftOf !== undefined) return null;
  const plain = (other: BookCard) => describedBook(other).title.trim().toLowerCase().replace(/\s+/g, " ");
  const older = books
    .list()
    .find((other) => workOf(other) !== card.id && other.addedAt < card.addedAt && plain(other) === plain(card));
  return older?.id ?? null;
}

export function bookRoutes(services: Services) {
  const { books, evaluations } = services;
  const details = (card: BookCard) => bookDetails(card, services);
  return new Hono()
    .get("/", query(searchQuery), (context) => {
      const { search, ...page } = context.req.valid("query");
      const { items, ...rest } = pageOf(books.list().filter(matching(search)), page);
      return respond(context, { ...rest, items: items.map((card) => summary(card, services)) });
    })
    .get("/shelf", query(searchQuery), async (context) => {
      const { search, ...page } = context.req.valid("query");
      const isWanted = matching(search);
      const found = books.works().flatMap((drafts) => {
        const last = drafts.at(-1)!;
        return drafts.some(isWanted) ? [{ id: last.id, drafts }] : [];
      });
      const { items, ...rest } = pageOf(found, page);
      return respond(context, {
        ...rest,
        items: await Promise.all(items.map(({ drafts }) => onShelf(drafts, services))),
      });
    })
    .get("/coming", (context) => {
      expectBook();
      return context.body(null, 204);
    })
    .post("/", expected, bodyLimitFor(PASTED_BYTES), jsonOrUpload(pastedSchema), async (context) => {
      const pasted = context.req.valid("json");
      const card = pasted
        ? await withPasted(pasted, (book) => books.add(book, requestedBy(context)))
        : await withUpload(context, {}, (upload) => books.add(upload, requestedBy(context)));
      return respond(context, await details(card), 201);
    })
    .post("/sample", expected, bodyLimit({ maxSize: 1000 }), json(sampleSchema), async (context) => {
      const { language } = context.req.valid("json");
      return respond(context, await details(await books.add(await sampleBook(language), requestedBy(context))), 201);
    })
    .get("/:id", async (context) => respond(context, await details(books.card(context.req.param("id")))))
    .patch("/:id", bodyLimit({ maxSize: 100_000 }), json(editSchema), async (context) => {
      const { draftOf, ...edit } = context.req.valid("json");
      const id = context.req.param("id");
      if (draftOf !== undefined) await books.setDraftOf(id, draftOf);
      return respond(context, await details(await books.edit(id, edit)));
    })
    .delete("/:id", async (context) => {
      const { id } = books.card(context.req.param("id"));
      refuseWhileBusy(services, id);
      for (const evaluation of evaluations.list(id)) await evaluations.delete(evaluation.id);
      await books.delete(id);
      return context.body(null, 204);
    })
    .get("/:id/chapters/:index", async (context) => {
      const index = chapterNumber.catch(0).parse(context.req.param("index"));
      return respond(context, await books.chapter(context.req.param("id"), index));
    })
    .get("/:id/search", query(z.object({ q: z.string().max(300).default("") })), async (context) => {
      const { q } = context.req.valid("query");
      return respond(context, await searchBook(books, context.req.param("id"), q));
    });
}

export function summary(card: BookCard, { books, evaluations }: Services): BookSummary {
  const [latest] = evaluations.list(card.id);
  const { title, author, language } = describedBook(card);
  const { id, words, chapters, addedAt } = card;
  return {
    id,
    title,
    author,
    language,
    words,
    chapters,
    addedAt,
    draft: 1 + books.drafts(id).findIndex((draft) => draft.id === id),
    latest: latest
      ? { evaluationId: latest.id, overall: latest.overall, judge: latest.judge, scale: latest.scale }
      : null,
  };
}

/** While the book is being uploaded, the processes that will parse and judge it start. */
const expected: MiddlewareHandler = (_context, next) => {
  expectBook();
  return next();
};

/** A pasted text is held in memory, unlike an upload, so it has its own limit. */
function bodyLimitFor(maxSize: number): ReturnType<typeof bodyLimit> {
  const limited = bodyLimit({ maxSize });
  return (context, next) =>
    /^multipart\//i.test(context.req.header("content-type") ?? "") ? next() : limited(context, next);
}
