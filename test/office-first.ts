import { debianPackage } from "./support/debian-package.ts";
import { isOfficeThere, OFFICE_PACKAGE } from "./support/libre-office.ts";
import { setUpStep } from "./support/set-up-step.ts";

/** Finds or installs LibreOffice once: comments that we write are resolved in it and read back. */
export default async function officeFirst(): Promise<void> {
  await setUpStep(async () => {
    if (!isOfficeThere()) debianPackage(OFFICE_PACKAGE, "the test of Word comments")?.();
    if (!isOfficeThere())
      throw new Error(
        `The test of Word comments needs LibreOffice: install it (Debian, as root: \`apt-get install ${OFFICE_PACKAGE}\`).`,
      );
  });
}
