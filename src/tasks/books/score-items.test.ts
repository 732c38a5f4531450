import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { scoreItems } from "./score-items.ts";

/** A passage long enough for every juror. */
const PROSE = (await readFile(assetPath("examples", "the-inspector-of-weights.md"), "utf8")).slice(800, 3200);

async function score(lines: readonly string[], rubric = "grader") {
  const folder = await mkdtemp(join(tmpdir(), "fabula-score-"));
  const [input, output] = [join(folder, "items.jsonl"), join(folder, "scores.jsonl")];
  await writeFile(input, lines.join("\n"));
  const summary = await scoreItems({
    input,
    output,
    rubric,
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  const rows: unknown[] = (await readFile(output, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { summary, rows };
}

describe("scoring many texts", () => {
  it("answers every line under its id, in order, with verdicts or a reason", async () => {
    const { summary, rows } = await score([
      JSON.stringify({ id: "long", text: PROSE }),
      JSON.stringify({ id: 2, text: "Too short." }),
      "",
      JSON.stringify({ id: "no text" }),
    ]);
    expect(rows).toMatchObject([
      { id: "long", overall: { kind: "scored" }, criteria: { coherent: { kind: "scored" } } },
      { id: 2, overall: { kind: "unscored", reason: expect.stringContaining("2 words") } },
      { id: "no text", overall: { kind: "unscored", reason: 'line 4 has no "text" to score' } },
    ]);
    expect(summary).toMatchObject({ items: 3, scored: 1, unscored: 2, unreadableLines: [] });
  });

  it("scores a text the same with soft hyphens, other line ends and accents in two signs", async () => {
    const text = `${PROSE} He came from the café.\n\n`;
    const other = text
      .replace(/letter/g, "let\u00adter")
      .replace(/\n/g, "\r")
      .replace(/é/g, "e\u0301");
    const { rows } = await score([JSON.stringify({ id: 1, text }), JSON.stringify({ id: 1, text: other })]);
    expect(rows[1]).toEqual(rows[0]);
  });

  it("counts a line it cannot answer and loses nothing else", async () => {
    const good = JSON.stringify({ id: "a", text: PROSE });
    const { summary, rows } = await score([good, "{not json", JSON.stringify(["no", "id"]), good]);
    expect(rows).toHaveLength(2);
    expect(summary.unreadableLines).toEqual([2, 3]);
  });

  it("speaks of long-story aspects when asked, and is silent where the judge is", async () => {
    const { rows } = await score([JSON.stringify({ id: "a", text: PROSE })], "long-story");
    expect(rows[0]).toMatchObject({ criteria: { plot: { kind: "scored" }, themes: { kind: "unscored" } } });
  });

  it("refuses a rubric the judge cannot grade by", async () => {
    await expect(score([], "novel-bench-en")).rejects.toMatchObject({ code: "E_RUBRIC_JUDGE" });
  });
});
