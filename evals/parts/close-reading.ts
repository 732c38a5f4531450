import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { estimateTokens } from "../../src/core/estimate-tokens.ts";
import { type Finding, isStrength, type Passage } from "../../src/core/finding.ts";
import { groupBy } from "../../src/core/group-by.ts";
import { bookText } from "../../src/judge/material.ts";
import { findingOf } from "../../src/letter/close-letter.ts";
import { orderFindings } from "../../src/letter/findings.ts";
import type { ChatRequest } from "../../src/models/chat-model.ts";
import { PrefixCache } from "../../src/runner/limits/limiter.ts";
import { type CloseReading, readClosely } from "../../src/story/close-reading.ts";
import { overlaps, placesOf } from "../../src/story/locate.ts";
import type { Book } from "../../src/text/book.ts";
import { readBook } from "../../src/text/read-book.ts";
import { defineEval, type Figure } from "../part.ts";
import { readExchanges, recordedModel } from "../recorded-model.ts";

const keySchema = z.array(
  z.object({ id: z.string(), kind: z.string(), passages: z.array(z.string()), explanation: z.string() }),
);
export type PlantedFault = z.infer<typeof keySchema>[number];

export interface MeasuredReading {
  readonly book: Book;
  readonly reading: CloseReading;
  readonly findings: readonly Finding[];
  /** Each planted fault with the findings that show its passages. */
  readonly faults: readonly { readonly fault: PlantedFault; readonly found: readonly Finding[] }[];
  /** What was sent, as a multiple of the book's tokens: everything, and with what a prefix cache holds counted once. */
  readonly sent: number;
  readonly sentCached: number;
  readonly calls: number;
  readonly unanswered: number;
  /** What each step names on its own, before a second reading: the ids of the planted faults. */
  readonly steps: readonly { readonly step: string; readonly claims: number; readonly found: readonly string[] }[];
}

const RECORDED = join(import.meta.dirname, "..", "..", "test", "recorded", "close-reading");

/** A reading played from recorded replies, held against the key of what was planted. */
export async function measureReading(
  file: string,
  key: readonly PlantedFault[],
  name: string,
  contextTokens: number | null = null,
): Promise<MeasuredReading> {
  const book = await readBook(file);
  const { model, asked, unanswered } = recordedModel(
    await readExchanges(join(RECORDED, `${name}.jsonl`), book),
    contextTokens,
  );
  const options = { model, language: "en", replyLanguage: null, temperature: 0, sample: 0 } as const;
  const depth = name.endsWith("-full") ? "full" : "quick";
  const reading = await readClosely(book, { ...options, depth, mainPeople: () => [] }, new AbortController().signal);
  const findings = orderFindings(reading.claims.map(findingOf));
  const cache = new PrefixCache();
  const tokens = asked.map(({ request }) => {
    const all = estimateTokens(request.messages.map(({ content }) => content).join("\n"));
    return { all, fresh: all * (1 - cache.admit(request)) };
  });
  const own = estimateTokens(bookText(book, "en"));
  const total = (pick: (each: { all: number; fresh: number }) => number) =>
    tokens.reduce((sum, each) => sum + pick(each), 0) / own;
  return {
    book,
    reading,
    findings,
    faults: key.map((fault) => ({ fault, found: showing(fault, findings, book) })),
    sent: total(({ all }) => all),
    sentCached: total(({ fresh }) => fresh),
    calls: asked.length,
    unanswered: unanswered.length,
    steps: [...groupBy(asked, stepOf)].flatMap(([step, exchanges]) => {
      const claims = claimsIn(
        exchanges.map(({ reply }) => reply),
        book,
      );
      if (step === null) return [];
      const found = key.filter((fault) => showing(fault, claims, book).length > 0);
      return [{ step, claims: claims.length, found: found.map(({ id }) => id) }];
    }),
  };
}

/** Which step of a reading asked this; null for one that makes no claims. */
function stepOf({ request }: { readonly request: ChatRequest }): string | null {
  const shape = request.schema?.name ?? "";
  if (shape === "close_chapter") return "slips noted while reading chapters alone";
  if (!["close_continuity", "close_threads", "close_craft"].includes(shape)) return null;
  const about = request.messages.some(({ content }) => content.includes("<<<notes ")) ? "notes" : "book";
  return `${shape.replace("close_", "")}, asked about the ${about}`;
}

const quotedClaims = z.object({
  claims: z
    .array(z.object({ kind: z.string(), title: z.string(), passages: z.array(z.object({ quote: z.string() })) }))
    .default([]),
  slips: z.array(z.object({ kind: z.string(), title: z.string(), quotes: z.array(z.string()) })).default([]),
});

/** The claims of replies as they were made, with the passages that stand in the book. */
function claimsIn(replies: readonly string[], book: Book): Claimed[] {
  return replies.flatMap((reply) => {
    const { claims, slips } = quotedClaims.parse(JSON.parse(reply.replace(/^```(?:json)?|```$/g, "")));
    const all = [
      ...claims.map(({ passages, ...rest }) => ({ ...rest, quotes: passages.map(({ quote }) => quote) })),
      ...slips,
    ];
    return all.map(({ kind, title, quotes }) => ({
      kind,
      title,
      passages: quotes.flatMap((quote) => placesOf(quote, book).slice(0, 3)),
    }));
  });
}

type Claimed = Pick<Finding, "kind" | "title" | "passages">;

/**
 * Findings that show a planted fault: one of its passages, give or take a sentence, and for each of the others a passage of the
 * same chapter, since a number or a name may be quoted from any of the places where it stands. Titles are printed to be read:
 * two findings may share passages and say different things.
 */
function showing<T extends Claimed>({ passages }: PlantedFault, findings: readonly T[], book: Book): T[] {
  const wanted = passages.map((quote) => {
    const found = placesOf(quote.replaceAll("*", ""), book);
    if (found.length === 0) throw new Error(`the key's passage does not stand in the book: ${quote}`);
    return found;
  });
  const shows = (finding: Claimed, matches: (shown: Passage, place: Passage) => boolean) => (places: Passage[]) =>
    places.some((place) => finding.passages.some((shown) => matches(shown, place)));
  return findings.filter(
    (finding) =>
      !isStrength(finding) &&
      wanted.some(shows(finding, near)) &&
      wanted.every(shows(finding, (shown, place) => shown.chapter === place.chapter)),
  );
}

/** A reader may quote the sentence before: the same paragraph, give or take. */
const NEAR = 120;

function near(shown: Passage, wanted: Passage): boolean {
  return overlaps({ ...shown, start: shown.start - NEAR, end: shown.end + NEAR }, wanted);
}

const verdictsSchema = z.object({
  findings: z.array(z.object({ finding: z.string(), verdict: z.enum(["true", "arguable", "false"]), why: z.string() })),
  letter: z.array(z.object({ item: z.string(), covered_by: z.array(z.number()), agree: z.boolean() })),
});

/** What an editor who read every finding against the text said of each, and which faults of an editor's own letter they cover; null where nobody did. */
export async function readVerdicts(name: string, findings: readonly Finding[]) {
  const file = join(import.meta.dirname, "..", "data", `${name}.verdicts.json`);
  if (!existsSync(file)) return null;
  const { findings: judged, letter } = verdictsSchema.parse(JSON.parse(await readFile(file, "utf8")));
  const known = new Map(judged.map(({ finding, verdict }) => [finding, verdict]));
  const count = (verdict: string | undefined) => findings.filter(({ id }) => known.get(id) === verdict).length;
  const agreed = letter.filter(({ agree }) => agree);
  return {
    true: count("true"),
    arguable: count("arguable"),
    false: count("false"),
    unread: count(undefined),
    letter: letter.length,
    covered: letter.filter(({ covered_by }) => covered_by.length > 0).length,
    agreed: agreed.length,
    agreedCovered: agreed.filter(({ covered_by }) => covered_by.length > 0).length,
  };
}

export async function readKey(file: string): Promise<PlantedFault[]> {
  return keySchema.parse(JSON.parse(await readFile(file, "utf8")));
}

export default defineEval({
  id: "close-reading",
  title: "A close reading: faults planted in a manuscript, read by a strong model whose replies were recorded",
  data: { planted: "folder of planted manuscripts: NAME.md, NAME.original.md, NAME.key.json" },
  async run({ planted }, onProgress) {
    const figures: Figure[] = [];
    for (const name of ["cargo-unknown", "planted-novel", "planted-novel-full"]) {
      const manuscript = name.replace(/-full$/, "");
      // The novel is made by `evals/plant-faults.ts` from a book of one's own.
      if (!existsSync(join(planted, `${manuscript}.md`))) continue;
      onProgress({ stage: name, done: 0, total: null });
      const key = await readKey(join(planted, `${manuscript}.key.json`));
      const measured = await measureReading(join(planted, `${manuscript}.md`), key, name);
      const { faults, findings, reading, sent, sentCached } = measured;
      const judged = await readVerdicts(name, findings);
      const found = faults.filter((fault) => fault.found.length > 0).length;
      const share = { interval: null, n: key.length, better: "higher" } as const;
      figures.push(
        {
          id: `${name}-faults`,
          name: "Planted faults in the letter, with their passages",
          value: found / key.length,
          ...share,
        },
        {
          id: `${name}-quotations`,
          name: "Quotations that stand in the book",
          value: 1 - reading.counts.quotationsMissing / reading.counts.quotations,
          interval: null,
          n: reading.counts.quotations,
          better: "higher",
        },
        { id: `${name}-sent`, name: "Tokens sent, in books", value: sent, interval: null, n: 1, better: "lower" },
        {
          id: `${name}-sent-cached`,
          name: "… a cached prefix counted once",
          value: sentCached,
          interval: null,
          n: 1,
          better: "lower",
        },
      );
      if (judged) {
        const n = judged.true + judged.arguable + judged.false;
        figures.push(
          {
            id: `${name}-false`,
            name: "Findings with something false in them, by an editor who read each against the text",
            value: judged.false / n,
            interval: null,
            n,
            better: "lower",
          },
          {
            id: `${name}-letter`,
            name: "Faults of an editor's own letter that are covered",
            value: judged.covered / judged.letter,
            interval: null,
            n: judged.letter,
            better: "higher",
          },
        );
      }
      if (existsSync(join(RECORDED, `${name}.original.jsonl`))) {
        const original = await measureReading(join(planted, `${name}.original.md`), [], `${name}.original`);
        figures.push({
          id: `${name}-original`,
          name: "Findings about the manuscript before anything was planted",
          value: original.findings.filter((finding) => !isStrength(finding)).length,
          interval: null,
          n: 1,
          better: "lower",
        });
      }
    }
    return figures;
  },
});
