import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readJsonLines } from "../../src/core/json-lines.ts";
import { documentSchema } from "../../src/qa/dataset/document.ts";
import { createSimulatedServer, type ReplyHandler, type SimulatedServer } from "../../src/testing/index.ts";
import { readBook } from "../../src/text/read-book.ts";
import { runFabula } from "./run-fabula.ts";

const STORY = join(import.meta.dirname, "../../assets/examples/the-inspector-of-weights.md");

interface Proposal {
  readonly questions: readonly { readonly question: string; readonly answers: readonly string[] }[];
}
/** Replies as a good model would write them about the bundled story, with five of the slips that models make. */
const written: Record<"part-1" | "part-2" | "book", Proposal> = JSON.parse(
  await readFile(join(import.meta.dirname, "../fixtures/written-questions.json"), "utf8"),
);
const proposals = Object.values(written).flatMap(({ questions }) => questions);

/** What a reader knows who sees one paragraph, a summary, or the title. */
const UNSUPPORTED = "Why do the islanders like Mr Brandt?";
const KNOWN = "What does Hester Vane test in the harbours, as an inspector of weights?";
const REFUSED = "Who carries the box of standards down the steps to the boat?";
const IN_SUMMARY = /too light\?|never altered|nobody ever altered|request to his successor/;

/** What this model reads off the book, also where it was changed; everything else it knows by heart. */
function readOff(question: string, text: string): string | null {
  if (!question.startsWith("By how much")) return null;
  return /platform was light by ([^.]+)\./.exec(text)?.[1] ?? null;
}

/** Every version of the book that the model was shown. */
const booksShown = new Set<string>();

const model: ReplyHandler = ({ messages, schema }) => {
  const user = messages.at(-1)!.content;
  const material = new Map(
    [...user.matchAll(/<<<(\w+) (\w+)>>>\n([\s\S]*?)\n<<<END \1 \2>>>/g)].map(([, name, , text]) => [name!, text!]),
  );
  const fields = Object.keys((schema?.properties ?? {}) as object);
  const question = material.get("question")!;
  if (fields.includes("questions")) {
    const isFirst = material.get("part")?.includes("[Chapter 1:");
    return JSON.stringify(written[material.has("book") ? "book" : isFirst ? "part-1" : "part-2"]);
  }
  if (fields.includes("correction")) {
    const text = material.get("answer") ?? question;
    const correction = text.replace("Who hold ", "Who holds ").replace("Efie", "Effie");
    return JSON.stringify({ acceptable: text === correction, reason: "a slip", correction });
  }
  if (fields.includes("grade")) {
    const isRight = material.get("references")!.split("\n").includes(material.get("answer")!);
    return JSON.stringify({ reason: isRight ? "the same" : "something else", grade: isRight ? 5 : 1 });
  }
  const right = proposals.find((one) => one.question === question)?.answers[0];
  if (material.has("text")) booksShown.add(material.get("text")!);
  const read = material.has("text") ? readOff(question, material.get("text")!) : null;
  if (read) return JSON.stringify({ answer: read });
  const isKnown = material.has("passages")
    ? question !== UNSUPPORTED
    : material.has("text") || (material.has("summary") ? IN_SUMMARY.test(question) : question === KNOWN);
  if (material.has("summary") && question === REFUSED) return "I'm sorry, but I can't help with that request.";
  return JSON.stringify({ answer: isKnown ? right : "I would guess the minister.", passages: [1] });
};

let folder: string;
let server: SimulatedServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-qa-write-"));
  server = await createSimulatedServer({ reply: model });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
const fabula = (...words: string[]) =>
  runFabula([...words, "--judge", server.judge("m")], {
    folder,
    environment: { FABULA_STORE: join(folder, "calls.db") },
  });
const paid = () => server.exchanges.filter(({ outcome }) => outcome === "answered").length;

describe("fabula qa write", () => {
  it("plans without sending, then keeps the questions that pass every check, with evidence that stands in the book", async () => {
    const plan = await fabula("qa", "write", STORY, "--count", "11", "--dry-run", "--json");
    expect(plan.code, plan.stderr).toBe(0);
    expect(server.exchanges).toHaveLength(0);
    const planned = JSON.parse(plan.stdout).plan.calls as number;

    const words = [
      "qa",
      "write",
      STORY,
      "--count",
      "11",
      "--out",
      "questions.jsonl",
      "--dropped",
      "dropped.jsonl",
      "--json",
    ];
    const { code, stdout, stderr } = await fabula(...words);
    expect(code, stderr).toBe(0);
    expect(paid()).toBeLessThanOrEqual(planned);
    expect(planned).toBeLessThan(1.5 * paid());
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ asked: 11, known: 1, knownUnchecked: 0, unanswered: [] });
    expect(report.dropped.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
      "a duplicate of another question",
      "its evidence alone does not answer it",
      "its question and its answers both needed corrections",
      "none of its evidence is in the book",
    ]);

    const [document] = await readJsonLines(join(folder, "questions.jsonl"), documentSchema);
    const book = await readBook(STORY);
    expect(document!.qas).toHaveLength(7);
    for (const { evidence, known, from_evidence, question } of document!.qas) {
      for (const { chapter, start, end, quote } of evidence as {
        chapter: number;
        start: number;
        end: number;
        quote: string;
      }[])
        expect(book.chapters.find(({ index }) => index === chapter)!.text.slice(start, end)).toBe(quote);
      expect(from_evidence).toMatchObject({ grade: 5 });
      expect(known).toBe(question === KNOWN);
    }
    expect(document!.qas.map(({ scope }) => scope)).toEqual([
      "local",
      "local",
      "local",
      "local",
      "local",
      "chapters",
      "book",
    ]);
    expect(document!.summary).toContain("Hester Vane inspects the scales");
    const card = await readFile(join(folder, "questions.jsonl.card.md"), "utf8");
    expect(card).toContain("Questions: 7 of 11");
    expect(card).toContain("(`known`): 1.");
    expect(card).toContain("1 × its evidence alone does not answer it");
    const steps = await runFabula(["qa", "report", "questions.jsonl"], { folder });
    expect(steps.stdout).toContain("a duplicate of another question");

    const before = paid();
    expect((await fabula(...words)).stdout).toContain('"asked": 11');
    expect(paid()).toBe(before);
    const strict = await fabula("qa", "write", STORY, "--count", "11", "--without-known", "--json");
    expect(JSON.parse(strict.stdout)).toMatchObject({ known: 0, document: { qas: { length: 6 } } });
  });

  it("refuses an embedded judge and another language in one sentence", async () => {
    const embedded = await runFabula(["qa", "write", STORY, "--judge", "crowd"], { folder });
    expect([embedded.code, embedded.stderr]).toEqual([1, expect.stringContaining("take a language model")]);
    const other = await fabula("qa", "write", STORY, "--language", "zh");
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("books in English")]);
  });
});

describe("fabula qa exam", () => {
  it("says with an interval what the book added over a summary and over the title; a refusal is missing, not wrong", async () => {
    await fabula("qa", "write", STORY, "--count", "11", "--out", "questions.jsonl");
    const words = ["qa", "exam", STORY, "--questions", "questions.jsonl", "--out", "answers.jsonl"];
    const { code, stdout, stderr } = await fabula(...words, "--json");
    expect(code, stderr).toBe(3);
    const exam = JSON.parse(stdout);
    expect(exam).toMatchObject({
      questions: 7,
      known: 1,
      settings: {
        open: { graded: 7, mean: 5, right: 7 },
        summary: { graded: 6, right: 3 },
        closed: { graded: 7, right: 1 },
      },
    });
    const [overNothing, overSummary] = exam.differences;
    expect(overNothing).toMatchObject({ left: "open", right: "closed", n: 7, difference: 24 / 7 });
    // scipy.stats.t.interval(0.95, 6, loc=24/7, scale=scipy.stats.sem([4]*6+[0])): t = 2.4469, sem = 0.5714.
    expect(overNothing.interval[0]).toBeCloseTo(2.0304, 3);
    expect(overSummary).toMatchObject({ n: 6, difference: 2 });
    expect(Object.keys(exam.missing)).toEqual([expect.stringMatching(/^summary: the model refused/)]);

    const shown = await fabula(...words);
    expect(shown.stdout).toMatch(/The book over the title alone: \+3\.43 \[2\.03, 4\.00\] \(7 questions\)/);
    expect(shown.stdout).toContain("name another with --grader");
    const scored = await runFabula(["qa", "score", "answers.jsonl", "--json"], { folder });
    expect(JSON.parse(scored.stdout)).toMatchObject({ items: 21 + exam.planted.faults, unscored: 1 });
  });

  it("asks again after faults were planted in the evidence: who reads follows them, who remembers does not", async () => {
    const words = ["qa", "exam", STORY, "--questions", "questions.jsonl"];
    const { stdout, stderr } = await fabula(...words, "--json");
    // "Anders Coll" and "forty" are changed in their paragraphs; this model knows the first by heart.
    expect(JSON.parse(stdout).planted, stderr).toMatchObject({
      faults: 2,
      graded: 2,
      right: 1,
      followed: 1,
      change: { left: "planted", right: "open", n: 2, difference: -2 },
    });
    const [asWritten, changed] = [...booksShown];
    expect(booksShown.size).toBe(2);
    expect(asWritten).toContain("His name was Anders Coll.");
    expect(changed).not.toContain("His name was Anders Coll.");
    expect(changed).toContain("was light by one part in hundred");
    const shown = await fabula(...words);
    expect(shown.stdout).toMatch(/the book with faults +2 +3\.00 +1 of 2/);
    expect(shown.stdout).toContain("evidence of 2 questions");
    expect(shown.stdout).toContain("1 answer followed the changed text");
    const without = await fabula(...words, "--without-faults", "--json");
    expect(JSON.parse(without.stdout).planted).toBeNull();
    expect(without.stderr).not.toContain("The book with faults");
  });

  it("says why there is no book with faults where questions of one's own have other evidence, or none that stands there", async () => {
    const [document] = await readJsonLines(join(folder, "questions.jsonl"), documentSchema);
    const noteFor = async (evidence: unknown) => {
      const qas = document!.qas.map((qa) => ({ ...qa, evidence }));
      await writeFile(join(folder, "own.jsonl"), `${JSON.stringify({ ...document, qas })}\n`);
      const { stdout, stderr } = await fabula("qa", "exam", STORY, "--questions", "own.jsonl");
      expect(stdout).not.toContain("the book with faults");
      return stderr;
    };
    expect(await noteFor("chapter 2, at the scales")).toContain(
      'The book with faults was not tried: no question has evidence of the form [{"chapter": 1, "quote": "…"}].',
    );
    expect(await noteFor([{ chapter: 1, quote: "Nobody ever wrote this sentence in that story." }])).toContain(
      "none of the quotations given as evidence is in its chapter",
    );
  });
});
