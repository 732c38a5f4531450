import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createSimulatedServer } from "../../../src/testing/index.ts";
import { runFabula } from "../run-fabula.ts";

/** Of every six answers this many are for the book about the harbour, whichever is shown first. */
async function compare(forHarbour: number, ...words: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "fabula-compare-"));
  const prose = (word: string) => `The ${word} lay still that morning, and nobody had yet come down to it. `.repeat(60);
  for (const name of ["harbour", "mountain"]) writeFileSync(join(folder, `${name}.txt`), `Chapter 1\n\n${prose(name)}`);
  let asked = 0;
  const server = await createSimulatedServer({
    reply: ({ messages, schema }) => {
      const text = messages.at(-1)!.content;
      const isHarbourFirst = text.indexOf("harbour") < text.indexOf("mountain");
      const better = asked++ % 6 < forHarbour === isHarbourFirst ? "first" : "second";
      const properties = (schema as { properties: { aspects: { properties: object } } }).properties;
      const aspects = Object.keys(properties.aspects.properties).map((id) => [id, { reason: "It is.", better }]);
      return JSON.stringify({ aspects: Object.fromEntries(aspects), reason: "It is.", overall: better });
    },
  });
  const result = await runFabula(
    ["compare", "harbour.txt", "mountain.txt", "--judge", server.judge("judge"), "--concurrency", "1", ...words],
    { folder, environment: { FABULA_STORE: join(folder, "calls.db") } },
  );
  await server.close();
  expect(result.code, result.stderr).toBe(0);
  return result.stdout;
}

it("names no winner that six answers cannot tell from chance", async () => {
  const four = await compare(4);
  expect(four).toMatch(/Overall +cannot be told apart \(4–2, 0 ties\)\n/);
  expect(four).not.toMatch(/ {2}\w+ .* harbour \(/);
  expect(JSON.parse(await compare(4, "--json")).aspects.at(-1)).toMatchObject({
    ...{ id: "overall", left: 4, right: 2, better: "tie", leaning: "left", p: 0.6875 },
  });
});

it("names the book that every answer was for, and says how many answers that takes", async () => {
  expect(await compare(6)).toMatch(/Overall +harbour \(6–0, 0 ties\)/);
  const two = await compare(6, "--runs", "1");
  expect(two).toMatch(/Overall +cannot be told apart \(2–0, 0 ties\)/);
  expect(two).toContain("2 answers cannot tell a preference from chance: with --runs 3 there are 6");
});
