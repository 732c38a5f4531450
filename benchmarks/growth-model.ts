/**
 * What 4,000, 100,000 and 10,000,000 novels take: calls, tokens, dollars, bytes, statements, and which limit is met first.
 * A few made novels of 121,000 tokens are really judged, by every method, against a simulated provider and with a real
 * PostgreSQL, to find out what one takes; the rest is multiplication, since novels share nothing.
 *
 *   node --expose-gc --import tsx benchmarks/growth-model.ts [--novels 4] [--runs 5] [--judge openai:gpt-4.1-mini]
 *     [--tokens-per-minute 30000000] [--answers-per-second 1000] [--volume-terabytes 4] [--memory-gigabytes 16]
 *     [--cores 8] [--days 30]
 */
import { parseArgs } from "node:util";
import { METHOD_NAMES } from "../src/judge/methods/method.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { type Capacity, needs, type PerNovel } from "./support/growth-limits.ts";
import { builtByGrader, builtByModel, judgedBy, queuedBook } from "./support/growth-units.ts";

const { values } = parseArgs({
  options: {
    novels: { type: "string", default: "4" },
    runs: { type: "string", default: "5" },
    judge: { type: "string", default: "openai:gpt-4.1-mini" },
    "tokens-per-minute": { type: "string", default: "30000000" },
    "answers-per-second": { type: "string", default: "1000" },
    "volume-terabytes": { type: "string", default: "4" },
    "memory-gigabytes": { type: "string", default: "16" },
    cores: { type: "string", default: "8" },
    days: { type: "string", default: "30" },
  },
});
const SIZES = [4000, 100_000, 10_000_000];
const GRADER_NOVELS = 100;
const capacity: Capacity = {
  tokensPerMinute: Number(values["tokens-per-minute"]),
  answersPerSecond: Number(values["answers-per-second"]),
  volumeBytes: Number(values["volume-terabytes"]) * 1e12,
  memoryBytes: Number(values["memory-gigabytes"]) * 1e9,
  cores: Number(values.cores),
  days: Number(values.days),
};

const postgres = await startPostgres();
const units: PerNovel[] = [];
try {
  const options = { postgres, judge: values.judge, runs: Number(values.runs), novels: Number(values.novels) };
  for (const method of METHOD_NAMES) {
    console.error(`judging ${options.novels} made novels: ${method}`);
    units.push(await judgedBy(method, options));
  }
  console.error("building a benchmark");
  units.push(await builtByModel(options));
  units.push(await builtByGrader(GRADER_NOVELS));
} finally {
  await postgres.close();
}

console.log(`One novel, ${values.judge}\n`);
table(
  ["work", "calls", "tokens in", "tokens out", "cost", "kept", "of it requests", "statements"],
  units.map((unit) => [
    unit.work,
    amount(unit.calls),
    amount(unit.inputTokens),
    amount(unit.outputTokens),
    dollars(unit.cost),
    bytes(unit.bytes),
    bytes(unit.requestBytes),
    amount(unit.queries),
  ]),
);
console.log(
  `\nMany novels, in ${values.days} days, with ${amount(capacity.tokensPerMinute)} tokens a minute, ` +
    `${amount(capacity.answersPerSecond)} answers a second, ${bytes(capacity.volumeBytes)} of disk, ` +
    `${bytes(capacity.memoryBytes)} of memory, ${values.cores} cores\n`,
);
table(
  ["work", "novels", "calls", "kept", "statements", "cost", "first limit, and how much of it is needed"],
  units.flatMap((unit) =>
    SIZES.map((novels) => {
      const [first] = needs(unit, novels, capacity);
      return [
        unit.work,
        novels.toLocaleString("en-GB"),
        amount(unit.calls * novels),
        bytes(unit.bytes * novels),
        amount(unit.queries * novels),
        dollars(unit.cost * novels),
        first ? `${first.limit}: ${percent(first.share)}` : "",
      ];
    }),
  ),
);
const piece = await queuedBook({ judge: values.judge, runs: Number(values.runs) });
console.log("\nOne novel as a piece of a shared run, judged by aggregate; processor time\n");
table(
  [
    "its file in the queue",
    "its evaluation",
    "queued by the command",
    "read by a worker",
    "put together by the command",
  ],
  [
    [
      bytes(piece.inputBytes),
      bytes(piece.resultBytes),
      ...[piece.queued, piece.read, piece.assembled].map((time) => `${time.toPrecision(2)} ms`),
    ],
  ],
);
console.log("\nEvery limit that 10,000,000 novels go beyond, and its remedy\n");
table(
  ["work", "limit", "needed", "remedy"],
  units.flatMap((unit) =>
    needs(unit, SIZES.at(-1)!, capacity)
      .filter(({ share }) => share > 1)
      .map(({ limit, share, remedy }) => [unit.work, limit, percent(share), remedy]),
  ),
);

function table(heading: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  console.log([line(heading), line(heading.map(() => "---")), ...rows.map(line)].join("\n"));
}

function amount(value: number): string {
  const units: readonly [number, string][] = [
    [1e12, " T"],
    [1e9, " G"],
    [1e6, " M"],
  ];
  for (const [size, name] of units) if (value >= size) return `${(value / size).toPrecision(3)}${name}`;
  return value >= 100 ? Math.round(value).toLocaleString("en-GB") : String(Number(value.toPrecision(2)));
}

function bytes(value: number): string {
  const units: readonly [number, string][] = [
    [1e15, "PB"],
    [1e12, "TB"],
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
  ];
  for (const [size, name] of units) if (value >= size) return `${Number((value / size).toPrecision(3))} ${name}`;
  return `${Math.round(value)} B`;
}

function dollars(value: number): string {
  return value >= 100 ? `$${Math.round(value).toLocaleString("en-GB")}` : `$${value.toFixed(2)}`;
}

function percent(share: number): string {
  return share >= 0.1 ? `${Math.round(share * 100).toLocaleString("en-GB")} %` : `${(share * 100).toPrecision(2)} %`;
}
