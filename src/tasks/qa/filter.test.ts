import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { documentSchema } from "../../qa/dataset/document.ts";
import { removalSchema } from "../../qa/filtering/filter-document.ts";
import { createSimulatedServer, type ReplyHandler, type SimulatedServer } from "../../testing/index.ts";
import { cleanTexts, filterDocuments, reportSteps } from "./filter.ts";

const STORY = Array.from(
  { length: 40 },
  (_, index) =>
    `Ines Calder went down to the salt works with Tomas on day ${index}. “Is Mother Agnes home?” asked Ruiz.`,
).join("\n\n");
const PLAY = `ACT I\n\nSCENE I. A salt works.\n\n${Array.from({ length: 40 }, (_, index) => `${index % 2 ? "INES" : "TOMAS"}. I saw the ledger ${index} times, and so did Agnes and Ruiz Calder.`).join("\n\n")}`;
const SUMMARY =
  "In the salt works Ines Calder finds a ledger. There Tomas and Agnes tell Ruiz. Later Ines and Tomas flee from Ruiz.";
const qas = [{ question: "Who?", answers: ["Ines"] }];

const BOOKS = [
  { document_id: "story", title: "Story", summary: SUMMARY, qas },
  { document_id: "play", title: "Play", summary: SUMMARY, qas },
  { document_id: "film", title: "Film", summary: SUMMARY, qas, kind: "movie" },
  { document_id: "essay", title: "Essay", summary: SUMMARY, qas, metadata: { genre_tags: "Non-fiction;Philosophy" } },
  {
    document_id: "wrong",
    title: "Wrong",
    summary:
      "Here Captain Bligh sails with Fletcher to Tahiti. There Fletcher and Bligh quarrel over Morrison in Tahiti. Ã‰lise weeps.",
    qas: [...qas, { question: "Where?", answers: ["Tahiti"] }],
  },
  { document_id: "absent", title: "Absent", summary: SUMMARY, qas },
];

let folder: string;
let server: SimulatedServer | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "qa-filter-"));
  await writeJsonLines(join(folder, "books.jsonl"), BOOKS);
  for (const name of ["story", "wrong"]) await writeFile(join(folder, `${name}.txt`), STORY);
  await writeFile(join(folder, "play.txt"), PLAY);
});
afterEach(async () => {
  await server?.close();
  server = null;
  await rm(folder, { recursive: true, force: true });
});

const filter = (changes: Partial<Parameters<typeof filterDocuments>[0]> = {}) =>
  filterDocuments({
    input: join(folder, "books.jsonl"),
    texts: folder,
    output: join(folder, "filtered.jsonl"),
    review: join(folder, "removed.jsonl"),
    settings: { store: join(folder, "store.db"), command: ["qa"], folder, connections: server?.connections ?? {} },
    services: { signal: new AbortController().signal },
    onProgress: () => {},
    ...changes,
  });

describe("filtering documents", () => {
  it.each(["Algernon", "_Algernon_"])("removes a play whose speakers are set as %s.", async (speaker) => {
    const speeches = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0 ? `${speaker}. Did you hear what I was playing, Lane?` : "Lane. I didn't think it polite to listen.",
    );
    await writeFile(join(folder, "story.txt"), speeches.join("\n\n"));
    const { result } = await filter();
    expect(result.removed[0]).toMatchObject({ document_id: "story", reason: "play" });
    expect(result.removed[0]!.evidence.join(" ")).toContain("Algernon. Did you hear");
  });

  it("removes films, plays, non-fiction and wrong summaries, each with evidence", async () => {
    const { result } = await filter();
    expect(result.removed.map(({ document_id, reason }) => [document_id, reason])).toEqual([
      ["play", "play"],
      ["film", "movie"],
      ["essay", "non-fiction"],
      ["wrong", "mismatched summary"],
    ]);
    expect(result.removed[0]!.evidence.join(" ")).toContain("TOMAS. I saw the ledger");
    expect(result.removed[3]!.evidence[0]).toContain("Fletcher");
    expect(result.unjudged).toEqual([
      { document_id: "absent", reason: "the folder of texts has no file for this book" },
    ]);
    const kept = await readJsonLines(join(folder, "filtered.jsonl"), documentSchema);
    expect(kept.map(({ document_id }) => document_id)).toEqual(["story", "absent"]);
    expect(await reportSteps(join(folder, "filtered.jsonl"))).toMatchObject([
      { kind: "start", documents: 6, questions: 7 },
      { reason: "play", documents: -1, questions: -1 },
      { reason: "movie", documents: -1 },
      { reason: "non-fiction", documents: -1 },
      { reason: "mismatched summary", documents: -1, questions: -2 },
      { kind: "result", documents: 2, questions: 2 },
    ]);
  });

  it("lets a person overrule", async () => {
    await filter();
    const decisions = join(folder, "decisions.jsonl");
    const removed = await readJsonLines(join(folder, "removed.jsonl"), removalSchema);
    await writeJsonLines(
      decisions,
      removed.map((row) => (row.document_id === "play" ? { ...row, decision: "keep" } : row)),
    );
    const { result } = await filter({ decisions });
    expect(result.documents).toBe(3);
  });

  it("asks a model about the rest, and takes only quotations that stand in the text", async () => {
    const reply: ReplyHandler = () =>
      JSON.stringify({ kind: "verse", reason: "It rhymes.", quote: "went down to the salt works with Tomas" });
    server = await createSimulatedServer({ reply });
    const { result, run } = await filter({ judge: server.judge("librarian") });
    const story = result.removed.find(({ document_id }) => document_id === "story")!;
    expect(story).toMatchObject({ reason: "verse", by: server.judge("librarian") });
    expect(story.evidence).toEqual(["It rhymes.", "“went down to the salt works with Tomas”"]);
    expect(run!.summary.calls).toBe(1);
  });

  it("plans both questions about a book, and after the run only what is left to ask", async () => {
    const kinds: ReplyHandler = ({ schema }) =>
      JSON.stringify({
        ...("kind" in (schema!.properties as object) ? { kind: "narrative" } : { same: true }),
        reason: "It is a story.",
        quote: "",
      });
    server = await createSimulatedServer({ reply: kinds });
    const settings = { store: join(folder, "store.db"), command: ["qa"], folder, connections: server.connections };
    const judge = server.judge("librarian");
    const { plan } = await filter({ judge, settings: { ...settings, dryRun: true } });
    const { run } = await filter({ judge, settings });
    expect(run!.summary.calls).toBe(2);
    expect(plan!.calls).toBe(2);
    const again = await filter({ judge, settings: { ...settings, dryRun: true } });
    expect(again.plan).toMatchObject({ calls: 2, cached: 2 });
  });
});

describe("cleaning texts", () => {
  it("writes clean texts, counts what was removed and repairs summaries", async () => {
    const header = "*** START OF THE PROJECT GUTENBERG EBOOK STORY ***";
    const footer = "*** END OF THE PROJECT GUTENBERG EBOOK STORY ***\n\nLicence words of many kinds";
    await writeFile(
      join(folder, "story.txt"),
      `The eBook of Story\n\n${header}\n\nChapter I\n\n${STORY}\n\n${footer}\n`,
    );
    const report = await cleanTexts({
      input: join(folder, "books.jsonl"),
      texts: folder,
      cleanTexts: join(folder, "clean"),
      output: join(folder, "repaired.jsonl"),
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    expect(report.failed.map(({ document_id }) => document_id)).toEqual(["film", "essay", "absent"]);
    expect(report.books.find(({ document_id }) => document_id === "story")!.wordsRemoved).toBeGreaterThan(5);
    const clean = await readFile(join(folder, "clean", "story.txt"), "utf8");
    expect(clean).not.toMatch(/GUTENBERG|Licence/);
    expect(clean).toContain("Ines Calder went down");
    expect(report.summariesMended).toBe(1);
    const repaired = await readJsonLines(join(folder, "repaired.jsonl"), documentSchema);
    expect(repaired[4]!.summary).toContain("Élise weeps");
  });
});
