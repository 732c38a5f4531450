import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { epubOf, PROSE } from "../../../test/support/small-files.ts";
import { adversarialFiles } from "../adversarial-files.ts";

const KNOWN = ["one page listed 20,000 times.epub", "pages of a repeated letter.epub", "empty paragraphs.docx"];

export interface HostileFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export function hostileFiles(): HostileFile[] {
  return [
    ...adversarialFiles()
      .filter(({ name }) => KNOWN.includes(name))
      .map(({ name, make }) => ({ name, bytes: make() })),
    { name: "more text than a book has.epub", bytes: overfullEpub() },
  ];
}

/** Sixty pages of a megabyte, each with enough that does not pack to stay below what is taken for a bomb. */
function overfullEpub(): Uint8Array {
  const page = () => `<p>${randomBytes(9000).toString("base64")}</p>${`<p>${PROSE}</p>`.repeat(10_000)}`;
  return epubOf(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`p${at}.html`, page()])));
}

/** The files, and a pipe that no one writes to. Returns what to give to a command. */
export function writeHostileFiles(folder: string): string[] {
  const files = hostileFiles();
  for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes);
  const pipe = "pipe.txt";
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, pipe)]);
  return [...files.map(({ name }) => name), pipe, "/dev/zero"];
}
