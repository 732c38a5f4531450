import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { FabulaError } from "../core/errors.ts";

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** `GET /metrics` for Prometheus, and `GET /healthz` for a supervisor. */
export async function startMetricsServer(
  place: { readonly host: string; readonly port: number },
  worker: { metrics(): Promise<string>; isHealthy(): boolean },
): Promise<MetricsServer> {
  const server: Server = createServer((request, response) => {
    const answer = (status: number, type: string, text: string) => {
      response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) });
      response.end(request.method === "HEAD" ? undefined : text);
    };
    const path = request.url?.split("?")[0];
    if (path === "/metrics") {
      worker.metrics().then(
        (text) => answer(200, "text/plain; version=0.0.4; charset=utf-8", text),
        () => answer(503, "text/plain", "the store does not answer\n"),
      );
    } else if (path === "/healthz") {
      const healthy = worker.isHealthy();
      answer(healthy ? 200 : 503, "text/plain", healthy ? "ok\n" : "the store does not answer\n");
    } else answer(404, "text/plain", "look at /metrics or /healthz\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      reject(
        new FabulaError(
          "E_METRICS_PORT",
          `The metrics cannot be served at ${place.host}:${place.port} (${cause.message}): give another --metrics-port.`,
          { cause },
        ),
      );
    });
    server.listen(place.port, place.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
