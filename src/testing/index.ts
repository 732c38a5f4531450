/** Tools for testing what talks to models: a simulated server and a recorder. Never a judge. */

export { ManualClock } from "./manual-clock.ts";
export { recordingFetch, replayingFetch } from "./recorded-fetch.ts";
export type { SimulatedReply, SimulatedRequest } from "./simulated-exchange.ts";
export { FAULTS, type Fault, type FaultRates, type ReplyHandler, seededReply } from "./simulated-model.ts";
export {
  createSimulatedServer,
  type SimulatedExchange,
  type SimulatedServer,
  type SimulatedServerOptions,
  type SimulatedUsage,
} from "./simulated-server.ts";
export { simulatedNovelists, simulatedProse } from "./simulated-writers.ts";
