import { Hono } from "hono";
import { z } from "zod";
import type { OutlineVerdicts, PersonalVerdict, ReaderDetails, ReaderImport, ReaderShelf } from "../../api/readers.ts";
import { FabulaError } from "../../core/errors.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { profileName, type ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { bookStory, missingFrom } from "../../workflows/books/book-story.ts";
import { storyFromOutline } from "../../workflows/books/read-story.ts";
import { compareEmbedded } from "../../workflows/readers/compare.ts";
import { readerPlaces } from "../../workflows/readers/personal-part.ts";
import { predictForProfile, type StoryForReader } from "../../workflows/readers/predict.ts";
import { rankBooks, readerQuestions } from "../../workflows/readers/rank.ts";
import { deleteProfile, describeProfile, openProfile } from "../../workflows/readers/reader-profiles.ts";
import { clientAddress } from "../http/client-address.ts";
import { json, query, respond, upload } from "../http/typed-route.ts";
import { attachment, withUpload } from "../http/upload.ts";
import { type BookCard, describedBook } from "../library/book-files.ts";
import { readerSummaries, readerSummary } from "../readers/reader-summaries.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

const TABLES = ["csv", "tsv", "txt", "jsonl", "ndjson", "json", "parquet"];
const LATEST = 50;
const QUESTIONS = 5;
/** An outline of 20,000 words, the longest that is read as one. */
const outlinesSchema = z.object({ outlines: z.array(z.string().min(1).max(200_000)).min(1).max(2) });
const importFields = z.object({
  name: z.string().max(100),
  scale: z.coerce.number().int().min(2).max(100).optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional(),
});

export function readerRoutes({ settings, books, evaluations }: Services) {
  const folder = settings.profiles;
  // A profile may also be opened by its path on the command line; here a name is a name.
  const open = (name: string) => openProfile(profileName(name), folder);
  return new Hono()
    .get("/", async (context) => respond(context, await readerSummaries(folder)))
    .post("/", upload<{ name: string; scale?: string }>(), (context) =>
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
        return respond(context, answer, 201);
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
      return respond(context, details);
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
    .post("/:name/outlines", json(outlinesSchema), async (context) => {
      const { outlines } = context.req.valid("json");
      return respond(context, outlineVerdicts(await open(context.req.param("name")), outlines));
    })
    .get("/:name/shelf", async (context) => {
      const profile = await open(context.req.param("name"));
      const { ranked } = profile.toRead?.length ? await rankBooks(undefined, profile) : { ranked: [] };
      const { questions } = profile.unrated?.length
        ? await readerQuestions(undefined, profile, QUESTIONS)
        : { questions: [] };
      const shelf: ReaderShelf = {
        ranked: ranked.map(({ rank, item, prediction: { rating, interval } }) => ({
          ...{ rank, title: item.title, rating, interval },
        })),
        questions: questions.map(({ title, settles, near }) => ({ title, settles, near })),
      };
      return respond(context, shelf);
    })
    .get("/:name/verdict", query(z.object({ book: z.string().max(64) })), async (context) => {
      const { book } = context.req.valid("query");
      const profile = await open(context.req.param("name"));
      const card = books.card(book);
      const [latest] = evaluations.list(card.id);
      return respond(
        context,
        await personalVerdict(profile, card, latest ? await evaluations.evaluation(latest.id) : null),
      );
    });
}

/** What one reader would think of outlines that were typed in, and which of two would be liked better. */
function outlineVerdicts(profile: ReaderProfile, outlines: readonly string[]): OutlineVerdicts {
  const stories = outlines.map((text, at) =>
    storyFromOutline(text, outlines.length > 1 ? `Outline ${at + 1}` : "The outline"),
  );
  const verdicts = stories.map((story, at) => {
    const { prediction, view } = predictForProfile(profile, story);
    const shared = { reader: profile.name, title: story.title ?? `Outline ${at + 1}` };
    return { ...shared, ...verdictOf(profile, prediction, view, []) };
  });
  const [left, right] = stories;
  const preference = left && right ? compareEmbedded(profile, left, right).preference : null;
  return {
    verdicts,
    preference: preference && { preferred: preference.preferred, chanceLeft: preference.chanceLeft },
  };
}

/** One reader's predicted verdict on a book of the library, beside the general one; with the latest evaluation, also the reasons. */
async function personalVerdict(
  profile: ReaderProfile,
  card: BookCard,
  evaluation: BookEvaluation | null,
): Promise<PersonalVerdict> {
  const story = bookStory(describedBook(card));
  const { prediction, view } = predictForProfile(profile, story);
  const places = evaluation ? await readerPlaces(profile, evaluation) : [];
  const notes = [...places.map(({ text }) => text), ...missingInWords(missingFrom(story))];
  const shared = { reader: profile.name, bookId: card.id, title: describedBook(card).title };
  return { ...shared, ...verdictOf(profile, prediction, view, notes) };
}

function verdictOf(
  profile: ReaderProfile,
  prediction: StoryForReader["prediction"],
  view: StoryForReader["view"],
  notes: readonly string[],
): Omit<PersonalVerdict, "reader" | "bookId" | "title"> {
  if (prediction.kind === "unscored" || !view) {
    const reason = prediction.kind === "unscored" ? prediction.reason : "it could not be predicted";
    const headline = `What ${profile.name} would think of it cannot be predicted: ${reason}.`;
    return { personal: null, general: null, unscored: reason, headline, because: [], notes };
  }
  const reasons = [...view.because, ...view.against, ...(view.story ? [view.story] : [])];
  return {
    personal: {
      rating: prediction.rating,
      interval: prediction.interval,
      distribution: prediction.distribution,
    },
    general: { rating: view.general.rating, interval: null },
    unscored: null,
    headline: view.headline,
    because: reasons.map(({ about, title, text, effect }) => ({
      text: about === "history" && title !== undefined ? `${title}: ${text}` : text,
      effect,
    })),
    notes: [...view.notes, ...notes],
  };
}

function missingInWords(missing: readonly string[]): string[] {
  const known = missing.filter((what) => what === "genres" || what === "premise");
  return known.length === 0
    ? []
    : [`It would be surer with the book's ${known.join(" and ")}: add them in the library.`];
}
