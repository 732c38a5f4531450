import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server that can be cut: nothing is refused, and nothing arrives. */
export interface CutLine {
  /** The same address by this way. */
  through(location: string): string;
  /** From now on every byte is lost, either way. */
  cut(): void;
  /** New connections work again. Those from before stay dead without being told so, as behind a firewall that has forgotten them. */
  mend(): void;
  close(): Promise<void>;
}

export async function cutLine(port: number): Promise<CutLine> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    sockets.add(near);
    near.on("error", () => {});
    // One that was begun during the cut is never answered.
    if (isCut) {
      near.resume();
      return;
    }
    const far = connect(port, "127.0.0.1");
    sockets.add(far);
    far.on("error", () => {});
    far.on("close", () => near.destroyed || isDead(near) || near.destroy());
    near.on("close", () => far.destroyed || isDead(near) || far.destroy());
    near.on("data", (bytes) => isDead(near) || far.write(bytes));
    far.on("data", (bytes) => isDead(near) || near.write(bytes));
  });
  const dead = new Set<Socket>();
  const isDead = (near: Socket) => dead.has(near);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    through(location) {
      const url = new URL(location);
      url.port = String((server.address() as AddressInfo).port);
      return url.href;
    },
    cut() {
      isCut = true;
      for (const socket of sockets) dead.add(socket);
    },
    mend() {
      isCut = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
