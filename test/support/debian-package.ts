import { spawnSync } from "node:child_process";

/** Installs a package of Debian; null where that cannot be done: another system, or not root. */
export function debianPackage(name: string, purpose: string): (() => void) | null {
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return null;
  return () => {
    console.error(`set-up: installing Debian's ${name} for ${purpose}…`);
    aptGet("update");
    aptGet("install", "--yes", "--no-install-recommends", name);
  };
}

/** Silent unless it fails, and patient while another installation holds the lock. */
function aptGet(...words: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync("apt-get", ["-o", "DPkg::Lock::Timeout=600", ...words], {
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (status !== 0) console.error(`${stdout}${stderr}set-up: \`apt-get ${words.join(" ")}\` failed.`);
}
