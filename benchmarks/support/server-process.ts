import { once } from "node:events";
import type { SimulatedExchange, SimulatedServerOptions } from "../../src/testing/index.ts";
import { startChild } from "./child.ts";

export interface ServerProcess {
  readonly url: string;
  exchanges(): Promise<readonly SimulatedExchange[]>;
  close(): void;
}

/** The simulated server apart from what is measured. */
export async function startServer(options: Omit<SimulatedServerOptions, "reply" | "clock">): Promise<ServerProcess> {
  const child = startChild("./serve.ts", JSON.stringify(options));
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return {
    url,
    async exchanges() {
      child.send("exchanges");
      const [{ exchanges }] = (await once(child, "message")) as [{ exchanges: SimulatedExchange[] }];
      return exchanges;
    },
    close: () => child.disconnect(),
  };
}
