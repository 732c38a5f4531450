import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type { BookNotes, NoteMarkRequest } from "../../api/notes.ts";
import { loadJury } from "../../jury/jury.ts";
import { clientAddress } from "../http/client-address.ts";
import { json, query, respond } from "../http/typed-route.ts";
import { checkedId } from "../ids.ts";
import { describedBook } from "../library/book-files.ts";
import { readMarks, setMark } from "../library/note-marks.ts";
import { exportedDocument } from "../report/export-evaluation.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";
import { sendFile } from "./evaluations.ts";

const notesQuery = z.object({ all: z.literal("1").optional() });
const markSchema = z.strictObject({
  mark: z.enum(["done", "ignored"]).nullable(),
}) satisfies z.ZodType<NoteMarkRequest>;

/** Line notes of a whole book, with what the writer said of them. */
export function noteRoutes({ books, readings }: Services) {
  return new Hono()
    .get("/:id/notes", query(notesQuery), async (context) => {
      const which = context.req.valid("query").all === "1" ? "all" : "few";
      const { id } = books.card(context.req.param("id"));
      const folder = books.folderOf(id);
      const [found, marks] = await Promise.all([
        readings.get(`notes ${which} ${id}`, () =>
          runTask("note-book", { folder, which }, { client: clientAddress(context) }),
        ),
        readMarks(folder),
      ]);
      const answer: BookNotes = {
        ...found,
        notes: found.notes.map((note) => ({ ...note, mark: marks[note.id] ?? null })),
      };
      // Whoever reads notes may edit next: the jury should be there by then.
      void loadJury();
      return respond(context, answer);
    })
    .get("/:id/notes/export", async (context) => {
      const card = books.card(context.req.param("id"));
      const folder = books.folderOf(card.id);
      const bytes = runTask("notes-document", { folder, evaluation: null }, { client: clientAddress(context) });
      return sendFile(context, describedBook(card).title, await exportedDocument(bytes));
    })
    .patch("/:id/notes/:note", bodyLimit({ maxSize: 1000 }), json(markSchema), async (context) => {
      const { mark } = context.req.valid("json");
      const folder = books.folderOf(context.req.param("id"));
      await setMark(folder, checkedId(context.req.param("note"), "note"), mark);
      return context.body(null, 204);
    });
}
