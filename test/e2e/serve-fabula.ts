import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Job, JobEvent } from "../../src/api/jobs.ts";
import { PRINTED_LINKS } from "../support/open-page.ts";

export interface Served {
  readonly pid: number;
  /** Without a slash at its end. */
  readonly url: string;
  /** As printed, with the token. */
  readonly link: string;
  /** The whole document that was printed. */
  readonly printed: Readonly<Record<string, unknown>>;
  /** What the page sends with every request, and what a program without a cookie does. */
  readonly headers: Readonly<Record<string, string>>;
  get(path: string): Promise<Response>;
  json<T>(path: string): Promise<T>;
  /** As the page sends it. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
  upload(
    path: string,
    file: { name: string; content: string | Uint8Array },
    fields?: Record<string, string>,
  ): Promise<Response>;
  /** Listens until the job is in one of these states. */
  watch(jobId: string, states: readonly Job["state"][], onEvent?: (event: JobEvent) => void): Promise<Job>;
  stop(signal: NodeJS.Signals): Promise<number | null>;
  readonly stderr: () => string;
}

/** Starts the built `fabula serve` as a user would, on a free port, with a data folder of its own. */
export async function serveFabula(
  folder: string,
  words: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
  const child = spawn(
    process.execPath,
    [main, "serve", "--json", ...(words.includes("--port") ? [] : ["--port", "0"]), ...words],
    {
      cwd: folder,
      env: { ...process.env, NO_COLOR: "1", XDG_DATA_HOME: folder, ...environment },
    },
  );
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const printed = await printedDocument(child, () => errors);
  const link = printed.url;
  const url = new URL(link).origin;
  const authorization = `Bearer ${new URL(link).searchParams.get("token")}`;
  const headers = { "x-fabula": "1", origin: url, authorization };
  const get = (path: string) => fetch(url + path, { headers: { authorization } });
  PRINTED_LINKS.set(url, link);
  return {
    pid: child.pid!,
    url,
    link,
    printed,
    headers,
    get,
    json: async <T>(path: string) => (await ok(await get(path))).json() as Promise<T>,
    send: (method, path, body) =>
      fetch(url + path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    upload(path, { name, content }, fields = {}) {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      form.set("file", new Blob([typeof content === "string" ? content : new Uint8Array(content)]), name);
      return fetch(url + path, { method: "POST", headers, body: form });
    },
    async watch(jobId, states, onEvent) {
      const abort = new AbortController();
      const response = await ok(await fetch(`${url}/api/jobs/${jobId}/events`, { signal: abort.signal, headers }));
      try {
        for await (const event of jobEvents(response)) {
          onEvent?.(event);
          if (event.kind === "state" && states.includes(event.job.state)) return event.job;
        }
      } finally {
        abort.abort();
      }
      throw new Error(`the events of ${jobId} ended before ${states.join(" or ")}`);
    },
    async stop(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const gone = once(child, "exit");
      child.kill(signal);
      const [code] = await gone;
      return code as number | null;
    },
    stderr: () => errors,
  };
}

function printedDocument(child: ChildProcess, errors: () => string): Promise<{ url: string }> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const end = output.indexOf("\n");
      if (end >= 0) resolve(JSON.parse(output.slice(0, end)) as { url: string });
    });
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`fabula serve ended with ${code}: ${errors()}`)));
  });
}

async function* jobEvents(response: Response): AsyncGenerator<JobEvent> {
  let rest = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data !== undefined) yield JSON.parse(data) as JobEvent;
    }
  }
}

async function ok(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response;
}
