import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RatingQueue, RatingStudy } from "../../api/ratings.ts";
import type { Vote, VoteAnswer } from "../../api/votes.ts";
import { systemClock } from "../../core/clock.ts";
import { problemResponse } from "../http/problem.ts";
import { personToken, scopedToken, TokenGuard } from "../http/token.ts";
import { RatingStudies } from "../ratings/rating-studies.ts";
import type { Services } from "../services.ts";
import { type EvidenceBench, VoteShelf } from "../votes/evidence-bench.ts";
import { ratingRoutes } from "./ratings.ts";
import { voteRoutes } from "./votes.ts";

const TOKEN = "the-token-of-this-server";
const ada = personToken(TOKEN, { role: "reviewer", name: "Ada" });
const ben = personToken(TOKEN, { role: "reviewer", name: "Ben" });
const cy = personToken(TOKEN, { role: "reader", name: "Cy" });

let library: string;
let study: string;
let ask: (token: string, method: string, path: string, body?: object) => Promise<Response>;
beforeAll(async () => {
  library = await mkdtemp(join(tmpdir(), "fabula-invited-"));
  const settings = { library, token: TOKEN };
  const books = { card: () => ({ found: { title: "One" }, edits: {} }) };
  const evaluations = { evaluation: async () => ({ aspects: [] }) };
  const services = { settings, clock: systemClock, books, evaluations } as unknown as Services;
  const scorer = (judge: string) => ({ way: judge, judge, name: judge, evaluationId: judge, bookId: "b" });
  const side = (judge: string, score: number) => ({ scorer: scorer(judge), score: { score, interval: null } });
  const pair = {
    id: "p",
    bookId: "b",
    aspect: "overall",
    aspectName: "Overall",
    sides: [side("m", 20), side("n", 80)],
  };
  const bench = {
    index: { current: async () => ({ pairs: [pair] }) },
    votes: new VoteShelf(join(library, "votes.jsonl")),
  } as unknown as EvidenceBench;
  const app = new Hono()
    .onError(problemResponse)
    .use(new TokenGuard(TOKEN, systemClock).demand)
    .route("/api/ratings", ratingRoutes(services))
    .route("/api/votes", voteRoutes(services, bench));
  ask = async (token, method, path, body) =>
    app.request(`/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const items = ["a", "b"].map((id) => {
    return { id, title: null, question: null, text: "She waited.", second: null, judges: { m: 3 } };
  });
  const about = { name: "Waiting", raters: ["Ada", "Ben"], perItem: null, scale: { minimum: 1, maximum: 5 } };
  study = (await new RatingStudies(join(library, "ratings"), systemClock).add(about, items)).id;
});
afterAll(() => rm(library, { recursive: true }));

const studyFor = async (token: string) => (await (await ask(token, "GET", `ratings/${study}`)).json()) as RatingStudy;

it("only the owner gets the links of raters", async () => {
  expect((await studyFor(TOKEN)).progress.map(({ token }) => typeof token)).toEqual(["string", "string"]);
  for (const token of [scopedToken(TOKEN, "read"), scopedToken(TOKEN, "run"), ada, cy])
    expect((await studyFor(token)).progress.filter((one) => one.token !== null)).toEqual([]);
});

it("a reviewer rates under their own name, and sees none of the others' ratings in that study", async () => {
  const rate = (token: string, rater: string, said: number) =>
    ask(token, "PUT", `ratings/${study}/ratings`, { rater, item: "a", said });
  expect((await rate(ben, "Ada", 1)).status).toBe(403);
  expect((await rate(ben, "Ben", 1)).status).toBe(200);
  expect((await rate(TOKEN, "Ada", 5)).status).toBe(200);
  expect(await studyFor(ben)).toMatchObject({ isRater: true, progress: [{ rater: "Ben", done: 1 }], disputes: [] });
  for (const path of ["queue?rater=Ada", "ratings.csv", "trust"])
    expect((await ask(ben, "GET", `ratings/${study}/${path}`)).status).toBe(403);
  const queue = (await (await ask(ben, "GET", `ratings/${study}/queue?rater=Ben`)).json()) as RatingQueue;
  expect(queue.said).toEqual({ a: 1 });
  // Somebody who does not rate in a study may see all of it.
  expect(await studyFor(cy)).toMatchObject({ isRater: false, disputes: [{ item: { id: "a" } }] });
  expect((await ask(cy, "GET", `ratings/${study}/ratings.csv`)).status).toBe(200);
});

it("a reviewer votes under their own name, whatever name is sent, and cannot retract another's vote", async () => {
  const vote = { voter: "Ben", seed: 1, pair: "p", choice: "A", score: null };
  const given = (await (await ask(ada, "POST", "votes", vote)).json()) as VoteAnswer;
  expect(given.vote.voter).toBe("Ada");
  const left = async (token: string) =>
    ((await (await ask(token, "GET", "votes/queue?voter=Ben")).json()) as { left: number }).left;
  expect([await left(ada), await left(ben)]).toEqual([0, 1]);
  expect((await ask(ben, "DELETE", `votes/${given.vote.id}`)).status).toBe(404);
  const kept = (await (await ask(TOKEN, "GET", "votes/export?format=jsonl")).text()).trim();
  expect((JSON.parse(kept) as Vote).voter).toBe("Ada");
  expect((await ask(ada, "DELETE", `votes/${given.vote.id}`)).status).toBe(200);
});
