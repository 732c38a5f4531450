import { FabulaError } from "../../../core/errors.ts";
import { type FleetLimits, fleetLimits, setLimits, setShare } from "../../../queue/limits.ts";
import { textTable } from "../../../report/report-forms.ts";
import { defineCommand, STORE_FLAG } from "../../command.ts";
import { jsonDocument } from "../../output/write-report.ts";
import { storeLocation } from "../../paths.ts";

export const limitsCommand = defineCommand({
  summary: "Show or set what all workers of a shared store together may send to a provider, and each owner's share.",
  operands: "[PROVIDER]",
  flags: {
    concurrency: {
      type: "number",
      value: "N",
      minimum: 1,
      maximum: 100_000,
      integer: true,
      help: "concurrent calls of all runs together",
    },
    "requests-per-minute": { type: "number", value: "N", minimum: 1, help: "requests a minute of all runs together" },
    "tokens-per-minute": { type: "number", value: "N", minimum: 1, help: "tokens a minute of all runs together" },
    none: { type: "boolean", help: "remove the provider's limits that are not given" },
    owner: { type: "string", value: "NAME", help: "whose share to set (FABULA_OWNER, or the user who queued a run)" },
    share: {
      type: "number",
      value: "N",
      minimum: 0.01,
      maximum: 1000,
      help: "how many pieces this owner gets for each one of an owner without a share [1]",
    },
    store: STORE_FLAG,
  },
  examples: [
    "fabula limits",
    "fabula limits openai --requests-per-minute 500 --tokens-per-minute 2000000 --concurrency 64",
    "fabula limits openai --none",
    "fabula limits --owner ada --share 2",
  ],
  async run({ operands, flags, terminal }) {
    const location = storeLocation(flags.store, process.env);
    const [provider, ...more] = operands;
    if (more.length > 0)
      throw new FabulaError("E_USAGE", "Give one provider: `fabula limits openai --concurrency 64`.");
    const { concurrency, share, owner } = flags;
    const [requestsPerMinute, tokensPerMinute] = [flags["requests-per-minute"], flags["tokens-per-minute"]];
    const changes = {
      ...(concurrency !== undefined && { concurrency }),
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(tokensPerMinute !== undefined && { tokensPerMinute }),
    };
    const isChange = flags.none || Object.keys(changes).length > 0;
    if (isChange && provider === undefined)
      throw new FabulaError("E_USAGE", "Name the provider whose limits these are: `fabula limits openai …`.");
    if (provider !== undefined && !isChange)
      throw new FabulaError("E_USAGE", "Say what to set, such as --concurrency 64, or --none to remove its limits.");
    if ((owner === undefined) !== (share === undefined))
      throw new FabulaError("E_USAGE", "--owner and --share go together: `fabula limits --owner ada --share 2`.");
    if (provider !== undefined) await setLimits(location, provider, changes, flags.none);
    if (owner !== undefined && share !== undefined) await setShare(location, owner, share);
    const limits = await fleetLimits(location);
    terminal.print(flags.json ? jsonDocument("limits", limits) : describe(limits));
    return 0;
  },
});

function describe({ providers, owners }: FleetLimits): string {
  const shown = (value: number | null) => (value === null ? "–" : value.toLocaleString("en-GB"));
  return [
    providers.length === 0
      ? "No limits are set: each run keeps to its own, and all together to the highest of them."
      : textTable(
          ["provider", "calls at a time", "held now", "requests a minute", "tokens a minute"],
          providers.map(({ provider, concurrency, held, requestsPerMinute, tokensPerMinute }) => [
            provider,
            shown(concurrency),
            String(held),
            shown(requestsPerMinute),
            shown(tokensPerMinute),
          ]),
        ),
    ...(owners.length === 0
      ? []
      : [
          "",
          textTable(
            ["owner", "share", "pieces under way"],
            owners.map(({ owner, share, working }) => [owner || "unknown", String(share), String(working)]),
          ),
        ]),
    "",
  ].join("\n");
}
