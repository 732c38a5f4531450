import { afterAll, beforeAll, describe, inject, it } from "vitest";
import { check } from "./checks.ts";
import type { DocumentedBlock } from "./documents.ts";
import { type Session, startSession } from "./session.ts";

/** Runs the lines of each block in order, as a reader would who begins with it, and checks what each of them does. */
export function tryBlocks(blocks: readonly DocumentedBlock[]): void {
  let session: Session;
  beforeAll(async () => {
    session = await startSession(inject("project"));
  });
  afterAll(() => session.close());

  describe.each(blocks)("$where", ({ lines }) => {
    beforeAll(() => session.begin());
    it.each(lines)("%s", async (line) => check(await session.run(line), commandOf(line)));
  });
}

/** The name of the command: the longest of those there are that the line begins with. */
export function commandOf(line: string): string {
  const words = /\bfabula (.*)$/.exec(line)?.[1]?.split(" ") ?? [];
  for (let length = 3; length > 0; length--) {
    const name = words.slice(0, length).join(" ");
    if (name in inject("help")) return name;
  }
  throw new Error(`no command of Fabula: ${line}`);
}
