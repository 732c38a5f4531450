import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { fabulaVersion } from "../../core/version.ts";
import { bookFinder } from "./book-folder.ts";
import { addBookTools } from "./book-tools.ts";
import { addJudgingTools } from "./judging-tools.ts";
import type { McpSettings } from "./mcp-settings.ts";

const INSTRUCTIONS =
  "Fabula reads book-length stories and says, with evidence, how good they are. Its embedded judges measure prose and need no key; they do not read the story. A missing score is never a zero: it comes with a reason, and the range beside a score belongs to it.";

/** Answers an assistant on standard input and output until it goes away. */
export async function serveTools(settings: McpSettings): Promise<void> {
  const server = new McpServer({ name: "fabula", version: fabulaVersion() }, { instructions: INSTRUCTIONS });
  const findBook = await bookFinder(settings.folder);
  addBookTools(server, findBook);
  addJudgingTools(server, findBook, settings);
  const gone = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve);
    settings.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await gone;
  await server.close();
}
