import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import * as library from "../src/index.ts";
import * as qa from "../src/qa/index.ts";
import * as stats from "../src/stats/index.ts";
import * as testing from "../src/testing/index.ts";

/** The entry points of the package, each with functions that it must export: a list that came out empty would prove nothing. */
const ENTRY_POINTS: readonly (readonly [path: string, module: object, known: readonly string[]])[] = [
  ["src/index.ts", library, ["readBook", "readVerdicts", "FabulaError", "splitSentences", "openRun", "loadForecaster"]],
  ["src/stats/index.ts", stats, ["kendallTau", "bradleyTerry", "mean", "studyAgreement", "isDefined"]],
  ["src/qa/index.ts", qa, ["loadMetrics", "scorePredictions", "answerQuestion"]],
  ["src/testing/index.ts", testing, ["ManualClock", "seededReply", "createSimulatedServer"]],
];

const COMMENTED =
  /^\/\*\*\n(?<comment>(?: \*(?!\/).*\n)+) \*\/\nexport (?:async )?(?:function\*?|class|const) (?<name>\w+)/gm;

/** The comments of everything that an entry point declares itself or passes on from other files. */
function commentsOf(entry: string): Map<string, string> {
  const source = readFileSync(entry, "utf8");
  const comments = commentsIn(source, null);
  for (const [, names, file] of source.matchAll(/^export \{([^}]*)\} from "(.+)";$/gm)) {
    const wanted = new Set(names!.split(",").map((name) => name.trim()));
    const passedOn = commentsIn(readFileSync(join(dirname(entry), file!), "utf8"), wanted);
    for (const [name, comment] of passedOn) comments.set(name, comment);
  }
  return comments;
}

function commentsIn(source: string, wanted: ReadonlySet<string> | null): Map<string, string> {
  const found = [...source.matchAll(COMMENTED)].map(({ groups }) => [groups!.name!, groups!.comment!] as const);
  return new Map(found.filter(([name]) => wanted === null || wanted.has(name)));
}

describe.each(ENTRY_POINTS)("%s", (entry, module, known) => {
  // What is exported is read from the module itself, so that an export whose comment is not found fails, too.
  const functions = Object.entries(module).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
  const comments = commentsOf(entry);

  it("exports the functions that it is known for", () => {
    expect(functions).toEqual(expect.arrayContaining([...known]));
  });

  it.each(functions)("%s has a comment with an example", (name) => {
    const comment = comments.get(name) ?? "no comment";
    expect(comment).toMatch(/^ \* [^@\s][\s\S]* \* @example\n \* ```ts\n[\s\S]+ \* ```\n/);
  });
});
