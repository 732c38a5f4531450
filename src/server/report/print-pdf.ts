import { spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FabulaError } from "../../core/errors.ts";
import { makeTemporaryFolder } from "../../core/files/temporary-folder.ts";

const PATIENCE_MILLISECONDS = 60_000;

/**
 * Has an installed browser print a report to PDF: no shell, its own folder and browser profile, no network.
 * The page holds no scripts and forbids them.
 */
export async function printPdf(html: string, browser: string | null): Promise<Uint8Array<ArrayBuffer>> {
  if (browser === null) {
    throw new FabulaError(
      "E_NO_BROWSER",
      "There is no Chromium or Chrome on this machine to make a PDF with: export HTML, open it and print it from your browser.",
    );
  }
  const folder = await makeTemporaryFolder("print");
  try {
    const [page, pdf] = [join(folder, "report.html"), join(folder, "report.pdf")];
    await writeFile(page, html, { mode: 0o600 });
    await run(browser, [
      "--headless=new",
      // The sandbox of Chromium does not work for the superuser, and a container often has no other user.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--no-first-run",
      "--disable-extensions",
      "--disable-background-networking",
      "--disable-dev-shm-usage",
      "--proxy-server=127.0.0.1:9",
      `--user-data-dir=${join(folder, "profile")}`,
      "--no-pdf-header-footer",
      `--print-to-pdf=${pdf}`,
      pathToFileURL(page).href,
    ]);
    return new Uint8Array(await readFile(pdf));
  } catch (cause) {
    throw new FabulaError(
      "E_PRINT",
      "The browser on this machine did not make a PDF: export HTML, open it and print it from your browser.",
      { cause },
    );
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function run(command: string, words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: "ignore", timeout: PATIENCE_MILLISECONDS, killSignal: "SIGKILL" });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`the browser ended with ${code}`))));
  });
}
