import { defineCommand } from "../../command.ts";
import { listed } from "../../flags/embedded-judge.ts";
import { STORE_FLAG } from "../../flags/flag.ts";
import { storeLocation } from "../../store-location.ts";

export const mcpCommand = defineCommand({
  summary:
    "Serve Fabula's tools to AI assistants over standard input and output: read, search, map, notes, evaluate, compare, forecast.",
  operands: "",
  flags: {
    "max-cost": {
      type: "number",
      value: "USD",
      minimum: 0,
      default: 1,
      help: "the most one evaluation by a language model may cost; an assistant can ask for less, never for more",
    },
    judges: {
      type: "string",
      value: "J1,J2",
      help: "language models that an assistant may use as judges, such as openai:gpt-4.1 [none]",
    },
    folder: { type: "string", value: "FOLDER", default: ".", help: "only books in this folder can be opened" },
    store: STORE_FLAG,
  },
  examples: ["fabula mcp", "fabula mcp --folder manuscripts --judges openai:gpt-4.1-mini --max-cost 0.50"],
  finishing:
    "Stopping: finishing the calls already sent, so that nothing paid for is lost. Ctrl-C again stops at once.",
  async run({ flags, signal }) {
    const { serveTools } = await import("../../mcp/serve-tools.ts");
    await serveTools({
      folder: flags.folder,
      judges: flags.judges === undefined ? [] : listed(flags.judges),
      maximumCost: flags["max-cost"],
      store: storeLocation(flags.store, process.env),
      signal,
    });
    return 0;
  },
});
