import { launchChromium } from "./support/chromium.ts";
import { debianPackage } from "./support/debian-package.ts";
import { findChromium } from "./support/find-chromium.ts";
import { hasLibreOffice } from "./support/libre-office.ts";
import { setUpStep } from "./support/set-up-step.ts";

/** Finds or installs the browser once, before any test file runs, and sees that it starts: test files only use it. */
export default async function browserFirst(): Promise<void> {
  await setUpStep(async () => {
    findChromium(process.platform, process.env, debianPackage("chromium", "the tests of the page"));
    await (await launchChromium()).close();
    // Where it cannot be installed, the tests take a file that LibreOffice saved.
    if (!hasLibreOffice()) debianPackage("libreoffice-writer", "comments that are resolved in a word processor")?.();
  });
}
