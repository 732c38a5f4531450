import { debianPackage } from "./support/debian-package.ts";
import { hasLibreOffice } from "./support/libre-office.ts";
import { setUpStep } from "./support/set-up-step.ts";

/** Installs LibreOffice once, where that can be done. Where it cannot, the tests take a file that it saved. */
export default async function officeFirst(): Promise<void> {
  await setUpStep(async () => {
    if (!hasLibreOffice()) debianPackage("libreoffice-writer", "comments that are resolved in a word processor")?.();
  });
}
