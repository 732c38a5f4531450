import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setInterval, setTimeout } from "node:timers/promises";
import { Busboy } from "@fastify/busboy";
import type { Context } from "hono";
import { FabulaError } from "../../core/errors.ts";
import { inTemporaryFolder } from "../../core/files.ts";
import { sha256 } from "../../core/hash.ts";
import { LIMITS, megabytes } from "../../text/files/read-file.ts";

const LONGEST_SHOWN = 200;
const LONGEST_SAVED = 80;

/** A file name from outside, for display only: its last part, without control or direction marks. It is never used as a path. */
export function shownName(name: string | undefined): string {
  const last = (name ?? "").split(/[/\\]/).at(-1) ?? "";
  const text = last.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "").trim();
  return [...text].slice(-LONGEST_SHOWN).join("") || "untitled";
}

/** A name for a file to be saved, made from any title: letters, digits and hyphens of any script. */
export function savedName(title: string, extension: string): string {
  const words = title
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  const name = [...words].slice(0, LONGEST_SAVED).join("").replace(/-+$/, "") || "report";
  // Names that mean a device on some systems.
  const safe = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(name) ? `${name}-report` : name;
  return `${safe}.${extension}`;
}

/** The header that makes a browser save the response, with a plain ASCII name for old browsers. */
export function attachment(title: string, extension: string): string {
  const plain = savedName(title.replace(/[^\x20-\x7e]+/g, " "), extension);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(savedName(title, extension))}`;
}

export interface Upload {
  /** A temporary file, deleted when the work is done. */
  readonly path: string;
  readonly sha256: string;
  /** The sender's name for the file, for display only. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, string>;
}

const MOST_FIELDS = 20;
const LONGEST_FIELD = 10_000;

/**
 * Takes one file of a form, streamed to a private temporary folder, and processes it. The file gets a name of ours, with the
 * extension of the sender's name if it is one of `endings`.
 */
export async function withUpload<T>(
  context: Context,
  { endings = [] }: { readonly endings?: readonly string[] },
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  const type = context.req.header("content-type") ?? "";
  const declared = Number(context.req.header("content-length") ?? 0);
  if (declared > LIMITS.fileBytes + 1_000_000) throw tooLarge();
  return inTemporaryFolder("upload", async (folder) => {
    const received = await receive(context, type, join(folder, "file"));
    const ending = endings.find((candidate) => received.name.toLowerCase().endsWith(`.${candidate}`));
    const path = ending === undefined ? received.path : `${received.path}.${ending}`;
    if (path !== received.path) await rename(received.path, path);
    try {
      return await work({ ...received, path });
    } catch (error) {
      throw underItsOwnName(error, path, received.name);
    }
  });
}

/** Error messages name the file as its sender does. */
function underItsOwnName(error: unknown, path: string, name: string): unknown {
  if (!(error instanceof FabulaError) || !error.message.includes(path)) return error;
  return new FabulaError(error.code, error.message.replaceAll(path, name), { cause: error });
}

async function receive(context: Context, type: string, path: string): Promise<Upload> {
  const body = context.req.raw.body;
  if (!body || !/^multipart\/form-data\b/i.test(type)) throw noFile();
  const fields = new Map<string, string>();
  let file: Promise<{ name: string; sha256: string }> | null = null;
  let form: InstanceType<typeof Busboy>;
  try {
    form = new Busboy({
      headers: { "content-type": type },
      limits: {
        files: 1,
        fields: MOST_FIELDS,
        fieldSize: LONGEST_FIELD,
        fileSize: LIMITS.fileBytes,
        parts: MOST_FIELDS + 1,
      },
    });
  } catch (cause) {
    throw new FabulaError("E_REQUEST", "This upload was not understood: try again.", { cause });
  }
  watchEveryPart(form);
  form.on("field", (name, value) => {
    fields.set(name, value);
  });
  form.on("file", (_field, stream, name) => {
    file = keep(stream, path).then((sha256) => {
      if (stream.truncated) throw tooLarge();
      return { sha256, name: shownName(name) };
    });
    // Its failure is handled where it is awaited.
    file.catch(() => {});
  });
  const source = Readable.fromWeb(body as import("node:stream/web").ReadableStream);
  const over = new AbortController();
  try {
    // After the closing boundary Busboy is done, and takes nothing more.
    const done = [pipeline(source, form), once(form, "finish")];
    await Promise.race([...done, unfinished(source, () => file), stalled(form, over.signal)]);
  } catch (cause) {
    form.destroy();
    throw new FabulaError("E_REQUEST", "The upload broke off: try again.", { cause });
  } finally {
    over.abort();
  }
  if (!file) throw noFile();
  return { path, fields, ...(await (file as Promise<{ name: string; sha256: string }>)) };
}

/**
 * Busboy handles a part once it has read the part's headers. If the form ends before that, nobody would catch the
 * part's error and the server would crash; if the next part begins before that, we would wait for its end for ever.
 */
function watchEveryPart(form: InstanceType<typeof Busboy>): void {
  const { _parser } = form as unknown as { readonly _parser?: { readonly parser?: NodeJS.EventEmitter } };
  _parser?.parser?.on("part", (part: Readable) => {
    let isAttended = false;
    part.on("error", () => {});
    part.once("header", () => {
      isAttended = true;
    });
    const push = part.push.bind(part);
    part.push = (chunk: unknown) => {
      if (chunk === null && !isAttended) part.resume();
      return push(chunk);
    };
  });
}

/** After the last byte the parser finishes at once; if it still waits, the form is incomplete. */
const FINISHING_MILLISECONDS = 1000;

/** Rejects when the body has ended and its file is stored, but the form is not complete. */
async function unfinished(source: Readable, file: () => Promise<unknown> | null): Promise<never> {
  await once(source, "end");
  await file()?.catch(() => {});
  await setTimeout(FINISHING_MILLISECONDS, undefined, { ref: false });
  throw new Error("the form does not end");
}

const STALLED_SECONDS = 5;

/** Rejects when the parser reads nothing although data is waiting: Busboy may wait for a part that is never read. */
async function stalled(form: Writable, signal: AbortSignal): Promise<never> {
  let seconds = 0;
  form.on("drain", () => {
    seconds = 0;
  });
  for await (const _ of setInterval(1000, undefined, { ref: false, signal })) {
    seconds = form.writableNeedDrain ? seconds + 1 : 0;
    if (seconds === STALLED_SECONDS) break;
  }
  throw new Error("the form has stopped being read");
}

async function keep(stream: Readable, path: string): Promise<string> {
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(stream, hashing, createWriteStream(path, { mode: 0o600 }));
  return hash.digest("hex");
}

function noFile(): FabulaError {
  return new FabulaError("E_REQUEST", "There is no file in this upload: choose one and try again.");
}

function tooLarge(): FabulaError {
  const most = megabytes(LIMITS.fileBytes);
  return new FabulaError(
    "E_TOO_LARGE",
    `The file is larger than the ${most} a book may have: split it and add one book at a time.`,
  );
}

/** Treats a pasted text like an uploaded file. */
export async function withPasted<T>(
  { title, text }: { readonly title: string; readonly text: string },
  work: (book: { path: string; sha256: string; name: string; title: string }) => Promise<T>,
): Promise<T> {
  return inTemporaryFolder("upload", async (folder) => {
    const path = join(folder, "file");
    await writeFile(path, text, { mode: 0o600 });
    return work({ path, sha256: sha256(text), name: "pasted.txt", title });
  });
}
