// Has a language model judge a book, with a cost limit, events and a way to stop. Without a judge on the command line it asks a
// simulated server, so that the example runs without a key.
//   node language-model.mjs [JUDGE] [BOOK]        such as: node language-model.mjs openai:gpt-4.1-mini novel.epub
import { evaluateBook, FabulaError } from "fabula";
import { createSimulatedServer } from "fabula/testing";

const [given, book = "node_modules/fabula/assets/examples/the-inspector-of-weights.md"] = process.argv.slice(2);
const server = given === undefined ? await createSimulatedServer() : null;
const judge = given ?? server.judge("simulated-small");

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
try {
  const evaluation = await evaluateBook(book, {
    judge,
    method: "summary",
    runs: 2,
    maxCost: 1,
    signal: stop.signal,
    onEvent: (event) => {
      if (event.kind === "progress") console.error(event.stage, event.done, "of", event.total ?? "?");
    },
  });
  for (const { name, verdict } of evaluation.aspects) {
    console.log(name, verdict.kind === "scored" ? verdict.score.toFixed(1) : `unscored: ${verdict.reason}`);
  }
  console.log(`${evaluation.calls} calls, ${evaluation.cost ?? "unknown"} dollars`);
} catch (error) {
  if (!(error instanceof FabulaError)) throw error;
  console.error(error.code, error.message);
  process.exitCode = 1;
} finally {
  await server?.close();
}
