import { spawnSync } from "node:child_process";

/** Installs a package of Debian; null where that cannot be done: another system, or not root. */
export function debianPackage(name: string, purpose: string): (() => void) | null {
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return null;
  return () => {
    console.error(`set-up: installing Debian's ${name} for ${purpose}…`);
    const install = () => aptGet("install", "--yes", "--no-install-recommends", name);
    // The lists of packages are often there already, and new enough.
    if (install() === null) return;
    const problem = aptGet("update") ?? install();
    if (problem !== null) console.error(problem);
  };
}

/** Patient while another installation holds the lock. What it printed if it failed, else null. */
function aptGet(...words: readonly string[]): string | null {
  const { status, stdout, stderr } = spawnSync("apt-get", ["-o", "DPkg::Lock::Timeout=600", ...words], {
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return status === 0 ? null : `${stdout}${stderr}set-up: \`apt-get ${words.join(" ")}\` failed.`;
}
