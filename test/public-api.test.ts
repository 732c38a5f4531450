import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const INDEX = readFileSync("src/index.ts", "utf8");
const DECLARED =
  /(?:^\/\*\*\n(?<comment>(?: \*.*\n)+?) \*\/\n)?^export (?:async )?(?:function|class|const) (?<name>\w+)/gm;

interface Declared {
  readonly name: string;
  readonly comment: string;
  readonly isFunction: boolean;
}

const declaredIn = (source: string): Declared[] =>
  [...source.matchAll(DECLARED)].map(({ 0: whole, groups }) => ({
    name: groups!.name!,
    comment: groups!.comment ?? "",
    isFunction: !/ const /.test(whole.slice(whole.lastIndexOf("export"))) || source === INDEX,
  }));

/** What `src/index.ts` gives: its own functions, and those it passes on from other files. */
const functions = [
  ...declaredIn(INDEX),
  ...[...INDEX.matchAll(/^export \{([^}]*)\} from "(.+)";$/gm)].flatMap(([, names, file]) => {
    const wanted = new Set(names!.split(",").map((name) => name.trim()));
    return declaredIn(readFileSync(join("src", file!), "utf8")).filter(({ name }) => wanted.has(name));
  }),
].filter(({ isFunction }) => isFunction);

it("knows the functions of the library", () => {
  expect(functions.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["readBook", "readVerdicts", "FabulaError", "splitSentences", "openRun", "loadForecaster"]),
  );
});

it.each(functions.map(({ name, comment }) => [name, comment]))("%s has a comment with an example", (_name, comment) => {
  expect(comment).toMatch(/\* @example\n \* ```ts\n[\s\S]+ \* ```\n/);
});
