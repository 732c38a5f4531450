import { Hono } from "hono";
import { z } from "zod";
import type { ChapterHeat } from "../../api/books.ts";
import { loadJury } from "../../jury/jury.ts";
import { reasonNotToRead } from "../../jury/readable.ts";
import { CHANGED_SENTENCES } from "../../workflows/books/letter/noted-passages.ts";
import type { Services } from "../services.ts";

const chapterNumber = z.coerce.number().int().positive().catch(0);

/** The line notes of a chapter: how likely a professional editor changes each of its sentences. */
export function heatRoutes({ books }: Services): Hono {
  return new Hono().get("/:id/chapters/:index/heat", async (context) => {
    const { index, text } = await books.chapter(
      context.req.param("id"),
      chapterNumber.parse(context.req.param("index")),
    );
    const jury = await loadJury();
    const prepared = jury.prepare(text);
    const unscored = reasonNotToRead([prepared], jury.jurors.editor.minimumWords);
    const sentences = unscored === null ? jury.notes.read(prepared) : [];
    const heat: ChapterHeat = { index, unscored, baseRate: CHANGED_SENTENCES, sentences };
    return context.json(heat);
  });
}
