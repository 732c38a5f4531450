import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { expect } from "vitest";
import { readTable } from "../../src/core/table/read-table.ts";
import { jsonProblem } from "./installed.ts";
import type { Outcome } from "./session.ts";

const TITLE = "The Ferry at Low Water";
const ASPECTS = ["Plot", "Characters", "Writing", "World", "Themes", "Emotional", "Enjoyment", "Expectation"];
const JURORS = ["crowd", "editor", "grader"];
const METRICS = ["em", "f1", "rouge-1", "rouge-2", "rouge-l", "meteor"];

/** Lines that end otherwise than with 0, and the sentence that says why. */
const OTHER_ENDS: readonly { readonly line: RegExp; readonly code: number; readonly says: RegExp }[] = [
  { line: /--bert-score/, code: 1, says: /npm install @huggingface\/transformers/ },
  { line: /--protocol novelcritique/, code: 3, says: /Unscored: .*plot/ },
];

/** What a command promises to print, by its name; every command that a document shows must have an entry here. */
const CHECKS: Readonly<Record<string, (outcome: Outcome) => void | Promise<void>>> = {
  agree: ({ line, stdout }) => {
    if (line.includes("--votes")) return prints(stdout, ["editor", "crowd", "95 % interval"]);
    if (/--evaluations|--run/.test(line)) return prints(stdout, ["Kendall", "PLOT", "openai:gpt-4.1", "4"]);
    prints(stdout, ["Pearson", "Spearman", "Kendall", ...flagValue(line, "--metric").split(",")]);
    if (line.includes("--system")) prints(stdout, ["System level", "Item level"]);
  },
  ask: ({ stdout }) => expect(stdout).toMatch(/the guard 1|The book does not say\./),
  "bench book": ({ line, stdout }) => {
    if (!line.includes("--dry-run")) expect(stdout).toMatch(/gpt-4o: \d books[\s\S]*over ten chapters/);
  },
  "bench build": ({ line, stdout }) => {
    if (!line.includes("--dry-run")) expect(stdout).toMatch(/novels placed|部小说/);
  },
  "bench duel": ({ line, stdout }) => {
    if (!line.includes("--dry-run")) expect(stdout).toMatch(/meetings by judges[\s\S]*human original/);
  },
  "bench extend": ({ stdout }) => expect(stdout).toMatch(/version \d, \d writers?/),
  "bench freeze": ({ line, stdout }) => prints(stdout, [line.includes("--previous") ? "version 2" : "version 1"]),
  "bench site": ({ folder }) => expect(readdirSync(join(folder, "site"))).toContain("index.html"),
  "bench submit": ({ line, stdout }) =>
    prints(stdout, ["storyteller-2", ...(line.includes("--check") ? ["Nothing is wrong with it."] : [])]),
  "bench verify": ({ stdout }) => prints(stdout, ["all equal to the byte"]),
  "bench leaderboard": ({ line, stdout, folder }) => {
    if (line.includes("--dry-run")) return;
    prints(stdout, ["gpt-4o-mini", "gpt-4.1-mini"]);
    for (const file of ["index.html", "methods.html"]) expect(readdirSync(join(folder, "site"))).toContain(file);
  },
  "bench place": ({ line, stdout, folder }) => {
    const rows = line.includes("--out") ? readFileSync(join(folder, flagValue(line, "--out")), "utf8") : stdout;
    for (const row of rows.trim().split("\n"))
      expect(Object.keys(JSON.parse(row))).toEqual(expect.arrayContaining(["percentile", "dimensions"]));
    if (line.includes("chapter.txt")) expect(JSON.parse(rows).percentile.kind).toBe("scored");
  },
  "bench prepare": ({ stdout }) => expect(stdout).toMatch(/^[2-6] novels with 10 chapters each/),
  "bench report": ({ line, stdout }) => {
    if (line.includes("--json")) return prints(stdout, ["ada", "bo", "cy"]);
    prints(stdout, line.includes("bench/scores") ? ["openai:gpt-4o"] : ["ada", "bo", "cy"]);
    expect(stdout).toMatch(/\d+\.\d–\d+\.\d/);
  },
  "bench run": ({ line, stdout }) => {
    if (!line.includes("--dry-run")) prints(stdout, ["percentile", ...flagValue(line, "--writer").split(",")]);
  },
  "bench synopsis": ({ stdout }) => expect(stdout).toMatch(/[1-9]\d* of \d+ chapters retold/),
  check: ({ words, stdout, stderr }) => {
    if (words.includes("--json")) expect(JSON.parse(stdout).books[0].findings).toBeInstanceOf(Array);
    else prints(stdout + stderr, words.includes("--in") ? ["checked"] : [TITLE]);
  },
  compare: ({ line, stdout }) => {
    if (line.includes("shortlist")) return prints(stdout, ["Book 1", "Book 2", "Book 3", "Book 4", "position bias"]);
    prints(stdout, [TITLE, ...(line.includes("two.epub") ? ["The Inspector of Weights"] : [])]);
    if (line.includes("--as ada")) return prints(stdout, ["Preferred", "out of 5"]);
    prints(stdout, line.includes("--judge") ? [...ASPECTS, "position bias"] : JURORS);
  },
  completions: ({ line, stdout, folder }) => {
    const target = />\s*~\/(\S+)$/.exec(line)?.[1];
    prints(target ? readFileSync(join(folder, "..", "home", target), "utf8") : stdout, ["fabula", "evaluate"]);
  },
  demo: ({ line, stdout, folder }) => {
    prints(stdout, ["The Inspector of Weights", "12 chapters", "In short"]);
    isReport(join(folder, flagValue(line, "--out") || "fabula-report.html"), "The Inspector of Weights");
  },
  doctor: ({ line, stdout }) => {
    prints(stdout, ["jury", "store", "openai", "anthropic", "google", "ollama", "llama"]);
    if (line.includes("--judge")) expect(stdout).toMatch(/answered in .*\n.*this question cost/);
    if (line.includes("--costs")) expect(stdout).toMatch(/openai:gpt-4o\s+[\d.]+\s+[\d.]+\s+[\d.]+/);
  },
  evaluate: checkEvaluation,
  forecast: ({ line, stdout }) => {
    if (line.includes("--in")) return;
    expect(stdout).toMatch(/[2-4]\.\d/);
    if (!line.includes("--json")) expect(stdout).toMatch(/between|interval|to/);
  },
  health: ({ stdout }) => prints(stdout, ["test-retest", "position-bias", "length-bias", "halo", "unknown"]),
  models: ({ line, stdout }) => {
    prints(
      stdout,
      line.includes("--json") ? ['"providers"', '"context"'] : ["mistral:MODEL", "US dollars per million"],
    );
  },
  setup: ({ line, stdout, folder }) => {
    prints(stdout, ["openai:gpt-4.1", ...(line.includes("--test") ? ["answered in"] : [])]);
    // Otherwise it would judge what other pages show.
    rmSync(join(folder, "..", "home", ".config", "fabula"), { recursive: true, force: true });
  },
  map: ({ line, stdout }) => {
    if (line.includes("--in")) return;
    prints(stdout, [TITLE, "Dialogue", "Middle 90 %"]);
  },
  notes: ({ line, stdout }) => {
    if (!line.includes("--out")) expect(stdout).toMatch(/\d+%\s+chapter \d/);
  },
  "population build": ({ stdout }) => expect(stdout).toMatch(/^10 (?:novels mapped|books scored)/),
  probe: ({ stdout }) => prints(stdout, [TITLE, "original", "anonymised", "summarised"]),
  "prompts list": ({ stdout }) => prints(stdout, ["judge-summary", "judge-one-pass", "bench-write"]),
  "prompts show": ({ line, stdout, folder }) => {
    const target = />\s*(\S+)$/.exec(line)?.[1];
    if (target)
      return prints(readFileSync(join(folder, target), "utf8"), ["name: judge-summary", "variables:", "# user"]);
    prints(stdout, ["── system ──"]);
    if (line.includes("zh")) expect(stdout).toMatch(/\p{Script=Han}{5}/u);
  },
  "qa agree": ({ line, stdout }) =>
    prints(stdout, line.includes("--json") ? ["spearman"] : ["Kendall", "f1", "rouge-l"]),
  "qa answer": ({ folder }) => {
    const rows = readFileSync(join(folder, "answers.jsonl"), "utf8").trim().split("\n");
    for (const row of rows) expect(JSON.parse(row).prediction).toBe("the guard 1");
  },
  "qa audit": ({ line, stdout, folder }) => {
    if (line.includes("--sheets")) expect(readdirSync(join(folder, "audit"))).toContain("originals.csv");
    else expect(stdout).toMatch(/precision|κ|agree/i);
  },
  "qa clean": ({ line, stdout, folder }) => {
    expect(stdout).toMatch(/^6 books cleaned/);
    expect(readdirSync(join(folder, flagValue(line, "--out-texts")))).toHaveLength(6);
  },
  "qa dedupe": ({ stdout }) => expect(stdout).toMatch(/duplicate questions removed.*questions about 6 books remain/),
  "qa filter": ({ stdout }) => prints(stdout, ["A Film", "movie", "6 books with 42 questions stay"]),
  "qa write": ({ line, stdout, folder }) => {
    if (line.includes("--dry-run")) return;
    prints(stdout, ["Whom does the sentence about"]);
    expect(readFileSync(join(folder, "questions.jsonl"), "utf8")).toContain("Whom does the sentence about");
  },
  "qa exam": ({ stdout }) => prints(stdout, ["the book", "a summary", "the title alone"]),
  "qa rate": ({ line, stdout, folder }) => {
    if (line.includes("--sheet"))
      expect(readFileSync(join(folder, flagValue(line, "--sheet")), "utf8")).toMatch(/rating/);
    else expect(stdout).toMatch(/α/);
  },
  "qa refine": ({ line, stdout }) => {
    if (!line.includes("--dry-run")) expect(stdout).toMatch(/6 corrected \(6 questions, 0 answers\)/);
  },
  "qa report": ({ stdout }) => prints(stdout, ["original", "refined", "books", "questions"]),
  "qa review": ({ line, stdout }) => prints(stdout, line.includes("--second") ? ["κ"] : ["undecided"]),
  "qa sample": ({ stdout }) => expect(stdout).toMatch(/^36 of 36 questions about 6 books, 108 answers of 3 systems/),
  "qa score": ({ line, stdout }) => {
    if (line.includes("--bert-score")) return;
    prints(stdout, line.includes("--metrics") ? flagValue(line, "--metrics").split(",") : METRICS);
    if (line.includes("--judge"))
      prints(stdout, [
        flagValue(line, "--judge").split("@")[0]!,
        line.includes("--grading summary") ? "-summary" : "-reference",
      ]);
  },
  read: ({ line, stdout }) => {
    if (line.includes("library/")) return prints(stdout, ["Book 1", "Book 2", "Book 3"]);
    prints(
      stdout,
      line.includes("drafts/")
        ? ["The Bell", "The Crossing", "2 chapters"]
        : ["The Bell", "The Passenger", "Low Water", "3 chapters"],
    );
    if (line.includes("--show-removed")) prints(stdout, ["Removed:"]);
    if (line.includes("1342-0")) prints(stdout, ["[Project Gutenberg header]"]);
  },
  "reader compare": ({ line, stdout }) => {
    if (line.includes("--in")) return prints(stdout, ["8 pairs", "ending"]);
    prints(
      stdout,
      line.includes("--judge") ? ["Interestingness", "Ending", "Overall"] : ["First", "Second", "Preferred"],
    );
  },
  "reader curve": ({ line, stdout }) =>
    prints(stdout, ["8 lines", "mean", "bias-and-forecast", ...(line.includes("--judge") ? ["openai:gpt-4.1"] : [])]),
  "reader dataset": ({ stdout, folder }) => {
    expect(stdout).toMatch(/[1-9]\d* conversations to train on/);
    expect(readdirSync(join(folder, "tuning"))).toEqual(expect.arrayContaining(["train.jsonl", "dataset_info.json"]));
  },
  "reader predict": ({ line, stdout, stderr }) => {
    if (line.includes("--in")) expect(stderr).toContain("8 of 8 ratings predicted");
    else expect(stdout).toMatch(/The Vanished Coast[\s\S]*ada[\s\S]*\d\.\d out of 5[\s\S]*between \d\.\d and \d\.\d/);
  },
  "reader profile delete": ({ stdout }) => prints(stdout, ["ada"]),
  "reader profile export": ({ folder }) =>
    expect(readFileSync(join(folder, "ada.jsonl"), "utf8")).toContain("The Salt Road"),
  "reader profile import": ({ stdout }) => expect(stdout).toMatch(/[1-9]\d* reviews/),
  "reader profile list": ({ stdout }) => prints(stdout, ["name", "reviews"]),
  "reader profile show": ({ stdout }) => prints(stdout, ["ada", "5 reviews", "Mean rating 3.20"]),
  "reader questions": ({ stdout }) => prints(stdout, ["rate these", "settles"]),
  "reader rank": ({ line, stdout }) =>
    prints(stdout, [
      "rank",
      ...(/to-read|shortlist|\*/.test(line)
        ? ["Book 1", "Book 2", "Book 3"]
        : line.includes("storygraph")
          ? ["Book 3", "Book 4"]
          : line.includes("--books books.csv")
            ? ["Book 1", "Book 4"]
            : ["Harbour Light"]),
    ]),
  "reader review": ({ line, stdout }) => {
    if (line.includes("--in")) return prints(stdout, ["Pearson", "mean of the history", "known", "unknown"]);
    prints(stdout, ["I was moved, and I missed my stop.", "Score: 4"]);
    if (line.includes("--orders 3")) prints(stdout, ["Over 3 orders"]);
  },
  replies: ({ line, stdout }) => prints(stdout, line.includes("--scale 1-5") ? ["4"] : ["plot", "75"]),
  reproduce: ({ line, stdout }) => {
    if (line.includes("--help"))
      return prints(stdout, ["longstoryeval", "literaryqa", "hanna", "webnovelbench", "perse"]);
    prints(stdout, line.includes("literaryqa") ? ["rouge-l", "meteor"] : ["Table 4", "reviews"]);
  },
  "reviews analyse": ({ stdout }) => expect(stdout).toMatch(/plot/i),
  "reviews export": ({ folder }) =>
    expect(readdirSync(join(folder, "training")).join()).toMatch(/jsonl.*ya?ml|ya?ml.*jsonl/),
  "reviews map": ({ stderr }) => expect(stderr).toMatch(/[1-9]\d* known/),
  "reviews normalise": ({ folder }) =>
    expect(readFileSync(join(folder, "normalised.jsonl"), "utf8")).toContain("normalised_rating"),
  "reviews report": ({ stdout, folder }) =>
    expect(stdout + readFileSync(join(folder, "reviews.html"), "utf8")).toMatch(/plot/i),
  "reviews sample": ({ stderr }) => expect(stderr).toMatch(/[1-9]\d* of \d+ reviews kept/),
  "reviews structure": ({ line, folder }) => {
    if (!line.includes("--dry-run"))
      expect(
        readFileSync(join(folder, flagValue(line, "--out")), "utf8")
          .trim()
          .split("\n"),
      ).toHaveLength(12);
  },
  "rubric check": ({ stdout }) => expect(stdout).toMatch(/our-rubric|2 criteria/),
  "runs copy": ({ stdout, stderr }) => expect(stdout + stderr).toMatch(/calls/),
  "runs export": ({ line, folder }) => {
    const file = flagValue(line, "--out") || />\s*(\S+)$/.exec(line)![1]!;
    return rowsOf(join(folder, file)).then((rows) => expect(rows.length).toBeGreaterThan(5));
  },
  "runs list": ({ stdout }) => expect(stdout).not.toBe(""),
  "runs resume": ({ stdout, stderr }) => expect(stdout + stderr).toMatch(/Run \d{8}-/),
  "runs show": ({ stdout }) => prints(stdout, ["openai:gpt-4.1", "calls"]),
  "settings trust": ({ stdout }) => expect(stdout).toContain("counts in full from now on"),
  "settings untrust": ({ stdout }) => expect(stdout).toContain("are ignored from now on"),
  score: ({ line, stdout, stderr }) => {
    const texts = line.includes("--keep") ? 24 : 2;
    expect(line.includes("--out") ? stderr : stdout + stderr).toContain(`${texts} of ${texts} texts scored`);
  },
  story: ({ line, folder }) => {
    const out = flagValue(line, "--out");
    if (out !== "") prints(readFileSync(join(folder, out), "utf8"), [TITLE]);
  },
  stress: ({ line, stdout }) => {
    if (!line.includes("--dry-run")) expect(stdout).toMatch(/shuffled|removed|inserted/);
  },
  trust: ({ line, stdout, folder }) => {
    const calibration = flagValue(line, "--calibration");
    if (calibration === "") return prints(stdout, (flagValue(line, "--judge") || "gpt,claude").split(","));
    prints(stdout, ["openai:gpt-4.1 on people's scale: learnt from 24 texts"]);
    prints(readFileSync(join(folder, calibration), "utf8"), ['"fabula.calibration.v1"', "halfWidth"]);
  },
};

/** Fails unless the line did what its document says it does. */
export async function check(outcome: Outcome, command: string): Promise<void> {
  const { line, words, code, stdout, stderr, calls, folder } = outcome;
  const end = OTHER_ENDS.find(({ line: pattern }) => pattern.test(line));
  expect(code, `${stderr}\n${stdout.slice(0, 2000)}`).toBe(end?.code ?? 0);
  if (end) expect(stderr).toMatch(end.says);
  expect(stderr).not.toContain("Something unexpected");
  if (words.includes("--dry-run")) {
    expect(calls).toBe(0);
    expect(stdout).toMatch(/Nothing was sent.*would make \d+ calls/);
  } else if (words.includes("--out")) await isThere(folder, flagValue(line, "--out"));
  if (words.includes("--json")) expect(jsonProblem(stdout)).toBeNull();
  if (words.includes("--quiet")) expect(stdout).toBe("");
  const checkOutput = CHECKS[command];
  if (!checkOutput) throw new Error(`nothing here says what \`fabula ${command}\` promises: add an entry to CHECKS`);
  await checkOutput(outcome);
}

async function checkEvaluation({ line, words, stdout, stderr, folder }: Outcome): Promise<void> {
  if (words.includes("--dry-run")) return;
  if (words.includes("--junit")) prints(readFileSync(join(folder, flagValue(line, "--junit")), "utf8"), ["<testsuite"]);
  const out = flagValue(line, "--out");
  const [isQuiet, isMany] = [words.includes("--quiet"), /\*|--in/.test(line)];
  const judge = /--judge (\S+)/.exec(line)?.[1];
  if (out.endsWith(".docx"))
    expect(strFromU8(unzipSync(readFileSync(join(folder, out)))["word/comments.xml"]!)).toContain("<w:comment ");
  if (out.endsWith(".html")) isReport(join(folder, out), TITLE);
  if (out.endsWith("/"))
    expect(readdirSync(join(folder, out)).filter((name) => name.endsWith(".html")).length).toBeGreaterThan(1);
  if (isQuiet) return;
  if (words.includes("--json")) return void expect(JSON.parse(stdout).evaluations).toHaveLength(2);
  if (isMany) return void expect(stdout + stderr).toMatch(/Book \d|The Ferry at Low Water|books are in/);
  if (words.includes("--outline")) return prints(stdout, ASPECTS);
  const about = line.includes("chapter.md") ? "chapter" : TITLE;
  prints(stdout, [about]);
  expect(/In short|The book, as it was read|The first page could not be written/.test(stdout)).toBe(
    !/--preset paper|--protocol novelcritique/.test(line),
  );
  if (judge === undefined && !words.includes("--panel")) prints(stdout.toLowerCase(), JURORS);
  else if (judge?.includes(":") || judge?.includes("@")) prints(stdout, [judge.split("@")[0]!, ...ASPECTS.slice(0, 2)]);
  for (const member of words.includes("--panel") ? flagValue(line, "--panel").split(",") : []) prints(stdout, [member]);
  if (words.includes("--against")) expect(stdout).toMatch(/earlier (?:draft|run)/i);
  if (words.includes("--as")) prints(stdout, ["ada"]);
  if (words.includes("--population")) expect(stdout).toMatch(/percentile|of the 10|novels of 2024/);
}

function isReport(path: string, title: string): void {
  const page = readFileSync(path, "utf8");
  prints(page, [title, "</html>"]);
  expect(page).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="https?:/);
}

/** The file that `--out` names is of the kind that its name says, and holds something. */
async function isThere(folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  expect(existsSync(path), `${name} was not written`).toBe(true);
  if (statSync(path).isDirectory()) return void expect(readdirSync(path).length).toBeGreaterThan(0);
  const bytes = readFileSync(path);
  expect(bytes.length).toBeGreaterThan(2);
  const kind = /\.(\w+)$/.exec(name)?.[1] ?? "";
  if (kind === "json") JSON.parse(bytes.toString("utf8"));
  else if (kind === "md") expect(bytes.toString("utf8")).toMatch(/^# /);
  else if (kind === "html") expect(bytes.toString("utf8")).toMatch(/^<!doctype html>[\s\S]*<\/html>\s*$/i);
  else if (kind === "svg") expect(bytes.toString("utf8")).toMatch(/^(?:<\?xml[^>]*>\s*)?<svg[\s\S]*<\/svg>\s*$/);
  else if (kind === "docx") expect(Object.keys(unzipSync(bytes))).toContain("word/document.xml");
  else if (kind === "db") expect(bytes.subarray(0, 15).toString("latin1")).toBe("SQLite format 3");
  else expect((await rowsOf(path)).length).toBeGreaterThan(0);
}

async function rowsOf(path: string): Promise<readonly object[]> {
  return (await readTable(path)).rows;
}

function prints(text: string, parts: readonly string[]): void {
  for (const part of parts) expect(text).toContain(part);
}

function flagValue(line: string, flag: string): string {
  return new RegExp(`${flag}[ =](\\S+)`).exec(line)?.[1] ?? "";
}
