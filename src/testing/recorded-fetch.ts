import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { redact } from "../models/model-error.ts";

/** One real exchange with a provider, without its keys: a file that can be committed and read. */
const recordingSchema = z.object({
  request: z.object({ method: z.string(), url: z.string(), body: z.string() }),
  response: z.object({ status: z.number().int(), headers: z.record(z.string(), z.string()), body: z.string() }),
});

const KEPT_HEADERS = /^(content-type|retry-after|retry-after-ms|x-ratelimit-.*|anthropic-ratelimit-.*)$/;

/**
 * A `fetch` that also keeps every exchange in a folder. Keys are left out; what a provider echoes of them is blotted
 * out. Use it once against the real provider, then test with `replayingFetch`.
 *
 * @example
 * ```ts
 * const fetch = recordingFetch("test/recordings");
 * const model = await createChatModel("openai:gpt-4.1-mini", { connections: { openai: { key } }, fetch });
 * ```
 */
export function recordingFetch(folder: string, send: typeof fetch = fetch): typeof fetch {
  const nextFile = numbering(folder);
  return async (input, init) => {
    const request = await describe(input, init);
    const response = await send(input, init);
    const body = await response.text();
    const headers = Object.fromEntries([...response.headers].filter(([name]) => KEPT_HEADERS.test(name)));
    await mkdir(folder, { recursive: true });
    const recording = { request, response: { status: response.status, headers, body: redact(body) } };
    await writeFile(nextFile(request), `${JSON.stringify(recording, null, 2)}\n`);
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

/**
 * A `fetch` that answers from the folder and never reaches the network. The n-th repeat of a request gets its n-th
 * recording. A request that was not recorded is an error.
 *
 * @example
 * ```ts
 * const fetch = replayingFetch("test/recordings");
 * const model = await createChatModel("openai:gpt-4.1-mini", { connections: { openai: { key: "none" } }, fetch });
 * ```
 */
export function replayingFetch(folder: string): typeof fetch {
  const nextFile = numbering(folder);
  const latest = new Map<string, string>();
  return async (input, init) => {
    const request = await describe(input, init);
    const name = nameOf(request);
    const file = nextFile(request);
    const path = existsSync(file) ? file : latest.get(name);
    if (path === undefined) {
      throw new FabulaError(
        "E_NOT_RECORDED",
        `No recording of this request to ${request.url} in ${folder}: record it with recordingFetch first.`,
        { evidence: request },
      );
    }
    latest.set(name, path);
    const { response } = recordingSchema.parse(JSON.parse(await readFile(path, "utf8")));
    return new Response(response.body, { status: response.status, headers: response.headers });
  };
}

type Description = z.infer<typeof recordingSchema>["request"];

async function describe(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): Promise<Description> {
  const url = new URL(input instanceof Request ? input.url : input);
  url.searchParams.delete("key");
  const body = typeof init?.body === "string" ? init.body : input instanceof Request ? await input.clone().text() : "";
  return { method: init?.method ?? "GET", url: url.href, body: redact(body) };
}

function nameOf(request: Description): string {
  return sha256(`${request.method} ${request.url}\n${request.body}`).slice(0, 16);
}

function numbering(folder: string): (request: Description) => string {
  const counts = new Map<string, number>();
  return (request) => {
    const name = nameOf(request);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return join(folder, `${name}-${count}.json`);
  };
}
