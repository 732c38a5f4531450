import type { Problem } from "../../src/api/answers.ts";

/** An answer that was not what was asked for, in one sentence for the reader. */
export class RequestProblem extends Error {
  readonly code: string;
  constructor({ code, message }: Problem) {
    super(message);
    this.code = code;
  }
}

export function get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return ask<Answer>(path, signal ? { signal } : {});
}

/** Anything that changes something: the header tells the server that the request comes from the web app. */
export function send<Answer>(
  verb: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: object | FormData,
  signal?: AbortSignal,
): Promise<Answer> {
  const headers: Record<string, string> = { "x-fabula": "1" };
  if (body && !(body instanceof FormData)) headers["content-type"] = "application/json";
  return ask<Answer>(path, {
    method: verb,
    headers,
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

async function ask<Answer>(path: string, options: RequestInit): Promise<Answer> {
  return parse(await (await fetchAnswer(path, options)).text()) as Answer;
}

/** The server's answer when it is what was asked for; anything else is a problem. */
export async function fetchAnswer(path: string, options: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, options).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new RequestProblem({ code: "unreachable", message: "unreachable" });
  });
  if (!response.ok) throw new RequestProblem(problemIn(parse(await response.text()), response.status));
  return response;
}

function parse(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function problemIn(answer: unknown, status: number): Problem {
  if (typeof answer === "object" && answer !== null && "message" in answer && typeof answer.message === "string")
    return { code: "code" in answer ? String(answer.code) : String(status), message: answer.message };
  return { code: String(status), message: `The server answered ${status}.` };
}

/** A path with its query; what is empty is left out. */
export function address(path: string, query: Readonly<Record<string, string | number | null | undefined>>): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}
