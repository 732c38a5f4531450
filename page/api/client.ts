import { hc } from "hono/client";
import type { Problem } from "../../src/api/answers.ts";
import type { Resources } from "../../src/server/http/app.ts";

/** The server's resources, such as `api.books[":id"].letter`: what each takes and answers is what its route declares. */
export const { api } = hc<Resources>("/", {
  fetch: fetchAnswer,
  // Another site's page could not send this header.
  headers: { "x-fabula": "1" },
  buildSearchParams: filledIn,
});

// biome-ignore-start lint/suspicious/noExplicitAny: what a resource takes differs from one to the next.
/** One verb of a resource, such as `api.books[":id"].$patch`. */
export type Verb<Answered = any> = (
  args: any,
  options?: { readonly init?: RequestInit },
) => Promise<{ text(): Promise<string>; json(): Promise<Answered> }>;
/** What can be read and has an address, such as `api.books[":id"]`. */
export type Resource<Answered = any> = { readonly $get: Verb<Answered>; readonly $path: (args?: any) => string };
// biome-ignore-end lint/suspicious/noExplicitAny: as above.

export type Args<Of extends Verb> = NonNullable<Parameters<Of>[0]>;
export type Answer<Of extends Verb> = Awaited<ReturnType<Awaited<ReturnType<Of>>["json"]>>;
/** Arguments may be left out where a resource needs none. */
type Given<Of extends Verb> = Record<never, never> extends Args<Of> ? [args?: Args<Of>] : [args: Args<Of>];

/** An answer that was not what was asked for, in one sentence for the reader. */
export class RequestProblem extends Error {
  readonly code: string;
  constructor({ code, message }: Problem) {
    super(message);
    this.code = code;
  }
}

/** Asks the server. */
export function ask<Of extends Verb>(verb: Of, ...[args]: Given<Of>): Promise<Answer<Of>> {
  return askUntil(null, verb, args ?? {});
}

/** The same, until the signal says that nobody wants the answer any more. */
export async function askUntil<Of extends Verb>(
  signal: AbortSignal | null,
  verb: Of,
  args: Args<Of>,
): Promise<Answer<Of>> {
  const response: Awaited<ReturnType<Verb>> = await verb(encoded(args), signal ? { init: { signal } } : {});
  const text = await response.text().catch(unreachable);
  // What only changes something, or begins it, has no answer.
  return JSON.parse(text || "null");
}

/** Where a resource is: for links, files to save, and to tell one from another. */
export function pathOf<Of extends Resource>(resource: Of, ...[args]: Given<Of["$get"]>): string {
  return resource.$path(encoded(args));
}

/** The client puts names into an address as they are. */
function encoded(args: { readonly param?: Readonly<Record<string, string>> } = {}): object {
  const param = Object.entries(args.param ?? {}).map(([name, value]) => [name, encodeURIComponent(value)]);
  return { ...args, param: Object.fromEntries(param) };
}

/** What is empty is left out of an address. */
function filledIn(query: Readonly<Record<string, unknown>>): URLSearchParams {
  const isFilled = ([, value]: [string, unknown]) => value !== null && value !== undefined && value !== "";
  return new URLSearchParams(
    Object.entries(query)
      .filter(isFilled)
      .map(([name, value]) => [name, String(value)]),
  );
}

/** The server's answer when it is what was asked for; anything else is a problem. */
export async function fetchAnswer(address: RequestInfo | URL, options: RequestInit = {}): Promise<Response> {
  const response = await fetch(address, options).catch(unreachable);
  if (!response.ok)
    throw new RequestProblem(problemIn(parse(await response.text().catch(unreachable)), response.status));
  return response;
}

/** A server may also go away in the middle of its answer. */
function unreachable(error: unknown): never {
  if (error instanceof DOMException && error.name === "AbortError") throw error;
  throw new RequestProblem({ code: "unreachable", message: "unreachable" });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function problemIn(answer: unknown, status: number): Problem {
  if (typeof answer === "object" && answer !== null && "message" in answer && typeof answer.message === "string")
    return { code: "code" in answer ? String(answer.code) : String(status), message: answer.message };
  return { code: String(status), message: `The server answered ${status}.` };
}
