import type { IncomingMessage, ServerResponse } from "node:http";

export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

export function sendJson(response: ServerResponse, status: number, document: unknown): void {
  send(response, status, "application/json", JSON.stringify(document));
}

export function send(response: ServerResponse, status: number, contentType: string, payload: string): void {
  response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(payload) });
  response.end(payload);
}
