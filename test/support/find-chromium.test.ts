import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findChromium } from "./find-chromium.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fabula-browsers-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function browser(name: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return path;
}

it("takes the browser that FABULA_BROWSER names before one on the PATH", () => {
  browser("chromium");
  const named = browser("my-browser");
  expect(findChromium("linux", { PATH: folder, FABULA_BROWSER: named })).toBe(named);
});

it.each([
  ["is not there", () => join(folder, "nowhere")],
  ["may not be run", () => browser("locked", 0o644)],
])("says in one sentence that what FABULA_BROWSER names %s, and installs nothing", (_what, path) => {
  browser("chromium");
  const install = () => expect.unreachable();
  const environment = { PATH: folder, FABULA_BROWSER: path() };
  expect(() => findChromium("linux", environment, install)).toThrow(
    `FABULA_BROWSER names ${environment.FABULA_BROWSER}, which cannot be run: correct it, or unset it to search the PATH.`,
  );
});

it("finds a browser on the PATH without installing one", () => {
  const found = browser("google-chrome");
  expect(findChromium("linux", { PATH: folder }, () => expect.unreachable())).toBe(found);
});

it("installs one where there is none, once", () => {
  let installed = 0;
  const install = () => {
    installed += 1;
    browser("chromium");
  };
  expect(findChromium("linux", { PATH: folder }, install)).toBe(join(folder, "chromium"));
  expect(findChromium("linux", { PATH: folder }, install)).toBe(join(folder, "chromium"));
  expect(installed).toBe(1);
});

it.each([
  ["nothing can be installed", null],
  ["the installation brings none", () => {}],
])("says exactly what to install where there is none and %s", (_what, install) => {
  expect(() => findChromium("linux", { PATH: folder }, install)).toThrow(
    /need Chromium or Chrome: install one \(Debian, as root: `apt-get install chromium`\), or set FABULA_BROWSER/,
  );
});
