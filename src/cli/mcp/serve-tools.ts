import { once } from "node:events";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { FabulaError } from "../../core/errors.ts";
import { fabulaVersion } from "../../core/version.ts";
import { bookFinder } from "./book-folder.ts";
import { addBookTools } from "./book-tools.ts";
import { addJudgingTools } from "./judging-tools.ts";
import type { McpSettings } from "./mcp-settings.ts";

const INSTRUCTIONS =
  "Fabula reads book-length stories and says, with evidence, how good they are. Its embedded judges measure prose and need no key; they do not read the story. A missing score is never a zero: it comes with a reason, and the range beside a score belongs to it.";

/**
 * Answers an assistant on standard input and output until it goes away. What it asked for is interrupted then: no one would
 * read the answer, and calls already sent are finished and kept.
 */
export async function serveTools(settings: McpSettings): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort(new FabulaError("E_INTERRUPTED", "Interrupted."));
  const server = new McpServer({ name: "fabula", version: fabulaVersion() }, { instructions: INSTRUCTIONS });
  const findBook = await bookFinder(settings.folder);
  addBookTools(server, findBook);
  addJudgingTools(server, findBook, { ...settings, signal: gone.signal });
  process.stdin.once("end", leave).once("close", leave);
  settings.signal.addEventListener("abort", leave, { once: true });
  if (settings.signal.aborted) leave();
  await server.connect(new StdioServerTransport());
  if (!gone.signal.aborted) await once(gone.signal, "abort");
  await server.close();
}
