import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";

const OUTPUT = "test-output/page";

export interface OpenPage {
  readonly page: Page;
  /** What the browser complained of since the page was opened: errors, refused styles and scripts, missing files. */
  readonly complaints: string[];
  /** Keeps a picture of the page, or of a part of it, for people to look at after the tests: if FABULA_PICTURES is set. */
  picture(name: string, part?: Locator): Promise<void>;
  close(): Promise<void>;
}

/** By their addresses, the links with a token that servers have printed. */
export const PRINTED_LINKS = new Map<string, string>();

/** Lets a browser profile in, as opening the printed link does. */
export async function enter(context: BrowserContext, url: string): Promise<void> {
  const link = PRINTED_LINKS.get(new URL(url).origin);
  if (link !== undefined) await context.request.get(link);
}

/** A page in a browser profile of its own that knows the token, on a desk-sized window unless said otherwise. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", ...options });
  await enter(context, url);
  return openPageIn(context, url);
}

/** The same in a given browser profile, whether it knows the token or not. */
export async function openPageIn(context: BrowserContext, url: string): Promise<OpenPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return {
    page,
    complaints,
    async picture(name, part) {
      if (!process.env.FABULA_PICTURES) return;
      await mkdir(OUTPUT, { recursive: true });
      const path = join(OUTPUT, `${name}.png`);
      if (part) return void (await part.screenshot({ path }));
      // The reader scrolls by itself; every other view is kept whole.
      const fullPage = (await page.locator(".reader").count()) === 0;
      await page.screenshot({ path, fullPage });
    },
    close: () => context.close(),
  };
}
