import { join } from "node:path";
import { Hono } from "hono";
import { z } from "zod";
import type {
  ModelReview,
  OutlineVerdicts,
  PersonalVerdict,
  ReaderDetails,
  ReaderImport,
  ReaderShelf,
  ReaderSummary,
  ReviewAnswer,
  ReviewRequest,
} from "../../api/readers.ts";
import { FabulaError } from "../../core/errors.ts";
import { inTemporaryFolder, writeWholeFile } from "../../core/files.ts";
import { verdictSchema } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { meanOfHistory } from "../../reader/baselines.ts";
import { hasContent, type Story } from "../../reader/predictor/story.ts";
import { profileName, type ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { bookStory, missingFrom, storyFromOutline } from "../../tasks/books/described-story.ts";
import { compareEmbedded } from "../../tasks/readers/compare.ts";
import { readerPlaces } from "../../tasks/readers/personal-part.ts";
import { predictForProfile, type StoryForReader } from "../../tasks/readers/predict.ts";
import { rankBooks, readerQuestions } from "../../tasks/readers/rank.ts";
import { deleteProfile, describeProfile, listProfiles, openProfile } from "../../tasks/readers/reader-profiles.ts";
import { clientAddress } from "../http/client-address.ts";
import { whoSent } from "../http/token.ts";
import { json, query, respond, upload } from "../http/typed-route.ts";
import { attachment, withUpload } from "../http/upload.ts";
import { shownPlan } from "../jobs/plan-evaluation.ts";
import { taskHost } from "../jobs/run-settings.ts";
import { checkJudges } from "../judges.ts";
import { type BookCard, describedBook } from "../library/book-files.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

const TABLES = ["csv", "tsv", "txt", "jsonl", "ndjson", "json", "parquet"];
const LATEST = 50;
const QUESTIONS = 5;
/** Far more than an outline may have, so that whoever sends a book is told so. */
const outlinesSchema = z.object({ outlines: z.array(z.string().min(1).max(200_000)).min(1).max(2) });
const reviewSchema = z.strictObject({
  judge: z.string().max(300),
  book: z.string().max(64).exactOptional(),
  outline: z.string().min(1).max(200_000).exactOptional(),
  maximumCost: z.number().nonnegative().nullable().exactOptional(),
  isPlan: z.boolean().exactOptional(),
}) satisfies z.ZodType<ReviewRequest>;
const importFields = z.object({
  name: z.string().max(100),
  scale: z.coerce.number().int().min(2).max(100).optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional(),
});

export async function readerSummaries(folder: string): Promise<ReaderSummary[]> {
  return (await listProfiles(folder)).map(readerSummary);
}

function readerSummary({ name, language, reviews }: ReaderProfile): ReaderSummary {
  const ratings = reviews.flatMap(({ rating }) => (rating === undefined ? [] : [rating]));
  return { name, language, reviews: reviews.length, meanRating: meanOfHistory(ratings) };
}

export function readerRoutes({ settings, books, evaluations, audit }: Services) {
  const folder = settings.profiles;
  // On the command line a profile may also be named by its path; here only names are accepted.
  const open = (name: string) => openProfile(profileName(name), folder);
  const storyToReview = (book: string | undefined, outline: string | undefined): Story => {
    if (outline !== undefined) return storyFromOutline(outline, "The outline");
    if (book === undefined) {
      throw new FabulaError("E_REQUEST", "Say what to review: a book of the library, or an outline.");
    }
    const story = storyOfCard(books.card(book));
    if (hasContent(story)) return story;
    throw new FabulaError(
      "E_STORY_EMPTY",
      "Nothing is known about this book that a review could be about: add its genres or premise in the library, or give an outline.",
    );
  };
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
      const { generosity, genres, drift, taste, thin } = await describeProfile(profile.name, folder);
      const details: ReaderDetails = {
        ...readerSummary(profile),
        generosity,
        genres,
        drift,
        thin,
        compared: taste.compared,
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
    .post("/:name/review", json(reviewSchema), async (context) => {
      const { judge, book, outline, maximumCost, isPlan = false } = context.req.valid("json");
      checkJudges([judge], settings);
      const { name } = await open(context.req.param("name"));
      const story = storyToReview(book, outline);
      const options = { client: clientAddress(context), abandon: context.req.raw.signal };
      const { document, plan, cost } = await inTemporaryFolder("review", async (place) => {
        const file = join(place, "story.json");
        await writeWholeFile(file, JSON.stringify(story));
        const limit = typeof maximumCost === "number" ? { maxCost: maximumCost } : {};
        const given = { story: file, reader: name, profiles: folder, judge, dryRun: isPlan, ...limit };
        const written = runTask("own-task", { name: "reader-review", given, settings: taskHost(settings) }, options);
        const about = { who: whoSent(context), task: "reader-review", judges: [judge], reader: name };
        return isPlan ? written : audit.paid(about, written);
      });
      const answer: ReviewAnswer = isPlan
        ? { plan: shownPlan(plan), review: null }
        : { plan: null, review: writtenReview(document, cost) };
      return respond(context, answer);
    })
    .get("/:name/shelf", async (context) => {
      const profile = await open(context.req.param("name"));
      const { ranked } = profile.toRead?.length ? await rankBooks(undefined, profile) : { ranked: [] };
      const { questions } = profile.unrated?.length
        ? await readerQuestions(undefined, profile, QUESTIONS)
        : { questions: [] };
      const shelf: ReaderShelf = {
        ranked: ranked.map(({ rank, item, prediction: { rating, interval, because } }) => ({
          ...{ rank, title: item.title, rating, interval, because },
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

function storyOfCard(card: BookCard): Story {
  return bookStory({ ...describedBook(card), words: card.words });
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
  const found = left && right ? compareEmbedded(profile, left, right).preference : null;
  if (found === null) return { verdicts, preference: null };
  const { preferred, chanceLeft, chanceRight, chanceEqual } = found;
  return { verdicts, preference: { preferred, chanceLeft, chanceRight, chanceEqual } };
}

/** One reader's predicted verdict on a book of the library, beside the general one; with the latest evaluation, also the reasons. */
async function personalVerdict(
  profile: ReaderProfile,
  card: BookCard,
  evaluation: BookEvaluation | null,
): Promise<PersonalVerdict> {
  const story = storyOfCard(card);
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
    general: view.general && { rating: view.general.rating, interval: null },
    unscored: null,
    headline: view.headline,
    because: reasons.map(({ about, title, text, effect }) => ({
      text: about === "history" && title !== undefined ? `${title}: ${text}` : text,
      effect,
    })),
    notes: [...view.notes, ...notes],
  };
}

/** The part of a `reader-review` document that the page shows. */
const reviewDocument = z.object({
  verdict: verdictSchema,
  review: z.object({
    orders: z.array(z.object({ titles: z.array(z.string()), review: z.string().nullable() })).min(1),
  }),
});

function writtenReview(document: unknown, cost: number | null): ModelReview {
  const { verdict, review } = reviewDocument.parse(document);
  const { titles, review: words } = review.orders[0]!;
  return {
    review: words,
    score: verdict.kind === "scored" ? verdict.score : null,
    unscored: verdict.kind === "unscored" ? verdict.reason : null,
    shown: titles,
    cost,
  };
}

function missingInWords(missing: readonly string[]): string[] {
  const known = missing.filter((what) => what === "genres" || what === "premise");
  return known.length === 0
    ? []
    : [`It would be surer with the book's ${known.join(" and ")}: add them in the library.`];
}
