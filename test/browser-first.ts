import { launchChromium } from "./support/chromium.ts";
import { debianPackage } from "./support/debian-package.ts";
import { findChromium } from "./support/find-chromium.ts";
import { setUpStep } from "./support/set-up-step.ts";

/** Finds or installs the browser once, before any test file runs, and sees that it starts: test files only use it. */
export default async function browserFirst(): Promise<void> {
  await setUpStep(async () => {
    findChromium(process.platform, process.env, debianPackage("chromium", "the tests of the page"));
    await (await launchChromium()).close();
  });
}
