import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { writeStandardOutput } from "./json-lines.ts";

const REPLY = "\u001b]0;owned\u0007\u009b2J\u202eexe.txt";

async function written(line: string, isTTY: boolean): Promise<string> {
  const output = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY });
  async function* lines() {
    yield line;
  }
  await writeStandardOutput(lines(), output);
  return String(output.read());
}

it("shows a model's control characters on a terminal instead of obeying them", async () => {
  expect(await written(`call,${REPLY}\n`, true)).toBe("call,\\u001b]0;owned\\u0007\\u009b2J\\u202eexe.txt\n");
});

it("keeps JSON on a terminal what it was", async () => {
  const line = await written(`${JSON.stringify({ text: REPLY })}\n`, true);
  expect(line).not.toMatch(/[\u007f-\u009f\u202a-\u202e]/);
  expect(JSON.parse(line)).toEqual({ text: REPLY });
});

it("changes nothing for a pipe or a file", async () => {
  expect(await written(`${REPLY}\n`, false)).toBe(`${REPLY}\n`);
});
