import { z } from "zod";
import { fromPerseRelease, isRecord, type Json } from "../perse.ts";
import { STARS } from "./personal-model.ts";

/** The fields of a line that hold ratings: the reader's own, and everyone's average. */
const RATING_FIELDS = [
  ["rating", "rating"],
  ["average_rating", "average"],
] as const;

/**
 * A schema for lines of pairs whose ratings are on another scale than stars. Without a scale they must be stars: a rating above
 * five is refused, because the ratings up to five in the same file would be read as stars and mean something else. Lines of
 * PerSE's release become ours, on their own scale; `source` is the file they come from.
 */
export function onRatingScale<Row>(schema: z.ZodType<Row>, scale: number | undefined, source = ""): z.ZodType<Row> {
  return z
    .unknown()
    .transform((line, context) => {
      const wrong = (place: string, message: string) => {
        context.addIssue({ code: "custom", path: [place], message });
        return z.NEVER;
      };
      if (!isRecord(line)) return line;
      const released = fromPerseRelease(line, source);
      if (typeof released === "string") return wrong("prompt", released);
      return released ? lineInStars(released.line, released.scale, wrong) : lineInStars(line, scale, wrong);
    })
    .pipe(schema as z.ZodType<Row, unknown>);
}

const FRACTIONS: Readonly<Record<string, number>> = { "½": 0.5, "¼": 0.25, "¾": 0.75 };

/** "4.5", "4,5" as most of Europe writes it, "4½", "★★★★½". */
export function markIn(given: unknown): number {
  if (typeof given !== "string") return Number(given);
  const written = given.trim().replaceAll("\uFE0F", "");
  const [, stars, number, fraction] = /^(?:([★⭐]+)☆*|(\d*))([½¼¾]?)☆*$/u.exec(written) ?? [];
  if (!stars && !fraction) return Number(written.replace(/^(\d+),(\d+)$/, "$1.$2"));
  return (stars ? [...stars].length : Number(number)) + (FRACTIONS[fraction ?? ""] ?? 0);
}

/** From 1…scale to 1…5, ends to ends, so that the lowest mark stays the lowest. */
export function starsFrom(mark: number, scale: number): number {
  return scale === STARS.maximum ? mark : STARS.minimum + ((mark - 1) * (STARS.maximum - STARS.minimum)) / (scale - 1);
}

/** An average may be on another scale than the ratings of its file; one in a platform's export is on the platform's scale. */
export type MarkKind = "rating" | "average" | "platform's average";

const REMEDIES: Readonly<Record<MarkKind, (likely: number) => string>> = {
  rating: (likely) => `give the highest rating of the file's scale (on the command line: --ratings-scale ${likely})`,
  average: (likely) =>
    `bring the averages to five stars, or, only if the ratings are on the same scale, give its highest (on the command line: --ratings-scale ${likely})`,
  "platform's average": () => "bring the averages to five stars",
};

/** Why a mark cannot be read on this scale, or null. */
export function scaleProblem(mark: number, scale: number | undefined, kind: MarkKind = "rating"): string | null {
  if (Number.isNaN(mark)) return "not a number: write one, or leave it out if nothing was rated";
  if (mark < 0) return `${mark} is below zero: correct the rating`;
  if (mark > 0 && starsFrom(mark, scale ?? STARS.maximum) < LOWEST)
    return `${mark} is less than a quarter of a star, the lowest that any platform gives: correct the rating`;
  if (mark <= (scale ?? STARS.maximum)) return null;
  return scale === undefined
    ? `${mark} is more than five stars: ${REMEDIES[kind](mark <= 10 ? 10 : 100)}`
    : `${mark} is above ${scale}, which was given as the highest rating of the file's scale: give the right one`;
}

/** StoryGraph's lowest rating. */
const LOWEST = 0.25;

type Wrong = (place: string, message: string) => never;

/** The fields of a line that hold stories and reviews: of a pair, or of a choice between two stories. */
const LISTS = ["history", "comparisons"] as const;
const STORIES = ["query", "left", "right"] as const;

function lineInStars(line: Json, scale: number | undefined, wrong: Wrong, place = ""): Json {
  const changed: Record<string, unknown> = { ...inStars(line, scale, place, wrong) };
  for (const list of LISTS) {
    const items = line[list];
    if (!Array.isArray(items)) continue;
    changed[list] = items.map((item: unknown, at) =>
      isRecord(item) ? lineInStars(item, scale, wrong, `${place}${list}.${at}.`) : item,
    );
  }
  for (const story of STORIES) {
    const fields = line[story];
    if (isRecord(fields)) changed[story] = inStars(fields, scale, `${place}${story}.`, wrong);
  }
  return changed;
}

/** Zero is "not rated", as Goodreads writes it. */
function inStars(fields: Json, scale: number | undefined, place: string, wrong: Wrong): Json {
  let changed: Record<string, unknown> | null = null;
  for (const [field, kind] of RATING_FIELDS) {
    const given = fields[field];
    if (given === undefined || given === null || given === "") continue;
    const mark = markIn(given);
    const problem = scaleProblem(mark, scale, kind);
    if (problem !== null)
      wrong(`${place}${field}`, Number.isNaN(mark) ? `${JSON.stringify(given)} is ${problem}` : problem);
    if (mark === 0) changed = { ...(changed ?? fields), [field]: undefined };
    else if (scale !== undefined || typeof given === "string")
      changed = { ...(changed ?? fields), [field]: starsFrom(mark, scale ?? STARS.maximum) };
  }
  return changed ?? fields;
}
