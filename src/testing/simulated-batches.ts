import { z } from "zod";
import type { Clock } from "../core/clock.ts";

/** Answers one item as if it had been sent alone. */
export type ItemAnswer = (path: string, body: unknown) => Promise<{ status: number; document: unknown }>;

export interface BatchRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Buffer;
}
export type BatchResponse = { readonly json: unknown } | { readonly lines: readonly unknown[] };

interface Item {
  readonly id: string;
  readonly path: string;
  readonly body: unknown;
}
interface Batch {
  readonly id: string;
  readonly createdAt: Date;
  readonly items: readonly Item[];
  readonly metadata: Readonly<Record<string, string>>;
}

const openaiLine = z.object({ custom_id: z.string(), url: z.string(), body: z.unknown() });
const openaiBatch = z.object({ input_file_id: z.string(), metadata: z.record(z.string(), z.string()).default({}) });
const anthropicBatch = z.object({
  requests: z.array(z.object({ custom_id: z.string().regex(/^[\w-]{1,64}$/), params: z.unknown() })).min(1),
});

/** The batch APIs of OpenAI and Anthropic: what is submitted is answered when its time has passed. */
export class SimulatedBatches {
  readonly #answer: ItemAnswer;
  readonly #clock: Clock;
  readonly #milliseconds: number;
  readonly #files = new Map<string, string>();
  readonly #batches = new Map<string, Batch>();
  readonly #answered = new Map<string, Promise<readonly { id: string; status: number; document: unknown }[]>>();
  #number = 0;

  constructor(answer: ItemAnswer, clock: Clock, milliseconds: number) {
    this.#answer = answer;
    this.#clock = clock;
    this.#milliseconds = milliseconds;
  }

  /** Null when the request is about something else. */
  async handle(request: BatchRequest): Promise<BatchResponse | null> {
    const { method, path, query } = request;
    if (method === "POST" && path === "/v1/files") return this.#upload(request);
    if (method === "POST" && path === "/v1/batches") return this.#createOpenai(request);
    if (method === "POST" && path === "/v1/messages/batches") return this.#createAnthropic(request);
    if (path === "/v1/batches") {
      const page = this.#page("batch", query.get("after"), query.get("limit"));
      return { json: { object: "list", ...page, data: page.data.map((one) => this.#openai(one)) } };
    }
    if (path === "/v1/messages/batches") {
      const page = this.#page("msgbatch", query.get("after_id"), query.get("limit"));
      return { json: { ...page, data: page.data.map((one) => this.#anthropic(one)) } };
    }
    const [, kind, id = "", part] = /^\/v1\/(batches|files|messages\/batches)\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
    const batch = this.#batches.get(id.replace(/^file-of-/, ""));
    if (!kind || !batch) return null;
    if (kind === "batches") return { json: this.#openai(batch) };
    if (kind === "files") return { lines: await this.#openaiResults(batch) };
    return part === "results" ? { lines: await this.#anthropicResults(batch) } : { json: this.#anthropic(batch) };
  }

  async #upload({ contentType, body }: BatchRequest): Promise<BatchResponse> {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
    const file = form.get("file");
    if (!(file instanceof Blob)) throw new Error("no file in the form");
    const id = `file-${++this.#number}`;
    this.#files.set(id, await file.text());
    return { json: { id, object: "file", purpose: "batch" } };
  }

  #createOpenai({ body }: BatchRequest): BatchResponse {
    const { input_file_id, metadata } = openaiBatch.parse(JSON.parse(body.toString()));
    const lines = this.#files.get(input_file_id)?.split("\n") ?? [];
    const items = lines
      .map((line) => openaiLine.parse(JSON.parse(line)))
      .map((line) => ({ id: line.custom_id, path: line.url, body: line.body }));
    return { json: this.#openai(this.#create("batch", items, metadata)) };
  }

  #createAnthropic({ body }: BatchRequest): BatchResponse {
    const { requests } = anthropicBatch.parse(JSON.parse(body.toString()));
    const items = requests.map(({ custom_id, params }) => ({ id: custom_id, path: "/v1/messages", body: params }));
    return { json: this.#anthropic(this.#create("msgbatch", items, {})) };
  }

  #create(prefix: string, items: readonly Item[], metadata: Batch["metadata"]): Batch {
    const batch = { id: `${prefix}_${++this.#number}`, createdAt: this.#clock.now(), items, metadata };
    this.#batches.set(batch.id, batch);
    // Submitted items are billed even if nobody fetches the results.
    void this.#answers(batch);
    return batch;
  }

  /** Newest first. */
  #page(prefix: string, after: string | null, limit: string | null): { data: Batch[]; has_more: boolean } {
    const all = [...this.#batches.values()].filter(({ id }) => id.startsWith(`${prefix}_`)).toReversed();
    const rest = all.slice(all.findIndex(({ id }) => id === after) + 1);
    const data = rest.slice(0, Number(limit ?? 20));
    return { data, has_more: data.length < rest.length };
  }

  #ended({ createdAt }: Batch): boolean {
    return this.#clock.now().getTime() - createdAt.getTime() >= this.#milliseconds;
  }

  #openai(batch: Batch) {
    const ended = this.#ended(batch);
    return {
      id: batch.id,
      object: "batch",
      created_at: Math.floor(batch.createdAt.getTime() / 1000),
      status: ended ? "completed" : "in_progress",
      output_file_id: ended ? `file-of-${batch.id}` : null,
      error_file_id: null,
      metadata: batch.metadata,
      request_counts: { total: batch.items.length, completed: ended ? batch.items.length : 0, failed: 0 },
    };
  }

  #anthropic(batch: Batch) {
    const ended = this.#ended(batch);
    const { length } = batch.items;
    return {
      id: batch.id,
      type: "message_batch",
      processing_status: ended ? "ended" : "in_progress",
      created_at: batch.createdAt.toISOString(),
      request_counts: {
        processing: ended ? 0 : length,
        succeeded: ended ? length : 0,
        errored: 0,
        canceled: 0,
        expired: 0,
      },
    };
  }

  /** Answered once, however often the results are fetched. */
  #answers(batch: Batch): Promise<readonly { id: string; status: number; document: unknown }[]> {
    const known = this.#answered.get(batch.id);
    if (known) return known;
    const answers = Promise.all(
      batch.items.map(async ({ id, path, body }) => ({ id, ...(await this.#answer(path, body)) })),
    );
    this.#answered.set(batch.id, answers);
    return answers;
  }

  async #openaiResults(batch: Batch): Promise<unknown[]> {
    return (await this.#answers(batch)).map(({ id, status, document }) => ({
      custom_id: id,
      response: { status_code: status, body: document },
      error: null,
    }));
  }

  async #anthropicResults(batch: Batch): Promise<unknown[]> {
    return (await this.#answers(batch)).map(({ id, status, document }) => ({
      custom_id: id,
      result: status === 200 ? { type: "succeeded", message: document } : { type: "errored", error: document },
    }));
  }
}
