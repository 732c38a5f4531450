// `npm run test:bare`: the commands of the README on a machine that has nothing but Debian, Node and npm. Builds such a root
// in a temporary folder, clones the last commit into it and runs `npm run demo` and `npm test` there: no browser, no
// PostgreSQL, no cache and no setting of whoever runs this, except how to reach the package registries.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = join(dirname(fileURLToPath(import.meta.url)), "..");
const CLONE = "/root/fabula";
const COMMANDS = ["npm run demo", "npm test"];

const timings = [];

class Failure extends Error {}

if (process.platform !== "linux" || process.getuid?.() !== 0) {
  console.error(
    "test:bare needs Linux and root, to build a Debian root and enter it: run it as root, or leave it to CI.",
  );
  process.exit(1);
}

const insideEnvironment = environmentInside();
const root = mkdtempSync(join(tmpdir(), "fabula-bare-"));
// Other users of the root must be able to enter it.
chmodSync(root, 0o755);
let running = null;
let isStopped = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    isStopped = true;
    running?.kill("SIGKILL");
  });
}
try {
  await timed("a bare Debian root", buildRoot);
  await timed("Node, npm and the clone", furnish);
  for (const command of COMMANDS) await timed(command, () => runInside(command));
} catch (reason) {
  if (!(reason instanceof Failure)) throw reason;
  console.error(`test:bare: ${reason.message}`);
  process.exitCode = 1;
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  for (const { what, seconds } of timings) console.error(`test:bare: ${seconds.toFixed(0).padStart(5)} s  ${what}`);
}

async function timed(what, act) {
  console.error(`test:bare: ${what}…`);
  const started = performance.now();
  try {
    await act();
  } finally {
    timings.push({ what, seconds: (performance.now() - started) / 1000 });
  }
}

function output(command, words) {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: repository, encoding: "utf8" });
  if (status !== 0) throw new Failure(`\`${command} ${words.join(" ")}\` failed: ${stderr ?? "it is not installed"}`);
  return stdout.trim();
}

/** Signals reach this process while the command runs, so that it can clean up. */
function run(command, words, environment = process.env) {
  return new Promise((resolve, reject) => {
    if (isStopped) throw new Failure("stopped.");
    running = spawn(command, words, { stdio: ["ignore", "inherit", "inherit"], env: environment });
    running.on("error", reject);
    running.on("exit", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Failure(`\`${command} … ${words.at(-1)}\` ended with ${code ?? signal}; see above.`));
    });
  });
}

async function buildRoot() {
  if (spawnSync("debootstrap", ["--version"]).error) {
    await run("apt-get", ["update", "-qq"]);
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "debootstrap"]);
  }
  const { suite, sources } = debianSources();
  const mirror = sources.find((source) => source.suite === suite)?.address;
  await isolated(["debootstrap", "--variant=minbase", suite, root, ...(mirror ? [mirror] : [])], process.env);
  const lines = sources.map(({ address, suite, component }) => `deb ${address} ${suite} ${component}\n`);
  if (lines.length > 0) writeFileSync(join(root, "etc/apt/sources.list"), lines.join(""));
}

/** The release and the mirrors of this machine where it is a Debian, without what other makers added to its sources. */
function debianSources() {
  const release = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1];
  if (!/^ID=debian$/m.test(release) || !suite) return { suite: "stable", sources: [] };
  const format = "$(REPO_URI) $(RELEASE) $(COMPONENT)";
  const sources = output("apt-get", ["indextargets", "--format", format, "Created-By: Packages"])
    .split("\n")
    .map((line) => line.split(" "))
    .map(([address, suite, component]) => ({ address, suite, component }))
    .filter(
      (source) => source.component === "main" && new RegExp(`^${suite}(-updates|-security)?$`).test(source.suite),
    );
  return { suite, sources };
}

async function furnish() {
  takeNetworkSettings();
  copyNode();
  const npm = dirname(dirname(realpathSync(process.env.npm_execpath ?? output("which", ["npm"]))));
  cpSync(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
  for (const name of ["npm", "npx"])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, "usr/local/bin", name));
  if (output("git", ["status", "--porcelain"]))
    console.error("test:bare: changes that are not committed are left out.");
  await run("git", ["-c", "safe.directory=*", "clone", "--quiet", "--no-hardlinks", repository, join(root, CLONE)]);
  await runInside("node --version && npm --version");
}

/** Only the way to the registries: names, proxies and certificates. */
function takeNetworkSettings() {
  for (const file of ["/etc/resolv.conf", "/etc/hosts"]) replaceWithOurs(file);
  for (const name of ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "npm_config_cafile"])
    if (existsSync(insideEnvironment[name] ?? "")) replaceWithOurs(insideEnvironment[name]);
  const lines = output("apt-config", ["dump", "--no-empty", "Acquire"])
    .split("\n")
    .filter((line) => /^Acquire::(https?::|Check-Valid-Until )/i.test(line));
  writeFileSync(join(root, "etc/apt/apt.conf.d/90network"), lines.map((line) => `${line}\n`).join(""));
}

function copyNode() {
  mkdirSync(join(root, "usr/local/bin"), { recursive: true });
  cpSync(realpathSync(process.execPath), join(root, "usr/local/bin/node"));
  // A Node built by a distribution brings libraries that a bare root lacks.
  for (const [, library] of output("ldd", [process.execPath]).matchAll(/=> (\/\S+)/g))
    if (!existsSync(join(root, library))) replaceWithOurs(library);
}

/** Puts a file of this machine at the same place in the root. */
function replaceWithOurs(file) {
  const target = join(root, file);
  rmSync(target, { force: true });
  mkdirSync(dirname(target), { recursive: true });
  cpSync(realpathSync(file), target);
}

function environmentInside() {
  const environment = { HOME: "/root", PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" };
  const names = /^(https?_proxy|all_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i;
  for (const [name, value] of Object.entries(process.env)) if (names.test(name)) environment[name] = value;
  const settings = ["registry", "proxy", "https-proxy", "noproxy", "cafile", "strict-ssl"];
  for (const line of output("npm", ["config", "get", ...settings]).split("\n")) {
    const [, name, value] = /^([\w-]+)=(.*)$/.exec(line) ?? [];
    if (value && value !== "null") environment[`npm_config_${name.replace("-", "_")}`] = value;
  }
  return environment;
}

async function runInside(command) {
  const enter = [
    "set -e",
    'mount --rbind /sys "$0/sys"',
    'mount --rbind /dev "$0/dev"',
    'mount -t tmpfs tmpfs "$0/dev/shm"',
    'mount -t proc proc "$0/proc"',
    'exec chroot "$0" /bin/sh -c "cd $1 && $2"',
  ].join("\n");
  await isolated(["sh", "-c", enter, root, CLONE, command], insideEnvironment);
}

/** Runs in namespaces of its own: whatever it mounts or leaves running is gone when it ends, however it ends. */
function isolated(words, environment) {
  return run("unshare", ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc", ...words], environment);
}
