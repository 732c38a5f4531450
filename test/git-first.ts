import { spawnSync } from "node:child_process";
import { debianPackage } from "./support/debian-package.ts";
import { setUpStep } from "./support/set-up-step.ts";

/** Finds or installs git once: the project may have come as an archive, and the test of the action makes a repository. */
export default async function gitFirst(): Promise<void> {
  await setUpStep(async () => {
    if (!isThere()) debianPackage("git", "the test of the action")?.();
    if (!isThere())
      throw new Error("The test of the action needs git: install it (Debian, as root: `apt-get install git`).");
  });
}

const isThere = () => spawnSync("git", ["--version"]).status === 0;
