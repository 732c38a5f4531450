import { readFile } from "node:fs/promises";
import type { Problem } from "../../src/api/answers.ts";
import type { BookDetails } from "../../src/api/books.ts";
import type { EvaluationRequest, Job } from "../../src/api/jobs.ts";
import type { Served } from "../e2e/serve-fabula.ts";
import { STORY } from "./stories.ts";

/** What the page asks of a library, asked without the page. */
export async function addBook(server: Served, name: string, content: string | Uint8Array): Promise<BookDetails> {
  const response = await server.upload("/api/books", { name, content });
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as BookDetails;
}

export async function addStory(server: Served, name = "story.md"): Promise<BookDetails> {
  return addBook(server, name, await readFile(STORY, "utf8"));
}

export function juryRequest(bookId: string): EvaluationRequest {
  return { bookId, judges: ["jury"], method: "aggregate", aspects: [], runs: 1, maximumCost: null };
}

export async function judgeWithJury(server: Served, bookId: string): Promise<Job> {
  return judgeAs(server, juryRequest(bookId));
}

/** Waits until nobody works on the job any more. */
export async function judgeAs(server: Served, request: EvaluationRequest): Promise<Job> {
  const response = await server.send("POST", "/api/jobs", request);
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
  return server.watch(((await response.json()) as Job).id, ["done", "failed", "paused"]);
}

/** What a refused request is told, with the status. */
export async function problem(response: Promise<Response>): Promise<Problem & { status: number }> {
  const answer = await response;
  if (answer.ok) throw new Error(`this was to be refused, and was answered with ${answer.status}`);
  return { status: answer.status, ...((await answer.json()) as Problem) };
}
