import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { postgresBinaries, type ServerUser, serverUser } from "./postgres-binaries.ts";

const PASSWORD = "correct-horse";
const USER = "fabula";
const ATTEMPTS = 5;

/** `fast` lets nobody finish but writes everything down; `crash` is what a power cut to the server process looks like. */
export type StopMode = "fast" | "crash";

/** A real PostgreSQL of one's own: started in a temporary folder on a free port, gone without a trace when stopped. */
export interface TestPostgres {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  url(database: string): string;
  /** An empty database that nobody else has seen, by its URL. */
  freshDatabase(): Promise<string>;
  /** Takes the server away while the data stay; `start` brings it back on the same port. */
  stop(mode?: StopMode): Promise<void>;
  start(): Promise<void>;
  restart(mode?: StopMode): Promise<void>;
  /** Ends it for good and removes its folder. */
  close(): Promise<void>;
}

/**
 * Starts one. Tests leave `durable` alone: a test server need not survive a power cut of the machine. Benchmarks set it, to
 * pay for the disk as a real server does.
 */
export async function startPostgres({
  durable = false,
  programs,
}: {
  readonly durable?: boolean;
  /** The folder whose `bin` holds the server; by default that of the npm packages. */
  readonly programs?: string;
} = {}): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "fabula-postgres-"));
  const user = serverUser();
  // Whoever runs the server must be able to pass through; what is inside is the server user's own.
  await chmod(folder, 0o711);
  const native = programs ?? (await postgresBinaries(folder));
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) await chown(data, user.uid, user.gid);
  await initialise(native, folder, user);

  const guard = guardAgainstSuddenDeath(folder);
  let port = 0;
  let server: ChildProcess | null = null;
  let databases = 0;

  const start = async () => {
    for (let attempt = 1; server === null; attempt++) {
      if (port === 0) port = await freePort();
      try {
        server = await run(native, data, port, user, durable);
      } catch (reason) {
        if (attempt === ATTEMPTS) throw reason;
        // Somebody else took the port in between. One that clients already know is waited for.
        if (databases === 0) port = 0;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  };
  const stop = async (mode: StopMode = "fast") => {
    if (server === null || server.exitCode !== null) return;
    const ended = once(server, "exit");
    server.kill(mode === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
    server = null;
  };
  const url = (database: string) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;

  await start();
  return {
    get port() {
      return port;
    },
    user: USER,
    password: PASSWORD,
    url,
    async freshDatabase() {
      databases += 1;
      const name = `fresh_${databases}`;
      const client = new pg.Client({ connectionString: url("postgres") });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return url(name);
    },
    stop,
    start,
    async restart(mode) {
      await stop(mode);
      await start();
    },
    async close() {
      await stop("crash");
      guard?.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function initialise(native: string, folder: string, user: ServerUser): Promise<void> {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, `${PASSWORD}\n`, { mode: 0o644 });
  const child = spawn(
    join(native, "bin", "initdb"),
    [
      `--pgdata=${join(folder, "data")}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--no-sync",
      "--no-instructions",
    ],
    { ...user, cwd: folder, stdio: ["ignore", "pipe", "pipe"] },
  );
  const said = gather(child);
  const [code] = await once(child, "close");
  await rm(passwordFile);
  if (code !== 0) throw new Error(`initdb failed: ${said()}`);
}

async function run(
  native: string,
  data: string,
  port: number,
  user: ServerUser,
  durable: boolean,
): Promise<ChildProcess> {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    port: String(port),
    max_connections: "200",
    lc_messages: "C",
    ...(durable ? {} : { fsync: "off", full_page_writes: "off" }),
  };
  const child = spawn(
    join(native, "bin", "postgres"),
    ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...user, cwd: data, stdio: ["ignore", "ignore", "pipe"] },
  );
  const said = gather(child);
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", () => {
      if (said().includes("ready to accept connections")) resolve();
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`PostgreSQL did not start: ${said()}`)));
  });
  return child;
}

/** Without this, a test process that is killed outright would leave a server behind. */
function guardAgainstSuddenDeath(folder: string): ChildProcess | null {
  if (platform() === "win32") return null;
  const script = 'cat; read -r pid < "$1/data/postmaster.pid" && kill -QUIT "$pid"; sleep 1; rm -rf "$1"';
  const guard = spawn("sh", ["-c", script, "sh", folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  guard.unref();
  return guard;
}

/** The first words and the last ones: a server that runs for an hour says more than anyone will read. */
function gather(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      if (text.length < 20_000) text += chunk;
    });
  }
  return () => text.trim();
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  const port = typeof address === "object" && address ? address.port : 0;
  probe.close();
  await once(probe, "close");
  return port;
}
