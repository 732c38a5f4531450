import { zipSync } from "fflate";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import {
  type AskAnswer,
  type AskByHand,
  type AskedByHand,
  type AskRequest,
  type BookLetter,
  type CommentsRead,
  type DraftFindings,
  FINDING_MARKS,
  type FindingMarkRequest,
  type LetterFinding,
  type OpenLetter,
  type PastedReply,
  type StoryFacts,
} from "../../api/letters.ts";
import type { BookNotes, NoteMarkRequest } from "../../api/notes.ts";
import { FabulaError } from "../../core/errors.ts";
import { isStrength } from "../../core/finding.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { isOfTheJury, JURY } from "../../jury/juror.ts";
import { loadJury } from "../../jury/jury.ts";
import { compareFindings } from "../../letter/findings.ts";
import { PASTE } from "../../models/judge-name.ts";
import { letterView } from "../../report/letter/letter-view.ts";
import { besideOffer } from "../../report/letter/letter-words.ts";
import { notesFolder } from "../../report/letter/notes-folder.ts";
import { storyMarkdown } from "../../report/story-markdown.ts";
import { clientAddress } from "../http/client-address.ts";
import { whoSent } from "../http/token.ts";
import { json, query, respond, upload } from "../http/typed-route.ts";
import { withUpload } from "../http/upload.ts";
import { checkedId, notFound } from "../ids.ts";
import { isEnded } from "../jobs/job-record.ts";
import { PasteSessions } from "../jobs/paste-sessions.ts";
import { shownPlan } from "../jobs/plan-evaluation.ts";
import { runSettingsFor } from "../jobs/run-settings.ts";
import { checkJudges } from "../judges.ts";
import { describedBook, readWriterSays } from "../library/book-files.ts";
import { closest, type StoredSummary } from "../library/evaluation-files.ts";
import { keepAnswer, readAnswers } from "../library/kept-answers.ts";
import { readMarks, setMark } from "../library/note-marks.ts";
import { type CurrentLetter, currentLetter } from "../report/current-letter.ts";
import { exportedDocument, exportLetter, LETTER_FORMATS } from "../report/export-evaluation.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";
import { summary } from "./books.ts";
import { letterIn, sendFile } from "./evaluations.ts";

const letterQuery = z.object({
  language: z.enum(["en", "zh"]).default("en"),
  evaluation: z.string().max(64).optional(),
});
const markSchema = z.strictObject({
  mark: z.enum(FINDING_MARKS).nullable(),
  why: z.string().trim().max(1000).exactOptional(),
}) satisfies z.ZodType<FindingMarkRequest>;
const factsSchema = z.strictObject({
  facts: z.array(z.string().trim().min(1).max(1000)).max(500),
}) satisfies z.ZodType<StoryFacts>;
const askSchema = z.strictObject({
  question: z.string().trim().min(1).max(2000),
  judge: z.string().max(300),
  isPlan: z.boolean().exactOptional(),
}) satisfies z.ZodType<AskRequest>;
const askByHandSchema = z.strictObject({
  question: askSchema.shape.question,
  reply: z.string().min(1).max(2_000_000).exactOptional(),
}) satisfies z.ZodType<AskByHand>;
const pastedSchema = z.strictObject({
  question: z.string().max(64),
  reply: z.string().min(1).max(2_000_000),
}) satisfies z.ZodType<PastedReply>;

const exportQuery = z.object({
  format: z.enum(["docx", ...LETTER_FORMATS, "notes", "story-markdown", "story-json"]),
  evaluation: z.string().max(64),
  language: z.enum(["en", "zh"]).default("en"),
});

const small = bodyLimit({ maxSize: 10_000 });

/** The writer's desk: the letter of a book, the marks on its findings, what changed since the last draft. */
export function letterRoutes(services: Services) {
  const { books, evaluations, jobs, bookCache, settings, audit, clock } = services;
  const now = () => clock.now().toISOString();
  const pasting = new PasteSessions();
  services.onClose(() => pasting.close());
  const bookOf = (context: Context) => books.card(context.req.param("id") ?? "").id;
  return new Hono()
    .get("/:id/letter", query(letterQuery), async (context) => {
      const { language, evaluation: wanted } = context.req.valid("query");
      const id = bookOf(context);
      const known = evaluations.list(id);
      const chosen = wanted === undefined ? closest(known) : known.find((each) => each.id === wanted);
      if (wanted !== undefined && !chosen) throw notFound("evaluation");
      const answer: BookLetter = {
        book: summary(books.card(id), services),
        readings: known,
        job: jobs.list().find((job) => job.request.bookId === id && !isEnded(job)) ?? null,
        letter: chosen ? openLetter(chosen, await currentLetter(chosen.id, services), language) : null,
      };
      return respond(context, answer);
    })
    .post("/:id/readings", small, async (context) => {
      const bookId = bookOf(context);
      // A running reading may have begun before the writer's last correction, so only one that is still waiting, or the first, is
      // reused.
      const isFirst = evaluations.list(bookId).length === 0;
      const underWay = jobs
        .list()
        .find(
          ({ request, state }) =>
            request.bookId === bookId &&
            isOfTheJury(request.judges[0]!) &&
            (state === "queued" || (isFirst && state === "running")),
        );
      const request = { bookId, judges: [JURY], method: "aggregate", aspects: [], runs: 1, maximumCost: null };
      return respond(context, underWay ?? (await jobs.add(request, clientAddress(context), whoSent(context))), 201);
    })
    .patch("/:id/findings/:finding", small, json(markSchema), async (context) => {
      const { mark, why } = context.req.valid("json");
      const id = bookOf(context);
      const finding = checkedId(context.req.param("finding"), "finding");
      const passage = await passageOf(finding, id, services);
      await books.writerSays(id, (said) => ({
        ...said,
        findings: { ...said.findings, [finding]: { mark, ...(why && { why }), ...(passage && { passage }) } },
      }));
      return context.body(null, 204);
    })
    .get("/:id/letter/export", query(exportQuery), async (context) => {
      const { format, evaluation, language } = context.req.valid("query");
      const card = books.card(bookOf(context));
      const { id, bookId } = evaluations.summary(evaluation);
      if (bookId !== card.id) throw notFound("evaluation");
      const { said, ...current } = await currentLetter(id, services);
      const judged = besideOffer(letterIn(current.evaluation, language));
      const marks = new Map(Object.entries(said.findings).map(([finding, { mark }]) => [finding, mark]));
      const { title } = describedBook(card);
      switch (format) {
        case "docx": {
          const folder = books.folderOf(card.id);
          const bytes = runTask("letter-document", { folder, evaluation: judged }, { client: clientAddress(context) });
          return sendFile(context, `${title} with comments`, await exportedDocument(bytes));
        }
        case "notes": {
          const body = new Uint8Array(zipSync(notesFolder(judged, marks)));
          return sendFile(context, `${title} notes`, { body, type: "application/zip", extension: "zip" });
        }
        case "story-markdown":
        case "story-json": {
          const story = judged.letter?.close?.story;
          if (!story) throw new FabulaError("E_NOT_FOUND", "No model has read this story yet: have it read first.");
          return sendFile(
            context,
            `${title} story`,
            format === "story-json"
              ? {
                  body: `${JSON.stringify({ ...story, corrections: said.facts }, null, 2)}\n`,
                  type: "application/json",
                  extension: "json",
                }
              : {
                  body: storyMarkdown(title, story, said.facts),
                  type: "text/markdown; charset=utf-8",
                  extension: "md",
                },
          );
        }
        default: {
          const file = await exportLetter(judged, marks, format, settings.findBrowser ?? (() => null));
          return sendFile(context, `${title} letter`, file);
        }
      }
    })
    .post("/:id/comments", upload(), async (context) => {
      const id = bookOf(context);
      const folder = books.folderOf(id);
      const { comments, isChanged } = await withUpload(context, { endings: ["docx"] }, ({ path }) =>
        runTask("read-comments", { folder, path }, { client: clientAddress(context) }),
      );
      if (comments.length === 0) {
        throw new FabulaError(
          "E_REQUEST",
          "This file has no comments of ours: bring back the manuscript that was taken out as DOCX with comments.",
        );
      }
      const done = comments.filter(({ isResolved }) => isResolved).map((comment) => comment.id);
      await books.writerSays(id, (said) => ({
        ...said,
        findings: {
          ...said.findings,
          ...Object.fromEntries(done.map((finding) => [finding, { ...said.findings[finding], mark: "done" as const }])),
        },
      }));
      return respond(context, { done, open: comments.length - done.length, isChanged } satisfies CommentsRead);
    })
    .get("/:id/facts", async (context) => {
      const { facts } = await readWriterSays(books.folderOf(bookOf(context)));
      return respond(context, { facts } satisfies StoryFacts);
    })
    .put("/:id/facts", bodyLimit({ maxSize: 1_000_000 }), json(factsSchema), async (context) => {
      const { facts } = context.req.valid("json");
      await books.writerSays(bookOf(context), (said) => ({ ...said, facts }));
      return context.body(null, 204);
    })
    .get("/:id/changes", async (context) => respond(context, await changesSince(bookOf(context), context, services)))
    .get("/:id/ask", async (context) => respond(context, await readAnswers(books.folderOf(bookOf(context)))))
    .post("/:id/ask", small, json(askSchema), async (context) => {
      const { question, judge, isPlan = false } = context.req.valid("json");
      checkJudges([judge], settings);
      const bookId = bookOf(context);
      const request = { bookId, judges: [judge], method: "close", aspects: [], runs: 1, maximumCost: null };
      const folder = books.folderOf(bookId);
      const own = runSettingsFor(request, null, { settings, folder, card: books.card(bookId) });
      const command = ["ask", ...own.command!.slice(1, 2), question, "--judge", judge];
      const asked = runTask(
        "ask-book",
        { folder, question, judge, settings: { ...own, command, ...(isPlan && { dryRun: true }) } },
        // A question that was sent is paid for: whoever closes the window finds its answer later.
        { client: clientAddress(context), ...(isPlan && { abandon: context.req.raw.signal }) },
      );
      const about = { who: whoSent(context), task: "ask", judges: [judge], book: bookId };
      const { plan, calls: _calls, cost: _cost, ...answer } = await (isPlan ? asked : audit.paid(about, asked));
      const kept = plan ? null : await keepAnswer(folder, { question, judge, askedAt: now(), ...answer });
      return respond(context, { ...answer, plan: plan && shownPlan(plan), kept } satisfies AskAnswer);
    })
    .post("/:id/ask/paste", bodyLimit({ maxSize: 5_000_000 }), json(askByHandSchema), async (context) => {
      const { question, reply = null } = context.req.valid("json");
      const folder = books.folderOf(bookOf(context));
      const { answer, ...said } = await runTask(
        "ask-by-hand",
        { folder, question, reply },
        { client: clientAddress(context), abandon: context.req.raw.signal },
      );
      const kept = answer && (await keepAnswer(folder, { question, judge: PASTE, askedAt: now(), ...answer }));
      return respond(context, { ...said, answer: kept } satisfies AskedByHand);
    })
    .get("/:id/paste", async (context) => respond(context, await pasting.state(bookOf(context), services)))
    .post("/:id/paste", bodyLimit({ maxSize: 5_000_000 }), json(pastedSchema), async (context) => {
      const { question, reply } = context.req.valid("json");
      return respond(context, await pasting.answer(bookOf(context), question, reply, services));
    });

  async function changesSince(id: string, context: Context, given: Services): Promise<DraftFindings | null> {
    const drafts = books.drafts(id);
    const at = drafts.findIndex((draft) => draft.id === id);
    const earlier = drafts[at - 1];
    if (!earlier) return null;
    const before = { id: earlier.id, draft: at };
    const [old, now] = [earlier.id, id].map((draft) => closest(given.evaluations.list(draft)));
    if (old?.method === "close" && now?.method === "close") {
      const [first, second] = await Promise.all(
        [old, now].map(async (each) => (await currentLetter(each.id, given)).evaluation),
      );
      const faults = (evaluation: BookEvaluation) =>
        (evaluation.letter?.findings ?? []).filter((finding) => !isStrength(finding));
      const { fixed, still, new: added } = compareFindings(faults(first!), faults(second!));
      return { before, basis: "read", fixed, still: still.map(({ after }) => after), new: added };
    }
    const folders = { before: books.folderOf(earlier.id), after: books.folderOf(id) };
    const said = JSON.stringify([earlier, books.card(id)].map(({ edits, corrections }) => [edits, corrections]));
    const changes = await bookCache.get(`findings ${earlier.id} ${id} ${said}`, () =>
      runTask("compare-findings", folders, { client: clientAddress(context) }),
    );
    return { before, basis: "counted", ...changes };
  }
}

function openLetter(
  summary: StoredSummary,
  { evaluation, said, story, countedAt }: CurrentLetter,
  language: "en" | "zh",
): OpenLetter | null {
  // The offer beside the letter names a judge and a price that hold here; the letter's own is for a terminal.
  const judged = besideOffer(letterIn(evaluation, language));
  const { letter } = judged;
  const view = letterView(judged);
  if (!letter || !view) return null;
  const numbers = new Map(view.blocks.flatMap((block) => (block.kind === "item" ? [[block.id, block.number]] : [])));
  const findings = letter.findings.map((finding): LetterFinding => {
    const { mark = null, why = null, wasDone = false } = said.findings[finding.id] ?? {};
    return { ...finding, number: numbers.get(finding.id) ?? null, mark, why, wasDone: wasDone && mark === null };
  });
  return { evaluation: summary, view, findings, story, countedAt };
}

/** The quotation by which another reading recognises a finding that is intended. */
async function passageOf(finding: string, bookId: string, { evaluations }: Services): Promise<string | undefined> {
  for (const { id } of evaluations.list(bookId)) {
    const { letter } = await evaluations.evaluation(id);
    const found = letter?.findings.find((each) => each.id === finding);
    if (found) return found.passages[0]?.quote;
  }
  throw notFound("finding");
}

const notesQuery = z.object({ all: z.literal("1").optional() });
const noteMarkSchema = z.strictObject({
  mark: z.enum(["done", "ignored"]).nullable(),
}) satisfies z.ZodType<NoteMarkRequest>;

/** Line notes of a whole book, with the writer's marks on them. */
export function noteRoutes({ books, bookCache }: Services) {
  return new Hono()
    .get("/:id/notes", query(notesQuery), async (context) => {
      const which = context.req.valid("query").all === "1" ? "all" : "few";
      const { id } = books.card(context.req.param("id"));
      const folder = books.folderOf(id);
      const [found, marks] = await Promise.all([
        bookCache.get(`notes ${which} ${id}`, () =>
          runTask("note-book", { folder, which }, { client: clientAddress(context) }),
        ),
        readMarks(folder),
      ]);
      const answer: BookNotes = {
        ...found,
        notes: found.notes.map((note) => ({ ...note, mark: marks[note.id] ?? null })),
      };
      // Whoever reads notes may edit next, so the jury is loaded by then.
      void loadJury();
      return respond(context, answer);
    })
    .get("/:id/notes/export", async (context) => {
      const card = books.card(context.req.param("id"));
      const folder = books.folderOf(card.id);
      const bytes = runTask("notes-document", { folder, evaluation: null }, { client: clientAddress(context) });
      return sendFile(context, describedBook(card).title, await exportedDocument(bytes));
    })
    .patch("/:id/notes/:note", bodyLimit({ maxSize: 1000 }), json(noteMarkSchema), async (context) => {
      const { mark } = context.req.valid("json");
      const folder = books.folderOf(context.req.param("id"));
      await setMark(folder, checkedId(context.req.param("note"), "note"), mark);
      return context.body(null, 204);
    });
}
