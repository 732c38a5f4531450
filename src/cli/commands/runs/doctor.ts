import pc from "picocolors";
import { COVERED, dollars } from "../../../core/cost.ts";
import { connectionsFromEnvironment } from "../../../models/connection.ts";
import { isCovered } from "../../../models/judge-name.ts";
import { resolveShortName } from "../../../models/own-judge.ts";
import type { Price } from "../../../models/prices.ts";
import { textTable } from "../../../report/report-forms.ts";
import { withoutPassword } from "../../../store/postgres/address.ts";
import { type Diagnosis, diagnose, type Finding } from "../../../tasks/runs/doctor.ts";
import { findJudges } from "../../../tasks/runs/find-judges.ts";
import { defineCommand, STORE_FLAG } from "../../command.ts";
import { configuredFlags } from "../../config/apply-config.ts";
import { type FoundConfig, findConfig } from "../../config/config-file.ts";
import { userJudges, whyNoJudge } from "../../config/user-judges.ts";
import { jsonDocument } from "../../output/write-report.ts";
import { storeLocation } from "../../paths.ts";

export const doctorCommand = defineCommand({
  summary: "Show what is configured, reachable and missing, and what models cost. Keys are never shown.",
  operands: "",
  flags: {
    judge: { type: "string", value: "JUDGE", help: "ask this judge one short question" },
    prices: { type: "string", value: "FILE", help: "your own price table (FABULA_PRICES)" },
    costs: { type: "boolean", help: "print the price table" },
    store: STORE_FLAG,
  },
  examples: ["fabula doctor", "fabula doctor --judge openai:gpt-4o-mini", "fabula doctor --costs"],
  async run({ flags, terminal, signal }) {
    const prices = flags.prices ?? process.env.FABULA_PRICES;
    const connections = { ...connectionsFromEnvironment(process.env), ...userJudges() };
    const { findings, ...others } = await diagnose(
      {
        store: storeLocation(flags.store, process.env),
        connections,
        ...(prices ? { prices } : {}),
        ...(flags.judge ? { judge: flags.judge } : {}),
      },
      signal,
    );
    const judges = await findJudges({ connections, prices, path: process.env.PATH ?? "", signal });
    const { store, prices: table } = flags;
    const settings = settingsInForce(
      { store, prices: table },
      process.env,
      await findConfig(process.cwd(), process.env),
    );
    const diagnosis = { ...others, findings: [...findings, ...defaultFindings(settings)] };
    if (flags.json) terminal.print(jsonDocument("doctor", { ...diagnosis, judges, settings }));
    else {
      terminal.print(describe(diagnosis, flags.costs, pc.createColors(terminal.colours)));
      const rows = settings.map(({ name, value, from }) => [name, value, from]);
      const found = judges.map(({ judge, detail, weakness }) => [judge, weakness ?? detail]);
      terminal.print(
        found.length === 0
          ? "No language model was found: `fabula setup` says how to get one.\n"
          : `Judges that can be asked here (\`fabula setup\` tries them out)\n${textTable(["judge", "how"], found)}\n`,
      );
      terminal.print(`Settings in use\n${textTable(["setting", "value", "from"], rows)}\n`);
    }
    const broken = diagnosis.findings.some(({ state }) => state === "broken") || diagnosis.judge?.answers === false;
    return broken ? 1 : 0;
  },
});

/** A default judge that does not exist would make every command that judges fail. */
function defaultFindings(settings: readonly SettingInForce[]): Finding[] {
  return settings.flatMap(({ name, value, from }) => {
    const problem = name === "judge" ? whyNoJudge(value) : null;
    return problem === null
      ? []
      : [{ name: "default judge", state: "broken", detail: `${problem} It stands in ${from}.` }];
  });
}

type Colours = ReturnType<typeof pc.createColors>;

function describe({ findings, judge, prices }: Diagnosis, withPrices: boolean, colours: Colours): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  return [
    `Node ${process.versions.node} on ${process.platform}`,
    "",
    ...findings.map((finding) => `${mark(finding, colours)} ${finding.name.padEnd(width)}  ${finding.detail}`),
    ...(judge
      ? [
          "",
          `${judge.answers ? colours.green("✓") : colours.red("✗")} ${judge.judge}  ${judge.detail}`,
          judge.price
            ? `  ${perMillion(judge.price)} (as of ${judge.priceDate}); this question cost ${judge.cost === null ? "an unknown amount" : dollars(judge.cost)}`
            : isCovered(resolveShortName(judge.judge, userJudges().judges))
              ? `  ${COVERED}`
              : "  price unknown: add it to a price table and pass that with --prices",
        ]
      : []),
    "",
    ...(withPrices ? [priceTable(prices)] : [`Prices as of ${prices.date}: \`fabula doctor --costs\` shows them.`]),
    "",
  ].join("\n");
}

function mark({ state }: Finding, colours: Colours): string {
  switch (state) {
    case "ready":
      return colours.green("✓");
    case "absent":
      return colours.dim("–");
    case "broken":
      return colours.red("✗");
    default:
      return state satisfies never;
  }
}

function perMillion({ input, output }: Price): string {
  return `$${input} in, $${output} out per million tokens`;
}

function priceTable({ date, models }: Diagnosis["prices"]): string {
  const rows = Object.entries(models).map(([model, { input, cached, output, context }]) => [
    model,
    input.toFixed(3),
    cached?.toFixed(3) ?? "–",
    output.toFixed(3),
    context?.toLocaleString("en-GB") ?? "–",
  ]);
  return `US dollars per million tokens, as of ${date}\n${textTable(["model", "input", "cached", "output", "context"], rows)}`;
}

interface SettingInForce {
  readonly name: string;
  readonly value: string;
  /** A flag, an environment variable, a settings file, or Fabula's own default. */
  readonly from: string;
}

interface Given {
  readonly store: string | undefined;
  readonly prices: string | undefined;
}

/** What a command in this folder would use, and where each value comes from. */
function settingsInForce(given: Given, environment: NodeJS.ProcessEnv, { files }: FoundConfig): SettingInForce[] {
  const layers = files.map(({ path, config }) => ({ path, values: configuredFlags("evaluate", config, environment) }));
  const setting = (name: string, variable: string | null, flag: string | undefined, otherwise: string | null) => {
    const own = variable === null ? undefined : environment[variable];
    const layer = layers.find(({ values }) => values[name] !== undefined);
    const configured = layer && String(layer.values[name]);
    if (flag !== undefined && flag !== configured) return [{ name, value: withoutPassword(flag), from: `--${name}` }];
    if (own) return [{ name, value: withoutPassword(own), from: `${variable} in the environment` }];
    if (layer && configured !== undefined) return [{ name, value: withoutPassword(configured), from: layer.path }];
    return otherwise === null ? [] : [{ name, value: otherwise, from: "the default" }];
  };
  return [
    ...setting("judge", null, undefined, "jury"),
    ...setting("store", "FABULA_STORE", given.store, storeLocation(undefined, environment)),
    ...setting("rubric", null, undefined, "long-story"),
    ...setting("prices", "FABULA_PRICES", given.prices, "those that ship"),
    ...["max-cost", "concurrency", "requests-per-minute", "tokens-per-minute"].flatMap((name) =>
      setting(name, null, undefined, null),
    ),
  ];
}
