import { Hono } from "hono";
import { z } from "zod";
import type { ReaderDetails, ReaderImport } from "../../api/readers.ts";
import { FabulaError } from "../../core/errors.ts";
import { profileName } from "../../reader/profile/reader-profile.ts";
import { deleteProfile, describeProfile, openProfile } from "../../workflows/readers/reader-profiles.ts";
import { clientAddress } from "../http/client-address.ts";
import { attachment } from "../http/file-name.ts";
import { queryOf } from "../http/json-body.ts";
import { withUpload } from "../http/upload.ts";
import { personalVerdict } from "../readers/personal-verdict.ts";
import { readerSummaries, readerSummary } from "../readers/reader-summaries.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

const TABLES = ["csv", "tsv", "txt", "jsonl", "ndjson", "json", "parquet"];
const LATEST = 50;
const importFields = z.object({
  name: z.string().max(100),
  scale: z.coerce.number().int().min(2).max(100).optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional(),
});

export function readerRoutes({ settings, books, evaluations }: Services): Hono {
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
        const request = {
          name: profileName(name),
          input: path,
          folder,
          ...(scale !== undefined && { scale }),
          ...(language !== undefined && { language }),
        };
        const report = await runTask("import-reader", request, { client: clientAddress(context) });
        const { source, imported, without, repeats } = report;
        const answer: ReaderImport = {
          reader: readerSummary(await open(report.name)),
          source,
          imported,
          without,
          repeats,
        };
        return context.json(answer, 201);
      }),
    )
    .get("/:name", async (context) => {
      const profile = await open(context.req.param("name"));
      const { generosity, genres, taste, thin } = await describeProfile(profile.name, folder);
      const details: ReaderDetails = {
        ...readerSummary(profile),
        generosity,
        genres,
        thin,
        rewards: taste.rewards,
        punishes: taste.punishes,
        latest: profile.reviews
          .slice(-LATEST)
          .reverse()
          .map(({ title, rating, review }) => ({
            title: title ?? "untitled",
            rating: rating ?? null,
            review: review ?? null,
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
      const card = books.card(book);
      const [latest] = evaluations.list(card.id);
      return context.json(
        await personalVerdict(profile, card, latest ? await evaluations.evaluation(latest.id) : null),
      );
    });
}
