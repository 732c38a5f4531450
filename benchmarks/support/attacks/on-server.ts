import { setTimeout as wait } from "node:timers/promises";
import { draftOf } from "../../../test/support/stories.ts";
import { type Address, Client } from "../load/client.ts";
import { type AttackResult, peakMegabytes } from "./attack-result.ts";
import type { HostileFile } from "./hostile-files.ts";

export interface Attacked extends Address {
  readonly pid: number;
}

const NEVER = new AbortController().signal;
const attacker = (server: Attacked) => new Client(server, 1, NEVER);

/** The same file as often as one address may send it at a time, while someone else reads the shelf and uploads a book. */
export async function attackByUploads(server: Attacked, file: HostileFile, times: number): Promise<AttackResult> {
  const upload = async (at: number) =>
    (await attacker(server).upload(`${at} ${file.name}`, unlike(file.bytes, at))).json();
  return whileHonest(server, `${times} uploads of ${file.name}`, async () => {
    const [first] = (await Promise.all(Array.from({ length: times }, (_, at) => upload(at)))) as { message: string }[];
    return first?.message ?? "";
  });
}

/** What stands before an archive is no part of it: each is another file to a library that knows files by their bytes. */
function unlike(bytes: Uint8Array, at: number): Uint8Array {
  return Buffer.concat([bytes, Buffer.from(" ".repeat(at))]);
}

export async function attackByGuesses(server: Attacked, guesses: number): Promise<AttackResult> {
  let tried = 0;
  const result = await whileHonest(server, `${guesses} wrong tokens`, async () => {
    let last = "";
    for (let at = 0; at < guesses; at++) {
      const headers = { authorization: `Bearer ${"guess".repeat(5)}-${at}` };
      const response = await attacker(server).send("/api/books", { headers });
      if (response.status === 401) tried++;
      last = ((await response.json()) as { message: string }).message;
    }
    return last;
  });
  return tried > 10 ? { ...result, problem: `${tried} of them were compared with the token` } : result;
}

async function whileHonest(server: Attacked, name: string, attack: () => Promise<string>): Promise<AttackResult> {
  const honest = new Client(server, 2, NEVER);
  let isOver = false;
  let slowest = 0;
  const timed = async (request: () => Promise<Response>) => {
    const started = performance.now();
    const response = await request();
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`an honest request was answered with ${response.status}`);
    return performance.now() - started;
  };
  const reading = (async () => {
    while (!isOver) {
      slowest = Math.max(slowest, await timed(() => honest.send("/api/books")));
      await wait(100);
    }
  })();
  const story = draftOf(`Honest beside ${name}`, 2);
  const uploaded = timed(() => honest.upload("honest.md", story)).then((time) => {
    slowest = Math.max(slowest, time);
  });
  const started = performance.now();
  const sentence = await attack();
  const seconds = (performance.now() - started) / 1000;
  await uploaded;
  isOver = true;
  await reading;
  return { name, seconds, megabytes: peakMegabytes(server.pid) ?? Number.NaN, sentence, honestMilliseconds: slowest };
}
