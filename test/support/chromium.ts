import { type Browser, chromium } from "playwright-core";
import { findChromium } from "./find-chromium.ts";

/** A real browser for the tests of the page, as set-up found or installed it. */
export async function launchChromium(): Promise<Browser> {
  // The sandbox needs rights that a container rarely has; the pages opened here are our own.
  const args = ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"];
  // A browser on a desk has a UTF-8 locale; without one it cannot name a download in Chinese.
  const env = { ...process.env, LC_ALL: "C.UTF-8" };
  return chromium.launch({ executablePath: findChromium(process.platform, process.env), args, env });
}
