import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { MiddlewareHandler } from "hono";
import { builtPath } from "../../core/assets.ts";

interface ClientFile {
  readonly path: string;
  readonly type: string;
  readonly isHashed: boolean;
  /** By encoding; compressed on first request. */
  readonly bodies: Map<string, Promise<Uint8Array<ArrayBuffer>>>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};
const PACKED = new Set([".html", ".js", ".css", ".json", ".svg", ".txt", ".webmanifest"]);
const FOR_EVER = "public, max-age=31536000, immutable";
const NOT_BUILT =
  "The web app is not built in this copy of Fabula: run `npm run build` and start `fabula serve` again.";

/** Where the build puts the web app. */
export function clientFolder(): string {
  return builtPath("page");
}

/**
 * The files of the web app. They are listed once, when the server starts, and a request only ever chooses among them: no path
 * from a request reaches the file system.
 */
export async function staticClient(folder: string): Promise<MiddlewareHandler> {
  const files = await listFiles(folder);
  return async (context, next) => {
    const { method, path } = context.req;
    if (path.startsWith("/api/") || (method !== "GET" && method !== "HEAD")) return next();
    const index = files.get("/index.html");
    if (!index) return context.text(`${NOT_BUILT}\n`, 503, { "cache-control": "no-store" });
    // The web app handles its own routes.
    const file = files.get(path) ?? (extname(path) === "" ? index : undefined);
    if (!file) return next();
    const encoding = PACKED.has(extname(file.path))
      ? chosenEncoding(context.req.header("accept-encoding") ?? "")
      : null;
    return context.body(await bodyOf(file, encoding), 200, {
      "content-type": file.type,
      "cache-control": file.isHashed ? FOR_EVER : "no-cache",
      ...(PACKED.has(extname(file.path)) && { vary: "accept-encoding" }),
      ...(encoding && { "content-encoding": encoding }),
    });
  };
}

async function listFiles(folder: string): Promise<Map<string, ClientFile>> {
  const files = new Map<string, ClientFile>();
  if (!existsSync(folder)) return files;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const address = `/${path.slice(folder.length + 1).replaceAll("\\", "/")}`;
    const type = TYPES[extname(entry.name)];
    if (type) files.set(address, { path, type, isHashed: address.startsWith("/assets/"), bodies: new Map() });
  }
  return files;
}

function chosenEncoding(accepted: string): "br" | "gzip" | null {
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : null;
}

function bodyOf(file: ClientFile, encoding: "br" | "gzip" | null): Promise<Uint8Array<ArrayBuffer>> {
  const name = encoding ?? "plain";
  const known = file.bodies.get(name);
  if (known) return known;
  const made = readFile(file.path).then(async (bytes) => new Uint8Array(await packed(bytes, encoding)));
  file.bodies.set(name, made);
  return made;
}

async function packed(bytes: Uint8Array, encoding: "br" | "gzip" | null): Promise<Uint8Array> {
  switch (encoding) {
    case "br":
      return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    case "gzip":
      return promisify(gzip)(bytes, { level: 9 });
    case null:
      return bytes;
    default:
      return encoding satisfies never;
  }
}
