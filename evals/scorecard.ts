// Prints how well Fabula's own judges do, and keeps `evals/scorecard.json`,
// `evals/scorecard.md` and the README's table in step with it.
// npx tsx evals/scorecard.ts --judged-chapters PATH … [--only grader,forecast]
// A part whose data is not given keeps the figures it had.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createTerminal } from "../src/cli/terminal.ts";
import { type EvalPart, figureSchema } from "./part.ts";
import { PARTS } from "./parts.ts";
import {
  headlineTable,
  readScorecard,
  type Scorecard,
  scorecardDocument,
  withTable,
  writeScorecard,
} from "./scorecard-file.ts";

const SCORECARD = new URL("scorecard.json", import.meta.url);
const DOCUMENT = new URL("scorecard.md", import.meta.url);
const README = new URL("../README.md", import.meta.url);

const help = new Map(PARTS.flatMap((part) => Object.entries(part.data)));
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    help: { type: "boolean" },
    ...Object.fromEntries([...help.keys()].map((flag) => [flag, { type: "string" as const }])),
  },
});
const given = (flag: string) => {
  const value: unknown = Object.hasOwn(values, flag) ? Reflect.get(values, flag) : undefined;
  return typeof value === "string" ? value : undefined;
};

if (values.help) {
  console.log(`Usage: npx tsx evals/scorecard.ts [--only ${PARTS.map(({ id }) => id).join(",")}] [--DATA PATH …]\n`);
  for (const [flag, meaning] of help) console.log(`  --${flag} PATH  ${meaning}`);
} else {
  const before = readScorecard(SCORECARD);
  const after: Scorecard = { parts: [] };
  for (const part of PARTS) {
    const kept = before.parts.find(({ id }) => id === part.id);
    const measured = isWanted(part) ? await measure(part) : null;
    const entry = measured ?? kept;
    if (entry) after.parts.push(entry);
  }
  writeScorecard(SCORECARD, after);
  writeFileSync(DOCUMENT, scorecardDocument(after));
  writeFileSync(README, withTable(readFileSync(README, "utf8"), headlineTable(after)));
  console.log(scorecardDocument(after));
}

function isWanted(part: EvalPart): boolean {
  if (values.only !== undefined && !values.only.split(",").includes(part.id)) return false;
  const missing = Object.keys(part.data).filter((flag) => given(flag) === undefined);
  if (missing.length === 0) return true;
  console.error(
    `${part.title}: kept as it was; to measure it, give ${missing.map((flag) => `--${flag} PATH`).join(" ")}`,
  );
  return false;
}

async function measure(part: EvalPart): Promise<Scorecard["parts"][number]> {
  const terminal = createTerminal(process.stdout, process.stderr, { noColour: true });
  const paths = Object.fromEntries(Object.keys(part.data).map((flag) => [flag, given(flag) ?? ""]));
  const figures = await part.run(paths, terminal.progress);
  terminal.endProgress();
  const flags = Object.keys(part.data).map((flag) => ` --${flag} PATH`);
  const command = `npx tsx evals/scorecard.ts --only ${part.id}${flags.join("")}`;
  return { id: part.id, title: part.title, command, figures: figures.map((figure) => figureSchema.parse(figure)) };
}
