import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { runFabula } from "./run-fabula.ts";

const BOOKS = Array.from({ length: 6 }, (_, index) => ({
  id: `book-${index}`,
  title: `Made-up novel ${index}`,
  genres: ["Mystery"],
  premise: "A clerk finds an error in the tide tables.",
  plot_summary: `The clerk of harbour ${index} follows the error to the man who made it, and keeps his secret.`,
  characters: "The clerk, exact and proud. The harbour master, who is tired.",
}));

describe("the agreement of a run with readers", () => {
  const folder = mkdtempSync(join(tmpdir(), "fabula-agree-"));
  const environment = { FABULA_STORE: join(folder, "store.db") };
  let server: SimulatedServer;
  beforeAll(async () => {
    server = await createSimulatedServer();
    writeFileSync(join(folder, "books.jsonl"), BOOKS.map((book) => `${JSON.stringify(book)}\n`).join(""));
    const rows = BOOKS.map(({ title }, index) => `${title},${3 + index / 10}`);
    writeFileSync(join(folder, "ratings.csv"), `title,rating\n${rows.join("\n")}\n`);
  });
  afterAll(() => server.close());

  it("comes from the store alone: nothing is asked again", async () => {
    const judge = server.judge("judge");
    const evaluated = await runFabula(["evaluate", "--in", "books.jsonl", "--judge", judge, "--runs", "1", "--json"], {
      folder,
      environment,
    });
    expect([0, 3]).toContain(evaluated.code);
    const asked = server.exchanges.length;
    const listed = await runFabula(["runs", "list", "--json"], { folder, environment });
    const run = /\d{8}-\d{6}-[a-z0-9]+/.exec(listed.stdout)?.[0] ?? "";
    const { code, stdout } = await runFabula(["agree", "ratings.csv", "--human", "rating", "--run", run], {
      folder,
      environment,
    });
    // The simulated judge leaves some aspects without a score, and the command says so by its exit code.
    expect([0, 3]).toContain(code);
    expect(stdout).toContain("Kendall τ × 100 with reader ratings");
    expect(stdout).toContain(judge);
    expect(server.exchanges.length).toBe(asked);
  });
});
