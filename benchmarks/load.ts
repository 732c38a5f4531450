/**
 * A server under load: clients that read pages, upload books, have them judged, watch and leave at random, one in ten of them
 * hostile. Says how long honest clients waited for pages, and what became of the server's memory once all have gone. An honest
 * client that is refused counts as a failure, also when it is asked to come again later. Exits with 1 when a check fails.
 *
 *   npx tsx benchmarks/load.ts [--minutes 30] [--clients 50] [--seed 1]
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Random, randomInteger, seededRandom } from "../src/core/random.ts";
import { quantile } from "../src/stats/distribution.ts";
import { usageOf } from "../src/text/parsing/process-usage.ts";
import { serveFabula } from "../test/e2e/serve-fabula.ts";
import { adversarialFiles } from "./support/adversarial-files.ts";
import { Client, honestVisit, LoadCounts } from "./support/load/client.ts";

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

async function attack(client: Client, url: URL, random: Random): Promise<void> {
  try {
    await ATTACKS[randomInteger(random, ATTACKS.length)]!(client, url, random);
  } catch {
    // A connection that the server ended is what an attacker should meet.
  }
  await wait(200 + random() * 2000);
}

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    clients: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
  },
});
const MOST_PAGE_MILLISECONDS = 500;
const MOST_GROWTH = 1.1;
/** Code is compiled and caches are filled before the first measure of memory; everything is let go before the last. */
const minutes = Number(values.minutes);
const [WARM_UP_SECONDS, REST_SECONDS] = [Math.min(30, 15 * minutes), Math.min(30, 15 * minutes)];

const folder = await mkdtemp(join(tmpdir(), "fabula-load-"));
const token = randomBytes(24).toString("base64url");
const server = await serveFabula(folder, ["--trust-proxy"], { FABULA_TOKEN: token });
const counts = new LoadCounts();
const megabytes = () => Math.round(usageOf(server.pid)?.megabytes ?? Number.NaN);
let peak = 0;
const watching = setInterval(() => {
  peak = Math.max(peak, megabytes());
}, 1000);
/** The clients share the machine with the server: what they are late themselves is part of every time they measure. */
const lateness = monitorEventLoopDelay();
const startedAt = performance.now();
const telling = setInterval(() => {
  const at = Math.round((performance.now() - startedAt) / 1000);
  const { pages, uploads, evaluated, attacks } = counts;
  const work = `${pages.length} pages (${spread(pages)}), ${uploads.length} uploads, ${evaluated} judged, ${attacks} attacks`;
  console.error(`${at} s: ${work}, ${megabytes()} MB, load ${loadavg()[0]!.toFixed(1)}`);
}, 10_000);
let visits = 0;

async function load(seconds: number, seen: LoadCounts): Promise<void> {
  const over = AbortSignal.timeout(seconds * 1000);
  const live = async (place: number) => {
    const random = seededRandom(Number(values.seed) * 1000 + place);
    const client = new Client({ url: server.url, token }, place, over);
    while (!over.aborted) {
      try {
        if (place % 10 === 9) {
          await attack(client, new URL(server.url), random);
          seen.attacks += 1;
        } else await honestVisit(client, { random, counts: seen, number: visits++, over });
      } catch (error) {
        if (over.aborted) return;
        seen.problems.push(`client ${place}: ${error}`);
        await wait(1000);
      }
    }
  };
  await Promise.all(Array.from({ length: Number(values.clients) }, (_, place) => live(place)));
}

function spread(times: readonly number[]): string {
  if (times.length === 0) return "none";
  return [0.5, 0.9, 0.99, 1].map((share) => `${Math.round(quantile(times, share))} ms`).join(", ");
}

try {
  await load(WARM_UP_SECONDS, new LoadCounts());
  await wait(REST_SECONDS * 1000);
  const before = megabytes();
  const usedBefore = usageOf(server.pid)?.seconds ?? Number.NaN;
  lateness.enable();
  await load(minutes * 60, counts);
  lateness.disable();
  const used = (usageOf(server.pid)?.seconds ?? Number.NaN) - usedBefore;
  const [busy] = loadavg();
  await wait(REST_SECONDS * 1000);
  const after = megabytes();
  const p99 = counts.pages.length === 0 ? Number.POSITIVE_INFINITY : quantile(counts.pages, 0.99);
  const figures: readonly (readonly [string, string, boolean?])[] = [
    [`pages for honest clients, ${counts.pages.length}: median, p90, p99, slowest`, spread(counts.pages)],
    [`p99 of pages under ${MOST_PAGE_MILLISECONDS} ms`, `${Math.round(p99)} ms`, p99 < MOST_PAGE_MILLISECONDS],
    [`uploads of honest clients, ${counts.uploads.length}: median, p90, p99, slowest`, spread(counts.uploads)],
    ["evaluations begun, watched to the end, left", `${counts.evaluations}, ${counts.evaluated}, ${counts.left}`],
    ["attacks", String(counts.attacks), counts.attacks > 0],
    ["honest requests refused or unanswered", String(counts.problems.length), counts.problems.length === 0],
    ["the server's own processor time, and the machine's load average", `${used.toFixed(1)} s, ${busy!.toFixed(1)}`],
    ["how late the clients were themselves, p99", `${Math.round(lateness.percentile(99) / 1e6)} ms`],
    ["memory before, peak, after", `${before}, ${peak}, ${after} MB`, after <= before * MOST_GROWTH],
  ];
  for (const [name, figure, isGood] of figures) {
    console.log(`${isGood === undefined ? " " : isGood ? "✓" : "✗"} ${name}: ${figure}`);
    if (isGood === false) process.exitCode = 1;
  }
  for (const problem of [...new Set(counts.problems)].slice(0, 20)) console.log(`  ${problem.slice(0, 300)}`);
} finally {
  clearInterval(watching);
  clearInterval(telling);
  await server.stop("SIGTERM");
  await rm(folder, { recursive: true, force: true });
}
