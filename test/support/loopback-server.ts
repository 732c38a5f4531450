import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoopbackServer {
  readonly url: string;
  /** What arrived, as it arrived. */
  readonly received: {
    readonly method: string;
    readonly url: string;
    readonly headers: string;
    readonly body: string;
  }[];
  close(): Promise<void>;
}

/** A server that answers as the test says, and keeps what it was sent. */
export async function loopbackServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LoopbackServer> {
  const received: LoopbackServer["received"] = [];
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const { method = "", url = "", headers } = request;
    received.push({ method, url, headers: JSON.stringify(headers), body: Buffer.concat(chunks).toString() });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * An address of this machine where nothing listens: a reserved port, because the system may give a port that was just closed to
 * the next server, and fetch refuses ports 1 and 7.
 */
export const SILENT_ADDRESS = "http://127.0.0.1:4";
