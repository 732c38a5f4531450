import { FabulaError } from "../../../core/errors.ts";
import { CLOUD_PROVIDERS, CLOUDS } from "../../../models/adapters/clouds.ts";
import { connectionsFromEnvironment } from "../../../models/connection.ts";
import { ownJudgeId } from "../../../models/own-judge.ts";
import { loadPrices } from "../../../models/prices.ts";
import { NAMED_PROVIDERS, providerLine, variablesOf } from "../../../models/providers.ts";
import { textTable } from "../../../report/report-forms.ts";
import { didYouMean } from "../../../tasks/define/check.ts";
import { defineCommand } from "../../command.ts";
import { userJudges } from "../../config/user-judges.ts";
import { jsonDocument } from "../../output/write-report.ts";

export const modelsCommand = defineCommand({
  summary:
    "List the providers and models that can judge: what each needs, what it costs and how much it can read at once. No model is asked.",
  operands: "",
  flags: {
    provider: { type: "string", value: "NAME", help: "only the models of this provider, such as mistral" },
    prices: { type: "string", value: "FILE", help: "your own price table (FABULA_PRICES); its entries replace these" },
  },
  examples: ["fabula models", "fabula models --provider mistral", "fabula models --json"],
  async run({ flags, terminal }) {
    const file = flags.prices ?? process.env.FABULA_PRICES;
    const connections = { ...connectionsFromEnvironment(process.env), ...userJudges() };
    const { date, models } = await loadPrices(file, connections.judges);
    const known = [...CLOUD_PROVIDERS, ...NAMED_PROVIDERS, "ollama", "llama"];
    if (flags.provider !== undefined && !known.includes(flags.provider)) {
      const meant = didYouMean(flags.provider, known, (name) => `"${name}"`);
      throw new FabulaError(
        "E_USAGE",
        `There is no provider "${flags.provider}".${meant} \`fabula models\` lists them all.`,
      );
    }
    const wanted = (name: string) => flags.provider === undefined || name === flags.provider;
    const own = Object.entries(connections.judges ?? {}).map(([name, judge]) => ({
      name,
      shown: judge.name ?? name,
      judge: ownJudgeId(name, judge),
      context: judge.context ?? null,
    }));
    const cloud = CLOUD_PROVIDERS.map((name) => ({
      name,
      needs: [CLOUDS[name].keys[0]],
      isReady: Boolean(connections[name]?.key),
      schemas: true,
    }));
    const named = NAMED_PROVIDERS.map((name) => {
      const { key, needsKey, schemas } = providerLine(name);
      const { key: given, baseUrl } = connections[name] ?? {};
      const hasAddress = baseUrl !== undefined || variablesOf(name).length === 0;
      return {
        name,
        needs: [...(needsKey ? [key] : []), ...variablesOf(name)],
        isReady: hasAddress && (!needsKey || Boolean(given)),
        schemas,
      };
    });
    const providers = [...cloud, ...named].filter(({ name }) => wanted(name));
    const priced = Object.entries(models)
      .filter(([name]) => wanted(name.split(":")[0] ?? ""))
      .map(([name, { input, cached, output, context, reply }]) => ({
        name,
        input,
        cached: cached ?? null,
        output,
        context: context ?? null,
        reply: reply ?? null,
      }));
    if (flags.json) {
      terminal.print(jsonDocument("models", { date, providers, models: priced, judges: own }));
      return 0;
    }
    const isHere = providers.every(({ needs }) => needs.length === 0);
    const providerRows = providers.map(({ name, needs, isReady, schemas }) => [
      `${name}:MODEL`,
      isReady ? (needs.length === 0 ? "a server of your own" : "key found") : `set ${needs.join(" and ")}`,
      schemas ? "held to the shape" : "the shape is said in the prompt",
    ]);
    const price = (amount: number | null) => amount?.toFixed(3) ?? "–";
    const modelRows = priced.map((model) => [
      model.name,
      price(model.input),
      price(model.cached),
      price(model.output),
      model.context?.toLocaleString("en-GB") ?? "unknown",
    ]);
    const ownRows = own.map(({ name, shown, judge }) => [name, shown, judge.replace(/#[^#]*$/, "")]);
    terminal.print(
      [
        ...(providerRows.length === 0 ? [] : [textTable(["judge", "needs", "replies"], providerRows)]),
        ...(flags.provider === undefined || providerRows.length === 0
          ? [
              'ollama:MODEL, local, llama:PATH.gguf and MODEL@http://host/v1 need no key; command:"PROGRAM …" and paste use an account you have.',
            ]
          : []),
        ...(own.length === 0 ? [] : [`Judges in your settings\n${textTable(["name", "shown as", "judge"], ownRows)}`]),
        modelRows.length === 0
          ? isHere
            ? `Models of ${flags.provider} run on a server of your own: free of charge, as far as Fabula knows.`
            : `The price of no model of ${flags.provider} is known: a run says "cost unknown" unless your own table (--prices) or \`price\` in your settings has it.`
          : `US dollars per million tokens, as of ${date}; other models work too, at a price that is not known\n${textTable(["model", "input", "cached", "output", "context"], modelRows)}`,
        "",
      ].join("\n\n"),
    );
    return 0;
  },
});
