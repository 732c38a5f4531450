import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type {
  DecisionSent,
  RatedItem,
  RatingQueue,
  RatingSaid,
  RatingSent,
  RatingStudy,
  RatingSummary,
} from "../../api/ratings.ts";
import type { Clock } from "../../core/clock.ts";
import { csvLine } from "../../core/csv.ts";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder } from "../../core/files.ts";
import { sha256 } from "../../core/hash.ts";
import { seededRandom, shuffled } from "../../core/random.ts";
import { krippendorffAlpha } from "../../stats/agreement.ts";
import type { Rater } from "../http/token.ts";
import { checkedId, newId, notFound } from "../ids.ts";
import { changeJsonFile, readJsonFile, withEntry, writeJsonFile } from "../library/json-file.ts";
import type { ItemPlace, ReadItem } from "./read-items.ts";

const text = z.string();
const studySchema = z.object({
  id: text,
  name: text,
  isOfPairs: z.boolean(),
  scale: z.object({ minimum: z.number(), maximum: z.number() }),
  raters: z.array(text).min(1),
  /** How many raters each item goes to. */
  perItem: z.number().int().positive(),
  createdAt: text,
  items: z.array(
    z.object({
      id: text,
      title: text.nullable(),
      question: text.nullable(),
      text: text.nullable(),
      second: text.nullable(),
      judges: z.record(text, z.number()),
      places: z.array(z.object({ book: text, chapter: z.number().int().nullable() })).optional(),
      system: text.optional(),
    }),
  ),
});
type Study = z.infer<typeof studySchema>;
const givenSchema = z.object({
  /** By rater, then by item. */
  ratings: z.record(text, z.record(text, z.union([z.number(), z.literal("cannot judge")]))),
  decisions: z.record(text, z.number()),
  /** By rater: how many links were revoked. */
  links: z.record(text, z.number()).default({}),
});
type Given = z.infer<typeof givenSchema>;
const NOTHING: Given = { ratings: {}, decisions: {}, links: {} };
/** Scores further apart than this share of the scale are worth another look. */
const DISPUTED = 0.25;

export interface NewStudy {
  readonly name: string;
  readonly raters: readonly string[];
  readonly perItem: number | null;
  readonly scale: RatingSummary["scale"];
}

/** Studies in which several people rate the same items: one file for each study, and one for its ratings. */
export class RatingStudies {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async list(): Promise<RatingSummary[]> {
    await makeFolder(this.#folder, { mode: 0o700 });
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(".study.json"));
    const found = await Promise.all(
      names.map((name) => readJsonFile(join(this.#folder, name), studySchema).catch(() => null)),
    );
    const studies = found.filter((study) => study !== null);
    return studies.sort((left, right) => right.id.localeCompare(left.id)).map(summaryOf);
  }

  async add({ name, raters, perItem, scale }: NewStudy, items: readonly ReadItem[]): Promise<RatingSummary> {
    const isOfPairs = items[0]!.second !== null || items[0]!.places?.length === 2;
    const now = this.#clock.now();
    const study: Study = {
      id: newId(now),
      name,
      isOfPairs,
      scale: isOfPairs ? { minimum: 0, maximum: 1 } : scale,
      raters: [...raters],
      perItem: Math.min(perItem ?? raters.length, raters.length),
      createdAt: now.toISOString(),
      items: items.map((item) => ({ ...item, places: item.places?.map((place) => ({ ...place })) })),
    };
    await makeFolder(this.#folder, { mode: 0o700 });
    await writeJsonFile(this.#pathOf(study.id, "study"), study);
    return summaryOf(study);
  }

  /** The study with all ratings or, for a rater, with that rater's progress. */
  async study(
    id: string,
    tokenOf: (rater: string, link: number) => string | null,
    onlyFor?: string,
  ): Promise<RatingStudy> {
    const study = await this.#study(id);
    const given = await this.#given(id);
    const scores = study.raters.map((rater) =>
      study.items.map(({ id: item }) => scoreIn(given.ratings[rater]?.[item])),
    );
    const shared = study.items.filter((_, at) => scores.filter((own) => own[at] !== null).length > 1);
    const progress = study.raters.map((rater) => {
      const own = assignedTo(study, rater);
      const done = own.filter(({ id: item }) => given.ratings[rater]?.[item] !== undefined).length;
      return { rater, assigned: own.length, done, token: tokenOf(rater, given.links[rater] ?? 0) };
    });
    if (onlyFor !== undefined) {
      const own = progress.filter(({ rater }) => rater === onlyFor);
      return {
        ...summaryOf(study),
        raters: [onlyFor],
        progress: own,
        isRater: true,
        alpha: null,
        shared: 0,
        disputes: [],
      };
    }
    return {
      ...summaryOf(study),
      progress,
      isRater: false,
      alpha: krippendorffAlpha(scores, "interval").value,
      shared: shared.length,
      disputes: disputesOf(study, given),
    };
  }

  async hasRater(id: string, name: string): Promise<boolean> {
    return (await this.#study(id)).raters.includes(name);
  }

  async queue(id: string, rater: string): Promise<RatingQueue> {
    const study = await this.#study(id);
    const stored = (await this.#given(id)).ratings[requireRater(study, rater)] ?? {};
    const items = assignedTo(study, rater);
    const said = Object.fromEntries(
      Object.entries(stored).map(([item, one]) => [item, swapped(one, isSwappedFor(study, rater, item))]),
    );
    const seed = Number.parseInt(sha256(`${id} ${rater}`).slice(0, 8), 16);
    return {
      items: shuffled(
        items.map((item) => shownItem(item, isSwappedFor(study, rater, item.id))),
        seededRandom(seed),
      ),
      said,
      judges: Object.fromEntries(
        items.flatMap((item) =>
          said[item.id] === undefined ? [] : [[item.id, judgesOf(item, isSwappedFor(study, rater, item.id))]],
        ),
      ),
    };
  }

  /** Where an item's texts are in the library, in the order that this rater sees; null if the item has texts of its own. */
  async places(id: string, item: string, rater: string | null): Promise<readonly ItemPlace[] | null> {
    const study = await this.#study(id);
    const own = (rater === null ? study.items : assignedTo(study, requireRater(study, rater))).find(
      (one) => one.id === item,
    );
    if (!own) throw notFound("item");
    const places = own.places ?? null;
    return places && rater !== null && isSwappedFor(study, rater, item) ? places.toReversed() : places;
  }

  async rate(id: string, { rater, item, said }: RatingSent): Promise<Readonly<Record<string, number>>> {
    const study = await this.#study(id);
    requireRater(study, rater);
    const own = assignedTo(study, rater).find((one) => one.id === item);
    if (!own) throw notFound("item of this rater");
    if (typeof said === "number") requireOnScale(study, said);
    const isSwapped = isSwappedFor(study, rater, item);
    const kept = said === null ? null : swapped(said, isSwapped);
    await this.#change(id, (given) => ({
      ...given,
      ratings: { ...given.ratings, [rater]: withEntry(given.ratings[rater] ?? {}, item, kept) },
    }));
    return said === null ? {} : judgesOf(own, isSwapped);
  }

  async decide(id: string, { item, score }: DecisionSent): Promise<void> {
    const study = await this.#study(id);
    if (!study.items.some((one) => one.id === item)) throw notFound("item");
    if (score !== null) requireOnScale(study, score);
    await this.#change(id, (given) => ({ ...given, decisions: withEntry(given.decisions, item, score) }));
  }

  async revoke(id: string, rater: string): Promise<void> {
    requireRater(await this.#study(id), rater);
    await this.#change(id, (given) => ({
      ...given,
      links: { ...given.links, [rater]: (given.links[rater] ?? 0) + 1 },
    }));
  }

  /** Whether a rater's link is still valid. */
  async isOpen({ study, rater, link }: Rater): Promise<boolean> {
    return link === ((await this.#given(study)).links[rater] ?? 0);
  }

  /** A row per rating, as `fabula trust --human rating --rater rater` reads it; with the judges' scores. */
  async csv(id: string): Promise<string> {
    const study = await this.#study(id);
    const { ratings, decisions } = await this.#given(id);
    const judges = [...new Set(study.items.flatMap((item) => Object.keys(item.judges)))];
    const rows = study.items.flatMap((item) =>
      study.raters.flatMap((rater) => {
        const said = ratings[rater]?.[item.id];
        if (said === undefined) return [];
        const scores = judges.map((judge) => item.judges[judge] ?? null);
        return [
          [
            ...[item.id, item.title, item.system ?? null, rater, scoreIn(said)],
            ...[said === "cannot judge" ? said : null, decisions[item.id] ?? null, ...scores],
          ],
        ];
      }),
    );
    const heading = ["id", "title", "system", "rater", "rating", "remark", "adjudicated", ...judges];
    return [heading, ...rows].map((cells) => `${csvLine(cells)}\n`).join("");
  }

  async #study(id: string): Promise<Study> {
    const found = await readJsonFile(this.#pathOf(id, "study"), studySchema);
    if (found === null) throw notFound("rating study");
    return found;
  }

  async #given(id: string): Promise<Given> {
    return (await readJsonFile(this.#pathOf(id, "given"), givenSchema)) ?? NOTHING;
  }

  /** One at a time: two raters may answer at the same moment. */
  #change(id: string, change: (given: Given) => Given): Promise<void> {
    return changeJsonFile(this.#pathOf(id, "given"), givenSchema, (known) => change(known ?? NOTHING));
  }

  #pathOf(id: string, part: "study" | "given"): string {
    return join(this.#folder, `${checkedId(id, "rating study")}.${part}.json`);
  }
}

function summaryOf({ id, name, items, isOfPairs, scale, raters, createdAt }: Study): RatingSummary {
  return { id, name, items: items.length, isOfPairs, scale, raters, createdAt };
}

/** Raters are assigned in rotation, so that all get the same number of items and every pair of raters shares some. */
function assignedTo({ items, raters, perItem }: Study, rater: string): Study["items"] {
  const place = raters.indexOf(rater);
  return items.filter((_, at) => (place - ((at * perItem) % raters.length) + raters.length) % raters.length < perItem);
}

/** An item as a rater sees it, with the texts of a pair swapped if that is this rater's order. */
function shownItem({ id, title, question, text: own, second }: Study["items"][number], isSwapped = false): RatedItem {
  return isSwapped ? { id, title, question, text: second, second: own } : { id, title, question, text: own, second };
}

/** Which text of a pair a rater sees first is random but fixed for that rater, so that no habit favours one side. */
function isSwappedFor({ id, isOfPairs }: Study, rater: string, item: string): boolean {
  return isOfPairs && Number.parseInt(sha256(`${id} ${rater} ${item}`).slice(0, 2), 16) % 2 === 1;
}

function swapped(said: RatingSaid, isSwapped: boolean): RatingSaid {
  return isSwapped && typeof said === "number" ? 1 - said : said;
}

function judgesOf({ judges }: Study["items"][number], isSwapped: boolean): Record<string, number> {
  // A preference, from 0 to 1, depends on the order of the texts; other scores do not.
  const shown = (score: number) => (isSwapped && score >= 0 && score <= 1 ? 1 - score : score);
  return Object.fromEntries(Object.entries(judges).map(([judge, score]) => [judge, shown(score)]));
}

function disputesOf(study: Study, { ratings, decisions }: Given): RatingStudy["disputes"] {
  const least = DISPUTED * (study.scale.maximum - study.scale.minimum);
  return study.items
    .map((item) => {
      const scores = study.raters.flatMap((rater) => {
        const score = scoreIn(ratings[rater]?.[item.id]);
        return score === null ? [] : [{ rater, score }];
      });
      const own = scores.map(({ score }) => score);
      const spread = own.length < 2 ? 0 : Math.max(...own) - Math.min(...own);
      return { spread, dispute: { item: shownItem(item), scores, decided: decisions[item.id] ?? null } };
    })
    .filter(({ spread }) => spread > least)
    .sort((left, right) => right.spread - left.spread)
    .map(({ dispute }) => dispute);
}

function scoreIn(said: RatingSaid | undefined): number | null {
  return typeof said === "number" ? said : null;
}

function requireRater({ raters }: Study, rater: string): string {
  if (raters.includes(rater)) return rater;
  throw new FabulaError("E_NOT_FOUND", `“${rater}” is not among the raters: ${raters.join(", ")}.`);
}

function requireOnScale({ scale: { minimum, maximum } }: Study, score: number): void {
  if (score >= minimum && score <= maximum) return;
  throw new FabulaError("E_REQUEST", `A score lies between ${minimum} and ${maximum}.`);
}
