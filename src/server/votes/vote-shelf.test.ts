import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Vote } from "../../api/votes.ts";
import { VoteShelf } from "./evidence-bench.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-votes-"));
});
afterAll(() => rm(folder, { recursive: true }));

const side = { way: "w", judge: "j", name: "j · m", evaluationId: "e", score: 1 };
const vote = (id: string): Vote => ({
  id,
  at: "2026-01-01T00:00:00.000Z",
  voter: "ada",
  seed: 1,
  pair: id,
  bookId: "b",
  title: "One",
  aspect: "overall",
  aspectName: "Overall",
  choice: "A",
  score: null,
  sides: [side, side],
});

it("votes of several people at once are kept, also after a crash cut a line short", async () => {
  const path = join(folder, "library", "votes.jsonl");
  const shelf = new VoteShelf(path);
  expect(await shelf.list()).toEqual([]);
  await Promise.all(["1", "2", "3"].map((id) => shelf.add(vote(id))));
  await shelf.retract("2");
  await appendFile(path, '{"id":"4","at":"20');
  const reopened = new VoteShelf(path);
  expect((await reopened.list()).map(({ id }) => id)).toEqual(["1", "3"]);
  await reopened.add(vote("5"));
  expect((await readFile(path, "utf8")).trimEnd().split("\n")).toHaveLength(5);
  expect((await new VoteShelf(path).list("ada")).map(({ id }) => id)).toEqual(["1", "3", "5"]);
  await expect(reopened.retract("2")).rejects.toThrow("no such vote");
});
