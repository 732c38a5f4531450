/** The simulated server in a process of its own: sends its address, and its exchanges when asked. */
import { createSimulatedServer, type SimulatedServerOptions } from "../../src/testing/index.ts";

const options = JSON.parse(process.argv[2] ?? "{}") as SimulatedServerOptions;
const server = await createSimulatedServer(options);
process.on("message", (wish) => {
  if (wish === "exchanges") process.send?.({ exchanges: server.exchanges });
});
process.on("disconnect", () => void server.close());
process.send?.({ url: server.url });
