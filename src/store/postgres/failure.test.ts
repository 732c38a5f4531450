import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { addressOf } from "./address.ts";
import { Database, openingFailure, statementFailure } from "./database.ts";

it.each([openingFailure, statementFailure])("says that the server's disk is full, and what to do: %o", (explain) => {
  const refused = Object.assign(new Error("could not extend file: No space left on device"), { code: "53100" });
  expect(explain(refused, addressOf("postgres://ada@db.example:5433/stories"))).toMatchObject({
    code: "E_STORE_FULL",
    message: expect.stringMatching(
      /^The disk of the PostgreSQL server db\.example:5433 is full: free some space there/,
    ),
  });
});

it("outlives a server that lets a connection in and ends it in the same breath, as one under load that is shut down", async () => {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(4 + body.length);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const greeting = Buffer.concat([
    message("R", Buffer.alloc(4)),
    message("Z", Buffer.from("I")),
    message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0")),
  ]);
  const server = createServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.end(greeting));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const clock = { now: () => new Date(), sleep: async () => {} };
  const database = new Database(`postgres://me:word@127.0.0.1:${port}/novels`, { clock });
  await expect(database.query("SELECT 1")).rejects.toMatchObject({ code: "E_STORE_LOST" });
  await database.close();
  server.close();
});
