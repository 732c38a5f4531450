import { Hono } from "hono";
import { z } from "zod";
import { FabulaError } from "../../../core/errors.ts";
import { profileName } from "../../../reader/personal/profile/reader-profile.ts";
import { predictForProfile } from "../../../workflows/reader-predict.ts";
import { deleteProfile, describeProfile, importProfile, openProfile } from "../../../workflows/reader-profiles.ts";
import type { PersonalVerdict, ReaderDetails, ReaderImport } from "../../api.ts";
import { attachment } from "../http/file-name.ts";
import { queryOf } from "../http/json-body.ts";
import { withUpload } from "../http/upload.ts";
import { type BookCard, describedBook } from "../library/book-files.ts";
import { readerSummaries, readerSummary } from "../readers/reader-summaries.ts";
import type { Services } from "../services.ts";

const TABLES = ["csv", "tsv", "txt", "jsonl", "ndjson", "json", "parquet"];
const LATEST = 50;
const importFields = z.object({
  name: z.string().max(100),
  scale: z.coerce.number().int().min(2).max(100).default(5),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional(),
});

export function readerRoutes({ settings, books }: Services): Hono {
  const folder = settings.profiles;
  // A profile may also be opened by its path on the command line; here a name is a name.
  const open = (name: string) => openProfile(profileName(name), folder);
  return new Hono()
    .get("/", async (context) => context.json(await readerSummaries(folder)))
    .post("/", (context) =>
      withUpload(context, { endings: TABLES }, async ({ path, fields }) => {
        const given = importFields.safeParse(Object.fromEntries(fields));
        if (!given.success) {
          throw new FabulaError(
            "E_REQUEST",
            "Give the reader a name, and the highest rating of the file's scale (2–100).",
          );
        }
        const { name, scale, language } = given.data;
        const report = await importProfile({
          ...{ name: profileName(name), input: path, folder, scale },
          ...(language !== undefined && { language }),
        });
        const { source, imported, without, repeats } = report;
        const answer: ReaderImport = {
          reader: readerSummary(await open(report.name)),
          ...{ source, imported, without, repeats },
        };
        return context.json(answer, 201);
      }),
    )
    .get("/:name", async (context) => {
      const profile = await open(context.req.param("name"));
      const { generosity, genres } = await describeProfile(profile.name, folder);
      const details: ReaderDetails = {
        ...readerSummary(profile),
        ...{ generosity, genres },
        latest: profile.reviews
          .slice(-LATEST)
          .reverse()
          .map(({ title, rating, review }) => ({
            ...{ title: title ?? "untitled", rating: rating ?? null, review: review ?? null },
          })),
      };
      return context.json(details);
    })
    .delete("/:name", async (context) => {
      await deleteProfile(profileName(context.req.param("name")), folder);
      return context.body(null, 204);
    })
    .get("/:name/export", async (context) => {
      const { name, reviews } = await open(context.req.param("name"));
      const lines = reviews.map((review) => `${JSON.stringify(review)}\n`).join("");
      return context.body(lines, 200, {
        "content-type": "application/x-ndjson; charset=utf-8",
        "content-disposition": attachment(name, "jsonl"),
      });
    })
    .get("/:name/verdict", async (context) => {
      const { book } = queryOf(context, z.object({ book: z.string().max(64) }));
      const profile = await open(context.req.param("name"));
      return context.json(personalVerdict(profile, books.card(book)));
    });
}

function personalVerdict(profile: Parameters<typeof predictForProfile>[0], card: BookCard): PersonalVerdict {
  const { title, genres, premise } = describedBook(card);
  const { prediction, view } = predictForProfile(profile, { title, genres, ...(premise !== null && { premise }) });
  const shared = { reader: profile.name, bookId: card.id, title };
  if (prediction.kind === "unscored" || !view) {
    const reason = prediction.kind === "unscored" ? prediction.reason : "nothing was predicted";
    return {
      ...shared,
      ...{ personal: null, general: null, unscored: reason, because: [] },
      headline: `Nothing can be said for ${profile.name}: ${reason}.`,
      notes: ["Tell the book's genres and premise in the library: the prediction is made of them."],
    };
  }
  return {
    ...shared,
    personal: { rating: prediction.rating, interval: prediction.interval },
    general: { rating: view.general.rating, interval: null },
    unscored: null,
    headline: view.headline,
    because: [...view.because, ...view.against, ...(view.story ? [view.story] : [])].map(
      ({ about, title: past, text, effect }) => ({
        text: about === "history" && past !== undefined ? `${past}: ${text}` : text,
        effect,
      }),
    ),
    notes: view.notes,
  };
}
