import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { serveFabula } from "../../../test/e2e/serve-fabula.ts";
import { type AttackResult, peakMegabytes } from "./attack-result.ts";

/** A server that is killed while files come in; the next one must leave nothing of them. */
export async function killDuringUpload(parent: string): Promise<AttackResult> {
  const folder = join(parent, "killed");
  await mkdir(folder);
  const uploads = () => readdirSync(folder).filter((name) => name.startsWith("fabula-upload-"));
  const first = await serveFabula(folder, [], { TMPDIR: folder });
  const { hostname, port } = new URL(first.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
  const head = "X-Fabula: 1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n";
  socket.write(`POST /api/books HTTP/1.1\r\nHost: localhost\r\n${head}${part}${"rain ".repeat(10_000)}`);
  while (uploads().length === 0) await wait(50);
  await first.stop("SIGKILL");
  socket.destroy();
  const left = uploads().length;
  const started = performance.now();
  const second = await serveFabula(folder, [], { TMPDIR: folder });
  const seconds = (performance.now() - started) / 1000;
  const megabytes = peakMegabytes(second.pid) ?? Number.NaN;
  const after = uploads().length;
  await second.stop("SIGTERM");
  return {
    ...{ name: "a server killed during an upload, and the next one", seconds, megabytes, honestMilliseconds: null },
    sentence: `${left} unfinished upload on disk after the kill, ${after} after the next start`,
    ...(left > 0 && after === 0 ? {} : { problem: "uploads stay behind" }),
  };
}
