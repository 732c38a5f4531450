import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { plainOutput } from "../wording/plain-output.ts";

/**
 * Writes lines to standard output. A terminal obeys control characters, and a model's words or a manuscript may hold some:
 * there they are shown as escapes. A file or a program behind a pipe gets every byte unchanged.
 */
export async function writeStandardOutput(
  lines: AsyncIterable<string>,
  output: Writable & { readonly isTTY?: boolean } = process.stdout,
): Promise<void> {
  await pipeline(Readable.from(output.isTTY ? plain(lines) : lines), output, { end: false });
}

async function* plain(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield plainOutput(line, { colours: false });
}
