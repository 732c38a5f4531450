import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type Random, randomInteger } from "../../../src/core/random.ts";
import { adversarialFiles } from "../adversarial-files.ts";
import type { Client } from "./client.ts";

const FILES = ["one page listed 20,000 times.epub", "pages of a repeated letter.epub", "empty paragraphs.docx"];
const hostile = adversarialFiles()
  .filter(({ name }) => FILES.includes(name))
  .map(({ name, make }) => ({ name, bytes: make() }));
/** Large enough to be on its way for a while. */
const LONG = "It rained on the harbour. ".repeat(400_000);

type Attack = (client: Client, url: URL, random: Random) => Promise<unknown>;

/** What the server must answer with a refusal, or not at all, without its other visitors noticing. */
const ATTACKS: readonly Attack[] = [
  function uploadsBomb(client, _url, random) {
    const { name, bytes } = hostile[randomInteger(random, hostile.length)]!;
    return client.upload(name, bytes);
  },
  function leavesDuringUpload(client, _url, random) {
    return client.upload("long.txt", LONG, AbortSignal.timeout(10 + randomInteger(random, 500)));
  },
  function guessesTokens(client) {
    const guess = (at: number) => client.send("/api/books", { headers: { authorization: `Bearer guess-${at}` } });
    return Promise.all(Array.from({ length: 20 }, (_, at) => guess(at)));
  },
  function sendsBrokenBodies(client) {
    const bodies = ["{", "[".repeat(50_000), "null", '{"bookId":"../../etc/passwd"}'];
    return Promise.all(bodies.map((body) => client.send("/api/jobs", { method: "POST", body, headers: JSON_BODY })));
  },
  function asksForOtherFiles(client) {
    const paths = ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/books/..%2f..%2f", "/assets/..%5c..%5c"];
    return Promise.all(paths.map((path) => client.send(path)));
  },
  async function neverEndsItsRequest(_client, { hostname, port }, random) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write("POST /api/books HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n");
    await wait(1000 + random() * 4000);
    socket.destroy();
  },
  async function opensManyStreams(client, _url, random) {
    const signal = AbortSignal.timeout(500 + randomInteger(random, 2000));
    const stream = () => client.send("/api/jobs/none/events", { signal });
    return Promise.allSettled(Array.from({ length: 40 }, stream));
  },
];

const JSON_BODY = { "content-type": "application/json" };

export async function attack(client: Client, url: URL, random: Random): Promise<void> {
  try {
    await ATTACKS[randomInteger(random, ATTACKS.length)]!(client, url, random);
  } catch {
    // A connection that the server ended is what an attacker should meet.
  }
  await wait(200 + random() * 2000);
}
