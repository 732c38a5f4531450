// Command lines whose whole output is recorded in test/fixtures/command-lines.json, so that a command that is rebuilt prints
// what it printed before. `npx tsx test/support/command-lines.ts` records them again after a change that is meant.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Finished, runFabula } from "../e2e/run-fabula.ts";
import { draftOf } from "./stories.ts";

export const RECORDED = join("test", "fixtures", "command-lines.json");

const LINES = `
read novel.md
read novel.md --json
read novel.md novel.md --json
read novel.md --show-removed --title Renamed --author A.N. --language de --genres fantasy,sea --premise Salt --json
read - --format markdown < novel.md
read shelf
read shelf --json
read novel.md absent.md empty
read novel.md absent.md --json
read absent.md
read empty
read
read novel.md other.md --title Both
read novel.md --language english
read novel.md --format word
read novel.md --format epub
read novel.md --colour red
read novel.md --title one --title two
read --help
map novel.md
map novel.md --language de
map novel.md --reference absent.json
map novel.md --corrections absent.json
map --in texts.jsonl
map --in texts.jsonl --out maps.jsonl --json
map --in texts.jsonl novel.md
map novel.md other.md
map
map --help
notes novel.md --top 3
notes short.txt --json
notes short.txt
notes novel.md --out notes.jsonl
notes novel.md --out notes.docx --all-notes
notes novel.md --out notes.docx --json
notes novel.md --all-notes
notes novel.md --top 0
notes --in texts.jsonl
notes --in texts.jsonl --out noted.jsonl --json
notes --in texts.jsonl novel.md
notes
notes --help
forecast outline.md
forecast outline.md novel.md --json
forecast outline.md --as book
forecast outline.md --as play
forecast outline.md --model absent
forecast --in books.jsonl
forecast --in books.jsonl --json
forecast --in books.jsonl --out forecasts.jsonl
forecast --in books.jsonl outline.md
forecast books.jsonl
forecast
forecast --help
replies reply.md
replies reply.md --scale 1-5
replies reply.md --json --critiques
replies reply.md --scale 5
replies reply.md --rubric absent
replies - < reply.md
replies
replies --help
rubric check rubric.yaml
rubric check rubric.yaml --json
rubric check broken.yaml
rubric check broken.yaml --json
rubric check absent.yaml
rubric check
rubric check rubric.yaml broken.yaml
rubric check --help
evaluate novel.md --judge editor
evaluate novel.md other.md --judge crowd
evaluate novel.md absent.md --judge crowd
evaluate novel.md --dry-run
evaluate novel.md --dry-run --json
evaluate novel.md --judge openai:gpt-4.1 --dry-run --method summary
evaluate novel.md --judge openai:gpt-4.1 --preset paper --dry-run --json
evaluate novel.md --judge openai:gpt-4.1 --until-ci 3 --runs 7 --dry-run
evaluate outline.md --outline --panel openai:gpt-4.1,openai:gpt-4.1-mini --dry-run
evaluate novel.md --judge openai:gpt-4.1 --protocol novelcritique --method one-pass --dry-run
evaluate novel.md --judge openai:gpt-4.1 --population absent.json --dry-run
evaluate novel.md --judge openai:gpt-4.1 --against absent-run --dry-run
evaluate novel.md --judge openai:gpt-4.1 --against other.md --mask-injection
evaluate novel.md --judge openai:gpt-4.1 --chapter-summaries --method aggregate
evaluate novel.md --against other.md --judge crowd --quiet
evaluate novel.md --aspects weather
evaluate novel.md --max-cost 1
evaluate novel.md --panel openai:gpt-4.1,editor
evaluate novel.md other.md --out report.html
evaluate novel.md --out report.txt
evaluate novel.md --judge crowd --out verdicts.csv
evaluate novel.md --story plot.json
evaluate novel.md --as nobody
evaluate novel.md other.md --title Both
evaluate novel.md --judge crowd --fail-below overall=99 --quiet
evaluate novel.md --tolerate much
evaluate - --judge crowd --quiet < novel.md
evaluate absent.md
evaluate novel.md --in books.jsonl
evaluate
compare novel.md other.md
compare novel.md other.md --judge editor --json
compare novel.md other.md --dry-run
compare novel.md other.md --judge openai:gpt-4.1 --runs 2 --dry-run
compare novel.md other.md --judge openai:gpt-4.1 --until soon --dry-run
compare novel.md other.md --max-cost 1
compare novel.md other.md --aspects weather
compare novel.md
compare
compare --help
stress novel.md --judge editor
stress other.md --judge crowd --strength 0.3 --json
stress novel.md --dry-run
stress novel.md --judge openai:gpt-4.1 --dry-run
stress novel.md --runs 2
stress novel.md --strength 2
stress absent.md
stress
stress --help
probe novel.md --judge openai:gpt-4.1 --dry-run
probe novel.md --judge openai:gpt-4.1 --rubric absent
probe novel.md other.md --judge openai:gpt-4.1
probe novel.md
probe
probe --help
score --in texts.jsonl
score --in texts.jsonl --out scored.jsonl --json
score --in texts.jsonl --judge editor --out scored.csv
score --in texts.jsonl --rubric long-story
score --in texts.jsonl --rubric plays
score --in absent.jsonl
score --in texts.jsonl --detach
score novel.md
score --help
health scores.jsonl --scale 0,20
health scores.jsonl --scale 0,20 --json --resamples 50
health scores.jsonl --scale 0,20 --aspects plot,style
health scores.jsonl --scale 0,20 --out health.md
health scores.jsonl --scale 20
health scores.jsonl --score points
health scores.jsonl --out health.docx
health scores.jsonl --resamples 0
health scores.jsonl --run 20260101-000000-abcd
health
health --help
agree scores.csv --human human --metric judge
agree scores.csv --human human --metric judge,flat --system writer --item prompt --json --resamples 50
agree scores.csv --human human --metric judge --interval bca --system writer
agree scores.csv --human human --metric judge --out agreement.md
agree scores.csv --human human --metric judge --out agreement.docx
agree scores.csv --human human --metric judge --over texts
agree scores.csv --human human
agree scores.csv
agree scores.csv other.csv
agree --votes votes.jsonl scores.csv
agree
agree --help
qa score --in answers.jsonl
qa score --in answers.jsonl --json --resamples 100
qa score answers.jsonl better.jsonl --resamples 100
qa score --in answers.jsonl --in better.jsonl --json --resamples 100
qa score --in answers.jsonl --metrics f1,em --lengths 2 --references mean
qa score --in answers.jsonl --metrics f1,bleu
qa score --in answers.jsonl --references worst
qa score --in answers.jsonl --lengths 1
qa score --in answers.jsonl --out scored.jsonl
qa score --in answers.jsonl --out -
qa score --in answers.jsonl --out systems.md
qa score --in answers.jsonl --out systems.docx
qa score --in answers.jsonl --judge openai:gpt-4.1 --dry-run
qa score --in answers.jsonl --judge openai:gpt-4.1 --grading summary
qa score --in answers.jsonl --max-cost 1
qa score --in answers.jsonl --grading summary
qa score --in answers.jsonl --bert-idf
qa score --in answers.jsonl --bert-score model --bert-baseline 0.4,2,0.5
qa score --in answers.jsonl --detach
qa score --in absent.jsonl
qa score
qa score --help
`;

const TEXT = "The rain had stopped by noon. Marta counted the sacks again, and again there were eleven of them.";

/** The files that the lines name. */
function writeFiles(folder: string): void {
  const scores = Array.from({ length: 12 }, (_, at) => ({
    ...{ id: `text-${at % 4}`, judge: "simulated", overall: 8 + ((at * 7) % 5), text: TEXT.repeat(1 + (at % 3)) },
    ...{ run: Math.floor(at / 4), criteria: { plot: 7 + (at % 4), style: 9 + ((at * 3) % 4) } },
  }));
  const table = scores.map(({ overall }, at) => [`w${at % 3}`, `p${at % 4}`, at, overall, 3].join(","));
  const files: Readonly<Record<string, string>> = {
    "novel.md": draftOf("The Novel", 2),
    "other.md": draftOf("The Other", 1),
    "shelf/one/book.yaml": "title: One\nauthor: A. N.\n",
    "shelf/one/chapter-1.md": draftOf("One", 1),
    "shelf/two/book.yaml": "title: Two\n",
    "shelf/two/chapter-1.md": draftOf("Two", 1),
    "short.txt": "It rained. Then it stopped.",
    "outline.md": readFileSync("assets/examples/outline.md", "utf8"),
    "books.jsonl": lines([{ id: "a", title: "The Salt Road", genres: ["Fantasy"] }, { id: "b" }, { words: "many" }]),
    "texts.jsonl": lines([{ id: "one", text: draftOf("One", 1) }, { id: "two", text: TEXT }, { title: "no text" }]),
    "answers.jsonl": lines(answers("the", "mill")),
    "better.jsonl": lines(answers("the old", "mill by the river")),
    "reply.md": "Plot: 7/10. It holds.\n\nCharacters: 4 out of 5, though thin.\n\nOverall: 70",
    "rubric.yaml":
      "id: own\nversion: 1\nlanguage: en\ntitle: Own\nscale: { minimum: 0, maximum: 10 }\ncriteria:\n  - { id: pace, name: Pace, definition: How it moves. }\n",
    "broken.yaml": "id: own\nversion: one\ncriteria:\n  - { id: pace }\n",
    "scores.jsonl": lines(scores),
    "scores.csv": `writer,prompt,human,judge,flat\n${table.join("\n")}\n`,
  };
  mkdirSync(join(folder, "empty"));
  for (const name of ["one", "two"]) mkdirSync(join(folder, "shelf", name), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** What a system answered to six questions about three books. */
function answers(...words: readonly [string, string]): object[] {
  return Array.from({ length: 6 }, (_, at) => ({
    ...{ prediction: at === 5 ? null : `${words[0]} ${words[1]} ${at % 2}`, question: `Where is it (${at})?` },
    ...{ answers: ["the old mill", `mill ${at}`], document_id: `book-${at % 3}` },
  }));
}

function lines(rows: readonly object[]): string {
  return `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`;
}

/** What each line prints and how it ends, in a folder of its own; `only` names a command. */
export async function outputsOf(only = ""): Promise<Record<string, Finished>> {
  const folder = mkdtempSync(join(tmpdir(), "fabula-command-lines-"));
  try {
    writeFiles(folder);
    const outputs: Record<string, Finished> = {};
    const lines = LINES.trim().split("\n");
    for (const line of lines.filter((one) => `${one} `.startsWith(only))) {
      const [words = "", input] = line.split(" < ");
      const { code, stdout, stderr } = await runFabula(words.split(" "), {
        folder,
        environment: { FABULA_STORE: join(folder, "calls.db") },
        ...(input !== undefined && { input: readFileSync(join(folder, input)) }),
      });
      outputs[line] = { code, stdout: withoutVersion(stdout), stderr: withoutProgress(stderr) };
    }
    return outputs;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withoutVersion(text: string): string {
  return text.replaceAll(/"fabula": ?"[^"]+"/g, '"fabula": "…"');
}

/** On a busy machine even short work is slow enough for its progress to be shown. */
function withoutProgress(text: string): string {
  return text.replaceAll(/^.*(?:[█░]|\d+ s$).*\n/gm, "");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(RECORDED, `${JSON.stringify(await outputsOf(), null, 1)}\n`);
}
